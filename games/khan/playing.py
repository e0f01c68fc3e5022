"""Playing: what each order does when it is taken, and the defaults of those who have resigned (KHAN-17)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine import Dice, Turned
from games.khan import actions, consent, specials
from games.khan.conquest import touched
from games.khan.defaults import default
from games.khan.material import BOARD, CARD_NUMBER, LEADER_NUMBER, NUMBERS, SEAT_NUMBER, SEATS, SHAPE_NUMBER
from games.khan.orders import (
    Answer,
    Anywhere,
    Chase,
    Conquer,
    Instruct,
    Invade,
    Move,
    Pass,
    Place,
    Resign,
    Special,
    order_of,
)
from games.khan.state import FINAL, THIRD, State
from games.khan.telling import Telling
from games.khan.turn import STEP_3, go_on, leave, resign


def resolve(state: State, moves: Mapping[str, Move], dice: Dice) -> Turned:
    """The orders of all who were asked, and everything up to the next decision."""
    telling = Telling(state, dice)
    for name in SEATS:
        if name in moves:
            do(telling, SEAT_NUMBER[name], moves[name])
    run(telling)
    return telling.turned()


def run(telling: Telling) -> None:
    """Up to the next decision of a seat that is still in the game (KHAN-17.7)."""
    while go_on(telling):
        seat = telling.state.seat
        do(telling, seat, default(telling.state, seat))


def do(telling: Telling, seat: int, move: Move) -> None:
    """What one order does; the turn goes on from its point unless the point stays open."""
    order = order_of(move)
    _DO[order.do](telling, seat, order)


def _place(telling: Telling, seat: int, move: Place) -> None:
    actions.place(telling, NUMBERS[move.cell])


def _invade(telling: Telling, seat: int, move: Invade) -> None:
    actions.invade(telling, CARD_NUMBER[move.card], NUMBERS[move.cell])
    leave(telling)


def _chase(telling: Telling, seat: int, move: Chase) -> None:
    actions.chase(telling, LEADER_NUMBER[move.leader])
    leave(telling)


def _conquer(telling: Telling, seat: int, move: Conquer) -> None:
    shape, mask = SHAPE_NUMBER[move.shape], BOARD.mask(move.cells)
    if touched(telling.state, seat, mask):
        return consent.propose(telling, shape, mask)  # KHAN-10.1: the point opens again or closes with the answers
    actions.conquer(telling, shape, mask)
    leave(telling)


def _anywhere(telling: Telling, seat: int, move: Anywhere) -> None:
    actions.invade_anywhere(telling, NUMBERS[move.cell], tuple(CARD_NUMBER[card] for card in move.discard))
    telling.change(point=STEP_3)  # KHAN-6.5: both actions are used


def _special(telling: Telling, seat: int, move: Special) -> None:
    specials.use(telling, move)
    if move.card == "morale":
        telling.change(point=THIRD)  # KHAN-9.3
    else:
        leave(telling)


def _answer(telling: Telling, seat: int, move: Answer) -> None:
    consent.answer(telling, seat, move.answer)


def _pass(telling: Telling, seat: int, move: Pass) -> None:
    rule = "KHAN-13.3" if telling.state.phase == FINAL else "KHAN-6.7"
    telling.tell("pass", rule, seat=SEATS[seat])
    leave(telling, give_up=True)


def _instruct(telling: Telling, seat: int, move: Instruct) -> None:
    consent.instruct(telling, seat, move)


def _resign(telling: Telling, seat: int, move: Resign) -> None:
    resign(telling, seat)


_DO: dict[str, Callable[[Telling, int, Any], None]] = {
    "P": _place,
    "A": _invade,
    "B": _chase,
    "C": _conquer,
    "D": _anywhere,
    "S": _special,
    "consent": _answer,
    "pass": _pass,
    "standing": _instruct,
    "resign": _resign,
}
