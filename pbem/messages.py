"""The way of a message: it is stored, and now read, judged and answered; what becomes of it is written down whole.

Messages that wait together are judged together: each is read by itself, then all that they come to is one transaction,
and so one sync of the disk. Where anything stands in the way of one of them nothing of it is written, and each is
judged in a transaction of its own. Either way they are judged in the order in which they arrived.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace
from datetime import datetime
from time import monotonic
from types import TracebackType
from typing import NamedTuple, Self

from pbem import correspondence, faultlog
from pbem.apart import Apart
from pbem.bounded import TaskDied
from pbem.config import Config
from pbem.errors import CannotGoOn, Trouble
from pbem.faults import fault
from pbem.game.eras import Spoken
from pbem.intake.form import Reading
from pbem.intake.limits import Limits
from pbem.intake.mail.reading import MailReading
from pbem.intake.reading import BoundedReader
from pbem.ledger import Ledger, games, letters
from pbem.ledger.letters import QUARANTINED, WAITING, Waiting
from pbem.ledger.transaction import Write
from pbem.locks import JUDGING, alone
from pbem.rulebook import known
from pbem.submitting.decision import Manner
from pbem.submitting.identity import Proven, identify, may_see_key
from pbem.submitting.taken import Settled, take_down

PATIENCE = 60.0  # seconds to wait for another run that judges a message: reading one takes five at the most
TOGETHER = 32  # messages judged in one transaction
HELD = 1.0  # seconds after which no more go into it: others wait for the ledger
USUAL = Manner()  # of a file that came by itself
TRIES = 3  # a message that trips a fault so often is set aside, until somebody has it tried again


class Fallen(NamedTuple):
    """The child that was asked about a message died of it."""

    died: TaskDied


Begun = MailReading | TaskDied | Reading | str | Fallen  # what can be read in a message by itself, or what came of it
Judged = correspondence.Opened | Reading | str  # what it says


class _OneFell(Exception):
    """One of several messages has fallen, so that nothing is written of any."""


class Clerk:
    """Who reads messages and asks the rules about them: two children, warm from one message to the next."""

    def __init__(self, limits: Limits) -> None:
        self.reader, self.apart = BoundedReader(limits), Apart()
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
        waiting = sorted(letters.waiting(tx), key=lambda message: message.at)
    done = 0
    ahead: dict[Waiting, Begun] = {}
    with Clerk(config.limits) as clerk:
        while done < len(waiting):
            fates = _settle_some(config, ledger, waiting[done : done + TOGETHER], now, clerk, ahead)
            done += len(fates)
            for fate in fates:
                counts[fate] = counts.get(fate, 0) + 1
    return counts


def _settle_some(
    config: Config,
    ledger: Ledger,
    messages: Sequence[Waiting],
    now: datetime,
    clerk: Clerk,
    ahead: dict[Waiting, Begun],
) -> Sequence[str]:
    """What became of the first of these messages, of as many as were judged; nothing where one has fallen, which
    `ahead` says then. It also holds what was read before it could be judged."""
    if isinstance(first := ahead.get(messages[0]), Fallen):
        faultlog.write_down(first.died, config.folder)
        return [tripped(ledger, messages[0], now, first.died)]
    try:
        with judging(config):
            together = _settle_together(config, ledger, messages, now, clerk, ahead) if len(messages) > 1 else ()
    except CannotGoOn:
        together = None
    except Trouble:
        raise
    except _OneFell:
        return ()
    except Exception:
        together = None  # it comes again for the message that trips it, and is dealt with there
    if together is None:
        return [_settle_one(config, ledger, message, now, clerk) for message in messages]
    return together or [_settle_one(config, ledger, messages[0], now, clerk)]


def _settle_together(
    config: Config,
    ledger: Ledger,
    messages: Sequence[Waiting],
    now: datetime,
    clerk: Clerk,
    ahead: dict[Waiting, Begun],
) -> list[str]:
    """What became of the first of them, of as many as there is time for; all of that is written, or nothing."""
    _read_ahead(config, ledger, messages, clerk, ahead)
    fates: list[str] = []
    with ledger.write() as tx:
        until = monotonic() + HELD
        known = letters.fates(tx, messages)
        for message in messages:
            if isinstance(ahead.get(message), Fallen | None):
                break
            judged = _opened(config, tx, clerk, message, ahead[message])
            if monotonic() >= until:
                break  # before the rules are asked, who may take their time
            fate = known.get((message.sha256, message.message_id))
            try:
                fates.append(_written(tx, config, clerk, message, now, judged, USUAL, fate).fate)
            except TaskDied as died:
                ahead[message] = Fallen(died)  # once is enough: it took all that it may take
                raise _OneFell from died
    for message in messages[: len(fates)]:
        del ahead[message]
        fault("message-settled")
    return fates


def _opened(config: Config, tx: Write, clerk: Clerk, message: Waiting, begun: Begun) -> Judged:
    """What a message says to the ledger as it is in this very transaction."""
    assert not isinstance(begun, Fallen)
    if isinstance(begun, MailReading | TaskDied):
        return correspondence.opened(config, tx, clerk, message, begun)
    return begun


def _read_ahead(
    config: Config, ledger: Ledger, messages: Sequence[Waiting], clerk: Clerk, ahead: dict[Waiting, Begun]
) -> None:
    """Read what can be read in each of these messages by itself, of as many as there is time for."""
    unread = [message for message in messages if message not in ahead]
    with ledger.read() as tx:
        raws = letters.some(tx, unread)
    until = monotonic() + HELD
    for message in unread:
        raw = raws[message.sha256]
        if message.route in correspondence.ROUTES:
            ahead[message] = correspondence.taken_apart(config, clerk, raw)
        else:
            ahead[message] = _read(ledger, clerk.reader, raw)
        fault("message-read")
        if monotonic() >= until:
            return


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


def settle(
    config: Config, ledger: Ledger, message: Waiting, now: datetime, clerk: Clerk, manner: Manner = USUAL
) -> Settled:
    """Judge one message, which came in that manner where it is no mail, and write down what became of it."""
    with ledger.read() as tx:
        raw = letters.get(tx, message.sha256)
    assert raw is not None, "a message that waits is stored"
    judged: Judged
    if message.route in correspondence.ROUTES:
        judged = correspondence.read(config, ledger, clerk, message, raw)
    else:
        judged = _read(ledger, clerk.reader, raw)
    fault("message-read")
    with ledger.write() as tx:
        fate = letters.fate(tx, message.sha256, message.message_id)
        settled = _written(tx, config, clerk, message, now, judged, manner, fate)
    fault("message-settled")
    return settled


def _written(
    tx: Write,
    config: Config,
    clerk: Clerk,
    message: Waiting,
    now: datetime,
    judged: Judged,
    manner: Manner,
    fate: str | None,
) -> Settled:
    """Write down what becomes of a message whose fate is that so far."""
    if fate not in (None, WAITING):
        return Settled(fate, "it was judged already")  # by a run at the same time: what it says counts once
    if isinstance(judged, correspondence.Opened):
        settled = correspondence.settled(tx, config, clerk, judged, message, now)
    else:
        settled = _settled(tx, config, clerk, message, now, judged, manner)
    more = {"game": settled.game, "seat": settled.seat, "reason": settled.reason, **settled.facts}
    letters.settle(tx, message.sha256, message.message_id, settled.fate, now, more)
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
    tx: Write, config: Config, clerk: Clerk, message: Waiting, now: datetime, reading: Reading | str, manner: Manner
) -> Settled:
    """What becomes of a file."""
    if isinstance(reading, str):
        return Settled(QUARANTINED, reading)
    found = identify(tx, config, reading)
    if isinstance(found, str):
        return Settled(QUARANTINED, found, reading)
    if not _may_see_key(tx, found):
        manner = replace(manner, shows_key=False)
    return take_down(tx, config, clerk.apart, found, reading, message, now, manner)


def _may_see_key(tx: Write, found: Proven) -> bool:
    """Return whether the receipt of a file may hold the current key."""
    turn = found.recorded.turn if found.form.turn is None else found.form.turn
    if turn == found.recorded.turn and found.spoke is Spoken.NOW:
        return True  # as nearly always
    row = games.glance(tx, found.sheet.name)
    assert row is not None, "the game of a seat that is proven"
    return may_see_key(tx, row, found.form.seat, turn, found.spoke)
