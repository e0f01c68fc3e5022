"""Connections: the settings without which a power cut could lose an acknowledged order, set and then checked."""

from __future__ import annotations

import sqlite3
from functools import cache
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.pool import ConnectionPoolEntry
from sqlalchemy.util import LRUCache

from pbem.ledger.troubles import WeakLedger

APPLICATION_ID = 0x7062656D  # "pbem" in the file's header

# Measured: with the default rollback journal FULL loses acknowledged rows in about a fifth of all power cuts, WAL
# with NORMAL in a third; WAL with FULL lost none. Without recursive_triggers REPLACE removes rows unasked.
SETTINGS: dict[str, tuple[str, Any]] = {
    "busy_timeout": ("10000", 10000),  # first, so that the others wait for a neighbour too
    "journal_mode": ("WAL", "wal"),
    "synchronous": ("FULL", 2),
    "foreign_keys": ("ON", 1),
    "recursive_triggers": ("ON", 1),
    "trusted_schema": ("OFF", 0),
    "cell_size_check": ("ON", 1),
}

WRITING = "writing"  # what a connection is told of the transaction that it is to begin
CACHE = 16 << 10  # KiB: of the usual 2 MB a night's pages were put away and fetched again before they were committed
STATEMENTS = 500  # that SQLite has understood and keeps, for each connection: more than a run asks


def connect(path: Path, *, readonly: bool = False, immutable: bool = False) -> sa.Engine:
    """An engine whose every connection has these settings and starts its transactions itself. An `immutable` file is
    read without a lock and without its log: nobody can change it while it is read."""
    name = f"file:{_quoted(path)}?mode={'ro' if readonly else 'rw'}{'&immutable=1' if immutable else ''}"

    def opened() -> Any:
        return sqlite3.connect(name, uri=True, check_same_thread=False, cached_statements=STATEMENTS)

    pool = sa.QueuePool(opened, dialect=_sqlite())
    engine = sa.Engine(pool, _sqlite(), sa.make_url("sqlite://"), execution_options={"compiled_cache": _SQL})

    @sa.event.listens_for(engine, "connect")
    def prepare(connection: Any, record: ConnectionPoolEntry) -> None:
        connection.isolation_level = None  # the driver would begin late and without IMMEDIATE
        settle(connection, path, readonly=readonly)
        connection.execute(f"PRAGMA cache_size = -{CACHE}")

    @sa.event.listens_for(engine, "begin")
    def begin(connection: sa.Connection) -> None:
        # A write takes its place in the queue at once: a transaction that turns from reading to writing can fail.
        driver: Any = connection.connection.driver_connection
        driver.execute("BEGIN IMMEDIATE" if connection.info.get(WRITING, False) else "BEGIN")

    return engine


@cache
def _sqlite() -> sa.Dialect:
    """SQLite as it is here, found out once a process."""
    engine = sa.create_engine("sqlite://")
    engine.connect().close()
    return engine.dialect


# The SQL of a query is the same for each ledger: a process that opens many compiles it once, not once for each.
_SQL: LRUCache[Any, Any] = LRUCache(500)


def settle(connection: Any, path: Path, *, readonly: bool = False) -> None:
    """Set every setting and read it back; WeakLedger when one does not take."""
    for name, (wanted, reads) in SETTINGS.items():
        if readonly and name == "journal_mode":
            continue  # who only reads must not change the file, and a backup is kept as one plain file
        connection.execute(f"PRAGMA {name} = {wanted}")
        [found] = connection.execute(f"PRAGMA {name}").fetchone()
        if found != reads:
            raise WeakLedger(
                f"The ledger {path} would run with {name} = {found} instead of {wanted}, "
                "which can lose acknowledged orders, so it is not opened."
            )


def _quoted(path: Path) -> str:
    return str(path.absolute()).replace("%", "%25").replace("?", "%3f").replace("#", "%23")
