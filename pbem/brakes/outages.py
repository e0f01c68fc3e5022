"""Outages: a deadline that came while the host was not at work is moved, with notice to all; silence counts for nobody.

A game in which everyone has answered, or that its players have ended, needs no more time: it is resolved as it fell
due.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from pbem import faultlog
from pbem.apart import Apart
from pbem.attending.answers import is_decided
from pbem.attending.attendance import LONG_AGO
from pbem.attending.waiting import given_time, silent_seats
from pbem.bounded import TaskDied
from pbem.brakes.holding import Held
from pbem.clock import stamp
from pbem.config import Config
from pbem.faults import fault
from pbem.game.hosting import sheet_of, standing_of, store
from pbem.game.sheet import Sheet, Standing
from pbem.game.turning import Played, Row, tell_all
from pbem.ledger import Ledger, games
from pbem.reports.report import News

OUTAGE = "outage"


def move(
    config: Config, ledger: Ledger, now: datetime, off_since: datetime | None, over: list[Held], told: datetime
) -> list[str]:
    """Move the deadlines that came since `off_since`, and those of games whose brake is over now; gives their names.
    Each is a transaction of its own, so a run that is killed goes on where it was."""
    since = {held.game: LONG_AGO for held in over if held.game is not None}  # its deadline is what it was held at
    if off_since is None and not since:
        return []
    moved = []
    with ledger.read() as tx:
        due = games.due(tx, now)
    with Apart() as apart:
        for name in due:
            first = min(filter(None, (off_since, since.get(name))), default=None)
            if first is not None and _move(config, ledger, apart, name, first, now, told, config.brakes.late):
                moved.append(name)
                fault("deadline-moved")
    return moved


def move_all(config: Config, ledger: Ledger, now: datetime, game: str | None) -> list[str]:
    """Move every deadline that has passed, of that game or of all, where somebody's silence is at stake."""
    with ledger.read() as tx:
        due = [name for name in games.due(tx, now) if game in (None, name)]
    with Apart() as apart:
        return [name for name in due if _move(config, ledger, apart, name, LONG_AGO, now, now, timedelta())]


def _move(
    config: Config,
    ledger: Ledger,
    apart: Apart,
    name: str,
    first: datetime,
    now: datetime,
    told: datetime,
    late: timedelta,
) -> bool:
    with ledger.write() as tx:
        row = games.get(tx, name)
        if row is None or row.deadline_at is None or not first < row.deadline_at <= now - late:
            return False
        try:
            sheet, standing = sheet_of(tx, config, row), standing_of(tx, row, restored=False)
            played = apart.ask(moved, sheet, standing, first, now, told)
        except TaskDied as died:
            faultlog.write_down(died, config.folder)
            return False
        except (ValueError, TypeError, LookupError):
            return False  # the run says what is wrong with it
        if played is not None:
            store(tx, sheet, played, now)
        return played is not None


def moved(sheet: Sheet, standing: Standing, first: datetime, now: datetime, told: datetime) -> Played | None:
    """The same decision with a later deadline; None where nobody's silence is at stake. To be asked apart."""
    standing = replace(standing, state=sheet.rules.restore(standing.state))
    if is_decided(sheet, standing) or not silent_seats(sheet, standing):
        return None
    row = Row(OUTAGE, {"off_since": stamp(first), "was": stamp(standing.deadline or now)})
    return tell_all(sheet, given_time(sheet, standing, told), row, (News(OUTAGE),), now)
