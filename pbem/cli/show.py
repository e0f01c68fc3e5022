"""`pbem report`, `pbem status` and `pbem show`: what stands, and what was said."""

from __future__ import annotations

from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import click

from pbem.cli.frame import Session, as_json, at_time, game_named, moment, pass_session, whole
from pbem.cli.output import emit, exactly, say, several

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.overview import Glance

FORMATS = ("text", "html", "json", "page")


@click.command()
@game_named
@click.option("--seat", metavar="SEAT", help="Whose report; without it, what the public may know.")
@click.option("--turn", type=whole(1), metavar="N", help="The report that opened turn N; else the last one.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True)
@click.option("--json", "form", flag_value="json", help="The same as --format json.")
@pass_session
def report(session: Session, name: str, seat: str | None, turn: int | None, form: str) -> None:
    """Print a report of the game NAME again.

    A seat's report is the one that was mailed, to the byte. Without a seat it is what everybody may know. A page holds
    all turns so far, and lets its seat compose orders in a browser.
    """
    from pbem.again import report_again
    from pbem.pages.asked import page

    with session.ledger() as ledger, ledger.read() as tx:
        if form == "page":
            found = page(tx, session.config, name, seat, turn)
        else:
            found = report_again(tx, session.config, name, seat, turn, form)
    exactly(found)


@click.command()
@click.option("--all", "everything", is_flag=True, help="Show games that are over, too.")
@at_time
@as_json
@pass_session
def status(session: Session, everything: bool, now: str | None, as_json: bool) -> None:
    """Show all games: whose turn, until when, who is late, what is halted, what waits to be sent."""
    from pbem.overview import glances, health
    from pbem.people import in_trouble

    at = moment(now)
    with session.ledger() as ledger, ledger.read() as tx:
        found = [one for one in glances(tx, session.config) if everything or one.status != "over"]
        care, back = health(tx, at), in_trouble(tx)
    if as_json:
        bounces = [{"player": name, "bounces": one.bounces, "failing": one.failing} for name, one in back]
        emit({"games": [one.to_json() | {"late": one.late(at)} for one in found], **care, "bounces": bounces})
        return
    for one in found:
        say(line(one, at, session.config.zone))
    if not found:
        say("No games are being played.")
    say(f"Mails waiting to be sent: {care['mails_waiting']}. Messages waiting to be read: {care['letters_waiting']}.")
    if care["mails_lost"]:
        say(f"{several(care['mails_lost'], 'mail')} could not be sent; `pbem deliver` shows why.")
    for name, contact in back:
        failing = "; the address does not seem to work" if contact.failing else ""
        say(f"{several(contact.bounces, 'mail')} to {name} came back{failing}.")


def line(one: Glance, now: datetime, zone: str) -> str:
    """One game in one line that is good to hear, with its deadline on the host's own clock."""
    if one.trouble is not None:
        return f"{one.name}: {one.status} at turn {one.turn}, and cannot go on here. {one.trouble}"
    rules = one.rules if one.match is None else f"{one.rules}, game {one.match.number} of {one.match.name}"
    if one.status != "open":
        return f"{one.name} ({rules}): {one.status} at turn {one.turn}"
    waits = ", ".join(f"{w.seat} ({w.player}{', answered' if w.answered else ''})" for w in one.waiting)
    when = "without a deadline"
    if one.deadline is not None:
        when = f"until {one.deadline.astimezone(ZoneInfo(zone)):%Y-%m-%d %H:%M} {zone}"
    late = "; the deadline is past, `pbem nightly` resolves it" if one.late(now) else ""
    tries = f"; failed {several(one.attempts, 'time')}" if one.attempts else ""
    return f"{one.name} ({rules}): turn {one.turn}, {one.decision}, {when}; waits for {waits}{late}{tries}"


@click.command()
@game_named
@at_time
@as_json
@pass_session
def show(session: Session, name: str, now: str | None, as_json: bool) -> None:
    """Show the game NAME as its host may see it: no order that is not yet played."""
    from pbem.overview import details

    with session.ledger() as ledger, ledger.read() as tx:
        found = details(tx, session.config, name)
    if as_json:
        emit(found.to_json())
        return
    say(line(found.glance, moment(now), session.config.zone))
    for label, value in found.lines():
        say(f"{label}: {value}")
