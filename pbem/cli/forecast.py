"""`pbem forecast`: the next deadlines, in words, as JSON, or as a calendar file."""

from __future__ import annotations

from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import click

from pbem.cli.completing import hosted_games
from pbem.cli.frame import Session, as_json, at_time, moment, pass_session, whole
from pbem.cli.output import document, emit, say

if TYPE_CHECKING:
    from pbem.deadlines.forecast import Coming


@click.command()
@click.argument("name", required=False, shell_complete=hosted_games)
@click.option("--player", metavar="NAME", help="Only the games in which this player sits.")
@click.option("--count", type=whole(1, 100), default=1, show_default=True, help="How many deadlines of each game.")
@click.option("--ics", is_flag=True, help="Write an iCalendar file instead of words.")
@at_time
@as_json
@pass_session
def forecast(
    session: Session, name: str | None, player: str | None, count: int, ics: bool, now: str | None, as_json: bool
) -> None:
    """Tell the next deadlines of all games, or of the game NAME. Those not announced yet are what the schedule says."""
    from pbem.deadlines import calendars
    from pbem.deadlines.forecast import forecast as foretold

    if ics and as_json:
        raise click.UsageError("--ics and --json are two answers; choose one of them.")
    with session.ledger() as ledger, ledger.read() as tx:
        found = foretold(tx, session.config, name, player, count)
    if as_json:
        emit({"deadlines": [coming.to_json() for coming in found]})
    elif ics:
        document(calendars.feed(found, session.config.address.partition("@")[2], moment(now)).decode())
    else:
        for coming in found:
            say(line(coming, session.config.zone))
        if not found:
            say("No deadline is coming.")


def line(coming: Coming, zone: str) -> str:
    """One deadline in one line that is good to hear, on the host's own clock."""
    from pbem.deadlines import calendars

    here = ZoneInfo(zone)
    when = f"{coming.at.astimezone(here):%a %Y-%m-%d %H:%M} {zone}"
    if not coming.open:
        return f"{when}: {coming.game}, decision {coming.turn}, if the one before takes its time"
    early = f"; everyone has answered, so it may come at {coming.early.astimezone(here):%H:%M}" if coming.early else ""
    return f"{when}: {coming.game}, decision {coming.turn}; {calendars.waits_for(coming)}{early}"
