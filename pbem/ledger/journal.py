"""Reading the journal: rows of a chain, of a kind, of a turn."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from pbem.ledger.tables import JOURNAL
from pbem.ledger.transaction import Read


class JournalRow(NamedTuple):
    """One row of history. `body` is the canonical JSON that was hashed."""

    id: int
    chain: str
    seq: int
    kind: str
    at: datetime
    turn: int | None
    seat: str | None
    body: bytes
    salt: bytes
    prev: bytes
    hash: bytes

    def facts(self) -> dict[str, Any]:
        """What the row says."""
        facts: dict[str, Any] = json.loads(self.body)
        return facts


_COLUMNS = [JOURNAL.c[name] for name in JournalRow._fields]


def rows(
    tx: Read, chain: str | None = None, *, kinds: Collection[str] = (), after: int = 0, newest_first: bool = False
) -> Iterator[JournalRow]:
    """Rows in the order they were written: of one chain after that place, or of all chains."""
    query = sa.select(*_COLUMNS)
    if kinds:
        query = query.where(JOURNAL.c.kind.in_(sorted(kinds)))
    if chain is None:
        query = query.where(JOURNAL.c.id > after).order_by(JOURNAL.c.id.desc() if newest_first else JOURNAL.c.id)
    else:
        query = query.where(JOURNAL.c.chain == chain, JOURNAL.c.seq > after)
        query = query.order_by(JOURNAL.c.seq.desc() if newest_first else JOURNAL.c.seq)
    return (JournalRow(*row) for row in tx.each(query))


def turn(tx: Read, chain: str, number: int) -> JournalRow | None:
    """The row that resolved that turn (0: the set-up)."""
    # Only rows of kinds turn and at_once are in the index, and the planner must see that from the text.
    query = sa.select(*_COLUMNS).where(JOURNAL.c.chain == chain, JOURNAL.c.turn == number)
    query = query.where(sa.text("kind IN ('turn', 'at_once')"), JOURNAL.c.kind == "turn")
    found = tx.one(query)
    return None if found is None else JournalRow(*found)


def count_since_turn(tx: Read, chain: str, turn: int, kinds: Collection[str], seat: str) -> int:
    """How many rows of these kinds a seat has brought about since that turn was opened."""
    opened = sa.select(sa.func.coalesce(sa.func.max(JOURNAL.c.seq), 0)).where(JOURNAL.c.chain == chain)
    opened = opened.where(JOURNAL.c.turn == turn - 1, sa.text("kind IN ('turn', 'at_once')"))
    query = sa.select(sa.func.count()).where(JOURNAL.c.chain == chain, JOURNAL.c.seq > opened.scalar_subquery())
    found = tx.one(query.where(JOURNAL.c.kind.in_(sorted(kinds)), JOURNAL.c.seat == seat))
    return int(found[0])


def steps_of(tx: Read, chain: str, number: int) -> list[JournalRow]:
    """The rows of that turn: moves out of turn, then the turn itself, as they were written."""
    query = sa.select(*_COLUMNS).where(JOURNAL.c.chain == chain, JOURNAL.c.turn == number)
    query = query.where(sa.text("kind IN ('turn', 'at_once')")).order_by(JOURNAL.c.seq)
    return [JournalRow(*row) for row in tx.all(query)]


def at(tx: Read, chain: str, seq: int) -> JournalRow | None:
    """The row at that place of a chain."""
    found = tx.one(sa.select(*_COLUMNS).where(JOURNAL.c.chain == chain, JOURNAL.c.seq == seq))
    return None if found is None else JournalRow(*found)
