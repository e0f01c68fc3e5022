"""What is coming: the open deadlines of the games, and those that follow if every decision takes its time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pbem.attending.answers import has_answered
from pbem.clock import stamp
from pbem.config import Config
from pbem.deadlines.schedule import Schedule
from pbem.errors import CannotGoOn
from pbem.game.hosting import game_named, player_named, sheet_of, standing_of
from pbem.ledger import games
from pbem.ledger.games import GameRow
from pbem.ledger.transaction import Read


@dataclass(frozen=True, slots=True)
class Coming:
    """One deadline. `open`: it was announced to the players; the others are what the schedule would make of it."""

    game: str
    rules: str
    turn: int
    at: datetime
    open: bool
    early: datetime | None = None  # a run that comes before it, as everyone has answered
    waits_for: tuple[tuple[str, str], ...] = ()  # seats, and their players, that have not answered

    def to_json(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "rules": self.rules,
            "turn": self.turn,
            "at": stamp(self.at),
            "open": self.open,
            "early": None if self.early is None else stamp(self.early),
            "waits_for": [{"seat": seat, "player": player} for seat, player in self.waits_for],
        }


def forecast(
    tx: Read, config: Config, name: str | None = None, player: str | None = None, count: int = 1
) -> list[Coming]:
    """The next deadlines, `count` of each open game (or of this one, or of those of this player), the soonest first."""
    rows = [game_named(tx, name)] if name else list(games.every(tx, games.OPEN))
    if player is not None:
        commitment = player_named(tx, player).commitment
        rows = [row for row in rows if commitment in row.seats.values()]
    found = [coming for row in rows if row.status == games.OPEN for coming in _of_game(tx, config, row, count)]
    return sorted(found, key=lambda coming: (coming.at, coming.game, coming.turn))


def _of_game(tx: Read, config: Config, row: GameRow, count: int) -> Iterator[Coming]:
    if row.deadline_at is None:
        return
    early = row.due_at if row.due_at is not None and row.due_at < row.deadline_at else None
    waits = _waits_for(tx, config, row)
    yield Coming(row.name, row.rules, row.turn, row.deadline_at, True, early, waits)
    schedule, at = Schedule.from_json(row.schedule), row.deadline_at
    for turn in range(row.turn + 1, row.turn + count):
        at = schedule.deadline(at, turn)
        yield Coming(row.name, row.rules, turn, at, False)


def _waits_for(tx: Read, config: Config, row: GameRow) -> tuple[tuple[str, str], ...]:
    try:
        sheet, standing = sheet_of(tx, config, row), standing_of(tx, row)
    except CannotGoOn:
        return ()
    pending = sheet.rules.pending(standing.state)
    return tuple((seat, sheet.players[seat]) for seat in pending if not has_answered(sheet, standing, seat))
