"""Delivery: what waits in the outbox leaves, at least once, always the same bytes, and its fate is written down.

A way that can carry a mail twice and leave it there once takes many at a time: they are carried, made to last, and then
noted as sent. Any other takes one by one, and each try stands in the ledger before it is made; the fate of one and the
beginning of the next are one transaction. So a run that is killed leaves at most one mail of which nobody knows
whether it has left, and sends it again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import datetime
from time import monotonic

from pbem.config import Config
from pbem.faults import fault
from pbem.ledger import Ledger, mailed, outbox
from pbem.ledger.outbox import BEGUN, OutMail
from pbem.ledger.transaction import Write
from pbem.pages.mailing import with_pages
from pbem.pictures.finishing import finished
from pbem.post import digest, telling
from pbem.post.backoff import Fate, fate_of
from pbem.post.carrier import LATER, Answer, Carrier, Parcel
from pbem.post.files import copy
from pbem.post.parcels import parcel_of
from pbem.post.settings import FILES
from pbem.post.ways import way_of

AT_A_TIME = 200
MOST_TROUBLES = 3  # so often in a row the way itself may fail; then the run leaves it alone
Tell = Callable[[str, int, int], None]


def deliver(config: Config, ledger: Ledger, now: datetime, tell: Tell | None = None) -> dict[str, int]:
    """Carry every mail that is due; gives how many had which fate."""
    mailed.guard(ledger)  # an old copy in the ledger's place must not contradict what players hold in their hands
    digest.bundle(config, ledger, now)
    with closing(way_of(config)) as way:
        run = Run(config, ledger, now, way, tell)
        run.carry()
        if telling.tell_host(config, ledger, now):
            run.carry()
    return run.counts


class Run:
    """One run of the post."""

    def __init__(self, config: Config, ledger: Ledger, now: datetime, way: Carrier, tell: Tell | None) -> None:
        self.config, self.ledger, self.now, self.way = config, ledger, now, way
        self.tell = tell
        self.counts: dict[str, int] = {}
        self.until = monotonic() + config.post.run_seconds
        self.troubles = 0
        self.told: set[tuple[str, str | None]] = set()  # the seats that were told of a refusal in this run

    @property
    def is_over(self) -> bool:
        return self.troubles >= MOST_TROUBLES or monotonic() >= self.until

    def carry(self) -> None:
        """Everything that is due, as long as the way is open and there is time."""
        while not self.is_over and (batch := self._due()):
            if self.way.repeatable:
                self._together(batch)
            else:
                self._one_by_one(batch)

    def _due(self) -> list[tuple[OutMail, Parcel | Answer]]:
        """The next mails, ready to leave."""
        with self.ledger.read() as tx:
            mails = outbox.due(tx, self.now, AT_A_TIME)
            stored = {mail.message_id: raw for mail in mails if (raw := outbox.raw(tx, mail.message_id))}
        if not mails:
            return []
        mailed.note(self.ledger, {mail.game for mail in mails})
        ready = finished(self.ledger, stored, self.config.processes)
        ready = with_pages(self.config, self.ledger, [mail for mail in mails if mail.message_id in ready], ready)
        return [(mail, self._parcel(mail, stored.get(mail.message_id), ready)) for mail in mails]

    def _parcel(self, mail: OutMail, stored: bytes | None, ready: Mapping[str, bytes]) -> Parcel | Answer:
        if stored is None:
            return Answer(LATER, "it is sealed, and its key is not here")
        return parcel_of(self.config, mail, stored, ready[mail.message_id])

    # --- many at a time -----------------------------------------------------------------------------------------------

    def _together(self, batch: Sequence[tuple[OutMail, Parcel | Answer]]) -> None:
        self._copies(batch)
        answers = iter(self.way.carry([parcel for _, parcel in batch if isinstance(parcel, Parcel)]))
        fault("mails-written")
        with self.ledger.write() as tx:
            for mail, parcel in batch:
                self._note(tx, mail, next(answers) if isinstance(parcel, Parcel) else parcel)
        fault("mails-noted")
        self._show()

    # --- one by one ---------------------------------------------------------------------------------------------------

    def _one_by_one(self, batch: Sequence[tuple[OutMail, Parcel | Answer]]) -> None:
        self._copies(batch)
        last: tuple[OutMail, Answer] | None = None
        for mail, parcel in self._while_open(batch):
            with self.ledger.write() as tx:
                self._note_last(tx, last)
                begun = outbox.fate(tx, mail, BEGUN, self.now, next_try_at=self.now)
            fault("mail-begun")
            answer = self.way.carry([parcel])[0] if isinstance(parcel, Parcel) else parcel
            fault("mail-answered")
            self.troubles = self.troubles + 1 if answer.trouble else 0
            last = begun, answer
        with self.ledger.write() as tx:
            self._note_last(tx, last)
        fault("mails-noted")

    def _while_open(
        self, batch: Sequence[tuple[OutMail, Parcel | Answer]]
    ) -> Iterator[tuple[OutMail, Parcel | Answer]]:
        for one in batch:
            if self.is_over:
                return
            yield one

    def _note_last(self, tx: Write, last: tuple[OutMail, Answer] | None) -> None:
        if last is not None:
            self._note(tx, *last)
            self._show()

    # --- what became of them ------------------------------------------------------------------------------------------

    def _note(self, tx: Write, mail: OutMail, answer: Answer) -> None:
        found: Fate = fate_of(mail, answer, self.now, self.config.post)
        noted = outbox.fate(tx, mail, found.fate, self.now, found.detail, found.next_try_at)
        self.counts[found.called] = self.counts.get(found.called, 0) + 1
        if noted.state == outbox.REFUSED and noted.next_try_at is None and (noted.game, noted.seat) not in self.told:
            self.told.add((noted.game, noted.seat))
            telling.tell_player(tx, self.config, noted, self.now)

    def _show(self) -> None:
        if self.tell:
            done = sum(self.counts.values())
            self.tell("delivering", done, done)

    def _copies(self, batch: Sequence[tuple[OutMail, Parcel | Answer]]) -> None:
        """The readable files beside another way, where the host wants them: when a mail is tried first."""
        if self.config.post.copies and self.config.post.by != FILES:
            for mail, parcel in batch:
                if not mail.tries and isinstance(parcel, Parcel):
                    copy(self.config.outbox, mail, parcel.stored)
