"""Letters: inbound messages, stored as they came before anything else is done with them.

The same bytes are stored once. The same *message* (its id and its bytes) counts once, however often and by whatever
route it is delivered; the same words in a new message are a new message.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from pbem.ledger.chain import HOST
from pbem.ledger.opening import bytes_of
from pbem.ledger.seals import LETTERS
from pbem.ledger.tables import INBOX, LETTER
from pbem.ledger.times import stamp
from pbem.ledger.transaction import Read, Write

SAME_ID = 8  # so many messages under one id are told apart by their words
WAITING, ACCEPTED, REFUSED, IGNORED, QUARANTINED = "waiting", "accepted", "refused", "ignored", "quarantined"


# What is asked for every message; made once, for that takes longer than to answer.
_of_message = INBOX.c.message_id == sa.bindparam("message_id")
_RAW = sa.select(LETTER.c.raw).where(LETTER.c.sha256 == sa.bindparam("sha256"))
_STORED = sa.select(LETTER.c.id).where(LETTER.c.sha256 == sa.bindparam("sha256"))
_FATE = sa.select(INBOX.c.state).where(INBOX.c.sha256 == sa.bindparam("sha256"), _of_message)
_BEFORE = (
    sa.select(INBOX.c.sha256)
    .where(_of_message, INBOX.c.state != WAITING, INBOX.c.sha256 != sa.bindparam("sha256"))
    .order_by(INBOX.c.id)
    .limit(SAME_ID)
)


class Arrival(NamedTuple):
    """What storing a letter gives: the name of its bytes, and whether the message is new."""

    sha256: str
    new: bool


class Waiting(NamedTuple):
    """A message that has not been judged yet."""

    message_id: str
    sha256: str
    route: str
    at: datetime


def arrive(tx: Write, raw: bytes, at: datetime, route: str, message_id: str) -> Arrival:
    """Store a message as it came, with a `letter` row; a message that is known already changes nothing."""
    sha256 = hashlib.sha256(raw).hexdigest()
    if fate(tx, sha256, message_id) is not None:
        return Arrival(sha256, False)
    if not _is_stored(tx, sha256):
        seal = tx.keys.seal(LETTERS)
        tx.add(LETTER, {"sha256": sha256, "raw": raw if seal is None else seal.data(LETTERS, raw)})
    # The instant of arrival stands in the body: the row's own time never runs backwards, an arrival may be older.
    body = {"sha256": sha256, "size": len(raw), "route": route, "message_id": message_id, "arrived": stamp(at)}
    tx.append(HOST, "letter", at, body)
    return Arrival(sha256, True)


def get(tx: Read, sha256: str) -> bytes | None:
    """The raw bytes of that name."""
    found = tx.one(_RAW, {"sha256": sha256})
    return None if found is None else bytes_of(tx, found.raw, LETTERS)


def _is_stored(tx: Read, sha256: str) -> bool:
    return tx.one(_STORED, {"sha256": sha256}) is not None


def fate(tx: Read, sha256: str, message_id: str) -> str | None:
    """What became of a message; None when it never came."""
    found = tx.one(_FATE, {"sha256": sha256, "message_id": message_id})
    return None if found is None else found.state


def of_id(tx: Read, message_id: str) -> list[str]:
    """The names of the bytes that came under that id: first ones only, as anybody can send the same id for ever."""
    query = sa.select(INBOX.c.sha256).where(INBOX.c.message_id == message_id).order_by(INBOX.c.id).limit(SAME_ID)
    return [row.sha256 for row in tx.all(query)]


def tries(tx: Read, message: Waiting) -> int:
    """How many runs have tripped over a message."""
    query = sa.select(INBOX.c.tries).where(INBOX.c.sha256 == message.sha256, INBOX.c.message_id == message.message_id)
    found = tx.one(query)
    return 0 if found is None else int(found.tries)


def before(tx: Read, message: Waiting) -> list[str]:
    """The names of other bytes that came under the same id before, and were judged, the oldest first."""
    return [row.sha256 for row in tx.all(_BEFORE, {"sha256": message.sha256, "message_id": message.message_id})]


def came(tx: Read, message_id: str) -> Waiting | None:
    """The first message of that id that came, whatever became of it."""
    columns = (INBOX.c.message_id, INBOX.c.sha256, INBOX.c.route, INBOX.c.at)
    found = tx.all(sa.select(*columns).where(INBOX.c.message_id == message_id).order_by(INBOX.c.id).limit(1))
    return Waiting(*found[0]) if found else None


def waiting(tx: Read) -> list[Waiting]:
    """The messages not judged yet, in the order they came."""
    columns = (INBOX.c.message_id, INBOX.c.sha256, INBOX.c.route, INBOX.c.at)
    return [
        Waiting(*row) for row in tx.all(sa.select(*columns).where(sa.text("state = 'waiting'")).order_by(INBOX.c.id))
    ]


def settle(tx: Write, sha256: str, message_id: str, fate: str, at: datetime, more: Mapping[str, Any]) -> None:
    """Write down what became of a message; `more` says game, seat and reason. The fate `waiting` opens it again."""
    tx.append(HOST, "letter_fate", at, {**more, "sha256": sha256, "message_id": message_id, "fate": fate})


class Kept(NamedTuple):
    """A message that was set aside, and why."""

    message_id: str
    sha256: str
    route: str
    at: datetime
    reason: str


def kept(tx: Read) -> list[Kept]:
    """The messages that are set aside, the newest first."""
    columns = (INBOX.c.message_id, INBOX.c.sha256, INBOX.c.route, INBOX.c.at, INBOX.c.reason)
    query = sa.select(*columns).where(INBOX.c.state == QUARANTINED).order_by(INBOX.c.id.desc())
    return [Kept(*row) for row in tx.all(query)]


def counts(tx: Read) -> dict[str, int]:
    """How many messages have which fate; together they are all that ever came."""
    query = sa.select(INBOX.c.state, sa.func.count()).group_by(INBOX.c.state).order_by(INBOX.c.state)
    return {row[0]: row[1] for row in tx.all(query)}
