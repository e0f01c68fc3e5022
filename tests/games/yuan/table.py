"""A small host for the vectors: it keeps filed orders, takes resignations at once, and closes decisions."""

from __future__ import annotations

from typing import Any

from engine import Dice, Event, Refusal
from games.yuan import GAME
from games.yuan.notation import Line
from games.yuan.state import State


class Table:
    """One game being played: the state, what is filed, and all that has happened."""

    def __init__(self, state: State, dice: Dice, filed: dict[str, Any] | None = None) -> None:
        self.state, self.dice = state, dice
        self.filed: dict[str, Any] = dict(filed or {})
        self.events: list[Event] = []

    def file(self, seat: str, order: Any) -> str | None:
        """Takes one order; the code of its refusal, if it is refused. What stood before stays (YUAN-5.7)."""
        move = GAME.read(self.state, seat, order)
        if isinstance(move, Refusal):
            return move.code
        if GAME.at_once(self.state, seat, move):
            self.filed.pop(seat, None)  # YUAN-14.6: an order the seat had filed is void
            self.turn({seat: move})
        else:
            self.filed[seat] = move
        return None

    def close(self) -> None:
        """Whoever has not filed takes the default."""
        moves = {seat: self.filed.get(seat, GAME.default(self.state, seat)) for seat in GAME.pending(self.state)}
        self.filed = {}
        self.turn(moves)

    def turn(self, moves: dict[str, Any]) -> None:
        self.state, events = GAME.resolve(self.state, moves, self.dice)
        self.events += events

    @property
    def line(self) -> str:
        return str(Line(self.state, self.filed))
