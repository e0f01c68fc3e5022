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
    """A file's ledger at a place in a server; what stood there is set aside, under the name that this gives."""
    home = OnPostgres(place)
    kept = home.set_aside() if home.is_there() else None
    with closing(Ledger.open(copy, readonly=True)) as ledger, ledger.read() as tx:
        copying.copy(tx, place)
    return kept
