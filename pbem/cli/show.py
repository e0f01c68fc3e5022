"""`pbem report` and `pbem show`: one game, as it stands and as it was told."""

from __future__ import annotations

import click

from pbem.cli.frame import Session, as_json, at_time, game_named, moment, pass_session, whoever, whole
from pbem.cli.output import document, emit, say
from pbem.cli.status import line

FORMATS = ("text", "html", "json", "page")


@click.command()
@game_named
@click.option("--seat", metavar="SEAT", help="Whose report; without it, what the public may know.")
@click.option("--turn", type=whole(1), metavar="N", help="The report that opened turn N; else the last one.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True)
@click.option("--json", "form", flag_value="json", help="The same as --format json.")
@at_time
@pass_session
def report(session: Session, name: str, seat: str | None, turn: int | None, form: str, now: str | None) -> None:
    """Print a report of the game NAME again.

    A seat's report is the one that was mailed, to the byte. Without a seat it is what everybody may know. A page holds
    all turns so far, and lets its seat compose orders in a browser. While the game runs, a look at what a seat alone
    may know is itself written into the ledger.
    """
    from pbem.audit import looks
    from pbem.game.again import report_again
    from pbem.pages.asked import page

    with session.ledger() as ledger:
        with ledger.read() as tx:
            if form == "page":
                found = page(tx, session.config, name, seat, turn)
            else:
                found = report_again(tx, session.config, name, seat, turn, form)
        if seat is not None:
            looks.note(ledger, name, f"a report to seat {seat}", whoever(), moment(now), turn=turn, seat=seat)
    document(found)


@click.command()
@game_named
@at_time
@as_json
@pass_session
def show(session: Session, name: str, now: str | None, as_json: bool) -> None:
    """Show the game NAME as its host may see it: no order that is not yet played."""
    from pbem.game.overview import details

    with session.ledger() as ledger, ledger.read() as tx:
        found = details(tx, session.config, name)
    if as_json:
        emit(found.to_json())
        return
    say(line(found.glance, moment(now), session.config.zone))
    for label, value in found.lines():
        say(f"{label}: {value}")
