"""A ledger of a server as a file, and a file's ledger in a server."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from pbem.ledger import copying
from pbem.ledger.on_postgres import OnPostgres
from pbem.ledger.place import Place
from pbem.ledger.store import Ledger


def as_file(place: Place, target: Path) -> None:
    """A server's ledger in a new file."""
    with closing(Ledger.open(place, readonly=True)) as ledger, ledger.read() as tx:
        copying.copy(tx, Place(target))


def into_server(copy: Path, place: Place) -> str | None:
    """A file's ledger at a place in a server. What stood there gives way when the copy is whole, and is set aside under
    the name that this gives."""
    home = OnPostgres(place)
    beside = home.room_beside() if home.is_there() else None
    with closing(Ledger.open(copy, readonly=True)) as ledger, ledger.read() as tx:
        copying.copy(tx, beside or place)
    return None if beside is None else home.give_way(beside)
