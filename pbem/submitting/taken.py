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
from pbem.intake.limits import Limits
from pbem.ledger import games, outbox
from pbem.ledger.budgets import seat_of
from pbem.ledger.letters import ACCEPTED, REFUSED, TOO_MANY, Waiting
from pbem.ledger.transaction import Read, Write
from pbem.reports.report import Receipt
from pbem.rulings.noticing import post_notice
from pbem.submitting import budgets
from pbem.submitting.budgets import Exceeded
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
    told: str = ""  # what the seat was told where there is no receipt, in English
    words: str = ""  # why nothing was looked at, for whoever waits to be told

    @property
    def without_answer(self) -> Settled:
        """The same, noted for the seat's next report as a message that had no answer."""
        return replace(self, facts={**self.facts, "unanswered": {"game": self.game, "seat": self.seat}})


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
    """Write the submission and its receipt; carry out what takes effect at once; see whether everyone has answered.

    Every route comes through here, so this is where a seat's limits hold.
    """
    sheet, seat, limits = found.sheet, found.form.seat, config.limits
    old_key = not found.is_current if manner.old_key is None else manner.old_key
    over = budgets.exceeded(tx, limits, sheet.name, seat, found.recorded.turn, now, old_key=old_key)
    prepare(sheet)
    if over is not None and manner.limited:
        return turn_down(tx, limits, sheet, seat, message, now, manner, over)
    kind = budgets.OLD_RECEIPTS if old_key else budgets.RECEIPTS
    left = budgets.left(tx, limits, kind, seat_of(sheet.name, seat), now)
    told_readers = readers(tx, sheet, seat) if found.form.say and left and sheet.sitters[seat].is_written_to else ()
    notices = (*manner.notices, *told_readers, *budgets.last_word(limits, kind, left))
    facts = {**manner.facts, "old_key": True} if old_key else manner.facts
    manner = replace(manner, silent=left == 0, notices=notices, facts=facts)
    if found.status == games.SEEDING:
        return _for_the_dice(tx, config, apart, found, reading, message, now, manner)
    decision = apart.ask(decided, found, reading, message, now, manner)
    rows = [tx.append(sheet.name, row.kind, now, row.body, row.turn, row.seat) for row in decision.rows]
    if rows[-1].head != decision.head:
        raise AssertionError(f"the chain of {sheet.name} did not come out as its receipt says")
    if (mail := decision.mail) is not None:
        outbox.post(
            tx, sheet.name, seat, mail.kind, mail.message_id, mail.kept, now, now, mail.turn, manner.player,
            budget=kind.name if old_key else "",
        )  # fmt: skip
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
    settled = Settled(fate, reason, reading, verdict, receipt, sheet.name, is_ready(tx, sheet, now), seat)
    return settled.without_answer if manner.silent and sheet.sitters[seat].is_written_to else settled


def turn_down(
    tx: Write, limits: Limits, sheet: Sheet, seat: Seat, message: Waiting, now: datetime, manner: Manner, over: Exceeded
) -> Settled:
    """Refuse a message of a seat that has sent its limit. The first one is answered, and a row of the journal says so;
    for the others the seat's next report does."""
    settled = Settled(REFUSED, TOO_MANY, game=sheet.name, seat=seat, words=str(over))
    row = games.glance(tx, sheet.name)
    assert row is not None, "the game of a seat that is proven"
    left = budgets.left(tx, limits, budgets.RECEIPTS, seat_of(sheet.name, seat), now)
    if over.told or not left:
        return settled.without_answer
    body = {"letter": message.sha256, "route": message.route, "message_id": message.message_id}
    tx.append(sheet.name, TOO_MANY, now, body, row.turn, seat)
    lines = (over.words, *budgets.last_word(limits, budgets.RECEIPTS, left))
    post_notice(
        tx, sheet, row, seat, "too_many", now, lines=lines, answers=manner.answers, player=manner.player,
        budget=budgets.RECEIPTS.name,
    )  # fmt: skip
    return settled


def _for_the_dice(
    tx: Write,
    config: Config,
    apart: Apart,
    found: Proven,
    reading: Reading,
    message: Waiting,
    now: datetime,
    manner: Manner,
) -> Settled:
    """Take an answer of a seat whose game waits for its dice."""
    from pbem.seeding.answering import take

    done = take(tx, config, apart.ask, found, reading, message, now, manner)
    fate = ACCEPTED if done.is_taken else REFUSED
    return Settled(fate, done.code, reading, game=found.sheet.name, seat=found.form.seat, told=done.told)


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
