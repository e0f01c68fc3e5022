"""Answering what the seats send while the dice of their game are being settled."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from typing import Any, NamedTuple

from engine import Notice as Line
from engine import Refusal, Seat
from pbem.bounded import TaskDied
from pbem.clock import stamp
from pbem.config import Config
from pbem.game.eras import Spoken
from pbem.intake.form import Reading
from pbem.ledger.letters import Waiting
from pbem.ledger.transaction import Write
from pbem.reports.report import NoticeKind
from pbem.rulings.noticing import post_notice
from pbem.seeding.protocol import (
    BEACON,
    COMMIT,
    PASS,
    REFUSED,
    REVEAL,
    Seeding,
    hash_of,
    is_hash,
    is_text,
)
from pbem.seeding.settling import Ask, Table
from pbem.submitting.decision import Manner
from pbem.submitting.identity import Proven
from pbem.submitting.verdict import lost_time

TAKEN = "Your SHA-256 is noted: {sha256}. Keep your text, and send it when you are asked for it."
PASSED = "It is noted that you add nothing to the dice."
REVEALED = "Your text is noted. It matches the SHA-256 that you sent before."
NO = frozenset({"none", "no", "non", "aucun", "nessuno", "-"})


class Answered(NamedTuple):
    """What became of a seat's answer: whether it counts, the code of that, and what the seat is told, in English."""

    is_taken: bool
    code: str
    told: str


def take(
    tx: Write,
    config: Config,
    ask: Ask,
    found: Proven,
    reading: Reading,
    message: Waiting,
    now: datetime,
    manner: Manner,
) -> Answered:
    """Take what a seat sends while the dice of its game are being settled, answer it, and go on if nobody is waited
    for any more."""
    table, seat = Table(tx, config, found.sheet.name, now), found.form.seat
    wrong = [problem.why for problem in (*manner.problems, *found.wrong, *reading.problems)]
    wrong = wrong or [why for why in [_why_not(table, found, message)] if why is not None]
    if wrong:
        line = Line("", wrong[0].code, wrong[0].text, wrong[0].facts)
        body = {"code": wrong[0].code, "letter": message.sha256}
        tx.append(table.sheet.name, REFUSED, now, body, 0, seat)
    else:
        line = _taken(table, seat, found.form.nonce or "", message)
    if not manner.silent:
        kind: NoticeKind = "refused" if wrong else "noted"
        lines = (line, *manner.notices)
        post_notice(tx, table.sheet, table.row, seat, kind, now, lines=lines, answers=manner.answers,
                    player=manner.player)  # fmt: skip
    if not wrong:
        with suppress(TaskDied):  # the run at the deadline tries again, and says that the set-up does not work
            table.go_on(ask)
    return Answered(not wrong, line.code, str(Refusal("", line.code, line.text, line.facts)))


def _taken(table: Table, seat: Seat, nonce: str, message: Waiting) -> Line:
    """Take an answer that nothing is wrong with; gives what its seat is told."""
    if table.seeding.closed:
        table.add(REVEAL, seat, nonce=nonce, letter=message.sha256)
        return _line(REVEALED)
    if nonce.lower() in NO:
        table.add(PASS, seat, letter=message.sha256)
        return _line(PASSED)
    table.add(COMMIT, seat, sha256=nonce.lower(), letter=message.sha256)
    return _line(TAKEN, sha256=nonce.lower())


def _why_not(table: Table, found: Proven, message: Waiting) -> Refusal | None:
    """Why an answer counts nothing."""
    seeding, seat, nonce = table.seeding, found.form.seat, found.form.nonce
    if found.spoke is Spoken.LOST:
        return lost_time(0)
    if nonce is None or seeding.wish.by == BEACON:
        return _refusal("The dice of this game are not settled yet. No orders are taken before it begins.")
    if table.row.deadline_at is not None and message.at >= table.row.deadline_at:
        facts = {"deadline": stamp(table.row.deadline_at), "arrived": stamp(message.at)}
        return _refusal("This was due at {deadline}, and came at {arrived}.", **facts)
    if seat in seeding.withheld:
        return _refusal(
            "Your text was missing in an earlier round, so you can add nothing more to the dice of this game."
        )
    return (_why_no_text if seeding.closed else _why_no_hash)(seeding, seat, nonce)


def _why_no_hash(seeding: Seeding, seat: Seat, nonce: str) -> Refusal | None:
    if seat in seeding.commitments or (seat in seeding.passed and nonce.lower() not in NO):
        return _refusal("You have already answered, and your answer is final.")
    if nonce.lower() in NO:
        return None
    if not is_hash(nonce):
        if is_text(nonce):
            return _refusal(
                "This is a text itself, and the host knows it now. Choose another one and send only its SHA-256."
            )
        return _refusal("This is no SHA-256, which has 64 hexadecimal digits.")
    if nonce.lower() in seeding.commitments.values():
        return _refusal("Another seat has sent the same SHA-256. Choose a text of your own.")
    return None


def _why_no_text(seeding: Seeding, seat: Seat, nonce: str) -> Refusal | None:
    if seat not in seeding.commitments:
        return _refusal("You did not send a SHA-256 in time, so no text is expected from you.")
    if seat in seeding.revealed:
        return _refusal("Your text has already come.")
    if hash_of(nonce) != seeding.commitments[seat]:
        facts = {"sha256": hash_of(nonce), "committed": seeding.commitments[seat]}
        return _refusal(
            "The SHA-256 of this text is {sha256}, but you sent {committed}. Send exactly the text that you chose.",
            **facts,
        )
    return None


def _line(text: str, **facts: Any) -> Line:
    return Line("", "nonce", text, facts)


def _refusal(text: str, **facts: Any) -> Refusal:
    return Refusal("", "nonce", text, facts)
