"""Rulings of the referee: rows of the journal that change how a game goes on, told to all its seats at once, and again
in their next report. Each has its reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from engine import Seat
from engine.queue import NO_ORDERS
from pbem.agreed.consenting import reviewed
from pbem.attending.answers import due_after, is_decided
from pbem.attending.attendance import Attendance
from pbem.attending.silence import Policy
from pbem.attending.waiting import given_time, silent_seats, waited_for
from pbem.clock import stamp
from pbem.config import Config
from pbem.deadlines.schedule import Schedule
from pbem.errors import CannotGoOn, Trouble
from pbem.game.hosting import game_named, game_set_up, sheet_of, standing_of
from pbem.game.sheet import Sheet, Standing
from pbem.ledger import games, queues
from pbem.ledger.games import GameRow
from pbem.ledger.transaction import Write
from pbem.reports.report import News, NoticeKind
from pbem.rulings.noticing import announce, offer, post_notice
from pbem.rulings.resuming import WAS, time_again

RULING = "ruling"


def resumed(tx: Write, config: Config, name: str, now: datetime, reason: str) -> str:
    """Let a halted or paused game go on; gives its new deadline, which is not earlier than the one it had. Its attempts
    are forgotten."""
    game = game_named(tx, name)
    if game.status not in (games.HALTED, games.HELD):
        raise Trouble(f"{name} is {game.status}; only a game that was halted or paused can be resumed.")
    said = time_again(tx, config, game, now)
    tx.append(name, RULING, now, {"act": "resume", "reason": reason, "status": games.OPEN, **said}, game.turn)
    announce(tx, config, name, "resumed", now, text=reason)
    with suppress(CannotGoOn):  # what is asked there waits for its rules
        reviewed(tx, config, name, now)  # somebody may have been forgotten meanwhile
    after = game_named(tx, name).deadline_at
    return str(said["deadline_at"]) if after is None else stamp(after)


def paused(tx: Write, config: Config, name: str, now: datetime, reason: str) -> None:
    """Hold a game: nothing falls due until it is resumed."""
    game = game_named(tx, name)
    if game.status != games.OPEN:
        raise Trouble(f"{name} is {game.status}; only an open game can be paused.")
    body = {"act": "pause", "reason": reason, "status": games.HELD, "due_at": None, "deadline_at": None}
    was = {} if game.deadline_at is None else {WAS: stamp(game.deadline_at)}
    tx.append(name, RULING, now, {**body, **was}, game.turn)
    announce(tx, config, name, "paused", now, text=reason)


def extended(
    tx: Write,
    config: Config,
    name: str,
    now: datetime,
    reason: str,
    *,
    until: datetime | None = None,
    by: timedelta | None = None,
) -> str:
    """Give the open decision more time; gives its new deadline. What was announced is never made earlier."""
    game = game_named(tx, name)
    if game.status not in (games.OPEN, games.SEEDING) or game.deadline_at is None:
        raise Trouble(f"{name} is {game.status}, so no deadline of it can be moved.")
    deadline = until if until is not None else game.deadline_at + (by or timedelta())
    if deadline <= game.deadline_at:
        raise Trouble(f"The deadline of {name} is {stamp(game.deadline_at)}, and is announced; name a later one.")
    if deadline <= now:
        raise Trouble(f"{stamp(deadline)} is past; name a deadline that is still to come.")
    # An early run that is due as everyone has answered, or to ask a bot, does not wait for the new deadline.
    due = game.due_at if game.due_at is not None and game.due_at < game.deadline_at else deadline
    said = {"deadline_at": stamp(deadline), "due_at": stamp(due)}
    news = News("moved", None, {"until_at": stamp(deadline)})
    _rule(tx, config, game, "extend", reason, now, [news], said, kind="extended")
    return stamp(deadline)


def voided(tx: Write, config: Config, name: str, seat: Seat, now: datetime, reason: str) -> None:
    """Strike what stands of a seat's orders. Its player is told what stands instead."""
    game = game_set_up(tx, name)
    seat = seat_of(game, seat)
    if game.status == games.OVER:
        raise Trouble(f"{name} is over; no order of it can be struck any more.")
    if queues.of_game(tx, name)[seat].body is None:
        raise Trouble(f"Nothing stands of seat {seat} of {name}.")
    said: dict[str, Any] = {"queues": {seat: None}}
    news = [News("void", seat, {"reason": reason})]
    if game.status == games.OPEN and seat in game.pending and game.deadline_at is not None:
        sheet, standing = sheet_of(tx, config, game), standing_of(tx, game)
        after = _asked_again(sheet, standing, seat, now)
        deadline, due = after.deadline or game.deadline_at, due_after(sheet, after, now) or game.deadline_at
        if deadline > game.deadline_at:
            news.append(News("moved", None, {"until_at": stamp(deadline)}))
        said |= {"due_at": stamp(due), "deadline_at": stamp(deadline)}
        game = replace(game, attendance=after.attendance.to_json())
    _rule(tx, config, game, "void", reason, now, news, said, seat=seat)


