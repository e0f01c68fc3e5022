"""A game of as many turns as one likes, each the same: to measure whether a long history makes a turn dearer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from engine import BadPosition, Dice, Event, Game, OptionSet, Outcome, Refusal, Turned, View, whole


@dataclass(frozen=True)
class Choices(OptionSet):
    rounds: int = whole(10, 1, 1_000_000)


class State(NamedTuple):
    round: int
    rounds: int
    last: int


class Endless(Game[State, str]):
    id = "endless"
    version = "1"
    title = {"en": "Endless"}
    Options = Choices
    State = State

    def seats(self, options: Choices) -> tuple[str, ...]:
        return ("1", "2")

    def setup(self, options: Choices, dice: Dice) -> Turned:
        return Turned(State(1, options.rounds, 0), (Event("begun", "END-1", {"rounds": options.rounds}),))

    def pending(self, state: State) -> tuple[str, ...]:
        return ("1", "2") if state.round <= state.rounds else ()

    def moves(self, state: State, seat: str) -> Iterator[str]:
        yield from ("tick", "tock")

    def read(self, state: State, seat: str, order: str | Mapping[str, Any]) -> str | Refusal:
        return str(order) if order in ("tick", "tock") else Refusal("END-1", "unreadable", "Write tick or tock.")

    def default(self, state: State, seat: str) -> str:
        return "tick"

    def resolve(self, state: State, moves: Mapping[str, str], dice: Dice) -> Turned:
        drawn = dice.pick(6, "die")
        event = Event("ticked", "END-1", {"round": state.round, "drawn": drawn})
        return Turned(State(state.round + 1, state.rounds, drawn), (event,))

    def view(self, state: State, seat: str | None) -> View:
        return View(seat, self.pending(state), self.decision(state), self.position(state), {"last": state.last})

    def outcome(self, state: State) -> Outcome | None:
        return None if self.pending(state) else Outcome((("1", "2"),), {"1": 0, "2": 0}, "END-2")

    def position(self, state: State) -> str:
        return f"{state.round} {state.rounds} {state.last}"

    def from_position(self, line: str) -> State:
        try:
            return State(*map(int, line.split(" ")))
        except (ValueError, TypeError):
            raise BadPosition("three numbers") from None


GAME = Endless()
