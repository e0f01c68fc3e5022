"""The canonical dump: everything a ledger holds as one text, so that two ledgers can be compared to the byte.

Left out is what says nothing about what happened: row numbers across chains, how often something was tried, when it
will be tried next, and how the bytes are packed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from datetime import datetime
from functools import cache
from typing import Any

import sqlalchemy as sa

from engine.canon import canonical
from pbem.ledger.store import Ledger
from pbem.ledger.tables import TABLES
from pbem.ledger.times import stamp
from pbem.ledger.transaction import Read

INCIDENTAL = {"id", "attempts", "tries", "next_try_at"}
# Tables whose rows are numbered as they come are put in the order of what names a row; all others by their primary key.
NAMED_BY: dict[str, tuple[str, ...]] = {
    "journal": ("chain", "seq"),
    "letter": ("sha256",),
    "mail": ("message_id",),
    "picture": ("sha256",),
    "bare_mail": ("message_id",),
    "player": ("commitment",),
    "inbox": ("message_id", "sha256"),
    "outbox": ("message_id",),
}


def canonical_dump(ledger: Ledger) -> bytes:
    """The whole ledger, one line of JSON a row, table after table."""
    with ledger.read() as tx:
        tables = sorted(TABLES.tables.values(), key=lambda table: table.name)
        return b"".join(line for table in tables for line in lines(tx, table))


def lines(tx: Read, table: sa.Table) -> Iterator[bytes]:
    """One table's lines."""
    names, query = all_of(table)
    for row in tx.each(query):
        facts = {name: _plain(name, value) for name, value in zip(names, row, strict=True)}
        yield canonical({"table": table.name, **facts}) + b"\n"


@cache
def all_of(table: sa.Table) -> tuple[list[str], sa.Select[Any]]:
    """The columns of a table that say what happened, and the query for them."""
    columns = [column for column in table.c if column.name not in INCIDENTAL]
    key = NAMED_BY.get(table.name) or tuple(column.name for column in table.primary_key)
    return [column.name for column in columns], sa.select(*columns).order_by(*(table.c[name] for name in key))


def _plain(name: str, value: Any) -> Any:
    if isinstance(value, datetime):
        return stamp(value)
    if name == "body" and isinstance(value, bytes):
        return json.loads(value.decode())
    if name in ("raw", "png"):
        return {"sha256": hashlib.sha256(value).hexdigest(), "size": len(value)}
    return value.hex() if isinstance(value, bytes) else value
