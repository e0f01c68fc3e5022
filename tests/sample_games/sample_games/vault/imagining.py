"""What might be the case for all a seat of vault knows: other cards in other hands, face down and left over."""

from __future__ import annotations

from dataclasses import replace

from engine import Dice
from sample_games.vault.state import SEATS, Position


def imagine(state: Position, seat: str, dice: Dice) -> Position:
    """All cards the seat does not see, dealt anew; who was told the highest spare card keeps it there (VAULT-2.5)."""
    others = [other for other in SEATS if other != seat]
    piles = [pile for other in others for pile in (state.player(other).hand, state.player(other).discards)]
    cards = sorted([*state.deck, *(card for pile in piles for card in pile)])
    told = [max(state.deck)] if state.player(seat).told else []
    spare = dice.shuffle([card for card in cards if not told or card < told[0]], "spare")
    deck = sorted([*told, *spare[: len(state.deck) - len(told)]])
    left = dice.shuffle([card for card in cards if card not in deck], "imagined")
    players = list(state.players)
    for other in others:
        was = state.player(other)
        hand, discards = left[: len(was.hand)], left[len(was.hand) : len(was.hand) + len(was.discards)]
        left = left[len(hand) + len(discards) :]
        players[SEATS.index(other)] = replace(was, hand=tuple(sorted(hand)), discards=tuple(sorted(discards)))
    return replace(state, players=tuple(players), deck=tuple(deck))
