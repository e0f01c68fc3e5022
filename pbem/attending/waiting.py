"""For whom the others wait, how long, and who moves for a seat that stays silent."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import islice
from typing import Any

from engine import Dice, Move, Seat
from engine.advance import Advance, Deputy, Step
from engine.players import PLAYERS, choose
from engine.queue import DEFAULT, RESIGNED, STAND_IN
from pbem.attending.answers import has_spoken
from pbem.attending.attendance import Attendance, Away
from pbem.game.sheet import Sheet, Standing
from pbem.intake.away import WAIT

SILENT = frozenset({DEFAULT, STAND_IN})


def opened(sheet: Sheet, standing: Standing, told: datetime) -> Standing:
    """The same, with a deadline for the decision that the players are told of at that moment."""
    people = [seat for seat, sitter in sheet.sitters.items() if sitter.bot is None and seat not in standing.resigned]
    attendance = standing.attendance.opened(told, people, standing.away)
    reminds = any(sheet.sitters[seat].remind for seat in sheet.rules.pending(standing.state))
    attendance = replace(attendance, opened_at=told if reminds else None)
    return given_time(sheet, replace(standing, deadline=None, attendance=attendance), told)


def given_time(sheet: Sheet, standing: Standing, told: datetime) -> Standing:
    """The same decision with time to think from that moment: its deadline is not earlier than the one it had, and waits
    for those who are away."""
    rules, state = sheet.rules, standing.state
    interrupt = any(rules.interrupts(state, seat) for seat in rules.pending(state))
    deadline = sheet.schedule.deadline(told, standing.turn, interrupt=interrupt)
    after = replace(standing, deadline=max(deadline, standing.deadline or deadline))
    silent = silent_seats(sheet, after) if standing.away else ()
    return waited_for(sheet, after, [seat for seat in silent if seat in standing.away])


def waited_for(sheet: Sheet, standing: Standing, seats: Iterable[Seat]) -> Standing:
    """The same, with the deadline later for those of the seats that are away when it comes and wish to be waited for.
    It is the one that the schedule has after their return, each within what the game allows; it is never earlier."""
    due = standing.deadline
    assert due is not None, "a decision that is open has a deadline"
    until, attendance = due, standing.attendance
    for seat in sorted(seats):
        absence = standing.away[seat]
        if absence.mode == WAIT and absence.covers(due):
            granted, attendance = attendance.granted(seat, due, back(sheet, standing, absence))
            until = max(until, granted)
    return replace(standing, deadline=until, attendance=attendance)


def back(sheet: Sheet, standing: Standing, absence: Away) -> datetime:
    """The first deadline after an absence."""
    return sheet.schedule.deadline(absence.last, standing.turn)


def held(sheet: Sheet, standing: Standing, now: datetime) -> tuple[datetime, tuple[Seat, ...]] | None:
    """Until when the game waits longer, and for whom, once its deadline has come; None: it has waited enough."""
    decision, policy = sheet.rules.decision(standing.state), standing.attendance.policy
    if not any(policy.of(seat, decision).hold for seat in sheet.rules.pending(standing.state)):
        return None  # to find out who is silent is to read everybody's orders
    away = standing.away
    silent = tuple(
        seat
        for seat in silent_seats(sheet, standing)
        if not standing.attendance.is_spared(seat, away.get(seat), standing.deadline or now)
    )
    first = standing.attendance.held_from or standing.deadline
    hours = max((policy.of(seat, decision).hold for seat in silent), default=0)
    if first is None or now >= (limit := first + timedelta(hours=hours)):
        return None
    return min(sheet.schedule.deadline(now, standing.turn), limit), silent


def silent_seats(sheet: Sheet, standing: Standing) -> tuple[Seat, ...]:
    """The seats that are waited for, and have not answered."""
    spared = standing.resigned | standing.attendance.unwaited
    pending = (seat for seat in sheet.rules.pending(standing.state) if seat not in spared)
    return tuple(seat for seat in pending if not has_spoken(sheet, standing, seat))


def deputy(sheet: Sheet, standing: Standing, now: datetime) -> Deputy:
    """Who moves where silence counts: a stand-in, where policy or an absence says so; else the rules' default."""
    rules = sheet.rules
    away = {seat: absence for seat, absence in standing.away.items() if absence.covers(now)}

    def move(state: Any, seat: Seat, dice: Dice) -> Move | None:
        name = standing.attendance.stands_in(seat, rules.decision(state), away.get(seat))
        return None if name is None else choose(PLAYERS[name], rules, state, seat, dice)

    return move


def attended(sheet: Sheet, before: Standing, result: Advance) -> Attendance:
    """The attendance after a run: who had answered, for whom silence counted. A run is one occasion for a seat."""
    came: set[Seat] = set()
    silent: set[Seat] = set()
    state = before.state
    for step in result.steps:
        for seat, how in _answered(sheet, state, step):
            # The first decision tells: what follows from it in the same run the seat was never asked. Who has sent
            # orders that could not be done is told so, and was not silent either.
            if seat not in came | silent:
                (silent if how in SILENT and seat not in step.stopped else came).add(seat)
        state = step.state
    excused = (
        () if before.deadline is None else [seat for seat, gone in before.away.items() if gone.covers(before.deadline)]
    )
    counted = before.attendance.counted
    attendance = before.attendance.resolved(came - counted, silent - counted, excused)
    return replace(attendance, counted=counted | came | silent)


def _answered(sheet: Sheet, before: Any, step: Step) -> Iterable[tuple[Seat, str]]:
    """The persons who had something to decide in a step, and how their moves came."""
    for seat, made in step.moves.items():
        if sheet.sitters[seat].bot is not None or made.how == RESIGNED:
            continue
        forced = made.how in SILENT and len(list(islice(sheet.rules.moves(before, seat), 2))) == 1
        if not forced:  # to have but one move left is to have nothing to order
            yield seat, made.how
