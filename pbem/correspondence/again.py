"""A report again: the letter that a seat was sent, as it was, to the address its player has now, as a new mail."""

from __future__ import annotations

import re
from datetime import datetime
from email.utils import format_datetime

from engine import Seat
from pbem.game.outgoing import REPORT, answered
from pbem.game.sheet import Sheet
from pbem.ledger import outbox
from pbem.ledger.transaction import Read
from pbem.mailparts import parts

_end = b"\r\n\r\n"
_anew = re.compile(
    rb"^(?:Message-ID|Date|In-Reply-To|References|Auto-Submitted|To):(?:[^\r\n]|\r\n[ \t])*(?:\r\n|\Z)", re.M | re.I
)


def report_of(tx: Read, game: str, seat: Seat, turn: int) -> bytes | None:
    """The last report of that turn which that seat was sent."""
    for mail in reversed(outbox.of_game(tx, game)):
        if mail.seat == seat and not mail.former:
            raw = outbox.raw(tx, mail.message_id)
            found = parts(raw)
            if found.kind == REPORT and found.turn == turn:
                return raw
    return None


def anew(raw: bytes, sheet: Sheet, seat: Seat, message_id: str, now: datetime, answers: str) -> bytes:
    """The same letter under a new id and date. Its headers are ours, so they are known line by line."""
    head, _, body = raw.partition(_end)
    kept = _anew.sub(b"", head + b"\r\n").rstrip(b"\r\n")
    thread = (sheet.thread(seat), *answered(answers))
    new = [
        f"Message-ID: {message_id}",
        f"Date: {format_datetime(now)}",
        f"To: {sheet.sitters[seat].address}",
        f"In-Reply-To: {thread[-1]}",
        "References: " + "\r\n ".join(thread),
        "Auto-Submitted: auto-replied",
    ]
    return "\r\n".join(new).encode("ascii") + b"\r\n" + kept + _end + body
