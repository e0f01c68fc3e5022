"""What differs between a ledger in a file and one in a PostgreSQL server; each is a room behind this door."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

import sqlalchemy as sa

from pbem.errors import Trouble
from pbem.ledger.lanes import Lanes
from pbem.ledger.place import Place


class Home(Protocol):
    """Where a ledger lives: how it is reached, what guards it, and what its errors mean."""

    place: Place
    unwritable: bool  # whether it was found to lie where nothing can be written
    settings: str  # those that let nothing be lost, in words

    def engine(self, *, readonly: bool = False) -> sa.Engine:
        """Connections under settings that lose nothing, each checked as it is made."""

    def is_there(self) -> bool:
        """Whether there is anything at that place."""

    def make_room(self) -> None:
        """The empty file or schema that a new ledger is made in."""

    def made(self) -> None:
        """The new ledger is stored; its name must last, too."""

    def reading(self, engine: sa.Engine) -> AbstractContextManager[sa.Connection]:
        """A transaction that sees one moment."""

    def writing(self, engine: sa.Engine) -> AbstractContextManager[sa.Connection]:
        """A transaction that has its place in the line of writers, of which there is one at a time."""

    def close(self, engine: sa.Engine) -> None:
        """Let go of the file, or of the server."""

    def is_ours(self, connection: sa.Connection) -> bool:
        """Whether what is there is a ledger of pbem."""

    def guard(self, connection: sa.Connection) -> None:
        """Put up the guards of history that no migration has put up."""

    def is_guarded(self, connection: sa.Connection) -> bool:
        """Whether all guards stand."""

    def columns(self, connection: sa.Connection) -> dict[str, set[str]]:
        """The columns that each table has."""

    def sizes(self, connection: sa.Connection) -> dict[str, int]:
        """How many bytes it takes where it lies, by what takes them."""

    def compact(self, engine: sa.Engine) -> None:
        """Write what is stored anew, so that nothing is left of what was taken out. Nobody may be reading."""

    def trouble(self, error: Exception, *, reading: bool) -> Trouble | None:
        """What an error of the database means to a person; None for one that is our own fault."""

    def alone(self, suffix: str, what: str, patience: float) -> AbstractContextManager[None]:
        """One run at a time: held until the block ends or its process does."""

    def keep(self, suffix: str, content: bytes) -> None:
        """Keep a small thing beside the ledger, whole or not at all. It is no part of it, and may be lost."""

    def recall(self, suffix: str) -> bytes | None:
        """What was kept last under that name."""

    def lanes(self) -> AbstractContextManager[Lanes]:
        """The outbox in parts; those that were taken are let go of when the block ends or its process does."""


def home_of(place: Place | Path | str) -> Home:
    """The home of that place; a path is a file."""
    if not isinstance(place, Place):
        place = Place(Path(place))
    if place.url:
        from pbem.ledger.on_postgres import OnPostgres

        return OnPostgres(place)
    from pbem.ledger.on_sqlite import OnSqlite

    return OnSqlite(place)


def by_table(columns: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    """The columns of each table, out of pairs of a table and a column of it."""
    found: dict[str, set[str]] = defaultdict(set)
    for table, column in columns:
        found[table].add(column)
    return found
