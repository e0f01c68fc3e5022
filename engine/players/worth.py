"""What a position is worth to a seat, and what one move leads to: the eyes of all players that look ahead."""

from __future__ import annotations

from typing import Any

from engine.dice import Dice
from engine.game import Move, Outcome, Seat
from engine.registry import AnyGame

DECIDED = 1_000_000  # more than any appraisal of an open position
QUESTIONS = 8  # put to others in answer to one move; more come in no game


def worth(rules: AnyGame, state: Any, seat: Seat) -> int:
    """The place in a game that is over; in an open one, what its rules make of it."""
    outcome = rules.outcome(state)
    return rules.appraise(state, seat) if outcome is None else DECIDED * beaten(outcome, seat)


def beaten(outcome: Outcome, seat: Seat) -> int:
    """How many seats this one has left behind, less those that are before it."""
    own = next((number for number, place in enumerate(outcome.places) if seat in place), len(outcome.places))
    return sum(len(place) * ((number > own) - (number < own)) for number, place in enumerate(outcome.places))


def after(rules: AnyGame, state: Any, seat: Seat, move: Move, dice: Dice) -> Any:
    """The state a move leads to when the others do what their silence means, asked with the seat or because of it."""
    moves = {other: rules.default(state, other) for other in rules.pending(state) if other != seat}
    return answered(rules, rules.resolve(state, {**moves, seat: move}, dice).state, seat, dice)


def answered(rules: AnyGame, state: Any, seat: Seat, dice: Dice) -> Any:
    """The state once others have been silent to the questions that this seat's move put to them."""
    for _ in range(QUESTIONS):
        asked = rules.pending(state)
        if not asked or seat in asked or not all(rules.interrupts(state, other) for other in asked):
            break
        state = rules.resolve(state, {other: rules.default(state, other) for other in asked}, dice).state
    return state
