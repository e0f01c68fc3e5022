"""The ledger: opened only under settings that lose nothing, written one whole transaction at a time."""

from __future__ import annotations

import secrets as random_source
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sa

from pbem.ledger import chains, migrate
from pbem.ledger.chain import HOST
from pbem.ledger.home import Home, home_of
from pbem.ledger.place import Place
from pbem.ledger.seals import SUFFIX, Keys
from pbem.ledger.tables import NIGHT
from pbem.ledger.transaction import Read, Write
from pbem.ledger.troubles import LedgerExists, NoLedger, NotWritten


class Ledger:
    """An open ledger. Open it after forking, not before: a child must not use its parent's connection."""

    def __init__(self, home: Home, *, readonly: bool = False) -> None:
        self.home = home
        self._engine = home.engine(readonly=readonly)
        self._broken: NotWritten | None = None
        self.keys = Keys(home.place.beside(SUFFIX))

    @property
    def path(self) -> Path:
        """Its file; one in a server has none, but files of the host that are called after it."""
        return self.home.place.file

    @classmethod
    def create(cls, place: Place | Path | str, *, secret: bytes | None = None, keys: Keys | None = None) -> Ledger:
        """Make a new, empty ledger. `secret` is the host's own, for tests that want the same bytes twice; `keys` are
        those of the name it will have, when it is made under another one."""
        home = home_of(place)
        if home.is_there():
            raise LedgerExists(f"There is a ledger at {home.place} already; it is left alone.")
        home.make_room()
        ledger = cls(home)
        ledger.keys = keys or ledger.keys
        with ledger.write() as tx:
            migrate.upgrade(tx.connection, home)
            chains.begin(tx, HOST, secret or random_source.token_bytes(32))
        home.made()
        return ledger

    @classmethod
    def open(cls, place: Place | Path | str, *, readonly: bool = False) -> Ledger:
        """An existing ledger; Trouble in one sentence when it must not be used as it is."""
        home = home_of(place)
        if not home.is_there():
            raise NoLedger(f"There is no ledger at {home.place}; `pbem init` makes one.")
        ledger = cls(home, readonly=readonly)
        try:
            with ledger.read() as tx:
                migrate.check(tx.connection, home)
        except BaseException:
            ledger.close()
            raise
        return ledger

    @classmethod
    def upgrade(cls, place: Place | Path | str) -> Ledger:
        """Bring an older ledger up to this program's version, whole or not at all."""
        home = home_of(place)
        ledger = cls(home)
        with ledger.write() as tx:
            migrate.refuse_newer(tx.connection, home)
            migrate.upgrade(tx.connection, home)
        return cls.open(place)

    @contextmanager
    def write(self) -> Iterator[Write]:
        """A transaction that changes the ledger. It is stored when the block ends, and not at all when it raises."""
        if self._broken is not None:
            raise self._broken
        with self._troubles(), self.home.writing(self._engine) as connection:
            tx = Write(connection, self.keys)
            yield tx
            tx.flush()

    @contextmanager
    def read(self) -> Iterator[Read]:
        """A transaction that reads: it sees one moment, however long it takes and whoever writes meanwhile."""
        with self._troubles(reading=True), self.home.reading(self._engine) as connection:
            yield Read(connection, self.keys)

    def try_to_write(self) -> None:
        """Change no row, by a statement that is refused as any other is where nothing can be written."""
        with self.write() as tx:
            tx.run(sa.delete(NIGHT).where(sa.false()))

    def compact(self) -> None:
        """Leave nothing behind, where it is stored, of what was taken out of it."""
        with self._troubles():
            self.home.compact(self._engine)

    def close(self) -> None:
        """Let go of the file, or of the server."""
        self.home.close(self._engine)

    @contextmanager
    def _troubles(self, *, reading: bool = False) -> Iterator[None]:
        """The database's errors as Trouble. After a failed write or sync this process writes no more: what the kernel
        has dropped cannot be synced by asking again."""
        try:
            yield
        except (sa.exc.DatabaseError, sqlite3.DatabaseError, UnicodeDecodeError) as error:
            trouble = self.home.trouble(error, reading=reading)
            if trouble is None:
                raise
            if isinstance(trouble, NotWritten):
                self._broken = trouble
            raise trouble from error
