"""Matches as they stand: one, all. A match changes by rows of its own chain; nothing here changes one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from pbem.ledger.tables import MATCH
from pbem.ledger.transaction import Read

OPEN, OVER = "open", "over"


@dataclass(frozen=True, slots=True)
class MatchRow:
    """One match. `number` is the last game that was begun, `results` are of those that are over."""

    name: str
    rules: str
    version: str
    options: dict[str, Any]
    best_of: int | None
    games: int
    sides: list[dict[str, Any]]
    status: str
    number: int
    results: list[dict[str, Any]]
    verdict: dict[str, Any] | None
    created_at: datetime

    @property
    def pinned(self) -> str:
        """Its rules in the version that it was begun under."""
        return f"{self.rules}@{self.version}"


_COLUMNS = [MATCH.c[field.name] for field in fields(MatchRow)]
_GET = sa.select(*_COLUMNS).where(MATCH.c.name == sa.bindparam("name"))


def get(tx: Read, name: str) -> MatchRow | None:
    """The match of that name."""
    found = tx.one(_GET, {"name": name})
    return None if found is None else MatchRow(*found)


def every(tx: Read) -> Iterator[MatchRow]:
    """All matches, by name."""
    for row in tx.each(sa.select(*_COLUMNS).order_by(MATCH.c.name)):
        yield MatchRow(*row)
