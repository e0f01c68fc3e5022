"""A telling: the state while something happens to it, the dice it happens with, and the story as it goes on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine import Dice, Event, Turned
from engine.events import NOTHING_HIDDEN
from games.khan.material import SEATS
from games.khan.state import State


class Telling:
    """It lives inside one resolution: each step changes the state and tells what it did, cause before consequence.

    KHAN-16.1: its dice are the only chance there is, asked in the order of the rules.
    """

    __slots__ = ("dice", "events", "state")

    def __init__(self, state: State, dice: Dice) -> None:
        self.state, self.dice = state, dice
        self.events: list[Event] = []

    def change(self, **changes: Any) -> None:
        self.state = self.state.but(**changes)

    def tell(
        self, kind: str, rule: str, hidden: Mapping[str, Mapping[str, Any]] = NOTHING_HIDDEN, **facts: Any
    ) -> None:
        self.events.append(Event(kind, rule, facts, hidden))

    def put(self, yurts_of: int, mask: int) -> None:
        """Yurts of a seat (-1: black) on these cells; KHAN-1.10: there are always enough."""
        yurts = list(self.state.yurts)
        yurts[yurts_of] |= mask
        self.change(yurts=tuple(yurts))

    def take(self, mask: int) -> None:
        """Whatever yurts stand on these cells go back; KHAN-1.10."""
        self.change(yurts=tuple([yurts & ~mask for yurts in self.state.yurts]))

    def turned(self) -> Turned:
        return Turned(self.state, tuple(self.events))


def seat_names(seats: tuple[int, ...]) -> list[str]:
    return [SEATS[seat] for seat in seats]


def changed(row: tuple[Any, ...], place: int, value: Any) -> tuple[Any, ...]:
    """The row with one entry exchanged."""
    return (*row[:place], value, *row[place + 1 :])
