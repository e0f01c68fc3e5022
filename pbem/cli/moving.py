"""`pbem migrate-to`: the ledger moves into a database."""

from __future__ import annotations

import click

from pbem.cli.frame import Session, as_json, pass_session
from pbem.cli.output import emit, say


@click.command("migrate-to")
@click.argument("url", metavar="postgresql://USER@SERVER/DATABASE")
@as_json
@pass_session
def migrate_to(session: Session, url: str, as_json: bool) -> None:
    """Move the ledger into a database of a PostgreSQL server, and name it in pbem.toml.

    The database is made before, by whoever may: CREATE DATABASE pbem TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'.
    The password stands in ~/.pgpass. The ledger goes into the schema `pbem`, or another one: ...DATABASE?schema=mine.
    The old file is kept as ledger.db.moved.
    """
    from pbem.care.moving import move

    place = move(session.config, url)
    if as_json:
        emit({"ledger": str(place)})
        return
    say(f"The ledger is at {place} now, and pbem.toml says so; every row of it was compared.")
    say(f"The old file is kept as {session.config.ledger.name}.moved.")
