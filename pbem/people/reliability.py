"""Reliability: how a player has kept his appointments, in all his tenures. It is the host's to know, nobody else's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from engine import Seat
from pbem.attending.attendance import Attendance, Record
from pbem.ledger import games
from pbem.ledger.transaction import Read

COUNTED = ("on_time", "late", "silent", "absent")


@dataclass(frozen=True, slots=True)
class Tenure:
    """One player's time at one seat. `over`: somebody else sits there now, or the game has ended."""

    game: str
    seat: Seat
    record: Record
    over: bool

    def to_json(self) -> dict[str, Any]:
        counted = {name: getattr(self.record, name) for name in COUNTED}
        return {"game": self.game, "seat": self.seat, "tenure": self.record.tenure, "over": self.over, **counted}

    def __str__(self) -> str:
        return f"{self.game}, seat {self.seat}: {told(self.record)}"


@dataclass(frozen=True, slots=True)
class Reliability:
    """All tenures of a player, and what they come to."""

    tenures: tuple[Tenure, ...]

    def total(self, name: str) -> int:
        return sum(getattr(tenure.record, name) for tenure in self.tenures)

    @property
    def percent(self) -> int | None:
        """Of a hundred deadlines, before how many he had answered; those he missed on notice do not count. None: there
        were none yet."""
        kept, missed = self.total("on_time"), self.total("silent")
        return None if not kept + missed else 100 * kept // (kept + missed)

    def __str__(self) -> str:
        on_time, late, silent, absent = (self.total(name) for name in COUNTED)
        said = told(Record(on_time=on_time, late=late, silent=silent, absent=absent))
        return said if self.percent is None else f"{self.percent} % ({said})"

    def to_json(self) -> dict[str, Any]:
        totals = {name: self.total(name) for name in COUNTED}
        return {"percent": self.percent, **totals, "tenures": [tenure.to_json() for tenure in self.tenures]}


def told(record: Record) -> str:
    """A record in words."""
    said = [f"{record.on_time} in time"]
    said += [f"{record.silent} missed"] * bool(record.silent)
    said += [f"{record.late} late"] * bool(record.late)
    said += [f"{record.absent} away on notice"] * bool(record.absent)
    return ", ".join(said) if any(getattr(record, name) for name in COUNTED) else "nothing was due yet"


def of_player(tx: Read, player: str) -> Reliability:
    """That of a player, by his commitment."""
    return Reliability(tuple(_tenures(tx, player)))


def _tenures(tx: Read, player: str) -> Iterator[Tenure]:
    for row in games.ever_of_player(tx, player):
        attendance = Attendance.from_json(row.attendance)
        for past in attendance.past:
            if past.player == player:
                yield Tenure(row.name, past.seat, past.record, True)
        for seat, who in sorted(row.seats.items()):
            if who == player:
                yield Tenure(row.name, seat, attendance.of(seat), row.status == games.OVER)
