"""Resuming: what holds of the decision that is open once a game goes on after it was halted or paused."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

from pbem.apart import Apart
from pbem.attending.answers import due_after
from pbem.attending.waiting import given_time
from pbem.bounded import TaskDied
from pbem.clock import read_instant, stamp
from pbem.config import Config
from pbem.deadlines.schedule import Schedule
from pbem.errors import CannotGoOn
from pbem.game.hosting import sheet_of, standing_of
from pbem.game.sheet import Sheet, Standing
from pbem.ledger import journal
from pbem.ledger.games import GameRow
from pbem.ledger.transaction import Read

WAS = "was"  # in the row of a pause: the deadline before it


def time_again(tx: Read, config: Config, game: GameRow, now: datetime) -> dict[str, Any]:
    """What the row of the ruling says: a fresh deadline, and when a run has to look at the game. Where its rules do not
    get through with it, which may be why it was halted, the schedule alone tells."""
    before = game.deadline_at or _before_the_pause(tx, game.name)
    try:
        sheet, standing = sheet_of(tx, config, game), standing_of(tx, game, restored=False)
        with Apart() as apart:
            return apart.ask(timed, sheet, replace(standing, deadline=before), now)
    except (CannotGoOn, TaskDied, ValueError, TypeError, LookupError):
        fresh = Schedule.from_json(game.schedule).deadline(now, game.turn)
        deadline = stamp(max(fresh, before or fresh))
        return {"due_at": deadline, "deadline_at": deadline}


def timed(sheet: Sheet, standing: Standing, now: datetime) -> dict[str, Any]:
    """The same of a game whose rules say who has answered. To be asked apart."""
    after = given_time(sheet, replace(standing, state=sheet.rules.restore(standing.state)), now)
    assert after.deadline is not None, "it was given time"
    due = due_after(sheet, after, now) or after.deadline
    return {"due_at": stamp(due), "deadline_at": stamp(after.deadline), "attendance": after.attendance.to_json()}


def _before_the_pause(tx: Read, name: str) -> datetime | None:
    """The deadline that was announced before the game was paused; None where nobody knows it."""
    rulings = (row.facts() for row in journal.rows(tx, name, kinds=("ruling",), newest_first=True))
    was = next((facts.get(WAS) for facts in rulings if facts["act"] == "pause"), None)
    return None if was is None else read_instant(was)
