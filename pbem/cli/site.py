"""`pbem site`: the host's games as a folder of pages that any web server, or none, can show."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli.frame import Session, as_json, at_time, moment, pass_session
from pbem.cli.output import emit, say, several


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@at_time
@as_json
@pass_session
def site(session: Session, folder: Path, now: str | None, as_json: bool) -> None:
    """Write a static site into DIR: all games as everybody may see them, matches, and files to verify them with.

    No seat's secrets stand in it. It needs no server: index.html can be opened from disk.
    """
    from pbem.pages.site import site as write

    with session.ledger(renders=True) as ledger:
        written = write(ledger, session.config, folder, moment(now))
    if as_json:
        emit({"folder": str(folder), **written._asdict()})
    else:
        say(f"{several(written.games, 'game')} in {folder}, {several(written.files, 'file')}; begin with index.html.")
