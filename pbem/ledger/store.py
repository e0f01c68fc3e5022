"""The ledger: one file, opened only under settings that lose nothing, written one whole transaction at a time."""

from __future__ import annotations

import os
import secrets as random_source
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sa

from pbem.ledger import chains, migrate
from pbem.ledger.chain import HOST
from pbem.ledger.connect import connect
from pbem.ledger.transaction import Read, Write
from pbem.ledger.troubles import DamagedLedger, LedgerBusy, LedgerExists, NoLedger, NotRead, NotWritten


class Ledger:
    """An open ledger. Open it after forking, not before: a child must not use its parent's connection."""

    def __init__(self, path: Path, engine: sa.Engine) -> None:
        self.path = path
        self._engine = engine
        self._broken: NotWritten | None = None

    @classmethod
    def create(cls, path: Path | str, *, secret: bytes | None = None) -> Ledger:
        """A new, empty ledger. `secret` is the host's own, for tests that want the same bytes twice."""
        path = Path(path)
        if path.exists() and path.stat().st_size:
            raise LedgerExists(f"There is a ledger at {path} already; it is left alone.")
        _touch(path)
        ledger = cls(path, connect(path))
        with ledger.write() as tx:
            migrate.upgrade(tx.connection)
            chains.begin(tx, HOST, secret or random_source.token_bytes(32))
        sync_folder(path.parent)  # the file's name must survive a power cut too
        return ledger

    @classmethod
    def open(cls, path: Path | str, *, readonly: bool = False) -> Ledger:
        """An existing ledger; Trouble in one sentence when it must not be used as it is."""
        path = Path(path)
        if not path.is_file() or not path.stat().st_size:
            raise NoLedger(f"There is no ledger at {path}; `pbem init` makes one.")
        ledger = cls(path, connect(path, readonly=readonly))
        with ledger.read() as tx:
            migrate.check(tx.connection, path)
        return ledger

    @classmethod
    def upgrade(cls, path: Path | str) -> Ledger:
        """Bring an older ledger up to this program's version, whole or not at all."""
        path = Path(path)
        ledger = cls(path, connect(path))
        with ledger.write() as tx:
            migrate.refuse_newer(tx.connection, path)
            migrate.upgrade(tx.connection)
        return cls.open(path)

    @contextmanager
    def write(self) -> Iterator[Write]:
        """A transaction that changes the ledger. It is stored when the block ends, and not at all when it raises."""
        if self._broken is not None:
            raise self._broken
        with self._troubles(), self._engine.connect().execution_options(writing=True) as connection, connection.begin():
            tx = Write(connection)
            yield tx
            tx.flush()

    @contextmanager
    def read(self) -> Iterator[Read]:
        """A transaction that reads: it sees one moment, however long it takes and whoever writes meanwhile."""
        with self._troubles(reading=True), self._engine.connect() as connection, connection.begin():
            yield Read(connection)

    def close(self) -> None:
        """Let go of the file."""
        self._engine.dispose()

    @contextmanager
    def _troubles(self, *, reading: bool = False) -> Iterator[None]:
        """SQLite's errors as Trouble. After a failed write or sync this process writes no more: what the kernel has
        dropped cannot be synced by asking again."""
        try:
            yield
        except (sa.exc.DatabaseError, sqlite3.DatabaseError) as error:
            cause = getattr(error, "orig", error)
            code = getattr(cause, "sqlite_errorcode", 0) & 0xFF
            if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise LedgerBusy(self.path) from error
            if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN):
                if reading:
                    raise NotRead(self.path, str(cause)) from error
                self._broken = NotWritten(self.path, str(cause))
                raise self._broken from error
            if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB) or "Could not decode" in str(cause):
                raise DamagedLedger(f"The ledger {self.path} is damaged ({cause}); restore a backup.") from error
            raise
        except UnicodeDecodeError as error:  # SQLite quotes damaged names in its messages, and no codec reads those
            raise DamagedLedger(f"The ledger {self.path} is damaged (unreadable names); restore a backup.") from error


def _touch(path: Path) -> None:
    """An empty file that only its owner may read: it will hold seeds and keys."""
    os.close(os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600))


def sync_folder(folder: Path) -> None:
    """Make the names in a folder last through a power cut."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
