"""What is odd: each question a run asks itself before silence counts, and what it says to the host where it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from pbem.arriving.brought import DROP, Brought
from pbem.attending.attendance import Attendance
from pbem.brakes.heartbeat import Beat
from pbem.brakes.settings import Brakes
from pbem.clock import Ticks
from pbem.errors import CannotGoOn
from pbem.game.sheet import BOT
from pbem.ledger import games, players, queues, sound
from pbem.ledger.chain import HOST
from pbem.ledger.games import GameRow
from pbem.ledger.transaction import Read
from pbem.rulebook import known

CLOCK, OUTAGE, INBOX, MISSING, LEDGER, RULES = "clock", "outage", "inbox", "missing", "ledger", "rules"
TAIL = 4  # rows at the end of a chain that are looked at
KNOWN_FROM = 20  # decisions whose outcome is on record, before anything can be unusual
ANSWERS = ("queue", "standing", "nothing")


class Trip(NamedTuple):
    """Something that a run holds for: the whole run, or one game."""

    name: str
    says: str
    game: str | None = None


def of_time(
    tx: Read, brakes: Brakes, beat: Beat | None, now: datetime, ticks: Ticks | None, by_clock: bool
) -> Iterator[Trip]:
    """The clock was set, or nothing has run for very long. `by_clock`: nobody named the time."""
    newest = tx.end(HOST).at
    if brakes.clock is not None and by_clock:
        jump = timedelta() if beat is None else beat.jumped(now, ticks)
        back = newest is not None and newest - now > brakes.clock
        if abs(jump) > brakes.clock or back:
            yield Trip(CLOCK, _of_clock(jump, now, newest if back else None))
            return
    if brakes.outage is not None and beat is not None and now - beat.at > brakes.outage:
        says = f"nothing has run here since {beat.at:%Y-%m-%d %H:%M} UTC, for {(now - beat.at).days} days"
        yield Trip(OUTAGE, f"{says}; deadlines of that time are moved once you let the run go on")


def _of_clock(jump: timedelta, now: datetime, newest: datetime | None) -> str:
    if newest is not None:
        return f"the clock shows {now:%Y-%m-%d %H:%M} UTC, and the ledger was written to at {newest:%Y-%m-%d %H:%M} UTC"
    way = "forward" if jump > timedelta() else "back"
    minutes = int(abs(jump).total_seconds()) // 60
    return f"the clock shows {now:%Y-%m-%d %H:%M} UTC: it was set {way} by {minutes // 60} h {minutes % 60} min"


def of_routes(brakes: Brakes, routes: Sequence[Brought], due: bool) -> Iterator[Trip]:
    """A mailbox could not be read, and orders may lie in it."""
    unread = [one for one in routes if one.route != DROP and not one.reachable]
    if unread and due and brakes.inbox:
        told = "; ".join(f"{one.place}: {one.silent}" for one in unread)
        yield Trip(INBOX, f"orders may lie where they could not be fetched ({told})")


def of_ledger(tx: Read, brakes: Brakes, due: Sequence[str]) -> Iterator[Trip]:
    """The newest rows of the host, and of what is due, are not what they were."""
    if not brakes.ledger:
        return
    if (why := sound.fault_at_end(tx, HOST, TAIL)) is not None:
        yield Trip(LEDGER, f"the ledger is not what it was: {why}")
    for name in due:
        if (why := sound.fault_at_end(tx, name, TAIL)) is not None:
            yield Trip(f"{LEDGER}/{name}", f"the history of {name} is not what it was: {why}", name)


def of_rules(tx: Read, due: Sequence[str]) -> Iterator[Trip]:
    """The rules are gone, or are of another version than the one that a game was begun with."""
    for name in due:
        row = games.glance(tx, name)
        assert row is not None, "a game that is due"
        try:
            known(row.pinned)
        except CannotGoOn as trouble:
            yield Trip(f"{RULES}/{name}", f"{name} cannot go on: {trouble}", name)


def of_missing(tx: Read, brakes: Brakes, due: Sequence[str], now: datetime) -> Iterator[Trip]:
    """Far more seats are silent than usual: something may be wrong with the mail."""
    if not brakes.missing_percent:
        return
    asked = silent = kept = missed = 0
    bots = players.named_from(tx, BOT)
    for name in due:
        row = games.glance(tx, name)
        if row is None or row.deadline_at is None or row.deadline_at > now:
            continue
        attendance = Attendance.from_json(row.attendance)
        kept += sum(attendance.of(seat).on_time for seat in row.seats)
        missed += sum(attendance.of(seat).silent for seat in row.seats)
        wanted = [seat for seat in row.pending if _is_waited_for(row, seat, attendance, bots)]
        try:
            held = queues.of_game(tx, name) if wanted else {}
        except CannotGoOn:
            continue  # what waits in it cannot be opened, which is told of by itself
        asked += len(wanted)
        silent += sum(not any((held[seat].body or {}).get(part) for part in ANSWERS) for seat in wanted)
    usual = 100 * missed // (kept + missed) if kept + missed >= KNOWN_FROM else None
    if usual is None or silent < brakes.missing_least or 100 * silent < brakes.missing_percent * asked:
        return
    if usual < brakes.missing_percent // 2:
        yield Trip(MISSING, f"nothing has come from {silent} of {asked} seats, where {usual} % are usual")


def _is_waited_for(row: GameRow, seat: str, attendance: Attendance, bots: frozenset[str]) -> bool:
    return not (seat in row.resigned or seat in attendance.unwaited or row.seats[seat] in bots)
