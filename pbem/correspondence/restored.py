"""After a restore: whoever plays a game of which mails know more than the ledger is told what is gone, once.

Nobody knows what was sent since the copy was made. So each seat is told where the copy's knowledge of its game ends,
that what it sent later is to be sent again, and what is held from it; with the form of the decision that is open now.

Decisions that were opened in the lost time are opened again under the same numbers. Their keys are other ones, so that
no answer to a lost report is taken for an order of now (`pbem/game/eras.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from engine import Notice, Seat
from pbem.apart import Apart
from pbem.attending.attendance import Attendance
from pbem.bounded import TaskDied
from pbem.clock import stamp
from pbem.config import Config
from pbem.correspondence.desk import offered
from pbem.errors import CannotGoOn
from pbem.game.hosting import sheet_of
from pbem.game.sheet import Sheet
from pbem.intake.form import Form
from pbem.ledger import Ledger, games, journal, matches
from pbem.ledger.games import GameRow
from pbem.ledger.mailed import AGREED, Mailed
from pbem.ledger.transaction import Read, Write
from pbem.matches.match import game_name
from pbem.reports.report import NOTHING_STANDS, Menu, Stands
from pbem.rulings.noticing import post_notice
from pbem.submitting.identity import seated

RULING = "ruling"
CAME = ("created", "turn", "at_once", "submission")  # rows of what players have sent, and of what came of it

GONE = (
    "The host has lost its ledger and goes on with an older copy. The last that this copy knows of the game is of"
    " {since}. What you have sent after that is gone, even if a receipt said that it was taken: please send it again,"
    " as an answer to this letter. Letters of after that time hold no more."
)
NOTHING = "Nothing is held from you."


def tell_all(config: Config, ledger: Ledger, lost: Sequence[Mailed], now: datetime, reason: str) -> None:
    """Write to the players of these games, where they go on; each game in a transaction of its own, so that an
    agreement that is broken off and asked for again tells nobody twice."""
    with ledger.read() as tx:
        lacking = _lacking(tx, lost)
    with Apart() as apart:
        for name, mailed in lacking.items():
            with ledger.write() as tx:
                row = games.get(tx, name)
                if row is not None and row.status != games.OVER and not _is_told(tx, name, mailed):
                    _tell(tx, config, apart, row, mailed, now, reason)


def _lacking(tx: Read, lost: Sequence[Mailed]) -> dict[str, Mailed]:
    """The games that know less than was mailed, with a head that they lack."""
    found: dict[str, Mailed] = {}
    for mailed in lost:
        found.setdefault(_known_as(tx, mailed.chain), mailed)
    return found


def _known_as(tx: Read, chain: str) -> str:
    """The game itself; of one that a match had come to in the lost time, the game by which it comes to it again."""
    match, _, number = chain.rpartition("-")
    of = matches.get(tx, match) if number.isdecimal() and games.get(tx, chain) is None else None
    return game_name(match, of.number) if of is not None and of.number < int(number) <= of.games else chain


def _is_told(tx: Read, name: str, mailed: Mailed) -> bool:
    said = (row.facts() for row in journal.rows(tx, name, kinds=(RULING,), newest_first=True))
    return any(ruling.get("act") == AGREED and ruling["lost"] == mailed.head for ruling in said)


def _tell(tx: Write, config: Config, apart: Apart, row: GameRow, mailed: Mailed, now: datetime, reason: str) -> None:
    since = next(journal.rows(tx, row.name, kinds=CAME, newest_first=True)).at
    mark = f"{mailed.head[:16]}@{stamp(now)}"  # no second loss has the same, even of the same copy
    attendance = Attendance.from_json(row.attendance).lost_from(row.turn, mark).to_json()
    body = {"act": AGREED, "reason": reason, "lost": mailed.head, "since": stamp(since), "attendance": attendance}
    tx.append(row.name, RULING, now, body, row.turn)
    row = replace(row, attendance=attendance)
    try:
        sheet = sheet_of(tx, config, row)
    except CannotGoOn:
        return  # without its rules nobody knows in which words its name is told; the host sees what is wrong
    for seat, sitter in sheet.sitters.items():
        if sitter.is_written_to and seat not in row.resigned:
            held = _held(tx, apart, sheet, row, seat)
            lines = [Notice("", "gone", GONE, {"since": since})]
            lines += [Notice("", "nothing", NOTHING)] if held and not held[1] else []
            post_notice(
                tx, sheet, row, seat, "ruling", now, lines=lines, text=reason, offered=held or (None, NOTHING_STANDS)
            )


def _held(tx: Read, apart: Apart, sheet: Sheet, row: GameRow, seat: Seat) -> tuple[Menu | None, Stands] | None:
    """What the seat may choose from, and what stands of it; None where its game's rules do not get through with it."""
    try:
        return apart.ask(offered, seated(tx, row, sheet, Form(game=row.name, seat=seat, turn=row.turn)))
    except TaskDied:
        return None
