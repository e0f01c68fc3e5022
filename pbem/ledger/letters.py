"""Letters: inbound messages, stored as they came before anything else is done with them.

The same bytes are stored once. The same *message* (its id and its bytes) counts once, however often and by whatever
route it is delivered; the same words in a new message are a new message.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from pbem.ledger.chain import HOST
from pbem.ledger.opening import bytes_of
from pbem.ledger.seals import LETTERS
from pbem.ledger.tables import FORGOTTEN, INBOX, LETTER, TURNED_AWAY
from pbem.ledger.times import stamp
from pbem.ledger.transaction import Read, Write

FEW = 32  # messages asked for at once: each id is looked up with each name
SAME_ID = 8  # so many messages under one id are told apart by their words
WAITING, ACCEPTED, REFUSED, IGNORED, QUARANTINED = "waiting", "accepted", "refused", "ignored", "quarantined"
TOO_MANY = "too_many"  # why a message is refused whose seat has sent its limit


# What is asked for every message; made once, for that takes longer than to answer.
_of_message = INBOX.c.message_id == sa.bindparam("message_id")
_RAW = sa.select(LETTER.c.raw).where(LETTER.c.sha256 == sa.bindparam("sha256"))
_RAWS = sa.select(LETTER.c.sha256, LETTER.c.raw).where(LETTER.c.sha256.in_(sa.bindparam("names", expanding=True)))
# By their ids, too: those have the index, and by the names alone SQLite would walk through all that ever came.
_FATES = sa.select(INBOX.c.sha256, INBOX.c.message_id, INBOX.c.state).where(
    INBOX.c.message_id.in_(sa.bindparam("message_ids", expanding=True)),
    INBOX.c.sha256.in_(sa.bindparam("names", expanding=True)),
)
_IDS = (
    sa.select(INBOX.c.message_id).where(INBOX.c.message_id.in_(sa.bindparam("message_ids", expanding=True))).distinct()
)
_STORED = sa.select(LETTER.c.sha256).where(LETTER.c.sha256.in_(sa.bindparam("names", expanding=True)))
_FATE = sa.select(INBOX.c.state).where(INBOX.c.sha256 == sa.bindparam("sha256"), _of_message)
_OF_ID = sa.select(INBOX.c.sha256).where(_of_message).order_by(INBOX.c.id).limit(SAME_ID)
_WAITING = (
    sa.select(INBOX.c.message_id, INBOX.c.sha256, INBOX.c.route, INBOX.c.at)
    .where(sa.text("state = 'waiting'"))
    .order_by(INBOX.c.id)
)
_COUNTS = sa.select(INBOX.c.state, sa.func.count()).group_by(INBOX.c.state).order_by(INBOX.c.state)
_UNREAD = sa.select(sa.func.count()).select_from(TURNED_AWAY)
_TURNED_AWAY = sa.select(TURNED_AWAY.c.name).where(TURNED_AWAY.c.name.in_(sa.bindparam("names", expanding=True)))
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


def _fates(tx: Read, messages: Sequence[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """What became of those that came of these messages, each a name and an id."""
    found: dict[tuple[str, str], str] = {}
    for first in range(0, len(messages), FEW):
        names, message_ids = zip(*messages[first : first + FEW], strict=True)
        for row in tx.all(_FATES, {"names": names, "message_ids": message_ids}):
            found[row.sha256, row.message_id] = row.state
    return found


class Arriving(NamedTuple):
    """A message as it is brought: its bytes, when it came, by which route, and under which id."""

    raw: bytes
    at: datetime
    route: str
    message_id: str


def arrive(tx: Write, raw: bytes, at: datetime, route: str, message_id: str) -> Arrival:
    """Store a message as it came, with a `letter` row; a message that is known already changes nothing."""
    return arrive_all(tx, [Arriving(raw, at, route, message_id)])[0]


def arrive_all(tx: Write, messages: Sequence[Arriving]) -> list[Arrival]:
    """The same with several, in that order; what is known of them is asked once."""
    if not messages:
        return []
    names = [hashlib.sha256(message.raw).hexdigest() for message in messages]
    known = set(_fates(tx, [(name, one.message_id) for name, one in zip(names, messages, strict=True)]))
    stored = {row.sha256 for row in tx.all(_STORED, {"names": names})}
    seal = tx.seal(LETTERS)
    arrivals = []
    for (raw, at, route, message_id), sha256 in zip(messages, names, strict=True):
        new = (sha256, message_id) not in known
        if new and sha256 not in stored:
            tx.add(LETTER, {"sha256": sha256, "raw": raw if seal is None else seal.data(LETTERS, raw)})
        if new:
            # The instant of arrival stands in the body: the row's own time never runs backwards, an arrival may be
            # older.
            body = {"sha256": sha256, "size": len(raw), "route": route, "message_id": message_id, "arrived": stamp(at)}
            tx.append(HOST, "letter", at, body)
        known.add((sha256, message_id))
        stored.add(sha256)
        arrivals.append(Arrival(sha256, new))
    return arrivals


def get(tx: Read, sha256: str) -> bytes | None:
    """The raw bytes of that name."""
    found = tx.one(_RAW, {"sha256": sha256})
    return None if found is None else bytes_of(tx, found.raw, LETTERS)


def some(tx: Read, messages: Sequence[Waiting]) -> dict[str, bytes]:
    """The raw bytes of these messages by their names, found at once."""
    names = sorted({message.sha256 for message in messages})
    return {row.sha256: bytes_of(tx, row.raw, LETTERS) for row in tx.all(_RAWS, {"names": names})}


def fates(tx: Read, messages: Sequence[Waiting]) -> dict[tuple[str, str], str]:
    """What became of these messages, by the names of their bytes and their ids, found at once."""
    return _fates(tx, [(message.sha256, message.message_id) for message in messages])


def fate(tx: Read, sha256: str, message_id: str) -> str | None:
    """What became of a message; None when it never came."""
    found = tx.one(_FATE, {"sha256": sha256, "message_id": message_id})
    return None if found is None else found.state


def any_of_ids(tx: Read, message_ids: Sequence[str]) -> set[str]:
    """Those of these ids under which something came."""
    return {row.message_id for row in tx.all(_IDS, {"message_ids": list(message_ids)})}


def of_id(tx: Read, message_id: str) -> list[str]:
    """The names of the bytes that came under that id: first ones only, as anybody can send the same id for ever."""
    return [row.sha256 for row in tx.all(_OF_ID, {"message_id": message_id})]


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
    return [Waiting(*row) for row in tx.all(_WAITING)]


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
    """Return the messages that are set aside and whose bytes are still here, the newest first."""
    columns = (INBOX.c.message_id, INBOX.c.sha256, INBOX.c.route, INBOX.c.at, INBOX.c.reason)
    emptied = sa.exists().where(FORGOTTEN.c.sha256 == INBOX.c.sha256)
    query = sa.select(*columns).where(INBOX.c.state == QUARANTINED, ~emptied).order_by(INBOX.c.id.desc())
    return [Kept(*row) for row in tx.all(query)]


def counts(tx: Read) -> dict[str, int]:
    """How many messages have which fate; together they are all that ever came."""
    found = {row[0]: row[1] for row in tx.all(_COUNTS)}
    unread = int(tx.one(_UNREAD)[0])
    return found | {REFUSED: found.get(REFUSED, 0) + unread} if unread else found


# --- refused unread ---------------------------------------------------------------------------------------------------


def turn_away(tx: Write, route: str, game: str, seat: str, names: Sequence[str], at: datetime) -> None:
    """Refuse files of a seat that has sent its limit, without storing what is in them. One row names them all."""
    body = {"route": route, "game": game, "seat": seat, "reason": TOO_MANY, "files": list(names)}
    tx.append(HOST, "turned_away", at, body)


def turned_away(tx: Read, names: Sequence[str]) -> set[str]:
    """Those of these files that were refused unread."""
    return {row.name for row in tx.all(_TURNED_AWAY, {"names": list(names)})}
