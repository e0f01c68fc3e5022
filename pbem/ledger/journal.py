"""Reading the journal: rows of a chain, of a kind, of a turn."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple

import sqlalchemy as sa

from pbem.ledger.public import merged
from pbem.ledger.tables import JOURNAL
from pbem.ledger.transaction import Read

Parameter = sa.BindParameter[Any]


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
        """What the row says, private facts included."""
        facts: dict[str, Any] = merged(json.loads(self.body.decode()))
        return facts


_COLUMNS = [JOURNAL.c[name] for name in JournalRow._fields]
_LAST = sa.select(sa.func.max(JOURNAL.c.id))
_AT = sa.select(*_COLUMNS).where(JOURNAL.c.chain == sa.bindparam("chain"), JOURNAL.c.seq == sa.bindparam("seq"))


def last(tx: Read) -> int:
    """The number of the newest row."""
    found = tx.one(_LAST)
    return int(found[0] or 0)


def rows(
    tx: Read,
    chain: str | None = None,
    *,
    kinds: Collection[str] = (),
    after: int = 0,
    upto: int | None = None,
    newest_first: bool = False,
) -> Iterator[JournalRow]:
    """Rows in the order they were written: of one chain after that place, up to another; or of all chains."""
    values: dict[str, Any] = {"after": after}
    values |= {"kinds": sorted(kinds)} if kinds else {}
    if chain is not None:
        values |= {"chain": chain} if upto is None else {"chain": chain, "upto": upto}
    return (JournalRow(*row) for row in tx.each(_rows(frozenset(values), newest_first), values))


@cache
def _rows(asked: Collection[str], newest_first: bool) -> sa.Select[Any]:
    """The query for rows of which so much is asked."""
    query = sa.select(*_COLUMNS)
    if "kinds" in asked:
        query = query.where(JOURNAL.c.kind.in_(sa.bindparam("kinds", expanding=True)))
    place = JOURNAL.c.id
    if "chain" in asked:
        place = JOURNAL.c.seq
        query = query.where(JOURNAL.c.chain == sa.bindparam("chain"))
    if "upto" in asked:
        query = query.where(place <= sa.bindparam("upto"))
    return query.where(place > sa.bindparam("after")).order_by(place.desc() if newest_first else place)


def turn(tx: Read, chain: str, number: int) -> JournalRow | None:
    """The row that resolved that turn (0: the set-up)."""
    found = tx.one(_turn(), {"chain": chain, "turn": number})
    return None if found is None else JournalRow(*found)


def steps_of(tx: Read, chain: str, number: int) -> list[JournalRow]:
    """The rows of that turn as it stands: moves out of turn, then the turn itself, as they were written."""
    return [JournalRow(*row) for row in tx.all(_steps(), {"chain": chain, "turn": number})]


@cache
def _turn() -> sa.Select[Any]:
    """Made once, as those below are: it is asked often, and takes longer to make than to answer."""
    return _of_turn().where(JOURNAL.c.kind == "turn")


@cache
def _steps() -> sa.Select[Any]:
    return _of_turn().order_by(JOURNAL.c.seq + 0)


def _of_turn() -> sa.Select[Any]:
    chain, turn = Parameter("chain"), Parameter("turn")
    query = sa.select(*_COLUMNS).where(JOURNAL.c.chain == chain, JOURNAL.c.turn == turn)
    # Only rows of kinds turn and at_once are in the index, and the planner must see that from the text.
    return query.where(sa.text("kind IN ('turn', 'at_once')"), _stands(chain, turn))


class StepPlace(NamedTuple):
    """Where a step stands in its chain, without what it says."""

    seq: int
    turn: int
    kind: str
    hash: bytes


def steps(tx: Read, chain: str, first: int, last: int) -> list[StepPlace]:
    """The places of the steps of these turns as they stand, turn by turn, as `steps_of` gives those of one."""
    where = JOURNAL.c.chain == chain, JOURNAL.c.turn >= first, JOURNAL.c.turn <= last
    query = sa.select(*(JOURNAL.c[name] for name in StepPlace._fields)).where(*where)
    query = query.where(sa.text("kind IN ('turn', 'at_once')"))
    found = sorted((StepPlace(*row) for row in tx.all(query)), key=lambda step: (step.turn, step.seq))
    back = sa.select(JOURNAL.c.seq, JOURNAL.c.turn).where(JOURNAL.c.chain == chain, JOURNAL.c.turn <= last)
    backs = tx.all(back.where(sa.text("kind = 'taken_back'")))
    return [step for step in found if all(row.turn > step.turn or row.seq < step.seq for row in backs)]


def _stands(chain: str | Parameter, turn: int | Parameter) -> sa.ColumnElement[bool]:
    """Whether a row of that turn was not undone: a turn is, by every take-back after it to that turn or before."""
    # "+ 0": by the number of the turn SQLite finds a few rows, by their places all that were written since.
    return JOURNAL.c.seq + 0 > _last_back(chain, turn)


def _last_back(chain: str | Parameter, turn: int | Parameter) -> sa.ScalarSelect[int]:
    """The place of the last take-back to that turn or before; 0 without one."""
    back = JOURNAL.alias("back")
    query = sa.select(sa.func.coalesce(sa.func.max(back.c.seq + 0), 0)).where(back.c.chain == chain)
    return query.where(back.c.turn <= turn, sa.text("back.kind = 'taken_back'")).scalar_subquery()


def back_to(tx: Read, chain: str, turn: int) -> JournalRow | None:
    """The row by which that turn was opened again, where it was not undone or passed since."""
    query = sa.select(*_COLUMNS).where(JOURNAL.c.chain == chain, JOURNAL.c.turn == turn)
    found = tx.all(query.where(sa.text("kind = 'taken_back'")).order_by(JOURNAL.c.seq.desc()).limit(1))
    if not found:
        return None
    row, opened = JournalRow(*found[0]), steps_of(tx, chain, turn - 1)
    return row if not opened or opened[-1].seq < row.seq else None


def first(tx: Read, chain: str) -> JournalRow | None:
    """The row that a chain begins with, looked up once in a transaction."""
    return tx.lasting((JOURNAL, chain), lambda: at(tx, chain, 1))


def at(tx: Read, chain: str, seq: int) -> JournalRow | None:
    """The row at that place of a chain."""
    found = tx.one(_AT, {"chain": chain, "seq": seq})
    return None if found is None else JournalRow(*found)
