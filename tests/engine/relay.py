"""Relay: a game whose decision points are written in its state, so that a test can ask the queue anything."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine import Dice, Event, Game, OptionSet, Outcome, Refusal, Turned, View

SEATS = ("red", "blue", "green")
WORDS = ("ape", "bee", "cat", "dog")
SHOUT = "shout"


@dataclass(frozen=True)
class Point:
    """Who decides, between which words, whether it interrupts, and how many dice fall."""

    seats: tuple[str, ...]
    legal: tuple[str, ...] = WORDS
    question: bool = False
    dice: int = 0


@dataclass(frozen=True)
class State:
    points: tuple[Point, ...]
    at: int = 0
    log: tuple[str, ...] = ()
    shouts: int = 0


@dataclass(frozen=True)
class Options(OptionSet):
    """None."""


class Relay(Game[State, str]):
    id = "relay"
    version = "1"
    title = {"en": "Relay"}
    Options = Options
    State = State

    def seats(self, options: Any) -> tuple[str, ...]:
        return SEATS

    def setup(self, options: Any, dice: Dice) -> Turned:
        return Turned(State(()))

    def pending(self, state: State) -> tuple[str, ...]:
        return () if state.at == len(state.points) else state.points[state.at].seats

    def moves(self, state: State, seat: str) -> Iterator[str]:
        yield from state.points[state.at].legal

    def read(self, state: State, seat: str, order: str | Mapping[str, Any]) -> str | Refusal:
        text = str(order.get("do", "")) if isinstance(order, Mapping) else order
        word = " ".join(text.split()).lower()
        if word == SHOUT:
            return word
        if word not in WORDS:
            return Refusal("RELAY-1", "unreadable", "{word} is no word.", {"word": word})
        if seat not in self.pending(state):
            return Refusal("RELAY-2", "not_asked", "{seat} is not asked.", {"seat": seat})
        legal = state.points[state.at].legal
        return word if word in legal else Refusal("RELAY-3", "closed", "{word} is closed.", {"word": word}, legal)

    def default(self, state: State, seat: str) -> str:
        return state.points[state.at].legal[0]

    def at_once(self, state: State, seat: str, move: str) -> bool:
        return move == SHOUT

    def interrupts(self, state: State, seat: str) -> bool:
        return state.points[state.at].question

    def answer(self, state: State, seat: str, standing: Mapping[str, Any]) -> str | None:
        word = standing.get("question")
        point = state.points[state.at]
        return word if point.question and word in point.legal else None

    def why_not_standing(self, state: State, seat: str, standing: Mapping[str, Any]) -> Refusal | None:
        wrong = sorted(key for key in standing if key != "question")
        return Refusal("RELAY-4", "standing", "There is no {wrong}.", {"wrong": wrong}) if wrong else None

    def resolve(self, state: State, moves: Mapping[str, str], dice: Dice) -> Turned:
        if SHOUT in moves.values():
            (seat,) = moves
            return Turned(replace(state, shouts=state.shouts + 1), (Event("shouted", "RELAY-5", {"seat": seat}),))
        assert set(moves) == set(self.pending(state))
        point = state.points[state.at]
        rolls = [dice.pick(6, "roll") for _ in range(point.dice)]
        log = (*state.log, " ".join(f"{seat}:{moves[seat]}" for seat in sorted(moves)))
        after = replace(state, at=state.at + 1, log=log)
        return Turned(after, (Event("said", "RELAY-6", {"moves": dict(moves), "rolls": rolls}),))

    def view(self, state: State, seat: str | None) -> View:
        return View(seat, self.pending(state), self.decision(state), self.position(state), {"log": list(state.log)})

    def outcome(self, state: State) -> Outcome | None:
        return None if self.pending(state) else Outcome((SEATS,), dict.fromkeys(SEATS, 0), "RELAY-7")

    def position(self, state: State) -> str:
        return repr(state)

    def from_position(self, line: str) -> State:
        raise NotImplementedError


class OpenRelay(Relay):
    """The same with nothing hidden, so that a seat may foresee what its own moves lead to."""

    hides = False


RULES = Relay()
OPEN = OpenRelay()


def points(*words: str, **settings: Any) -> State:
    """A state of points such as "red", "red+blue", "blue?" (a question) or "red=ape,bee" (only these are legal)."""
    return State(tuple(_point(word, settings) for word in words))


def _point(word: str, settings: Mapping[str, Any]) -> Point:
    seats, _, legal = word.partition("=")
    question = seats.endswith("?")
    names = tuple(seats.removesuffix("?").split("+"))
    return Point(names, tuple(legal.split(",")) if legal else WORDS, question, **settings)
