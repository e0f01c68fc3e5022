"""Taking down: a decision goes into the ledger, and what takes effect at once is carried out, in one transaction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from engine import Seat
from pbem.agreed.asked import DRAW
from pbem.agreed.consenting import agreed, reviewed
from pbem.apart import Apart
from pbem.config import Config
from pbem.deadlines.schedule import ON_ARRIVAL
from pbem.game.hosting import sheet_of, standing_of, store
from pbem.game.outgoing import prepare
from pbem.game.sheet import Sheet
from pbem.intake.form import Reading
from pbem.intake.judge import Verdict
from pbem.ledger import games, outbox
from pbem.ledger.letters import ACCEPTED, REFUSED, Waiting
from pbem.ledger.transaction import Read, Write
from pbem.reports.report import Receipt
from pbem.submitting.decision import Manner, decided, effect
from pbem.submitting.identity import Proven
from pbem.submitting.readers import note_told, readers


@dataclass(frozen=True, slots=True)
class Settled:
    """What became of one message."""

    fate: str
    reason: str = ""
    reading: Reading | None = None
    verdict: Verdict | None = None  # this and the receipt for whoever waits to be shown them
    receipt: Receipt | None = None
    game: str | None = None
    at_once: bool = False  # everyone has answered a game that is resolved on arrival
    seat: Seat | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)  # more to be written down of it


def take_down(
    tx: Write,
    config: Config,
    apart: Apart,
    found: Proven,
    reading: Reading,
    message: Waiting,
    now: datetime,
    manner: Manner,
) -> Settled:
    """Write the submission and its receipt; carry out what takes effect at once; see whether everyone has answered."""
    sheet, seat = found.sheet, found.form.seat
    prepare(sheet)
    answers = sheet.sitters[seat].is_written_to and not manner.silent
    told_readers = readers(tx, sheet, seat) if found.form.say and answers else ()
    manner = replace(manner, notices=(*manner.notices, *told_readers))
    decision = apart.ask(decided, found, reading, message, now, manner)
    rows = [tx.append(sheet.name, row.kind, now, row.body, row.turn, row.seat) for row in decision.rows]
    if rows[-1].head != decision.head:
        raise AssertionError(f"the chain of {sheet.name} did not come out as its receipt says")
    if (mail := decision.mail) is not None:
        outbox.post(tx, sheet.name, seat, mail.kind, mail.message_id, mail.kept, now, now, mail.turn, manner.player)
    if told_readers:
        note_told(tx, sheet, seat, found.recorded.turn, now)
    for told in decision.notices:
        outbox.post(tx, sheet.name, told.seat, told.kind, told.message_id, told.kept, now, now, told.turn)
    for move in decision.at_once:
        _take_effect(tx, config, apart, sheet.name, seat, move, rows[0].seq, now)
    if decision.resigns:
        reviewed(tx, config, sheet.name, now, apart.ask)
    if decision.draws and (row := games.get(tx, sheet.name)) is not None:
        agreed(tx, config, row, seat, DRAW, None, now, {"letter": message.sha256}, apart.ask)
    fate, reason = (ACCEPTED, "") if decision.is_taken else (REFUSED, ", ".join(decision.wrong))
    verdict, receipt = decision.shown or (None, None)
    return Settled(fate, reason, reading, verdict, receipt, sheet.name, is_ready(tx, sheet, now), seat)


def is_ready(tx: Read, sheet: Sheet, now: datetime) -> bool:
    """Whether the game waits for nobody and for no clock, as it stands in this very transaction."""
    if sheet.schedule.resolve != ON_ARRIVAL:
        return False
    row = games.get(tx, sheet.name)
    return row is not None and row.status == games.OPEN and row.due_at is not None and row.due_at <= now


def _take_effect(
    tx: Write, config: Config, apart: Apart, game: str, seat: Seat, move: str, source: int, now: datetime
) -> None:
    """Resolve a move out of turn, on the game as it stands in this very transaction; `source` is its submission."""
    row = games.get(tx, game)
    assert row is not None
    if row.status != games.OPEN:
        return
    sheet, standing = sheet_of(tx, config, row), standing_of(tx, row, restored=False)
    played = apart.ask(effect, sheet, standing, seat, move, now, source)
    if played is not None:
        store(tx, sheet, played, now)
