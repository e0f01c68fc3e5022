"""A ledger in a schema of a PostgreSQL server, for hosts of many machines: `pip install pbem[cluster]`."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from importlib.util import find_spec
from typing import Any
from zlib import crc32

import sqlalchemy as sa

from pbem.errors import CANNOT, Busy, Trouble
from pbem.ledger import postgres_guards
from pbem.ledger.home import by_table
from pbem.ledger.lanes import Lanes
from pbem.ledger.place import Place
from pbem.ledger.troubles import DamagedLedger, LedgerBusy, NotAllowed, NotReached, NotRead, NotWritten, WeakLedger
from pbem.lock import AGAIN

# Without these a power cut could lose an acknowledged order; they are the server's, so they are asked for, not set.
SETTINGS = {
    "fsync": {"on"},
    "full_page_writes": {"on"},
    "synchronous_commit": {"on", "local", "remote_write", "remote_apply"},
}
PATIENCE = 10  # seconds that a writer waits for its place
NOTICES = 1  # second within which a server has seen that a process is gone, and its locks with it
WRITERS = 0x7062656D  # "pbem": the class of our locks among those of other programs
BUSY = {"55P03", "40001", "40P01"}  # a lock was not to be had; or two waited for each other
DAMAGED = {"XX001", "XX002"}
FORBIDDEN = "42501"
OLDEST = 15  # an older one cannot say by whose rules a database sorts
# What a connection that did not come about says before it comes to the point, and what to do about the point.
PREAMBLE = re.compile(r"^connection (?:failed|is bad): (?:connection to server (?:at|on) .*? failed: )?(?:FATAL: *)?")
QUESTION = re.compile(r" Is the server running .*\?$")
PASSWORD = "the password is read from ~/.pgpass (mode 600) or from the file that $PGPASSFILE names"
UNREACHED = "connection failed", "connection is bad", "connection timeout", "failed to resolve host"
ADVICE = {
    "password": PASSWORD,
    "does not exist": "docs/cluster.md says how the role and the database are made",
    "pg_hba.conf": "a line in pg_hba.conf lets this machine in, as docs/cluster.md says",
    "resolve host": "look at the server's name in the address",
    "": "see whether it runs and may be reached from here, and run again",
}


class OnPostgres:
    """One schema; one writer at a time by a lock of the server's, as the journal is one line of rows."""

    settings = ", ".join(SETTINGS)
    unwritable = False

    def __init__(self, place: Place) -> None:
        if find_spec("psycopg") is None:
            raise Trouble("A ledger in PostgreSQL needs psycopg; install it with `pip install pbem[cluster]`.", CANNOT)
        self.place = place

    def engine(self, *, readonly: bool = False) -> sa.Engine:
        engine = sa.create_engine(
            sa.make_url(self.place.url).set(drivername="postgresql+psycopg"),
            connect_args={"options": f"-c search_path={self.place.schema} -c timezone=UTC", "connect_timeout": 10},
            pool_pre_ping=True,
        )

        @sa.event.listens_for(engine, "connect")
        def check(connection: Any, record: object) -> None:
            with connection.cursor() as cursor:
                self._check(cursor)
                if readonly:
                    cursor.execute("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY")
            connection.commit()

        return engine

    def _check(self, cursor: Any) -> None:
        if (version := cursor.connection.info.server_version // 10_000) < OLDEST:
            raise WeakLedger(f"The server of {self.place} is PostgreSQL {version}; a ledger needs {OLDEST} or newer.")
        for name, strong in SETTINGS.items():
            found = cursor.execute(f"SHOW {name}").fetchone()[0]
            if found not in strong:
                raise WeakLedger(
                    f"The ledger {self.place} would run with {name} = {found}, "
                    "which can lose acknowledged orders, so it is not opened."
                )
        query = (
            "SELECT pg_encoding_to_char(encoding), datcollate, datlocprovider FROM pg_database "
            "WHERE datname = current_database()"
        )
        encoding, order, provider = cursor.execute(query).fetchone()
        if encoding != "UTF8" or order not in ("C", "POSIX") or provider not in ("c", b"c"):
            raise WeakLedger(
                f"The database of {self.place} is in {encoding} and sorts by {order}; a ledger needs UTF8 and C: "
                "CREATE DATABASE ... TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'."
            )

    def is_there(self) -> bool:
        with self._plain() as connection:
            query = "SELECT 1 FROM pg_tables WHERE schemaname = current_schema()"
            return connection.exec_driver_sql(query).first() is not None

    def make_room(self) -> None:
        with self._plain() as connection:
            connection.exec_driver_sql(f"CREATE SCHEMA IF NOT EXISTS {self.place.schema}")

    @contextmanager
    def _plain(self) -> Iterator[sa.Connection]:
        """A connection of its own, for what is asked before there is a ledger."""
        engine = self.engine()
        try:
            with engine.begin() as connection:
                yield connection
        except sa.exc.DBAPIError as error:
            raise self.trouble(error, reading=True) or error from error
        finally:
            engine.dispose()

    def made(self) -> None:
        """The server keeps its names itself."""

    @contextmanager
    def reading(self, engine: sa.Engine) -> Iterator[sa.Connection]:
        options = {"isolation_level": "REPEATABLE READ"}
        with engine.connect().execution_options(**options) as connection, connection.begin():
            yield connection

    @contextmanager
    def writing(self, engine: sa.Engine) -> Iterator[sa.Connection]:
        with engine.connect() as connection, connection.begin():
            self._wait_in_line(connection)
            yield connection

    def _wait_in_line(self, connection: sa.Connection) -> None:
        """The place of the one who writes, until the transaction ends. Each of its statements sees what was stored
        before it: with one moment for all, that moment would be the one before the wait."""
        connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{PATIENCE}s'")
        connection.exec_driver_sql("SELECT pg_advisory_xact_lock(%s, %s)", (WRITERS, self.number("")))

    def close(self, engine: sa.Engine) -> None:
        engine.dispose()

    def is_ours(self, connection: sa.Connection) -> bool:
        query = "SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'alembic_version'"
        return connection.exec_driver_sql(query).first() is not None

    def guard(self, connection: sa.Connection) -> None:
        postgres_guards.put_up(connection)

    def is_guarded(self, connection: sa.Connection) -> bool:
        return postgres_guards.stand(connection)

    def room_beside(self) -> Place:
        """An empty place in the same database, for what is to take this one. What was begun there and broken off is
        gone. Its name is short: the server cuts long ones, and this one's may be as long as can be."""
        place = replace(self.place, schema=f"restoring_{self.number('restoring')}")
        with self._plain() as connection:
            connection.exec_driver_sql(f"DROP SCHEMA IF EXISTS {place.schema} CASCADE")
        return place

    def give_way(self, other: Place) -> str:
        """Put what stands there in this place, in one transaction; what stood here is kept under another name, which
        this gives."""
        with self._plain() as connection:
            self._wait_in_line(connection)  # whoever writes finds his tables by their names, in each statement
            number, taken = 1, "SELECT to_regnamespace(%s)"
            while connection.exec_driver_sql(taken, (kept := f"{self.place.schema[:48]}_replaced_{number}",)).scalar():
                number += 1
            connection.exec_driver_sql(f"ALTER SCHEMA {self.place.schema} RENAME TO {kept}")
            connection.exec_driver_sql(f"ALTER SCHEMA {other.schema} RENAME TO {self.place.schema}")
        return f"the schema {kept}"

    def columns(self, connection: sa.Connection) -> dict[str, set[str]]:
        query = "SELECT c.relname, a.attname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid "
        query += "WHERE relkind = 'r' AND attnum > 0 AND NOT attisdropped AND relnamespace = to_regnamespace(%s)"
        return by_table((row[0], row[1]) for row in connection.exec_driver_sql(query, (self.place.schema,)))

    def sizes(self, connection: sa.Connection) -> dict[str, int]:
        """Its tables, with their indexes; its log is the server's own matter."""
        query = "SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relkind = 'r' AND relnamespace = "
        query += "%s::regnamespace"
        return {"ledger": int(connection.exec_driver_sql(query, (self.place.schema,)).scalar_one())}

    def compact(self, engine: sa.Engine) -> None:
        """Its write-ahead log and the copies that are made of that are the server's own matter."""
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            for table in ("letter", "mail", "player", "new_address", "joining", "secret"):
                connection.exec_driver_sql(f"VACUUM FULL {table}")

    def trouble(self, error: Exception, *, reading: bool) -> Trouble | None:
        cause = getattr(error, "orig", error)
        state = getattr(cause, "sqlstate", None)
        if state in BUSY:
            return LedgerBusy(self.place)
        if state in DAMAGED:
            return DamagedLedger(f"The ledger {self.place} is damaged ({_line(cause)}); restore a backup.")
        if state == FORBIDDEN:
            said = f"The server of the ledger {self.place} does not allow it ({_line(cause)}); "
            return NotAllowed(f"{said}the role in the address must own the database, or have CREATE on it.")
        away = state is None and type(cause).__name__ == "OperationalError"
        if away and (words := unreached(cause)):
            return NotReached(self.place, words, next(advice for said, advice in ADVICE.items() if said in words))
        if away or (state or "")[:2] in ("08", "28", "3D", "53", "57", "58") or state == "25006":
            return (NotRead if reading else NotWritten)(self.place, _line(cause))
        return None

    @contextmanager
    def alone(self, suffix: str, what: str, patience: float) -> Iterator[None]:
        """The lock belongs to a connection of its own, so that it ends with the process, however that ends."""
        with self._locks() as locks:
            until, number = time.monotonic() + max(patience, NOTICES), self.number(suffix)
            while not locks.take(number):
                if time.monotonic() >= until:
                    raise Busy(f"Another {what} is at work on {self.place}; this one leaves it alone.")
                time.sleep(AGAIN)
            yield

    def keep(self, suffix: str, content: bytes) -> None:
        with self._plain() as connection:
            connection.exec_driver_sql("CREATE TABLE IF NOT EXISTS beside (suffix text PRIMARY KEY, content bytea)")
            said = "INSERT INTO beside VALUES (%s, %s) ON CONFLICT (suffix) DO UPDATE SET content = excluded.content"
            connection.exec_driver_sql(said, (suffix, content))

    def recall(self, suffix: str) -> bytes | None:
        with self._plain() as connection:
            if "beside" not in self.columns(connection):
                return None
            return connection.exec_driver_sql("SELECT content FROM beside WHERE suffix = %s", (suffix,)).scalar()

    @contextmanager
    def lanes(self) -> Iterator[Lanes]:
        with self._locks() as locks:
            yield OfLanes(locks, self)

    @contextmanager
    def _locks(self) -> Iterator[Locks]:
        engine = self.engine()
        try:
            with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
                try:
                    yield Locks(connection)
                finally:  # at once, however it ended: of a closed connection the server learns in its own time
                    with suppress(sa.exc.DBAPIError):
                        connection.exec_driver_sql("SELECT pg_advisory_unlock_all()")
        except sa.exc.DBAPIError as error:
            raise self.trouble(error, reading=True) or error from error
        finally:
            engine.dispose()

    def number(self, suffix: str) -> int:
        """The name of a lock, as a number of 31 bits: one for each schema of a database and each kind of work."""
        return crc32(f"{self.place.schema} {suffix}".encode()) >> 1


class Locks:
    """Locks of one connection, which ends with its process, however that ends, and its locks with it."""

    def __init__(self, connection: sa.Connection) -> None:
        self._connection = connection

    def take(self, number: int) -> bool:
        query = "SELECT pg_try_advisory_lock(%s, %s)"
        return bool(self._connection.exec_driver_sql(query, (WRITERS, number)).scalar())

    def leave(self, number: int) -> None:
        self._connection.exec_driver_sql("SELECT pg_advisory_unlock(%s, %s)", (WRITERS, number))


class OfLanes:
    """A lock for each lane of this ledger's outbox."""

    many = True

    def __init__(self, locks: Locks, home: OnPostgres) -> None:
        self._locks, self._home = locks, home

    def take(self, lane: int) -> bool:
        return self._locks.take(self._home.number(f"lane {lane}"))

    def leave(self, lane: int) -> None:
        self._locks.leave(self._home.number(f"lane {lane}"))


def unreached(cause: object) -> str:
    """Why a connection did not come about; empty for one that did."""
    words = _line(cause)
    if not words.startswith(UNREACHED):
        return ""
    return QUESTION.sub("", PREAMBLE.sub("", words))


def _line(cause: object) -> str:
    return " ".join(str(cause).split())
