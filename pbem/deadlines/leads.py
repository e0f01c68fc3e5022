"""Lead times: who has still to answer and wishes to be reminded, and when. Nothing here touches the ledger."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import islice
from typing import NamedTuple

from engine import Seat
from pbem.attending.answers import has_answered
from pbem.attending.attendance import LONG_AGO, Attendance
from pbem.game.sheet import Sheet, Standing

HOUR = timedelta(hours=1)


class Want(NamedTuple):
    """A decision that waits for a seat, and when its player wishes to be reminded of it."""

    seat: Seat
    at: datetime
    draft: bool  # whether a draft of his is here


def wanted(sheet: Sheet, standing: Standing, now: datetime) -> list[Want]:
    """The seats of whom something is still to come, and who were not reminded of this decision yet. Nobody is who has
    answered, is away, or has but one move left. The state is JSON; to be asked apart."""
    rules = sheet.rules
    state = rules.restore(standing.state)
    standing = replace(standing, state=state)
    found = []
    for seat, at in _asked(sheet, standing, rules.pending(state)):
        away = standing.away.get(seat)
        if has_answered(sheet, standing, seat) or (away is not None and away.covers(now)):
            continue
        if len(list(islice(rules.moves(state, seat), 2))) > 1:
            found.append(Want(seat, at, bool(standing.orders_of(seat).draft)))
    return found


def next_look(
    sheet: Sheet, standing: Standing, pending: Iterable[Seat], after: datetime | None = None
) -> datetime | None:
    """When it must next be looked whether somebody is to be reminded of the decision that is open."""
    return min((at for _, at in _asked(sheet, standing, pending) if after is None or at > after), default=None)


def _asked(sheet: Sheet, standing: Standing, pending: Iterable[Seat]) -> Iterator[tuple[Seat, datetime]]:
    """The persons who were not reminded yet, and when they wish it."""
    if standing.deadline is None:
        return
    for seat in pending:
        sitter = sheet.sitters[seat]
        if sitter.is_written_to and sitter.remind and seat not in standing.attendance.reminded | standing.resigned:
            yield seat, max(standing.deadline - sitter.remind * HOUR, _half_way(standing.attendance, standing.deadline))


def _half_way(attendance: Attendance, deadline: datetime) -> datetime:
    """Before that the letter that asked for the decision is reminder enough, however long ahead somebody wishes one."""
    opened = attendance.opened_at
    return LONG_AGO if opened is None else opened + (deadline - opened) / 2
