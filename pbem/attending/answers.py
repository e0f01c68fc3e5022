"""Who has answered: whether an order stands that decides what a seat is asked."""

from __future__ import annotations

from datetime import datetime

from engine import Seat
from engine.queue import next_move
from pbem.deadlines.schedule import NIGHTLY
from pbem.game.sheet import Sheet, Standing


def has_answered(sheet: Sheet, standing: Standing, seat: Seat) -> bool:
    """Whether nobody need wait for this seat: an order of its own stands that answers, or it has gone or resigned."""
    return seat in standing.resigned or seat in standing.attendance.unwaited or has_spoken(sheet, standing, seat)


def has_spoken(sheet: Sheet, standing: Standing, seat: Seat) -> bool:
    """Whether an order stands that answers the decision open to this seat."""
    done = standing.done.get(seat, ())
    return not next_move(sheet.rules, standing.state, seat, standing.orders_of(seat), done).asks


def everyone_answered(sheet: Sheet, standing: Standing) -> bool:
    return all(has_answered(sheet, standing, seat) for seat in sheet.rules.pending(standing.state))


def is_decided(sheet: Sheet, standing: Standing) -> bool:
    """Whether the players have ended the game by their words: all remaining agreed to a draw, or one side remains. The
    next run tells of it, whatever else they say or the clock does."""
    if not (standing.attendance.drawn or standing.resigned):
        return False
    staying = [team for team in sheet.teams if not standing.resigned.issuperset(team)]
    return standing.attendance.drawn if len(staying) > 1 else bool(standing.resigned)


def asks_a_bot(sheet: Sheet, standing: Standing) -> bool:
    """Whether a program has a decision to make: it needs no time to think, so the next run asks it."""
    pending = sheet.rules.pending(standing.state)
    return any(sheet.sitters[seat].bot and not has_answered(sheet, standing, seat) for seat in pending)


def only_bots_asked(sheet: Sheet, standing: Standing) -> bool:
    """Whether nobody is waited for who could change his mind before the deadline."""
    pending = sheet.rules.pending(standing.state)
    return bool(pending) and all(sheet.sitters[seat].bot for seat in pending)


def due_after(sheet: Sheet, standing: Standing, now: datetime) -> datetime | None:
    """When a run has to look at the game: now, when a bot is to be asked or the players have ended it, or when everyone
    has answered and its schedule does not wait; else at the deadline."""
    if is_decided(sheet, standing):
        return now
    if standing.deadline is not None and asks_a_bot(sheet, standing):
        return now
    only_bots = only_bots_asked(sheet, standing)
    waits = sheet.schedule.holding(standing.turn, now).resolve == NIGHTLY and not only_bots
    if waits or not everyone_answered(sheet, standing):
        return standing.deadline
    early = now if only_bots else sheet.schedule.early(now, standing.turn)
    return early if standing.deadline is None else min(early, standing.deadline)
