"""The order form as values: what a player's file said, key by key, and where each order stood in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from engine.entries import Entry, Path, entry, plain
from pbem.intake.problems import START, Mark, Problem

GAME, SEAT, TURN, KEY, ORDERS, DRAFT = "game", "seat", "turn", "key", "orders", "draft"
STANDING, SAY, NONCE, ABSENT, END = "standing", "say", "nonce", "absent", "end"
KEYS = (GAME, SEAT, TURN, KEY, ORDERS, DRAFT, STANDING, SAY, NONCE, ABSENT, END)
TO_ALL = "all"


@dataclass(frozen=True, slots=True)
class Absence:
    """Notice of being away, by its first and last day; without a last day it holds until it is taken back. `mode` is
    what happens meanwhile: see `away`."""

    away: bool
    since: date | None = None
    until: date | None = None
    mode: str | None = None

    def to_json(self) -> dict[str, Any]:
        return {"away": self.away, "since": _iso(self.since), "until": _iso(self.until), "mode": self.mode}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Absence:
        return cls(data["away"], _day(data["since"]), _day(data["until"]), data["mode"])


def _iso(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


def _day(text: str | None) -> date | None:
    return None if text is None else date.fromisoformat(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """What a player sent. `orders` None: the file says nothing of orders; empty: it says there is nothing to order.

    `places` has the path of each order in the file, `written` says how many stood there, faulty ones included; `marks`
    gives the place of a path. `extra` holds the values of keys that a game's rules add.
    """

    game: str
    seat: str
    turn: int | None = None
    key: str | None = None
    orders: tuple[Entry, ...] | None = None
    places: tuple[Path, ...] = ()
    written: int = 0
    draft: bool = False
    standing: Mapping[str, Any] | None = None
    say: Mapping[str, str] = field(default_factory=dict)
    nonce: str | None = None
    absent: Absence | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    ended: bool = False
    marks: Mapping[Path, Mark] = field(default_factory=dict)

    @property
    def says_something(self) -> bool:
        """Whether there is anything in it to be done."""
        said = (self.orders, self.standing, self.nonce, self.absent)
        return any(value is not None for value in said) or bool(self.say or self.extra)

    @property
    def numbers(self) -> tuple[int, ...]:
        """Which order of the file each of `orders` was, counted from 1 with the faulty ones."""
        return tuple(map(order_number, self.places))

    def mark(self, path: Path) -> Mark:
        """The place of a path, or of the nearest thing around it."""
        while path and path not in self.marks:
            path = path[:-1]
        return self.marks.get(path, START)

    def to_json(self) -> dict[str, Any]:
        data = {name: getattr(self, name) for name in _SAME}
        data[ORDERS] = None if self.orders is None else [plain(order) for order in self.orders]
        data[ABSENT] = None if self.absent is None else self.absent.to_json()
        data["places"] = [list(path) for path in self.places]
        data["marks"] = [[list(path), list(mark)] for path, mark in self.marks.items()]
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Form:
        return cls(
            **{name: data[name] for name in _SAME},
            orders=None if data[ORDERS] is None else tuple(map(entry, data[ORDERS])),
            absent=None if data[ABSENT] is None else Absence.from_json(data[ABSENT]),
            places=tuple(tuple(path) for path in data["places"]),
            marks={tuple(path): Mark(*mark) for path, mark in data["marks"]},
        )


_SAME = (GAME, SEAT, TURN, KEY, DRAFT, STANDING, SAY, NONCE, "written", "extra", "ended")


def order_number(path: Path) -> int:
    """Which order of a file a path under `orders` leads to, counted from 1; an order that is no list is the first."""
    return path[1] + 1 if len(path) > 1 and isinstance(path[1], int) else 1


@dataclass(frozen=True, slots=True)
class Reading:
    """What came of a file: a form, everything that is wrong with it, or both.

    A form with problems beside it must not be taken; it is there so that its orders can be judged in the same answer.
    Without a form not even the game and the seat could be read.
    """

    form: Form | None
    problems: tuple[Problem, ...] = ()

    def to_json(self) -> dict[str, Any]:
        form = None if self.form is None else self.form.to_json()
        return {"form": form, "problems": [found.to_json() for found in self.problems]}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Reading:
        form = None if data["form"] is None else Form.from_json(data["form"])
        return cls(form, tuple(map(Problem.from_json, data["problems"])))
