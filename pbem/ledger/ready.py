"""Statements that are asked again and again, put to SQLite's driver as they were compiled the first time.

Most statements of a run are small and the same few, and SQLAlchemy works longer on each than SQLite does. One that is
asked twice (the very object) was made once to be asked often: its SQL is kept with it, and what its values go through
on their way in and out, which is what SQLAlchemy would do with them. All others are SQLAlchemy's own business.
"""

from __future__ import annotations

import re
import sqlite3
from collections import namedtuple
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import sqlalchemy as sa
from sqlalchemy.sql.compiler import SQLCompiler

LIST = re.compile(r"\(__\[POSTCOMPILE_\w+\]\)")  # where a list of any length is to stand
Turned = Callable[[Any], Any]  # a value on its way into the database, or out of it


class Given(NamedTuple):
    """A value that a statement is given: by which name, or else itself; its way in; whether it is a list of values."""

    name: str | None
    turn: Turned | None
    fixed: Any
    listed: bool


class Ready:
    """A compiled statement: its SQL, what is given to it, and what comes out."""

    def __init__(self, compiled: SQLCompiler, columns: Sequence[sa.ColumnElement[Any]]) -> None:
        self._sql, *self._after = LIST.split(compiled.string)
        self._given = [_given(compiled.binds[name], compiled.dialect) for name in compiled.positiontup or ()]
        self._out = [
            (place, turn) for place, one in enumerate(columns) if (turn := _way_out(one, compiled.dialect)) is not None
        ]
        self._row: Callable[[Any], Any] | None = None

    def rows(self, driver: sqlite3.Connection, values: Mapping[str, Any]) -> list[Any]:
        """All rows of a query."""
        cursor = driver.execute(*self._put_into(values))
        made = self._row or self._named(cursor)
        return [made(self._turned(row)) for row in cursor.fetchall()]

    def each(self, driver: sqlite3.Connection, values: Mapping[str, Any]) -> Iterator[Any]:
        """The same, one at a time."""
        cursor = driver.execute(*self._put_into(values))
        try:
            made = self._row or self._named(cursor)
            for row in cursor:
                yield made(self._turned(row))
        finally:
            cursor.close()  # who asked may have heard enough before the end

    def put(self, driver: sqlite3.Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        """A change, with these values, or with each of them in turn."""
        if len(rows) == 1:
            driver.execute(*self._put_into(rows[0]))
        else:
            driver.executemany(self._sql, [self._put_into(row)[1] for row in rows])

    def _put_into(self, values: Mapping[str, Any]) -> tuple[str, list[Any]]:
        """The SQL and, in their order, what it is given; each list has as many places as it has values."""
        if self._after:
            return self._spread(values)
        return self._sql, [
            fixed if name is None else values[name] if turn is None else turn(values[name])
            for name, turn, fixed, _ in self._given
        ]

    def _spread(self, values: Mapping[str, Any]) -> tuple[str, list[Any]]:
        sql, rest, given = [self._sql], iter(self._after), list[Any]()
        for name, turn, fixed, listed in self._given:
            found = [fixed] if name is None else values[name] if listed else [values[name]]
            given += found if turn is None or name is None else map(turn, found)
            if listed:
                sql += f"({', '.join('?' * len(found))})", next(rest)
        return "".join(sql), given

    def _turned(self, row: tuple[Any, ...]) -> Sequence[Any]:
        if not self._out:
            return row
        turned = list(row)
        for place, turn in self._out:
            turned[place] = turn(turned[place])
        return turned

    def _named(self, cursor: sqlite3.Cursor) -> Callable[[Any], Any]:
        """What makes a row of values that can be asked for by the names of the columns."""
        names = [column[0] for column in cursor.description]
        made: Any = namedtuple("Row", names, rename=True)  # type: ignore[misc]
        self._row = made._make
        return self._row


def _given(bind: sa.BindParameter[Any], dialect: sa.Dialect) -> Given:
    turn = bind.type.dialect_impl(dialect).bind_processor(dialect)
    if bind.required:
        return Given(bind.key, turn, None, bind.expanding)
    return Given(None, None, bind.effective_value if turn is None else turn(bind.effective_value), False)


def _way_out(column: sa.ColumnElement[Any], dialect: sa.Dialect) -> Turned | None:
    return column.type.dialect_impl(dialect).result_processor(dialect, None)


_READY: WeakKeyDictionary[Any, Ready | bool] = WeakKeyDictionary()  # False: asked once; True: not for the driver


def ready(statement: sa.Executable, dialect: sa.Dialect, keys: Sequence[str] | None = None) -> Ready | None:
    """That statement for the driver, if it is asked for again. An INSERT is given these keys each time."""
    known = _READY.get(statement)
    if isinstance(known, Ready):
        return known
    if known is None:
        _READY[statement] = False
    elif known is False:
        _READY[statement] = made = _made(statement, dialect, keys) or True
        return made if isinstance(made, Ready) else None
    return None


def _made(statement: Any, dialect: sa.Dialect, keys: Sequence[str] | None) -> Ready | None:
    if not isinstance(statement, sa.Select | sa.Insert | sa.Update | sa.Delete):
        return None
    compiled = statement.compile(dialect=dialect, column_keys=None if keys is None else list(keys))
    if not isinstance(compiled, SQLCompiler) or any(_is_odd(one) for one in compiled.binds.values()):
        return None
    return Ready(compiled, list(statement.selected_columns) if isinstance(statement, sa.Select) else [])


def _is_odd(bind: sa.BindParameter[Any]) -> bool:
    """A list that stands in the statement itself, or one of pairs."""
    return bind.literal_execute or (bind.expanding and (not bind.required or isinstance(bind.type, sa.TupleType)))
