"""The desk: all that is at hand while one mail of a proven seat is dealt with, and the answers that leave it.

Answers go to the address that is registered for the player and to no other, one for a mail, and so many on a day.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from engine import Notice as Line
from engine import Seat
from pbem.apart import Apart
from pbem.config import Config
from pbem.correspondence import limits
from pbem.correspondence.speaking import Speaker
from pbem.hosting import standing_of
from pbem.intake.form import Form
from pbem.intake.mail.reading import MailReading
from pbem.ledger import games, outbox
from pbem.ledger.letters import Waiting
from pbem.ledger.transaction import Write
from pbem.outgoing import NOTICE, written
from pbem.outgoing import stands as as_told
from pbem.reports.report import Menu, Notice, NoticeKind, Stands, menu
from pbem.sheet import Sheet, Standing
from pbem.submitting.identity import Seated, seated


@dataclass(frozen=True, slots=True)
class Desk:
    """One mail of a seat that is proven, within the transaction that decides what becomes of it."""

    tx: Write
    config: Config
    apart: Apart
    speaker: Speaker
    mail: MailReading
    message: Waiting
    now: datetime

    @property
    def sheet(self) -> Sheet:
        return self.speaker.sheet

    @property
    def seat(self) -> Seat:
        return self.speaker.seat

    @property
    def turn(self) -> int:
        """The decision now open."""
        return self.speaker.row.turn

    @property
    def may_answer(self) -> bool:
        return limits.may_answer(self.tx, self.speaker.player, self.now)

    def standing(self) -> Standing:
        """Where the game stands, its state as JSON."""
        return standing_of(self.tx, self.speaker.row, restored=False)

    def blank(self) -> Seated:
        """The seat with a form that says nothing."""
        form = Form(game=self.sheet.name, seat=self.seat, turn=self.turn)
        return seated(self.tx, self.speaker.row, self.sheet, form)

    def answer(self, kind: NoticeKind, lines: Sequence[Line] = (), text: str = "", *, form: bool = False) -> None:
        """Write to the seat whose mail this is, unless it was sent enough today."""
        if self.may_answer:
            self._post(self.seat, kind, lines, text, form=form, answers=True)

    def tell(self, seat: Seat, kind: NoticeKind, lines: Sequence[Line], text: str = "") -> None:
        """Write to another seat of the game."""
        if self.sheet.sitters[seat].bot is None:
            self._post(seat, kind, lines, text)

    def _post(
        self,
        seat: Seat,
        kind: NoticeKind,
        lines: Sequence[Line],
        text: str,
        *,
        form: bool = False,
        answers: bool = False,
    ) -> None:
        sheet, row, end = self.sheet, self.speaker.row, self.tx.end(self.sheet.name)
        asked, held = self.apart.ask(offered, self.blank()) if form else (None, Stands())
        letter = Notice(
            kind=kind,
            game=sheet.name,
            rules=sheet.rules,
            zone=sheet.schedule.zone,
            seat=seat,
            reader=sheet.sitters[seat].reader,
            turn=row.turn,
            lines=tuple(lines),
            text=text,
            deadline=row.deadline_at,
            key=sheet.key(seat, row.turn) if form else "",
            menu=asked,
            stands=held,
            head=end.hash.hex(),
        )
        message_id = sheet.message_id(NOTICE, end.seq, seat)
        raw = written(sheet, letter, message_id, self.now, self.message.message_id if answers else "")
        player = self.speaker.player if answers else ""
        outbox.post(self.tx, sheet.name, seat, NOTICE, message_id, raw, self.now, self.now, row.turn, player)


def offered(found: Seated) -> tuple[Menu | None, Stands]:
    """What the seat may choose from, and what stands of it. To be asked apart."""
    found = found.opened()
    asked = menu(found.sheet.rules, found.standing.state, found.seat) if found.row.status == games.OPEN else None
    return asked, as_told(found.standing.orders_of(found.seat))
