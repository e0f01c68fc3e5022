"""Eras: which keys speak for a seat. After a take-back all seats have new ones, after a change of hands that seat has.

An old key of the same player still shows who he is, so that he can be told; it moves nothing. That of a former player
shows nothing any more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any, NamedTuple

from engine import Seat
from pbem import keys


class Era(NamedTuple):
    """How often the game was taken back, and the how-manieth player sits at a seat."""

    backs: int = 0
    tenure: int = 1

    def __str__(self) -> str:
        return "" if self == FIRST else f"{self.backs}.{self.tenure}"


FIRST = Era()


class Spoken(Enum):
    """What a key is worth: it speaks, or it did before the game was taken back."""

    NOW = "now"
    BEFORE = "before"


def era_of(attendance: Mapping[str, Any] | None, seat: Seat) -> Era:
    """The era of a seat, out of its game's attendance as it stands in JSON."""
    said = attendance or {}
    return Era(said.get("backs", 0), said.get("records", {}).get(seat, {}).get("tenure", 1))


def eras_of(attendance: Mapping[str, Any] | None, seats: Iterable[Seat]) -> dict[Seat, str]:
    """Of each seat that is not in its first era, what its keys are made with."""
    return {seat: text for seat in seats if (text := str(era_of(attendance, seat)))}


def spoken(
    secret: bytes, attendance: Mapping[str, Any] | None, given: str, seat: Seat, turn: int, opened: int
) -> Spoken | None:
    """Whether that is the key of the seat, made of its game's secret, for a turn that has been `opened`."""
    era = era_of(attendance, seat)
    if 0 < turn <= opened and keys.matches(given, secret, seat, turn, str(era)):
        return Spoken.NOW
    earlier = (str(era._replace(backs=backs)) for backs in range(era.backs))
    if turn > 0 and any(keys.matches(given, secret, seat, turn, text) for text in earlier):
        return Spoken.BEFORE
    return None
