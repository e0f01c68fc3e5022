"""What might be the case for all a seat knows: other hands of the others, another pile (KHAN-20)."""

from __future__ import annotations

from engine import Dice
from games.khan.plans import as_known
from games.khan.state import OVER, REFUSE, Needed, Proposal, State


def imagine(state: State, seat: int, dice: Dice) -> State:
    """Cards dealt anew from those the seat does not see; nobody else has standing instructions or has answered."""
    if state.phase == OVER:
        return state  # KHAN-20.4: all is open
    known = as_known(state, seat)
    others = [other for other in known.seats if other != seat]
    cards = dice.shuffle([*known.draw, *(card for other in others for card in known.hands[other])], "imagined")
    hands = list(known.hands)
    for other in others:
        count = len(hands[other])
        hands[other], cards = tuple(sorted(cards[:count])), cards[count:]
    proposal = None if known.proposal is None else _unanswered(known, known.proposal, seat)
    return known.but(hands=tuple(hands), draw=cards, proposal=proposal)


def _unanswered(state: State, proposal: Proposal, seat: int) -> Proposal:
    """KHAN-20: answers are not open before all are given; only that who has resigned refuses is known (KHAN-17.7)."""
    return proposal._replace(
        need=tuple(
            each if each.seat == seat else Needed(each.seat, REFUSE if each.seat in state.gone else "")
            for each in proposal.need
        )
    )
