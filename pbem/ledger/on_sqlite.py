"""A ledger in a file of SQLite."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext

import sqlalchemy as sa

from pbem import lock
from pbem.errors import Trouble
from pbem.ledger.connect import APPLICATION_ID, WRITING, connect
from pbem.ledger.home import by_table
from pbem.ledger.lanes import Lanes, OneLane
from pbem.ledger.place import Place
from pbem.ledger.triggers import sqlite_triggers
from pbem.ledger.troubles import DamagedLedger, LedgerBusy, LogBeside, Moved, NotRead, NotWritten, ReadOnly
from pbem.sharing import open_private
from pbem.syncing import sync_folder

DAMAGED = ("Could not decode", "unsupported file format")  # told with a code that may mean anything
FULL = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)
# Whoever has a file open, or opens it, that has moved to a server finds this in his way when he writes.
MOVED = "ledger_has_moved"
CLOSED = f"""\
CREATE TRIGGER IF NOT EXISTS {MOVED} BEFORE INSERT ON journal
BEGIN SELECT RAISE(ABORT, 'ledger: this ledger has moved to another place'); END"""


class OnSqlite:
    """One file; one writer at a time by SQLite's own lock."""

    settings = "WAL, synchronous FULL and the rest"

    def __init__(self, place: Place) -> None:
        self.place = place
        self._idle: list[sa.Connection] = []  # kept for the next transaction: a new one takes longer than many last
        self._process = os.getpid()
        self._asked_readonly = False
        self.unwritable = False

    def engine(self, *, readonly: bool = False) -> sa.Engine:
        file = self.place.file
        self._asked_readonly = readonly
        self.unwritable = self.is_there() and not all(os.access(one, os.W_OK) for one in (file, file.parent))
        return connect(file, readonly=readonly or self.unwritable, immutable=self.unwritable and self._is_at_rest())

    def _is_at_rest(self) -> bool:
        """Return whether the file says all there is, so that it can be read where SQLite may not make its log beside
        it. While anybody has the ledger open, the log's index lies there; then SQLite reads both."""
        log, index = (self.place.file.with_name(f"{self.place.file.name}{end}") for end in ("-wal", "-shm"))
        if index.exists() or not log.exists():
            return not index.exists()
        if log.stat().st_size > 0:
            raise LogBeside(self.place, log)
        return True

    def is_there(self) -> bool:
        return self.place.file.is_file() and self.place.file.stat().st_size > 0

    def make_room(self) -> None:
        """An empty file that only its owner may read: it will hold seeds and keys."""
        os.close(open_private(self.place.file, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC))

    def made(self) -> None:
        sync_folder(self.place.file.parent)  # the file's name must survive a power cut too

    def reading(self, engine: sa.Engine) -> AbstractContextManager[sa.Connection]:
        return self._begun(engine, writing=False)

    def writing(self, engine: sa.Engine) -> AbstractContextManager[sa.Connection]:
        return self._begun(engine, writing=True)

    @contextmanager
    def _begun(self, engine: sa.Engine, *, writing: bool) -> Iterator[sa.Connection]:
        if self._process != os.getpid():  # SQLite allows no line to be used on both sides of a fork
            self._idle, self._process = [], os.getpid()
        connection = self._kept() or engine.connect()
        try:
            connection.info[WRITING] = writing
            with connection.begin():
                yield connection
        except BaseException:
            connection.close()
            raise
        self._idle.append(connection)

    def _kept(self) -> sa.Connection | None:
        """An idle line. To look first whether there is one would let another thread take it in between."""
        try:
            return self._idle.pop()
        except IndexError:
            return None

    def close(self, engine: sa.Engine) -> None:
        while self._idle:
            self._idle.pop().close()
        engine.dispose()

    def is_ours(self, connection: sa.Connection) -> bool:
        return connection.exec_driver_sql("PRAGMA application_id").scalar() == APPLICATION_ID

    def guard(self, connection: sa.Connection) -> None:
        """The migrations have put up all of them."""

    def is_guarded(self, connection: sa.Connection) -> bool:
        stands = connection.exec_driver_sql("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").all()
        return {row.name: row.sql for row in stands if row.name != MOVED} == sqlite_triggers()

    def columns(self, connection: sa.Connection) -> dict[str, set[str]]:
        query = "SELECT t.name, c.name FROM sqlite_master t, pragma_table_info(t.name) c WHERE t.type = 'table'"
        return by_table((row[0], row[1]) for row in connection.exec_driver_sql(query).all())

    def sizes(self, connection: sa.Connection) -> dict[str, int]:
        file = self.place.file
        files = {"ledger": file, "wal": file.with_name(f"{file.name}-wal")}
        return {name: path.stat().st_size if path.is_file() else 0 for name, path in files.items()}

    def compact(self, engine: sa.Engine) -> None:
        """The file has no free pages after it, and the log, which holds the old ones, is empty."""
        with closing(engine.raw_connection()) as connection:
            connection.cursor().execute("VACUUM")
            [busy, *_] = connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if busy:
            raise LedgerBusy(self.place)

    def trouble(self, error: Exception, *, reading: bool) -> Trouble | None:
        if isinstance(error, UnicodeDecodeError):  # SQLite quotes damaged names in its messages
            return self._damaged("unreadable names")
        cause = getattr(error, "orig", error)
        code = getattr(cause, "sqlite_errorcode", 0) & 0xFF
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            return LedgerBusy(self.place)
        if "this ledger has moved" in str(cause):
            return Moved(self.place)
        if self._refuses_to_be_written(cause):
            return self._damaged("its header says that only a newer SQLite may write to it")
        if self.unwritable and not reading and code in FULL:
            return ReadOnly(self.place)
        if code in FULL:
            return NotRead(self.place, str(cause)) if reading else NotWritten(self.place, str(cause))
        if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB) or any(said in str(cause) for said in DAMAGED):
            return self._damaged(cause)
        return None

    def _refuses_to_be_written(self, cause: object) -> bool:
        """Whether it is the file itself that is for reading only, and neither its folder, nor the disk, nor we."""
        file = self.place.file
        refused = getattr(cause, "sqlite_errorcode", 0) == sqlite3.SQLITE_READONLY and not self._asked_readonly
        return refused and all(os.access(path, os.W_OK) for path in (file, file.parent))

    def _damaged(self, why: object) -> DamagedLedger:
        return DamagedLedger(f"The ledger {self.place} is damaged ({why}); restore a backup.")

    def alone(self, suffix: str, what: str, patience: float) -> AbstractContextManager[None]:
        return lock.alone(self.place.beside(suffix), what, patience)

    def keep(self, suffix: str, content: bytes) -> None:
        path = self.place.beside(suffix)
        part = path.with_name(f".{path.name}.part")
        part.write_bytes(content)
        part.replace(path)

    def recall(self, suffix: str) -> bytes | None:
        path = self.place.beside(suffix)
        return path.read_bytes() if path.exists() else None

    def lanes(self) -> AbstractContextManager[Lanes]:
        return nullcontext(OneLane())
