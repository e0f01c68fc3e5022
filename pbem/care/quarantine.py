"""Quarantine: messages that were set aside are looked at, tried again, and emptied when their time is up."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from pbem.errors import Trouble
from pbem.ledger import Ledger, letters, purging
from pbem.ledger.chain import HOST
from pbem.ledger.letters import WAITING, Kept
from pbem.ledger.transaction import Read, Write

LEAST = 6  # digits of a message's name that must be given


def named(tx: Read, digits: str) -> Kept:
    """The message that is set aside whose bytes have that name, or one that begins so."""
    wanted = digits.strip().lower()
    if len(wanted) < LEAST or not set(wanted) <= set("0123456789abcdef"):
        raise Trouble(f"{digits!r} names no message; give {LEAST} or more of the digits that the list shows.")
    found = [one for one in letters.kept(tx) if one.sha256.startswith(wanted)]
    if len({one.sha256 for one in found}) != 1:
        many = "Several messages that are set aside begin" if found else "No message that is set aside begins"
        raise Trouble(f"{many} with {digits}; `pbem quarantine list` shows them.")
    return found[0]


def contents(tx: Read, kept: Kept) -> bytes:
    """The message as it came."""
    raw = letters.get(tx, kept.sha256)
    assert raw is not None, "what is set aside is stored"
    return raw


def looked(tx: Write, kept: Kept, who: str, now: datetime) -> None:
    """Write down that somebody saw it."""
    tx.append(HOST, "look", now, {"who": who, "what": f"message {kept.sha256[:12]}, which was set aside"})


def again(tx: Write, messages: Sequence[Kept], now: datetime, reason: str) -> None:
    """Let these be judged anew by the next run, as if they had just come; what they were refused for is forgotten."""
    for kept in messages:
        letters.settle(tx, kept.sha256, kept.message_id, WAITING, now, {"reason": reason})


def older(ledger: Ledger, now: datetime, days: int) -> int:
    """Return how many messages that belong to no game came more than so many days ago."""
    with ledger.read() as tx:
        return purging.count(tx, now - timedelta(days=days))


def purge_all(ledger: Ledger, now: datetime, days: int) -> int:
    """Empty them all, and compact the ledger; return how many there were."""
    purged, done = 0, purging.BATCH
    while done == purging.BATCH:
        with ledger.write() as tx:
            done = purging.purge(tx, now - timedelta(days=days), now)
        purged += done
    ledger.compact()
    return purged
