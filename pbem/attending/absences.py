"""Absences: what it changes, at once, that somebody says he will be away: for whom the game waits, and until when.

A deadline that was announced is never earlier for it. Where it is later the others are told at once; else they read of
the absence in their next report.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from engine import Notice, Refusal, Seat
from pbem.attending.answers import due_after
from pbem.attending.attendance import ABSENT, FAR_OFF, HERE, Attendance, Away
from pbem.attending.waiting import silent_seats, waited_for
from pbem.clock import stamp
from pbem.game.outgoing import Mail, notices
from pbem.game.sheet import End, Sheet, Standing
from pbem.intake.away import WAIT
from pbem.intake.form import Absence
from pbem.reports.report import News

MINUTE = timedelta(minutes=1)
SHORTER = "{until: 2026-12-31, mode: stand-in}"


@dataclass(frozen=True, slots=True)
class Announced:
    """Where the game stands after a word on days away: what its row says, and the news of it where those leave now."""

    said: Absence
    standing: Standing
    body: dict[str, Any]
    news: tuple[News, ...] = ()

    def after(self, end: End) -> Announced:
        """The same, once its row is written."""
        return replace(self, standing=replace(self.standing, end=end))

    @property
    def moved_to(self) -> datetime | None:
        """The deadline, where this moved it."""
        return self.standing.deadline if self.news else None


def announced(sheet: Sheet, standing: Standing, seat: Seat, said: Absence, now: datetime) -> Announced:
    """What such a word comes to. `standing` has the state as the rules know it."""
    body = absence(said)
    after = replace(standing, away=_aways(sheet, standing, seat, body))
    after = _spared(sheet, after, seat, now)
    if said.away and seat in silent_seats(sheet, after) and after.deadline is not None:
        after = waited_for(sheet, after, [seat])
    moved, news = after.deadline != standing.deadline, told_of(seat, after.away.get(seat), now)
    attendance = after.attendance.without_days(seat)
    after = replace(after, attendance=attendance if moved else attendance.told(news))
    return Announced(said, after, body | _settings(sheet, after, now), (news,) if moved else ())


def absence(said: Absence) -> dict[str, Any]:
    """Days away, as they stand in the journal; without days they hold until they are taken back."""
    day = {"from": said.since, "to": said.until}
    return {"away": said.away, "mode": said.mode, **{name: at and at.isoformat() for name, at in day.items()}}


def _aways(sheet: Sheet, standing: Standing, seat: Seat, body: dict[str, Any]) -> dict[Seat, Away]:
    others = {other: away for other, away in standing.away.items() if other != seat}
    return {**others, seat: Away.from_row(body, sheet.schedule.zone)} if body["away"] else others


def _spared(sheet: Sheet, standing: Standing, seat: Seat, now: datetime) -> Standing:
    """The same, with the seats for which the open decision does not wait, now that this one is away, or is back."""
    people = [other for other, sitter in sheet.sitters.items() if sitter.bot is None and other not in standing.resigned]
    attendance = standing.attendance.opened(now, people, standing.away)
    kept = (standing.attendance.unwaited - {seat}) | (attendance.unwaited & {seat})
    return replace(standing, attendance=replace(standing.attendance, unwaited=kept))


def told_of(seat: Seat, away: Away | None, now: datetime) -> News:
    """The news that a seat will be away, or is back."""
    if away is None:
        return News(HERE, seat)
    facts = {"mode": away.mode, "first_at": stamp(max(now, away.first))}
    return News(ABSENT, seat, facts if away.last == FAR_OFF else facts | {"last_at": stamp(away.last - MINUTE)})


def _settings(sheet: Sheet, after: Standing, now: datetime) -> dict[str, Any]:
    due = due_after(sheet, after, now)
    return {
        "attendance": after.attendance.to_json(),
        "deadline_at": None if after.deadline is None else stamp(after.deadline),
        "due_at": None if due is None else stamp(due),
    }


def told_to_others(sheet: Sheet, seat: Seat, found: Announced, now: datetime) -> tuple[Mail, ...]:
    """The notice to all seats but the one whose word it is: that one has an answer of its own."""
    if not found.news:
        return ()
    return tuple(mail for mail in notices(sheet, found.standing, found.news, now) if mail.seat != seat)


# --- what the seat is told --------------------------------------------------------------------------------------------


def why_not(attendance: Attendance, seat: Seat, said: Absence) -> Refusal | None:
    """Why the game cannot wait for a seat: it has done so as long as it may."""
    if not said.away or said.mode not in (None, WAIT) or attendance.left(seat):
        return None
    text = (
        "This game waits for an absent player for {allowed} hours in all, and {used} of them are used up, so none is"
        " left. Name another mode, which is stand-in or standing, such as {example}."
    )
    allowed, used = attendance.policy.for_seat(seat).away, attendance.of(seat).used
    return Refusal("", "absence_used_up", text, {"allowed": allowed, "used": used, "example": SHORTER})


def noted(found: Announced, seat: Seat) -> Iterator[Notice]:
    """What a seat is told of its word."""
    yield _days(found.said)
    if not found.said.away:
        return
    if (away := found.standing.away[seat]).mode != WAIT:
        yield MEANWHILE[away.mode]
        return
    if found.moved_to is not None:
        yield Notice("", "waits", "The open decision waits until {until}.", {"until": found.moved_to})
    text = "Hours for which this game may still wait for you: {left}. After that, what silence means counts."
    yield Notice("", "left", text, {"left": found.standing.attendance.left(seat)})


MEANWHILE = {
    "stand-in": Notice("", "stand_in", "Meanwhile a stand-in plays for you where no order of yours is here."),
    "standing": Notice("", "standing", "Meanwhile your orders and standing answers count; else what silence means."),
}


def _days(said: Absence) -> Notice:
    if not said.away:
        return Notice("", "back", "It is noted that you are not away any more.")
    if said.since and said.until:
        facts = {"since": said.since.isoformat(), "until": said.until.isoformat()}
        return Notice("", "away", "It is noted that you are away from {since} to {until}.", facts)
    if said.until:
        return Notice("", "away", "It is noted that you are away until {until}.", {"until": said.until.isoformat()})
    if said.since:
        return Notice("", "away", "It is noted that you are away from {since} on.", {"since": said.since.isoformat()})
    return Notice("", "away", "It is noted that you are away until you say otherwise.")
