"""Disputes: a seat appeals to the referee. The appeal is kept in the ledger, all are told that there is one, and the
referee answers by a ruling. What it says is between the seat and the referee: it may hold what only the seat knows."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from engine import Notice, Refusal
from pbem.attending.attendance import Attendance
from pbem.config import Config
from pbem.correspondence.desk import Desk
from pbem.ledger import games, outbox
from pbem.ledger.chain import HOST
from pbem.ledger.games import GameRow
from pbem.ledger.transaction import Write
from pbem.post import telling
from pbem.post.own import next_id
from pbem.reports.report import News

DISPUTE = "dispute"


def raised(desk: Desk, words: str) -> Refusal | None:
    """Write an appeal down, and tell its seat and the referee; or why it is none."""
    if not words:
        return Refusal("", "no_words", "Nothing stands behind `dispute:`. Write what you ask the referee to look at.")
    if len(words) > (most := desk.config.limits.press):
        return Refusal("", "too_long", "An appeal has {most} characters at most.", {"most": most})
    row = games.get(desk.tx, desk.sheet.name)
    assert row is not None, "the game of a seat that is proven"
    attendance = Attendance.from_json(row.attendance)
    number = attendance.disputed + 1
    attendance = replace(attendance, disputed=number, disputes={**attendance.disputes, str(number): desk.seat})
    attendance = attendance.told(News("disputed", desk.seat, {"number": number}))
    body = {"number": number, "text": words, "letter": desk.message.sha256, "attendance": attendance.to_json()}
    desk.tx.append(row.name, DISPUTE, desk.now, body, row.turn, desk.seat)
    _tell_referee(desk.tx, desk.config, row, desk.seat, number, words, desk.now)
    text = "Your appeal is dispute {number}. The referee answers it by a ruling, which all players read."
    line = Notice("", "disputed", text, {"number": number})
    desk.answer("noted", (line,), words)
    return None


def _tell_referee(tx: Write, config: Config, row: GameRow, seat: str, number: int, words: str, now: datetime) -> None:
    """A mail to the host, where he has said who he is; `pbem referee disputes` tells him, too."""
    if not config.referee:
        return
    text = f"""\
Seat {seat} of {row.name} appeals to the referee at turn {row.turn}. This is dispute {number}:

{words}

Answer it, to all players, with
  pbem referee rule {row.name} "..." --dispute {number}
"""
    message_id = next_id(tx, config, DISPUTE, now)
    subject = f"[{config.host}] {row.name}: dispute {number}"
    outbox.post(
        tx, HOST, None, telling.NOTICE, message_id, telling.plain(config, message_id, now, subject, text), now, now
    )
