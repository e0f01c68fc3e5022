"""Disputes that wait for the referee's answer, in their players' own words."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pbem.attending.attendance import Attendance
from pbem.clock import stamp
from pbem.game.hosting import game_named
from pbem.ledger import games, journal
from pbem.ledger.games import GameRow
from pbem.ledger.transaction import Read
from pbem.reports import plain


@dataclass(frozen=True, slots=True)
class Dispute:
    """One appeal of a seat."""

    game: str
    number: int
    seat: str
    turn: int
    at: datetime
    text: str

    def to_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__dataclass_fields__} | {"at": stamp(self.at)}


def numbers(row: GameRow) -> tuple[int, ...]:
    """The disputes of a game that wait for an answer."""
    return tuple(sorted(map(int, Attendance.from_json(row.attendance).disputes)))


def waiting(tx: Read, name: str | None = None) -> list[Dispute]:
    """Those of all games, or of one, the oldest of each game first."""
    rows = [game_named(tx, name)] if name is not None else list(games.every(tx))
    return [dispute for row in rows if numbers(row) for dispute in _of_game(tx, row)]


def _of_game(tx: Read, row: GameRow) -> list[Dispute]:
    found = []
    for line in journal.rows(tx, row.name, kinds=("dispute",)):
        facts = line.facts()
        if facts["number"] in numbers(row):
            text = "\n".join(plain.lines(facts["text"]))
            found.append(Dispute(row.name, facts["number"], line.seat or "", line.turn or 0, line.at, text))
    return found
