"""Settling: a message that is stored is read, judged and answered; what becomes of it is one transaction."""

from __future__ import annotations

from contextlib import AbstractContextManager, ExitStack
from datetime import datetime
from types import TracebackType
from typing import Self

from pbem import correspondence, faultlog
from pbem.apart import Apart
from pbem.bounded import TaskDied
from pbem.config import Config
from pbem.errors import CannotGoOn, Trouble
from pbem.faults import fault
from pbem.intake.form import Reading
from pbem.intake.reading import BoundedReader
from pbem.ledger import Ledger, games, letters
from pbem.ledger.letters import QUARANTINED, WAITING, Waiting
from pbem.ledger.transaction import Write
from pbem.locks import JUDGING, alone
from pbem.rulebook import known
from pbem.submitting.decision import FILE, Manner
from pbem.submitting.identity import identify
from pbem.submitting.taken import Settled, take_down

PATIENCE = 60.0  # seconds to wait for another run that judges a message: reading one takes five at the most
TRIES = 3  # a message that trips a fault so often is set aside, until somebody has it tried again


class Clerk:
    """Who reads messages and asks the rules about them: two children, warm from one message to the next."""

    def __init__(self) -> None:
        self.reader, self.apart = BoundedReader(), Apart()
        self._open = ExitStack()

    def __enter__(self) -> Self:
        for child in (self.reader, self.apart):
            self._open.enter_context(child)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._open.close()


def settle_waiting(config: Config, ledger: Ledger, now: datetime) -> dict[str, int]:
    """Judge every message that waits, in the order in which they arrived; gives how many had which fate."""
    counts: dict[str, int] = {}
    with ledger.read() as tx:
        waiting = letters.waiting(tx)
    with Clerk() as clerk:
        for message in sorted(waiting, key=lambda message: message.at):
            fate = _settle_one(config, ledger, message, now, clerk)
            counts[fate] = counts.get(fate, 0) + 1
    return counts


def _settle_one(config: Config, ledger: Ledger, message: Waiting, now: datetime, clerk: Clerk) -> str:
    """What became of one message."""
    try:
        with judging(config):
            return settle(config, ledger, message, now, clerk).fate
    except CannotGoOn:
        return WAITING  # until the rules of its game are installed again
    except Trouble:
        raise
    except Exception as ours:
        faultlog.write_down(ours, config.folder)
        return tripped(ledger, message, now, ours)


def tripped(ledger: Ledger, message: Waiting, now: datetime, ours: Exception) -> str:
    """A message that trips a fault of ours must not hold up those behind it: it is tried again by later runs, and
    then set aside. The words of a fault may quote what nobody may know, so its kind is all that is written down."""
    why = f"a fault of pbem: {ours.kind if isinstance(ours, TaskDied) else type(ours).__name__}"
    with ledger.write() as tx:
        if letters.fate(tx, message.sha256, message.message_id) != WAITING:
            return WAITING  # the fault came after all was done
        tries = letters.tries(tx, message) + 1
        fate = QUARANTINED if tries >= TRIES else WAITING
        letters.settle(tx, message.sha256, message.message_id, fate, now, {"reason": why, "tries": tries})
    return fate


def judging(config: Config) -> AbstractContextManager[None]:
    """Hold on to this while a message is stored and judged by hand: a night that comes upon it waits."""
    return alone(config.place, JUDGING, PATIENCE)


def settle(config: Config, ledger: Ledger, message: Waiting, now: datetime, clerk: Clerk, file: str = FILE) -> Settled:
    """Judge one message and write down what became of it."""
    with ledger.read() as tx:
        raw = letters.get(tx, message.sha256)
    assert raw is not None, "a message that waits is stored"
    judged: correspondence.Opened | Reading | str
    if message.route in correspondence.ROUTES:
        judged = correspondence.read(config, ledger, clerk, message, raw)
    else:
        judged = _read(ledger, clerk.reader, raw)
    fault("message-read")
    with ledger.write() as tx:
        fate = letters.fate(tx, message.sha256, message.message_id)
        if fate not in (None, WAITING):
            return Settled(fate, "it was judged already")  # by a run at the same time: what it says counts once
        if isinstance(judged, correspondence.Opened):
            settled = correspondence.settled(tx, config, clerk, judged, message, now)
        else:
            settled = _settled(tx, config, clerk, message, now, judged, file)
        more = {"game": settled.game, "seat": settled.seat, "reason": settled.reason, **settled.facts}
        letters.settle(tx, message.sha256, message.message_id, settled.fate, now, more)
    fault("message-settled")
    return settled


def _read(ledger: Ledger, reader: BoundedReader, raw: bytes) -> Reading | str:
    try:
        return read_for_its_game(ledger, reader, raw)
    except TaskDied as died:
        return f"reading it took too much ({died.kind})"


def read_for_its_game(ledger: Ledger, reader: BoundedReader, raw: bytes) -> Reading:
    """The form in a file. Where something in it is unknown to the host, its game may yet know it."""
    reading = reader.read(raw)
    if not reading.problems or reading.form is None:
        return reading
    with ledger.read() as tx:
        row = games.get(tx, reading.form.game)
    if row is None:
        return reading
    rules = known(row.pinned)
    if not rules.order_keys and not rules.conditions:
        return reading
    return reader.read(raw, game_keys=tuple(rules.order_keys), conditions=rules.conditions)


def _settled(
    tx: Write, config: Config, clerk: Clerk, message: Waiting, now: datetime, reading: Reading | str, file: str
) -> Settled:
    """What becomes of a file."""
    if isinstance(reading, str):
        return Settled(QUARANTINED, reading)
    found = identify(tx, config, reading)
    if isinstance(found, str):
        return Settled(QUARANTINED, found, reading)
    return take_down(tx, config, clerk.apart, found, reading, message, now, Manner(file))
