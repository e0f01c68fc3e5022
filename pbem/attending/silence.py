"""What silence does: the policy of a game for seats that have not answered when their deadline comes.

Nobody is punished for another's silence: a seat may be waited for within bounds, answered for by its default or by a
stand-in, and after so many silences it is not waited for any more until it writes again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from engine import Seat
from engine.players import PLAYERS
from pbem.errors import Trouble

DEFAULT, STAND_IN, SUBSTITUTE = "default", "stand-in", "substitute"
PLAYER = "greedy"  # the program that stands in, unless another one is named
DAY = 24
AWAY = 21 * DAY  # hours that absences of one seat may hold up one game
FORM = "write it like `default`, `stand-in drop=3`, or `hold=2d stand-in; decision bid: default; seat red: hold=7d`"


@dataclass(frozen=True, slots=True)
class Silence:
    """What is done for a silent seat, after the others have waited for it `hold` hours longer, at most."""

    does: str = DEFAULT
    player: str = PLAYER  # who stands in
    hold: int = 0
    drop: int | None = None  # silences in a row after which a seat is not waited for, until it writes again
    away: int = AWAY
    substitute: bool = False  # a seat that is not waited for is given to a volunteer

    def __str__(self) -> str:
        said = [self.does if self.player == PLAYER else f"{self.does}={self.player}"]
        said += [f"hold={_hours(self.hold)}"] * bool(self.hold)
        said += [f"drop={self.drop}"] * (self.drop is not None)
        said += [f"away={_hours(self.away)}"] * (self.away != AWAY)
        said += [SUBSTITUTE] * self.substitute
        return " ".join(said)


@dataclass(frozen=True, slots=True)
class Policy:
    """The policy of a game: one for all, others for some kinds of decision, and for some seats."""

    all: Silence = field(default_factory=Silence)
    decisions: Mapping[str, Silence] = field(default_factory=dict)
    seats: Mapping[Seat, Silence] = field(default_factory=dict)

    def of(self, seat: Seat, decision: str) -> Silence:
        """What holds for this seat at this kind of decision: a seat's own rule comes before a decision's."""
        return self.seats.get(seat) or self.decisions.get(decision) or self.all

    def for_seat(self, seat: Seat) -> Silence:
        """What does not depend on the decision."""
        return self.seats.get(seat, self.all)

    def __str__(self) -> str:
        parts = [str(self.all)]
        parts += [f"decision {name}: {silence}" for name, silence in self.decisions.items()]
        return "; ".join([*parts, *(f"seat {seat}: {silence}" for seat, silence in self.seats.items())])

    def fit(self, seats: tuple[Seat, ...]) -> Policy:
        """The same; Trouble for a seat that the game does not have."""
        for seat in self.seats:
            if seat not in seats:
                raise Trouble(f"The silence of seat {seat!r} is spoken of; the seats are {', '.join(seats)}.")
        return self

    @classmethod
    def read(cls, text: str, base: Policy | None = None) -> Policy:
        """A policy from words; what is not said stays as in `base`."""
        policy = base or cls()
        for part in filter(None, map(str.strip, text.split(";"))):
            found = re.fullmatch(r"(decision|seat)\s+([^:]+?)\s*:\s*(.*)", part)
            if found is None:
                policy = replace(policy, all=_silence(part, policy.all))
            elif found[1] == "seat":
                policy = replace(policy, seats={**policy.seats, found[2]: _silence(found[3], Silence())})
            else:
                policy = replace(policy, decisions={**policy.decisions, found[2]: _silence(found[3], Silence())})
        return policy


def _silence(text: str, base: Silence) -> Silence:
    said: dict[str, Any] = {}
    for word in text.split():
        for name, value in _word(word).items():
            if name in said:
                raise Trouble(f"{word!r} says a second time what silence does; {FORM}.")
            said[name] = value
    silence = replace(base, **said)
    if silence.substitute and silence.drop is None:
        raise Trouble(f"Say after how many silences somebody else takes the seat over, with drop=3; {FORM}.")
    return silence


def _word(word: str) -> dict[str, Any]:
    name, equals, value = word.lower().partition("=")
    if name == DEFAULT and not equals:
        return {"does": DEFAULT}
    if name == STAND_IN:
        return {"does": STAND_IN, "player": _player(value) if equals else PLAYER}
    if name == SUBSTITUTE and not equals:
        return {"substitute": True}
    if name in ("hold", "away") and (found := re.fullmatch(r"(\d{1,4})([hd]?)", value)):
        return {name: int(found[1]) * (DAY if found[2] == "d" else 1)}
    if name == "drop" and re.fullmatch(r"[1-9]\d{0,2}|never", value):
        return {"drop": None if value == "never" else int(value)}
    raise Trouble(f"{word!r} is nothing that silence does; {FORM}.")


def _player(name: str) -> str:
    if name not in PLAYERS:
        raise Trouble(f"{name!r} is no program that stands in; choose one of {', '.join(PLAYERS)}.")
    return name


def _hours(hours: int) -> str:
    return f"{hours // DAY}d" if hours and hours % DAY == 0 else f"{hours}h"
