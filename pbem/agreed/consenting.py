"""Consenting: the row of a word that is given, and what follows when it was the last one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from engine import Seat
from pbem.agreed.asked import DRAW, TAKE_BACK, Asked
from pbem.agreed.consent import DECLINED, asking, missing, plays_a_bot, question, voters, without
from pbem.agreed.taking_back import Ask, here, taken_back, why_not
from pbem.attending.answers import is_decided
from pbem.attending.attendance import Attendance
from pbem.clock import stamp
from pbem.config import Config
from pbem.errors import Trouble
from pbem.game.hosting import game_named, sheet_of, standing_of
from pbem.ledger import games
from pbem.ledger.games import GameRow
from pbem.ledger.transaction import Write
from pbem.reports.report import News
from pbem.rulings.noticing import announce

CONSENT = "consent"
YES, NO, ASKED = "yes", "no", "ask"


def asked_by_referee(tx: Write, config: Config, name: str, turn: int, now: datetime, reason: str) -> tuple[Seat, ...]:
    """Ask all seats whether their game is to be taken back; gives those whose word it takes. Nobody else decides it."""
    row = game_named(tx, name)
    if why := why_not(tx, row, turn):
        raise Trouble(why)
    asked = Asked(None, turn, reason=reason)
    sheet = sheet_of(tx, config, row)
    wanted = missing(sheet, frozenset(row.resigned), asked)
    if not wanted:
        taken_back(tx, config, row, asked, now)
        return ()
    attendance = asking(Attendance.from_json(row.attendance), TAKE_BACK, asked)
    _row(tx, row, None, TAKE_BACK, ASKED, asked, now, {"attendance": attendance.to_json()})
    announce(tx, config, name, "asked", now, news=(question(TAKE_BACK, asked),), forms=here)
    return wanted


def agreed(
    tx: Write,
    config: Config,
    row: GameRow,
    seat: Seat,
    what: str,
    turn: int | None,
    now: datetime,
    facts: Mapping[str, Any],
    ask: Ask = here,
) -> tuple[Seat, ...]:
    """A seat agrees to what was asked, or is the first to ask it; gives whose word is still missing."""
    attendance = Attendance.from_json(row.attendance)
    asked = attendance.asked.get(what)
    if asked is None or asked.turn != turn:
        asked = Asked(seat, turn)
    asked = asked.agreed(seat)
    wanted = missing(sheet_of(tx, config, row), frozenset(row.resigned), asked)
    if not wanted:
        _all_agreed(tx, config, row, seat, what, asked, now, facts, ask)
        return ()
    attendance = asking(attendance, what, asked)
    _row(tx, row, seat, what, YES, asked, now, {**facts, "attendance": attendance.to_json()})
    announce(tx, config, row.name, "asked", now, news=(question(what, asked),), leave_out=seat, forms=ask)
    return wanted


def reviewed(tx: Write, config: Config, name: str, now: datetime, ask: Ask = here) -> None:
    """Whether all who remain have agreed to what was asked, now that somebody is not asked any more. Where that ends
    the game anyway nothing is left to agree to."""
    row = game_named(tx, name)
    questions = Attendance.from_json(row.attendance).asked
    if row.status != games.OPEN or not questions:
        return
    sheet, resigned = sheet_of(tx, config, row), frozenset(row.resigned)
    remaining = set(voters(sheet, resigned))
    if not remaining or is_decided(sheet, standing_of(tx, row, restored=False)):
        return
    for what, asked in sorted(questions.items()):
        if remaining <= asked.yes and not (what == DRAW and plays_a_bot(sheet, resigned)):
            _all_agreed(tx, config, row, None, what, asked, now, {}, ask)
            return


def _all_agreed(
    tx: Write,
    config: Config,
    row: GameRow,
    seat: Seat | None,
    what: str,
    asked: Asked,
    now: datetime,
    facts: Mapping[str, Any],
    ask: Ask,
) -> None:
    """The last word that was missing: the game goes back at once; a draw is told by the next run, as every end is."""
    if what == TAKE_BACK:
        _row(tx, row, seat, what, YES, asked, now, facts)
        taken_back(tx, config, game_named(tx, row.name), asked, now, ask)
        return
    attendance = replace(without(Attendance.from_json(row.attendance), what), drawn=True)
    said = {"attendance": attendance.to_json(), "due_at": stamp(now), "drawn": True, "agreed": sorted(asked.yes)}
    _row(tx, row, seat, what, YES, asked, now, {**facts, **said})


def declined(
    tx: Write, config: Config, row: GameRow, seat: Seat, what: str, now: datetime, facts: Mapping[str, Any]
) -> bool:
    """A seat does not agree, or takes its word back: the question is over. Gives whether there was one."""
    attendance = Attendance.from_json(row.attendance)
    asked = attendance.asked.get(what)
    if asked is None:
        return False
    news = News(DECLINED[what], seat)
    after = without(attendance, what).told(news)
    _row(tx, row, seat, what, NO, asked, now, {**facts, "attendance": after.to_json()})
    announce(tx, config, row.name, "asked", now, news=(news,), leave_out=seat)
    return True


def _row(
    tx: Write,
    row: GameRow,
    seat: Seat | None,
    what: str,
    word: str,
    asked: Asked,
    now: datetime,
    said: Mapping[str, Any],
) -> None:
    body = {"what": what, "word": word, "turn": asked.turn, "reason": asked.reason, **said}
    tx.append(row.name, CONSENT, now, body, row.turn, seat)
