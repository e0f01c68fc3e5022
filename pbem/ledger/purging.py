"""Strangers' mail: messages that belong to no game are emptied when their time is up. Their hashes stay, so that they
are known when they come again, and the accounts of what came still add up."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa

from pbem.ledger.chain import HOST
from pbem.ledger.letters import WAITING
from pbem.ledger.tables import INBOX, LETTER
from pbem.ledger.transaction import Read, Write

BATCH = 400

_IS_STRAY = sa.text("stray")  # as the index says it
_BEFORE = sa.select(INBOX.c.message_id, INBOX.c.sha256).where(_IS_STRAY, INBOX.c.at < sa.bindparam("before"))
_DUE = _BEFORE.order_by(INBOX.c.at, INBOX.c.id).limit(BATCH)
_COUNT = sa.select(sa.func.count()).select_from(_BEFORE.subquery())
_ANY = _BEFORE.limit(1)
# The same bytes may have come under another name, and belong to a game there, or wait.
_OTHERS = sa.select(INBOX.c.sha256).where(
    INBOX.c.sha256.in_(sa.bindparam("names", expanding=True)),
    sa.or_(sa.not_(INBOX.c.stray), INBOX.c.state == WAITING, INBOX.c.at >= sa.bindparam("before")),
)
_HELD = (
    sa.select(
        sa.func.count().label("messages"),
        sa.func.coalesce(sa.func.sum(sa.func.length(LETTER.c.raw)), 0).label("bytes"),
        sa.func.min(INBOX.c.at).label("oldest"),
    )
    .select_from(INBOX.join(LETTER, LETTER.c.sha256 == INBOX.c.sha256))
    .where(_IS_STRAY)
)


class Held(NamedTuple):
    """How much of strangers' mail is kept, and since when."""

    messages: int
    bytes: int
    oldest: datetime | None


def held(tx: Read) -> Held:
    """Return how many messages of nobody's game are kept, how many bytes they take, and when the oldest came."""
    return Held(*tx.one(_HELD))


def any_due(tx: Read, before: datetime) -> bool:
    """Return whether a message of nobody's game came before that instant and is still kept."""
    return tx.one(_ANY, {"before": before}) is not None


def count(tx: Read, before: datetime) -> int:
    """Return how many messages of nobody's game came before that instant and are still kept."""
    return int(tx.one(_COUNT, {"before": before})[0])


def purge(tx: Write, before: datetime, at: datetime) -> int:
    """Empty a batch of the messages of nobody's game that came before that instant; return how many there were. Their
    place in the file is free for others; `Ledger.compact` writes the file anew."""
    due: Sequence[sa.Row[tuple[str, str]]] = tx.all(_DUE, {"before": before})
    if not due:
        return 0
    names = sorted({row.sha256 for row in due})
    others = {row.sha256 for row in tx.all(_OTHERS, {"names": names, "before": before})}
    emptied = [name for name in names if name not in others]
    tx.append(HOST, "purged", at, {"letters": emptied, "messages": [[row.message_id, row.sha256] for row in due]})
    if emptied:
        tx.run(sa.update(LETTER).where(LETTER.c.sha256.in_(emptied)).values(raw=b""))
    return len(due)
