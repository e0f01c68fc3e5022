"""Delivery: what waits in the outbox leaves, at least once, always the same bytes, and its fate is written down.

A way that can carry a mail twice and leave it there once takes many at a time: they are carried, made to last, and then
noted as sent. Any other takes one by one, and each try stands in the ledger before it is made; the fate of one and the
beginning of the next are one transaction. So a run that is killed leaves at most one mail of which nobody knows
whether it has left, and sends it again.

In a cluster the run that leads calls for help, and the outbox is carried by lanes: each process takes one that is free,
carries what is due in it, and takes the next. What a process had that died is taken over by whoever comes to it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import datetime
from time import monotonic, sleep

from pbem.config import Config
from pbem.faults import fault
from pbem.ledger import Ledger, journal, mailed, outbox, own_key
from pbem.ledger.lanes import Lanes
from pbem.ledger.outbox import BEGUN, QUEUED, OutMail
from pbem.ledger.signing import journal_key, signer
from pbem.ledger.transaction import Read, Write
from pbem.pages.mailing import with_pages
from pbem.pictures.finishing import finished
from pbem.post import digest, telling
from pbem.post.backoff import Fate, called, fate_of
from pbem.post.carrier import LATER, Answer, Carrier, Parcel
from pbem.post.files import copy
from pbem.post.parcels import parcel_of
from pbem.post.settings import FILES
from pbem.post.ways import way_of

AT_A_TIME = 200
MOST_TROUBLES = 3  # so often in a row the way itself may fail; then the run leaves it alone
PAUSE = 0.2  # seconds until a lane that another process has is looked at again
Tell = Callable[[str, int, int], None]
Helpers = Callable[[Config, datetime, int], None]  # calls for help with what is due at that time, in so many lanes


def deliver(
    config: Config, ledger: Ledger, now: datetime, tell: Tell | None = None, helpers: Helpers | None = None
) -> dict[str, int]:
    """Carry every mail that is due, alone or with helpers; gives how many had which fate."""
    mailed.guard(ledger)  # an old copy in the ledger's place must not contradict what players hold in their hands
    own_key.guard(ledger)
    journal_key(ledger, now)
    digest.bundle(config, ledger, now)
    with ledger.read() as tx:
        before = journal.last(tx)
    with closing(way_of(config)) as way:
        run = Run(config, ledger, now, way, tell)
        if helpers and not way.repeatable and (due := run.lanes_due()):
            helpers(config, now, len(due))
        run.carry(to_the_end=True)
        if telling.tell_host(config, ledger, now):
            run.carry(to_the_end=True)
    if helpers is None:
        return run.counts
    with ledger.read() as tx:
        return counted(tx, before)


def help_out(config: Config, ledger: Ledger, now: datetime) -> dict[str, int]:
    """Carry what is due in lanes that nobody has, beside the run that leads; gives how many had which fate here."""
    mailed.guard(ledger)
    own_key.guard(ledger)
    with closing(way_of(config)) as way:
        run = Run(config, ledger, now, way, None)
        if not way.repeatable:  # what lays files lays them where the one that leads is
            run.carry()
    return run.counts


def counted(tx: Read, after: int) -> dict[str, int]:
    """How many mails had which fate since that row of the journal, whoever carried them."""
    counts: dict[str, int] = {}
    for row in journal.rows(tx, kinds=("mail_fate",), after=after):
        facts = row.facts()
        if facts["fate"] not in (BEGUN, QUEUED):
            name = called(facts["fate"], facts["detail"], facts["next_try_at"] is not None)
            counts[name] = counts.get(name, 0) + 1
    return counts


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

    def carry(self, *, to_the_end: bool = False) -> None:
        """Everything that is due, as long as the way is open and there is time. `to_the_end`: what others have in hand
        is waited for."""
        with self.ledger.home.lanes() as lanes:
            if not lanes.many or self.way.repeatable:
                self._all()
                return
            while not self.is_over and (due := self.lanes_due()):
                if not self._taken(lanes, due):
                    if not to_the_end:
                        return
                    sleep(PAUSE)

    def lanes_due(self) -> list[int]:
        with self.ledger.read() as tx:
            return outbox.lanes_due(tx, self.now)

    def _taken(self, lanes: Lanes, due: list[int]) -> bool:
        """Whether there was one among them that nobody had."""
        found = False
        first = os.getpid() % len(due)  # not all begin with the same
        for lane in [*due[first:], *due[:first]]:
            if not self.is_over and lanes.take(lane):
                found = True
                self._all(lane)
                lanes.leave(lane)
        return found

    def _all(self, lane: int | None = None) -> None:
        while not self.is_over and (batch := self._due(lane)):
            if self.way.repeatable:
                self._together(batch)
            else:
                self._one_by_one(batch)

    def _due(self, lane: int | None) -> list[tuple[OutMail, Parcel | Answer]]:
        """The next mails, ready to leave."""
        with self.ledger.read() as tx:
            mails = outbox.due(tx, self.now, AT_A_TIME, lane)
            found = outbox.raws(tx, [mail.message_id for mail in mails])
        stored = {message_id: raw for message_id, raw in found.items() if raw}
        if not mails:
            return []
        mailed.note(self.ledger, {mail.game for mail in mails})
        ready = finished(self.ledger, stored, self.config.processes)
        ready = with_pages(self.config, self.ledger, [mail for mail in mails if mail.message_id in ready], ready)
        return [(mail, self._parcel(mail, stored.get(mail.message_id), ready)) for mail in mails]

    def _parcel(self, mail: OutMail, stored: bytes | None, ready: Mapping[str, bytes]) -> Parcel | Answer:
        if stored is None:
            return Answer(LATER, "it is sealed, and its key is not here")
        return parcel_of(self.config, mail, stored, ready[mail.message_id], signer(self.ledger.keys))

    # --- many at a time -----------------------------------------------------------------------------------------------

    def _together(self, batch: Sequence[tuple[OutMail, Parcel | Answer]]) -> None:
        self._copies(batch)
        answers = iter(self.way.carry([parcel for _, parcel in batch if isinstance(parcel, Parcel)]))
        fault("mails-written")
        with self.ledger.write() as tx:
            tx.ends({mail.game for mail, _ in batch})  # all at once, before anything is written
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
                # What is asked is asked before anything is written, so that both notes are written at once.
                is_as_read = outbox.is_as(tx, mail)
                tx.ends({mail.game} if last is None else {mail.game, last[0].game})
                self._note_last(tx, last)
                last = None
                if not is_as_read:
                    continue  # it went into a digest, or was carried by another process that had this lane
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
