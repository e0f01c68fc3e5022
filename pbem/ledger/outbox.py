"""The outbox: mails are written down before they are sent, and so is everything that becomes of them.

queued -> begun -> sent | refused | unknown. A mail that was begun and has no fate (the run was killed) or whose fate is
unknown is sent again, the same bytes under the same Message-ID. `next_try_at` None: it is not tried any more; a mail
of which that is true and which was not sent is lost. `since` is when it was first to leave, `detail` what the last try
came to, `told` whether the host knows that it waits too long or is lost.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from pbem.ledger.chain import HOST
from pbem.ledger.lanes import LANE
from pbem.ledger.opening import bytes_of
from pbem.ledger.packing import Kept, keep
from pbem.ledger.seals import KeyLost
from pbem.ledger.tables import FORGOTTEN, MAIL, OUTBOX
from pbem.ledger.times import stamp
from pbem.ledger.transaction import Read, Row, Write

QUEUED, BEGUN, SENT, REFUSED, UNKNOWN = "queued", "begun", "sent", "refused", "unknown"
BATCH = 400  # ids named in one query


class OutMail(NamedTuple):
    """One mail of the outbox, without its bytes. `game` is the chain its rows stand on."""

    message_id: str
    game: str
    seat: str | None
    state: str
    tries: int
    next_try_at: datetime | None
    since: datetime | None = None
    detail: str = ""
    told: bool = False
    former: bool = False  # somebody else sits at that seat since it was written


_COLUMNS = [OUTBOX.c[name] for name in OutMail._fields]
_RAWS = sa.select(MAIL.c.message_id, MAIL.c.raw).where(
    MAIL.c.message_id.in_(sa.bindparam("message_ids", expanding=True))
)
# What is asked for every mail, and in every run; made once, for that takes longer than to answer.
_of_mail: sa.BindParameter[str] = sa.bindparam("message_id")
_GET = sa.select(*_COLUMNS).where(OUTBOX.c.message_id == _of_mail)
_RAW = sa.select(MAIL.c.raw).where(MAIL.c.message_id == _of_mail)
_OPEN = sa.text("next_try_at IS NOT NULL")
_DUE = sa.select(*_COLUMNS).where(_OPEN, OUTBOX.c.next_try_at <= sa.bindparam("now")).order_by(OUTBOX.c.id)
_SOME_DUE = _DUE.limit(sa.bindparam("limit"))
# In the order of the index of open mails: ordered by their numbers, SQLite would walk through all mails there are.
_SINCE = (
    sa.select(*_COLUMNS)
    .where(_OPEN, OUTBOX.c.since < sa.bindparam("before"))
    .order_by(OUTBOX.c.next_try_at, OUTBOX.c.id)
)
_GONE = sa.select(MAIL.c.id).join(FORGOTTEN, FORGOTTEN.c.sha256 == MAIL.c.sha256)  # nothing is left to send
_LOST = (
    sa.select(*_COLUMNS)
    .where(sa.text("next_try_at IS NULL AND state <> 'sent'"))
    .where(~_GONE.where(MAIL.c.message_id == OUTBOX.c.message_id).exists())
    .order_by(OUTBOX.c.id)
)
_FATE = slice(OutMail._fields.index("state"), OutMail._fields.index("next_try_at") + 1)


def post(
    tx: Write,
    chain: str,
    seat: str | None,
    kind: str,
    message_id: str,
    mail: bytes | Kept,
    at: datetime,
    date: datetime,
    turn: int | None = None,
    answers: str = "",
    budget: str = "",
) -> Row:
    """Store a mail as it will leave, with a `mail` row on its chain; it is queued by that. `date` is its own. `answers`
    is the player whose mail it answers; it is counted to `budget`, or to the one that mails of its kind have."""
    kept = mail if isinstance(mail, Kept) else keep(mail)
    seal = tx.seal(chain)
    raw = kept.stored if seal is None else seal.data(chain, kept.stored)
    tx.add(MAIL, {"message_id": message_id, "sha256": kept.sha256, "raw": raw})
    body = {"message_id": message_id, "kind": kind, "sha256": kept.sha256, "date": stamp(date)}
    if answers:
        body["answers"] = answers
    if budget:
        body["budget"] = budget
    return tx.append(chain, "mail", at, body, turn, seat)


def get(tx: Read, message_id: str) -> OutMail | None:
    """The mail of that id."""
    found = tx.one(_GET, {"message_id": message_id})
    return None if found is None else OutMail(*found)


def raw(tx: Read, message_id: str) -> bytes:
    """The bytes of a mail; none where they were forgotten, or while the key that they lie sealed under is not here."""
    found = tx.one(_RAW, {"message_id": message_id})
    if found is None:
        raise LookupError(f"the ledger has no mail {message_id!r}")
    return _opened(tx, found.raw)


def raws(tx: Read, message_ids: Sequence[str]) -> dict[str, bytes]:
    """The bytes of these mails, as `raw` gives them, by their ids."""
    found: dict[str, bytes] = {}
    for first in range(0, len(message_ids), BATCH):
        some = {"message_ids": list(message_ids[first : first + BATCH])}
        found |= {row.message_id: _opened(tx, row.raw) for row in tx.all(_RAWS, some)}
    return found


def _opened(tx: Read, stored: bytes) -> bytes:
    try:
        return bytes_of(tx, stored)
    except KeyLost:
        return b""


class Sent(NamedTuple):
    """The bytes of a mail as it was stored, and whether somebody else sits at its seat by now."""

    message_id: str
    raw: bytes
    former: bool


def letters(tx: Read, message_ids: Sequence[str]) -> Iterator[Sent]:
    """Those of these mails that the ledger has, in that order. Their bytes are none where `raw` gives none."""
    found: dict[str, Sent] = {}
    for first in range(0, len(message_ids), BATCH):
        query = sa.select(MAIL.c.message_id, MAIL.c.raw, OUTBOX.c.former)
        query = query.join_from(MAIL, OUTBOX, OUTBOX.c.message_id == MAIL.c.message_id)
        for row in tx.all(query.where(MAIL.c.message_id.in_(message_ids[first : first + BATCH]))):
            found[row.message_id] = Sent(row.message_id, _opened(tx, row.raw), row.former)
    return (found[one] for one in message_ids if one in found)


def due(tx: Read, now: datetime, limit: int | None = None, lane: int | None = None) -> list[OutMail]:
    """The mails to be tried now, in the order they were written; of one lane, or of all. Reads none that have left."""
    query = _DUE if limit is None else _SOME_DUE
    query = query if lane is None else query.where(LANE.in_((lane,)))
    return [OutMail(*row) for row in tx.all(query, {"now": now} if limit is None else {"now": now, "limit": limit})]


def lanes_due(tx: Read, now: datetime) -> list[int]:
    """The lanes in which there is a mail to be tried now."""
    query = sa.select(LANE).where(_OPEN, OUTBOX.c.next_try_at <= now)
    return sorted(row[0] for row in tx.all(query.distinct()))


def is_as(tx: Read, mail: OutMail) -> bool:
    """Whether nothing has become of it since it was read."""
    found = get(tx, mail.message_id)
    return found is not None and found[_FATE] == mail[_FATE]


def waiting(tx: Read) -> int:
    """How many mails are still to leave."""
    found = tx.one(sa.select(sa.func.count()).select_from(OUTBOX).where(_OPEN))
    return 0 if found is None else int(found[0])


def open_since(tx: Read, before: datetime) -> list[OutMail]:
    """The mails that should have left before that moment and are still tried."""
    return [OutMail(*row) for row in tx.all(_SINCE, {"before": before})]


def lost(tx: Read) -> list[OutMail]:
    """The mails that did not leave and are not tried any more, in the order they were written."""
    return [OutMail(*row) for row in tx.all(_LOST)]


def has_passed(tx: Read, mail: OutMail) -> bool:
    """Whether the last other mail to that seat, of those that have a fate, was sent."""
    query = sa.select(OUTBOX.c.state).where(OUTBOX.c.game == mail.game, OUTBOX.c.seat == mail.seat)
    query = query.where(OUTBOX.c.message_id != mail.message_id, OUTBOX.c.state.in_((SENT, REFUSED)))
    found = tx.all(query.order_by(OUTBOX.c.id.desc()).limit(1))
    return bool(found) and found[0].state == SENT


def of_game(tx: Read, game: str) -> list[OutMail]:
    """All mails of one game, in the order they were written."""
    return [OutMail(*row) for row in tx.all(sa.select(*_COLUMNS).where(OUTBOX.c.game == game).order_by(OUTBOX.c.id))]


def fate(
    tx: Write, mail: OutMail, fate: str, at: datetime, detail: str = "", next_try_at: datetime | None = None
) -> OutMail:
    """Write down what became of a mail. `begun` counts a try; only with `next_try_at` will it be tried again."""
    tries = mail.tries + (fate == BEGUN)
    when = None if next_try_at is None else stamp(next_try_at)
    body: dict[str, Any] = {"message_id": mail.message_id, "fate": fate, "detail": detail}
    tx.append(mail.game, "mail_fate", at, {**body, "tries": tries, "next_try_at": when}, seat=mail.seat)
    told = mail.told and next_try_at is not None
    return mail._replace(state=fate, tries=tries, next_try_at=next_try_at, detail=detail, told=told)


def again(tx: Write, at: datetime) -> int:
    """Let every mail that is lost begin anew; gives how many there are."""
    mails = lost(tx)
    for mail in mails:
        fate(tx, mail, QUEUED, at, mail.detail, next_try_at=at)
    return len(mails)


def told(tx: Write, mails: Sequence[OutMail], at: datetime) -> Row:
    """Write down that the host was told of these mails."""
    return tx.append(HOST, "post_notice", at, {"mails": [mail.message_id for mail in mails]})
