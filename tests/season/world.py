"""The world around a host, drawn from a seed: a clock, a mailbox, a post, a disk, each of which may fail it.

The host's own code runs against them. What they remember (what arrived, how often, in which bytes) is what the
questions of a season are asked of.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from typing import Any
from unittest.mock import patch

import sqlalchemy as sa

from pbem import clock, delivering
from pbem.arriving import fetching
from pbem.arriving.brought import Brought
from pbem.arriving.message import Message
from pbem.arriving.storing import IMAP, store
from pbem.clock import Ticks
from pbem.config import Config
from pbem.deadlines.reminding import REMINDER
from pbem.game import hosting
from pbem.ledger import Ledger
from pbem.ledger.connect import WRITING
from pbem.ledger.transaction import Write
from pbem.post.carrier import LATER, REFUSED, SENT, UNKNOWN, Answer, Parcel
from pbem.reports.letter import KIND
from tests.pbem.host.conftest import NOON

REFUSES, PUTS_OFF, HANGS_UP, ARRIVES, VANISHES = 0.02, 0.06, 0.02, 0.03, 0.03  # of all tries
MAILBOX = "a mailbox far away"


class Broken(AssertionError):
    """A promise was not kept; it says on which night, and the seed repeats it."""


@dataclass
class Carrier:
    """A way out that carries, refuses, puts off, hangs up and falls silent as the seed says, each try by itself."""

    seed: int
    rude: bool = True
    arrived: dict[str, list[str]] = field(default_factory=dict)  # the hash of each copy, by the mail's id
    refused: set[str] = field(default_factory=set)
    doubtful: set[str] = field(default_factory=set)  # of which the host may not know whether they arrived
    tries: Counter[str] = field(default_factory=Counter)
    at_a_time: int = 1
    repeatable: bool = False

    def carry(self, parcels: Sequence[Parcel]) -> list[Answer]:
        return [self._one(parcel) for parcel in parcels]

    def _one(self, parcel: Parcel) -> Answer:
        name = parcel.mail.message_id
        self.tries[name] += 1
        luck = Random(f"{self.seed} {name} {self.tries[name]}").random() if self.rude else 1.0
        if luck < REFUSES:
            self.refused.add(name)
            return Answer(REFUSED, "550 nobody of that name")
        if luck < (until := REFUSES + PUTS_OFF):
            return Answer(LATER, "451 later, please")
        if luck < (until := until + HANGS_UP):
            return Answer(LATER, "the line was cut", trouble=True)
        if luck < (until := until + VANISHES):
            self.doubtful.add(name)
            return Answer(UNKNOWN, "the line was cut after the text")
        self._arrives(parcel)
        if luck < until + ARRIVES:
            self.doubtful.add(name)
            return Answer(UNKNOWN, "no answer to the text")
        return Answer(SENT)

    def _arrives(self, parcel: Parcel) -> None:
        copies = self.arrived.setdefault(parcel.mail.message_id, [])
        copies.append(hashlib.sha256(parcel.raw).hexdigest())
        if len(set(copies)) > 1 and not _reminds(parcel.raw):
            raise Broken(f"{parcel.mail.message_id} left with other bytes than before")
        if len(copies) > 1 and parcel.mail.message_id not in self.doubtful:
            raise Broken(f"{parcel.mail.message_id} left twice, and nothing was unknown of it")

    def close(self) -> None:
        """There is nothing to let go of."""


def _reminds(raw: bytes) -> bool:
    """A decision of which a player was reminded may be open once more, after a backup was restored; a mail program that
    knows the reminder already and drops it drops nothing."""
    return f"{KIND}: {REMINDER}".encode() in raw


@dataclass
class Mailbox:
    """A mailbox on a server: what lies there stays until it is stored here. It cannot always be reached, and may bring
    all it ever had once more, as servers do that have numbered it anew."""

    lying: list[Message] = field(default_factory=list)
    had: list[Message] = field(default_factory=list)
    reachable: bool = True

    def anew(self) -> None:
        """All that ever lay there lies there again."""
        self.lying, self.had = [*self.had, *self.lying], []

    def gather(self, config: Config, ledger: Ledger, now: datetime) -> tuple[Brought, ...]:
        if not self.reachable:
            return (Brought(IMAP, MAILBOX, silent="it does not answer"),)
        come = [message for message in self.lying if message.arrived <= now]
        stored = store(ledger, come, IMAP)
        self.had += come
        self.lying = [message for message in self.lying if message.arrived > now]
        new = sum(one.new for one in stored)
        return (Brought(IMAP, MAILBOX, new=new, known=len(stored) - new),)


class Lots:
    """Stands where the host asks for secrets: the same ones in every run of a seed."""

    def __init__(self, seed: int) -> None:
        self._source = Random(f"secrets of {seed}")

    def token_bytes(self, length: int) -> bytes:
        return self._source.randbytes(length)


@dataclass
class World:
    """All of it. `boot` names the last start of the machine; what counts since then cannot be set."""

    seed: int
    post: Carrier = field(init=False)
    mailbox: Mailbox = field(default_factory=Mailbox)
    boot: int = 1

    def __post_init__(self) -> None:
        self.post, self._lots = Carrier(self.seed), Lots(self.seed)

    @contextmanager
    def around(self, true: datetime) -> Iterator[None]:
        """The host finds itself in it; it is that hour, whatever its clock shows."""
        ticks = Ticks(f"boot {self.boot}", int((true - NOON + timedelta(days=1)).total_seconds()))
        with ExitStack() as stack:
            for where, name, what in (
                (clock, "ticks", lambda: ticks),
                (delivering, "way_of", lambda config: self.post),
                (fetching, "gather", self.mailbox.gather),
                (hosting, "random_source", self._lots),
            ):
                stack.enter_context(patch.object(where, name, what))
            yield


@contextmanager
def full_disk(ledger: Ledger, after: int) -> Iterator[None]:
    """Inside, from so many writes on the disk is full; a commit is a write, too. The ledger is not to be used again."""
    left, put = [after], Write._put

    def count() -> None:
        left[0] -= 1
        if left[0] < 0:
            full = sqlite3.OperationalError("database or disk is full")
            full.sqlite_errorcode = sqlite3.SQLITE_FULL
            raise full

    def counted(tx: Write, *given: Any) -> None:
        count()
        put(tx, *given)

    def commit(connection: sa.Connection) -> None:
        if connection.info[WRITING]:
            count()

    sa.event.listen(ledger._engine, "commit", commit)
    with patch.object(Write, "_put", counted):
        yield
