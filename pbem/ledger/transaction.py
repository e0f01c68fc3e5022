"""One transaction: reads see one moment, writes are gathered and go to the database in few, long statements."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache
from itertools import groupby
from typing import Any, NamedTuple, TypeVar

import sqlalchemy as sa

from engine.canon import Canonical
from pbem.ledger.ready import Ready, ready
from pbem.ledger.seals import Keys, Seal
from pbem.ledger.tables import HEAD, SECRET

Found = TypeVar("Found")
Key = tuple[tuple[str, Any], ...]
ENOUGH = 500  # rows gathered before they are handed on, so that a long night does not fill the memory

LASTING = 100  # so much of what never changes is kept in a transaction


class Row(NamedTuple):
    """What adding a row to the journal gives: its place, its hash, and the hash as it is printed in a mail."""

    seq: int
    hash: bytes
    head: str
    at: datetime


class End(NamedTuple):
    """Where a chain ends, and the secret its salts are made of, as it is stored (`pbem.ledger.chain_secrets`)."""

    seq: int
    hash: bytes
    at: datetime | None
    stored: bytes


class Read:
    """A look at the ledger at one moment; `keys` seal and open what lies encrypted in it."""

    def __init__(self, connection: sa.Connection, keys: Keys | None = None) -> None:
        self.connection = connection
        self.keys = keys or Keys()
        self._lasting: dict[Any, Any] = {}
        self._driver: Any = connection.connection.driver_connection if connection.dialect.name == "sqlite" else None

    def all(self, statement: sa.Executable, values: Mapping[str, Any] | None = None) -> Sequence[Any]:
        """Every row of a query."""
        if (known := self._ready(statement)) is not None:
            return known.rows(self._driver, values or {})
        return self.connection.execute(statement, values or {}).all()

    def one(self, statement: sa.Executable, values: Mapping[str, Any] | None = None) -> Any:
        """The only row of a query, or None."""
        if (known := self._ready(statement)) is None:
            return self.connection.execute(statement, values or {}).one_or_none()
        found = known.rows(self._driver, values or {})
        if len(found) > 1:
            raise sa.exc.MultipleResultsFound("there is more than one such row")
        return found[0] if found else None

    def each(self, statement: sa.Executable, values: Mapping[str, Any] | None = None) -> Iterable[Any]:
        """The rows of a long query, a few at a time."""
        if (known := self._ready(statement)) is not None:
            yield from known.each(self._driver, values or {})
            return
        found = self.connection.execute(statement, values or {}, execution_options={"yield_per": 100})
        try:
            yield from found
        finally:
            found.close()  # who asked may have heard enough before the end

    def _ready(self, statement: sa.Executable, keys: Sequence[str] | None = None) -> Ready | None:
        """A statement that was asked before, for SQLite's driver."""
        return None if self._driver is None else ready(statement, self.connection.dialect, keys)

    def lasting(self, key: Any, find: Callable[[], Found | None]) -> Found | None:
        """What never changes once it is there, looked up once in this transaction."""
        if key not in self._lasting:
            found = find()
            if found is None:
                return None
            if len(self._lasting) >= LASTING:
                self._lasting.clear()
            self._lasting[key] = found
        return self._lasting[key]  # type: ignore[no-any-return]

    def end(self, chain: str) -> End:
        """Where that chain ends; LookupError when there is no such chain."""
        found = self.one(_END, {"chain": chain})
        if found is None:
            raise LookupError(f"the ledger has no chain {chain!r}")
        return End(*found)

    def ends(self, chains: Collection[str]) -> dict[str, End]:
        """Where these chains end, found at once; one that is not there is missing."""
        return {row.chain: End(*row[1:]) for row in self.all(_ENDS, {"chains": list(chains)})}


