"""Eras: which keys speak for a seat. After a take-back all seats have new ones, after a change of hands that seat has;
and what is given out after a time that the host has lost is made with a mark of that loss.

An old key of the same player still shows who he is, so that he can be told; it moves nothing. That of a former player
shows nothing any more.

A host that was restored from a copy comes to the same decision, the same number of take-backs and the same player of a
seat a second time, by another way. The decision that is open in the copy keeps its keys: its reports stand in the copy,
and answers to them count. A move out of turn that is lost with the copy's future leaves that decision its keys, as
one that stands does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, NamedTuple

from engine import Seat
from pbem import keys
from pbem.attending.attendance import Loss


class Era(NamedTuple):
    """How often the game was taken back, the how-manieth player sits at a seat, and the last loss before it."""

    backs: int = 0
    tenure: int = 1
    mark: str = ""

    def __str__(self) -> str:
        return "" if self == FIRST else f"{self.backs}.{self.tenure}" + (f".{self.mark}" if self.mark else "")


FIRST = Era()


class Spoken(Enum):
    """What a key is worth: it speaks; it did before the game was taken back; it is of a time that was lost."""

    NOW = "now"
    BEFORE = "before"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Eras:
    """All that the eras of a game's keys are made of."""

    backs: int = 0
    tenures: Mapping[Seat, int] = field(default_factory=dict)
    lost: tuple[Loss, ...] = ()

    def of(self, seat: Seat, turn: int, backs: int | None = None) -> Era:
        """The era of the seat's key for that turn, as it is now, or was after so many take-backs."""
        backs, tenure = self.backs if backs is None else backs, self.tenures.get(seat, 1)
        marks = [loss.mark for loss in self.lost if loss.is_before(seat, tenure, backs, turn)]
        return Era(backs, tenure, marks[-1] if marks else "")

    def lost_of(self, seat: Seat) -> Iterator[Era]:
        """Those of the keys that its player may have been given in a time that was lost, which may have taken the game
        back once more."""
        tenure, mark = self.tenures.get(seat, 1), ""
        for loss in self.lost:
            if tenure == loss.tenures.get(seat, 1):
                yield Era(loss.backs, tenure, mark)
                yield Era(loss.backs + 1, tenure, mark)
            mark = loss.mark


def eras_of(attendance: Mapping[str, Any] | None) -> Eras:
    """The eras of a game's keys, out of its attendance as it stands in JSON."""
    said = attendance or {}
    tenures = {seat: record["tenure"] for seat, record in said.get("records", {}).items() if "tenure" in record}
    return Eras(said.get("backs", 0), tenures, tuple(Loss(*loss) for loss in said.get("lost", ())))


def spoken(secret: bytes, eras: Eras, given: str, seat: Seat, turn: int, opened: int) -> Spoken | None:
    """Whether that is the key of the seat, made of its game's secret, for a turn that has been `opened`."""

    def fits(era: Era) -> bool:
        return keys.matches(given, secret, seat, turn, str(era))

    now = eras.of(seat, turn)
    if 0 <= turn <= opened and fits(now):
        return Spoken.NOW
    if turn > 0 and any(fits(eras.of(seat, turn, backs)) for backs in range(eras.backs)):
        return Spoken.BEFORE
    if turn > 0 and any(fits(era) for era in eras.lost_of(seat) if era != now):
        return Spoken.LOST
    return None
