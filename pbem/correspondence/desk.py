"""The desk: all that is at hand while one mail of a proven seat is dealt with, and the answers that leave it.

Answers go to the address that is registered for the player and to no other, one for a mail, within the day's budget.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from engine import Notice as Line
from engine import Seat
from pbem.apart import Apart
from pbem.config import Config
from pbem.correspondence.speaking import Speaker
from pbem.game.outgoing import stands as as_told
from pbem.game.sheet import Sheet
from pbem.intake.form import Form
from pbem.intake.mail.reading import MailReading
from pbem.ledger import games
from pbem.ledger.budgets import seat_of
from pbem.ledger.letters import Waiting
from pbem.ledger.transaction import Write
from pbem.reports.report import NOTHING_STANDS, Menu, NoticeKind, Stands, menu
from pbem.rulings.noticing import post_notice
from pbem.submitting import budgets
from pbem.submitting.identity import Proven, may_see_key, seated


@dataclass(frozen=True, slots=True)
class Desk:
    """One mail of a seat that is proven, within the transaction that decides what becomes of it."""

    tx: Write
    config: Config
    apart: Apart
    speaker: Speaker
    sheet: Sheet
    mail: MailReading
    message: Waiting
    now: datetime
    beside: tuple[Line, ...] = ()  # what any answer to this mail says as well

    @property
    def seat(self) -> Seat:
        return self.speaker.seat

    @property
    def turn(self) -> int:
        """The decision now open."""
        return self.speaker.row.turn

    @property
    def may_see_key(self) -> bool:
        """Whether an answer to this mail may hold the current key."""
        said = self.speaker
        return may_see_key(self.tx, said.row, said.seat, said.turn, said.spoke)

    @property
    def may_answer(self) -> bool:
        """Whether a command may still be answered today."""
        return self._answers_left > 0

    @property
    def _answers_left(self) -> int:
        return budgets.left(self.tx, self.config.limits, budgets.ANSWERS, self.speaker.player, self.now)

    @property
    def may_receive(self) -> bool:
        """Whether a receipt for orders may still leave today."""
        kind = budgets.RECEIPTS if self.speaker.is_current else budgets.OLD_RECEIPTS
        seat = seat_of(self.sheet.name, self.seat)
        return budgets.left(self.tx, self.config.limits, kind, seat, self.now) > 0

    def seated(self, form: Form) -> Proven:
        """The seat with that form, and where the game stands at this moment."""
        row = games.get(self.tx, self.sheet.name)
        assert row is not None, "the game of a seat that is proven"
        return seated(self.tx, row, self.sheet, form, spoke=self.speaker.spoke)

    def blank(self) -> Proven:
        """The seat with a form that says nothing."""
        return self.seated(Form(game=self.sheet.name, seat=self.seat, turn=self.turn))

    def answer(self, kind: NoticeKind, lines: Sequence[Line] = (), text: str = "", *, form: bool = False) -> None:
        """Write to the seat whose mail this is, unless it was sent enough today; with the order form where it helps."""
        if left := self._answers_left:
            said = self.apart.ask(offered, self.blank()) if form and self.may_see_key else None
            answers, player = self.message.message_id, self.speaker.player
            lines = (*lines, *self.beside, *budgets.last_word(self.config.limits, budgets.ANSWERS, left))
            self._post(self.seat, kind, lines, text, offered=said, answers=answers, player=player)

    def tell(self, seat: Seat, kind: NoticeKind, lines: Sequence[Line], text: str = "") -> None:
        """Write to another seat of the game."""
        self._post(seat, kind, lines, text)

    def _post(self, seat: Seat, kind: NoticeKind, lines: Sequence[Line], text: str, **more: Any) -> None:
        row = games.glance(self.tx, self.sheet.name)  # what this mail has brought about shows in its answer
        assert row is not None, "the game of a seat that is proven"
        post_notice(self.tx, self.sheet, row, seat, kind, self.now, lines=lines, text=text, **more)


def offered(given: Proven) -> tuple[Menu | None, Stands]:
    """What the seat may choose from, and what stands of it. To be asked apart."""
    if given.status == games.SEEDING:  # it has no position yet
        return None, NOTHING_STANDS
    found = given.opened()
    asked = menu(found.sheet.rules, found.standing.state, found.seat) if found.status == games.OPEN else None
    return asked, as_told(found.standing.orders_of(found.seat), found.sheet.rules, found.standing.state, found.seat)
