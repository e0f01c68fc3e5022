"""Limits: how much one seat may send in a turn, and how much one player is answered in a day."""

from __future__ import annotations

from datetime import datetime

from engine import Notice, Seat
from pbem.attending.attendance import Attendance
from pbem.ledger import contacts, journal
from pbem.ledger.games import GameRow
from pbem.ledger.transaction import Read

COUNTED = ("submission", "press", "absence", "dispute", "consent", "too_many", "dice", "dice_refused")


def sent_this_turn(tx: Read, row: GameRow, seat: Seat) -> int:
    """How much came from the player of that seat since the turn was opened."""
    return journal.count_since_turn(tx, row.name, row.turn, COUNTED, seat, _taken_over(tx, row, seat))


def _taken_over(tx: Read, row: GameRow, seat: Seat) -> int:
    """The place of the row by which its player has the seat; 0 where he has sat there from the beginning."""
    if Attendance.from_json(row.attendance).of(seat).tenure == 1:
        return 0
    rulings = journal.rows(tx, row.name, kinds=("ruling",), newest_first=True)
    return next((one.seq for one in rulings if one.seat == seat and one.facts()["act"] == "substitute"), 0)


def may_answer(tx: Read, player: str, now: datetime, most: int) -> bool:
    """Whether the player may be sent one more answer today."""
    return contacts.answers_on(tx, player, day(now)) < most


def last_word(tx: Read, player: str, now: datetime, most: int) -> tuple[Notice, ...]:
    """What the last answer of a day says of those that will not be given, so that nobody takes silence for consent."""
    if contacts.answers_on(tx, player, day(now)) != most - 1:
        return ()
    text = (
        "This is the last of {most} answers that you are sent in one day. What you write before midnight (UTC) is still"
        " read, and counts if nothing is wrong with it, but you are not told so; reports come as ever."
    )
    return (Notice("", "last_answer", text, {"most": most}),)


def day(now: datetime) -> str:
    """The day on which answers are counted."""
    return now.strftime("%Y-%m-%d")