class Write(Read):
    """A change of the ledger: all of it is stored, or nothing."""

    def __init__(self, connection: sa.Connection, keys: Keys | None = None) -> None:
        super().__init__(connection, keys)
        self._ends: dict[str, End] = {}
        self._new: dict[sa.Table, list[dict[str, Any]]] = {}
        self._changed: dict[sa.Table, dict[Key, dict[str, Any]]] = {}
        self._more: dict[sa.Executable, list[dict[str, Any]]] = {}
        self._waiting = 0

    # --- the journal ----------------------------------------------------------------------------------------------

    def append(
        self,
        chain: str,
        kind: str,
        at: datetime,
        body: Mapping[str, Any] | Canonical,
        turn: int | None = None,
        seat: str | None = None,
    ) -> Row:
        """Add a row to the journal; the projections follow it."""
        from pbem.ledger.append import append

        return append(self, chain, kind, at, body, turn, seat)

    def seal(self, chain: str) -> Seal | None:
        """What seals what is stored on that chain now, never a key of another host's; None where there is no key."""
        from pbem.ledger import own_key

        own_key.look(self)
        return self.keys.seal(chain)

    def end(self, chain: str) -> End:
        """Where that chain ends, the rows of this transaction included."""
        if chain not in self._ends:
            self._ends[chain] = super().end(chain)
        return self._ends[chain]

    def ends(self, chains: Collection[str]) -> dict[str, End]:
        unknown = [chain for chain in chains if chain not in self._ends]
        self._ends |= super().ends(unknown) if unknown else {}
        return {chain: self._ends[chain] for chain in chains if chain in self._ends}

    def moved(self, chain: str, end: End) -> None:
        """Note the new end of a chain."""
        self._ends[chain] = end
        self.change(HEAD, {"chain": chain}, {"seq": end.seq, "hash": end.hash, "at": end.at})

    def forget(self, chain: str) -> None:
        """Read the chain's end and secrets anew: they were changed by other means."""
        self._ends.pop(chain, None)
        self._lasting.clear()

    # --- rows gathered --------------------------------------------------------------------------------------------

    def add(self, table: sa.Table, row: dict[str, Any]) -> None:
        """A new row; every row of a table names the same columns."""
        self._new.setdefault(table, []).append(row)
        self._count()

    def change(self, table: sa.Table, where: Mapping[str, Any], values: Mapping[str, Any]) -> None:
        """New values for the one row that `where` names; later values win over earlier ones."""
        row = self._changed.setdefault(table, {}).setdefault(tuple(where.items()), {})
        row.update(values)
        self._count()

    def gather(self, statement: sa.Executable, values: dict[str, Any]) -> None:
        """A statement that adds a row or changes it, made once and run with others of its kind."""
        self._more.setdefault(statement, []).append(values)
        self._count()

    def _count(self) -> None:
        self._waiting += 1
        if self._waiting >= ENOUGH:
            self.flush()

    def flush(self) -> None:
        """Hand everything gathered to the database: first what is new, then what changed, then other statements."""
        if not self._waiting:
            return
        new, changed, more = self._new, self._changed, self._more
        self._new, self._changed, self._more, self._waiting = {}, {}, {}, 0
        for table, rows in new.items():
            self._put(_insert(table, tuple(rows[0])), rows)
        for table, by_key in changed.items():
            for (where, columns), group in groupby(sorted(_shaped(by_key), key=_shape), key=_shape):
                self._put(_update(table, where, columns), [values for _, values in group])
        for statement, rows in more.items():
            self._put(statement, rows)

    def _put(self, statement: sa.Executable, rows: Sequence[Mapping[str, Any]]) -> None:
        """One statement that changes something, with each of these values."""
        if (known := self._ready(statement, tuple(rows[0]))) is not None:
            known.put(self._driver, rows)
        else:
            self.connection.execute(statement, rows)

    # --- reading what was just written ----------------------------------------------------------------------------

    def all(self, statement: sa.Executable, values: Mapping[str, Any] | None = None) -> Sequence[Any]:
        self.flush()
        return super().all(statement, values)

    def one(self, statement: sa.Executable, values: Mapping[str, Any] | None = None) -> Any:
        self.flush()
        return super().one(statement, values)

    def each(self, statement: sa.Executable, values: Mapping[str, Any] | None = None) -> Iterable[Any]:
        self.flush()
        return super().each(statement, values)

    def run(self, statement: sa.Executable, values: Mapping[str, Any] | None = None) -> None:
        """A statement that changes many rows at once."""
        self.flush()
        self._put(statement, [values or {}])


_END = (
    sa.select(HEAD.c.seq, HEAD.c.hash, HEAD.c.at, SECRET.c.secret)
    .join_from(HEAD, SECRET, HEAD.c.chain == SECRET.c.chain)
    .where(HEAD.c.chain == sa.bindparam("chain"))
)

_ENDS = (
    sa.select(HEAD.c.chain, HEAD.c.seq, HEAD.c.hash, HEAD.c.at, SECRET.c.secret)
    .join_from(HEAD, SECRET, HEAD.c.chain == SECRET.c.chain)
    .where(HEAD.c.chain.in_(sa.bindparam("chains", expanding=True)))
)

Shape = tuple[tuple[str, ...], tuple[str, ...]]


def _shaped(by_key: dict[Key, dict[str, Any]]) -> list[tuple[Shape, dict[str, Any]]]:
    """Each changed row with the statement's shape and its parameters."""
    found = []
    for key, values in by_key.items():
        shape = tuple(name for name, _ in key), tuple(values)
        parameters = {f"at_{name}": value for name, value in key} | {f"to_{name}": v for name, v in values.items()}
        found.append((shape, parameters))
    return found


def _shape(item: tuple[Shape, dict[str, Any]]) -> Shape:
    return item[0]


@cache
def _insert(table: sa.Table, columns: tuple[str, ...]) -> sa.Insert:
    """The statement for new rows of these columns, made once."""
    return sa.insert(table)


@cache
def _update(table: sa.Table, where: tuple[str, ...], columns: tuple[str, ...]) -> sa.Update:
    """The statement for changes of that shape, made once."""
    return (
        sa.update(table)
        .where(*(table.c[name] == sa.bindparam(f"at_{name}") for name in where))
        .values({name: sa.bindparam(f"to_{name}") for name in columns})
    )
