"""Contradictions: a form whose key is that of a seat, and whose `seat:` or `turn:` is not that of the key.

Who has the key is that seat: he is told which line does not fit, and nothing of the form is taken. A key is held
against each seat of the named game and its last turns, so a guess is right so much more often than against one place;
whoever guesses right gains nothing by it, as an answer goes to the registered address alone.
"""

from __future__ import annotations

from typing import NamedTuple

from engine import Refusal, Seat
from pbem.game.eras import Spoken, eras_of, spoken
from pbem.intake.form import SEAT, TURN, Form
from pbem.intake.problems import Problem
from pbem.ledger.games import GameRow

LATELY = 30  # turns, before the open one, whose keys are looked for; after a take-back, as many behind it
CONTRADICTION = "contradiction"

OTHER_SEAT = "`seat: {said}` does not fit the key, which is that of {seat}. Write {seat} behind `seat:`."
OTHER_TURN = "`turn: {said}` does not fit the key, which is that of decision {turn}. Write {turn} behind `turn:`."
OLD_KEY = "`turn: {said}` does not fit the key, which is that of decision {turn}."
NO_TURN = "There is no `turn:`, and the key is that of decision {turn}."


class Place(NamedTuple):
    """The seat and the turn that a key is of, and what it is worth."""

    seat: Seat
    turn: int
    spoke: Spoken = Spoken.NOW


def place_of(secret: bytes, row: GameRow, key: str) -> Place | None:
    """Where that key fits in the game. It is held against every place, wherever it fits."""
    eras = eras_of(row.attendance)
    turns = range(max(1, row.turn - LATELY), row.turn + LATELY + 1)
    found = [
        Place(seat, turn, how)
        for seat in row.seats
        for turn in turns
        if (how := spoken(secret, eras, key, seat, turn, row.turn)) is not None
    ]
    return found[0] if len(found) == 1 else None


def contradictions(form: Form, row: GameRow, place: Place) -> tuple[Problem, ...]:
    """What does not fit in a form whose key is of another place. That a turn is closed is told beside it."""
    facts = {"seat": place.seat, "turn": place.turn}
    found = []
    if form.seat != place.seat:
        found.append(Problem(Refusal("", CONTRADICTION, OTHER_SEAT, facts | {"said": form.seat}), form.mark((SEAT,))))
    if form.turn is None and place.turn != row.turn:
        found.append(Problem(Refusal("", CONTRADICTION, NO_TURN, facts), form.mark((TURN,))))
    elif form.turn is not None and form.turn != place.turn:
        text = OTHER_TURN if place.turn == row.turn else OLD_KEY
        found.append(Problem(Refusal("", CONTRADICTION, text, facts | {"said": form.turn}), form.mark((TURN,))))
    return tuple(found)
