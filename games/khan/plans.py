"""Orders sent ahead: what the rules say of a queue that the host keeps, and of standing answers (KHAN-17)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine import Dice, Overtaken, Refusal, Turned
from engine.dice import DiceRanOut
from games.khan.conquest import touched
from games.khan.material import BOARD, SEAT_NUMBER, SEATS
from games.khan.orders import NO_SPECIAL, Answer, Chase, Conquer, Move, Resign, Special
from games.khan.playing import resolve
from games.khan.reading import parse
from games.khan.state import (
    ACTION_1,
    ACTION_2,
    AGREE,
    ALWAYS,
    CONSENT,
    NEVER,
    NO_STANDING,
    REFUSE,
    SKIP,
    SPECIAL,
    State,
)

Order = str | Mapping[str, Any]


def skips(state: State, seat: int) -> bool:
    """KHAN-17.5: whether step 4 is open to a seat that answers it `none` beforehand."""
    return state.point == SPECIAL and state.seat == seat and state.standing[seat].special == SKIP


def interrupts(state: State, seat: int) -> bool:
    """KHAN-10.2: a question during another's turn; KHAN-17.5: step 4 of a seat that skips it. Other orders wait."""
    return state.point == CONSENT or skips(state, seat)


def is_for_now(state: State, seat: int, order: Order) -> bool:
    """KHAN-17.5: an S order is what step 4 was waiting for, skipped or not; if it is not legal, the queue stops."""
    return skips(state, seat) and _is_special(state, order)


def answer(state: State, seat: int, standing: Mapping[str, Any]) -> Move | None:
    """KHAN-17.5: step 4 of one who skips it. What a host still keeps itself (`standing`) counts where ours says ask."""
    if skips(state, seat) or (state.point == SPECIAL and standing.get("special") == SKIP):
        return NO_SPECIAL
    if state.point != CONSENT:
        return None
    single = standing.get("consent_to", {}).get(SEATS[state.seat], "default")
    word = standing.get("consent") if single == "default" else single
    return {ALWAYS: Answer(AGREE), NEVER: Answer(REFUSE)}.get(str(word))


def foresee(state: State, seat: int, move: Move) -> State | None:
    """The state after an order whose whole effect its seat can tell: no card turned or drawn, nobody asked.

    So a receipt can judge and preview a whole turn as far as the second action, the third and the special card.
    """
    if state.asked() != (seat,) or state.point == CONSENT:
        return None
    if isinstance(move, Conquer) and touched(state, seat, BOARD.mask(move.cells)):
        return None  # KHAN-10.2: others answer, by a standing answer perhaps
    if isinstance(move, Chase | Resign):
        return None  # KHAN-6.3: the card is turned when the leader has been named
    try:
        after: State = resolve(as_known(state, seat), {SEATS[seat]: move}, Dice.script(())).state
    except DiceRanOut:
        return None
    return after if after.asked() == (seat,) and after.turn == state.turn else None  # no hand has been filled since


def as_known(state: State, seat: int) -> State:
    """The state with everything that a seat may not know in canonical order instead, whatever it is (KHAN-20)."""
    others = [other for other in state.seats if other != seat]
    unknown = sorted([*state.draw, *(card for other in others for card in state.hands[other])])
    hands, standing = list(state.hands), list(state.standing)
    for other in others:
        count, standing[other] = len(hands[other]), NO_STANDING
        hands[other], unknown = tuple(unknown[:count]), unknown[count:]
    return state.but(hands=tuple(hands), draw=tuple(unknown), standing=tuple(standing))


def overtaken(before: State, turned: Turned, seat: int, order: Order | None) -> Overtaken | None:
    """What of a seat's queue has become void by what happened."""
    after: State = turned.state
    if seat in after.gone:
        text = "Seat {seat} has resigned."
        return Overtaken(Refusal("KHAN-17.7", "resigned", text, {"seat": SEATS[seat]}), True)  # KHAN-17.7
    for event in turned.events:
        if event.kind == "refused" and SEAT_NUMBER[event.facts["seat"]] == seat:
            text = "The conquest was refused by {by}; the orders behind it are dropped."
            return Overtaken(Refusal("KHAN-17.3", "refused", text, {"by": event.facts["by"]}), True)  # KHAN-10.4
    if order is not None and _step_4_passed(before, after, seat) and _is_special(after, order):
        text = "No special card was asked for; the order for it is dropped."
        return Overtaken(Refusal("KHAN-17.5", "not_asked", text))
    return None


def _is_special(state: State, order: Order) -> bool:
    return isinstance(parse(order, state.options.seats), Special)


def _step_4_passed(before: State, after: State, seat: int) -> bool:
    """KHAN-9.1: whether a turn of this seat has gone from step 2 to its end without the question of step 4."""
    point = before.proposal.back if before.proposal else before.point
    return before.seat == seat and point in (ACTION_1, ACTION_2) and after.turn > before.turn