def _asked_again(sheet: Sheet, standing: Standing, seat: Seat, now: datetime) -> Standing:
    """The same decision without the orders of that seat, which is waited for where it is away. Where the deadline has
    passed, as that of a game that is held, no other orders could be sent, so there is a new one."""
    after = replace(standing, orders={**standing.orders, seat: NO_ORDERS})
    if is_decided(sheet, after):
        return after
    if after.deadline is not None and after.deadline <= now:
        return given_time(sheet, after, now)
    return waited_for(sheet, after, {seat}.intersection(after.away, silent_seats(sheet, after)))


def ruled(tx: Write, config: Config, name: str, now: datetime, words: str, dispute: int | None = None) -> None:
    """The referee's word on a matter; on a dispute, where one is named, which is settled by it."""
    game = game_named(tx, name)
    attendance = Attendance.from_json(game.attendance)
    said: dict[str, Any] = {}
    news = News("ruled", None, {"reason": words})
    if dispute is not None:
        seat = attendance.disputes.get(str(dispute))
        if seat is None:
            open_ones = ", ".join(attendance.disputes) or "none"
            raise Trouble(f"No dispute {dispute} of {name} waits for an answer; those that do: {open_ones}.")
        said, news = {"dispute": dispute}, News("settled", seat, {"number": dispute, "reason": words})
        left = {number: who for number, who in attendance.disputes.items() if number != str(dispute)}
        game = replace(game, attendance=replace(attendance, disputes=left).to_json())
    _rule(tx, config, game, "rule", words, now, [news], said)


def rescheduled(tx: Write, config: Config, name: str, words: str, now: datetime, reason: str) -> Schedule:
    """Another schedule, from the next decision on: the deadline that was announced stays."""
    game = _going_on(game_set_up(tx, name))
    schedule = Schedule.read(words, Schedule.from_json(game.schedule)).anchored(now)
    news = News("schedule", None, {"words": str(schedule)})
    _rule(tx, config, game, "schedule", reason, now, [news], {"schedule": schedule.to_json()})
    return schedule


def silence_ruled(tx: Write, config: Config, name: str, words: str, now: datetime, reason: str) -> Policy:
    """Another policy of silence, from now on."""
    game = _going_on(game_set_up(tx, name))
    attendance = Attendance.from_json(game.attendance)
    policy = Policy.read(words, attendance.policy).fit(tuple(game.seats))
    changed = replace(game, attendance=replace(attendance, policy=policy).to_json())
    _rule(tx, config, changed, "silence", reason, now, [News("silence", None, {"words": str(policy)})], {})
    return policy


def _going_on(game: GameRow) -> GameRow:
    if game.status == games.OVER:
        raise Trouble(f"{game.name} is over; there is nothing left to rule about how it goes on.")
    return game


def seat_of(game: GameRow, seat: Seat) -> Seat:
    """A seat that the game has, in whatever letters it was written."""
    found = [one for one in game.seats if one.lower() == seat.lower()]
    if len(found) != 1:
        raise Trouble(f"{game.name} has no seat {seat!r}; its seats are {', '.join(sorted(game.seats))}.")
    return found[0]


def _rule(
    tx: Write,
    config: Config,
    game: GameRow,
    act: str,
    reason: str,
    now: datetime,
    news: Sequence[News],
    said: Mapping[str, Any],
    *,
    seat: Seat | None = None,
    kind: NoticeKind = "ruling",
) -> None:
    """The row, a notice to all, and lines of the next report. A seat whose orders changed gets its order form, too."""
    attendance = Attendance.from_json(game.attendance).told(*news).to_json()
    tx.append(game.name, RULING, now, {"act": act, "reason": reason, "attendance": attendance, **said}, game.turn, seat)
    # The reason stands in the news already, where the news have room for it.
    text = "" if any("reason" in one.facts for one in news) else reason
    announce(tx, config, game.name, kind, now, text=text, news=tuple(news), leave_out=seat)
    if seat is not None:
        row = game_named(tx, game.name)
        sheet = sheet_of(tx, config, row)
        offered = offer(tx, sheet, row, seat)
        post_notice(tx, sheet, row, seat, kind, now, text=text, news=tuple(news), offered=offered)
