"""Nights: which runs were begun, and whether anything waits for one."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa

from pbem.ledger.tables import GAME, INBOX, NEW_ADDRESS, NIGHT, OPENING, OUTBOX
from pbem.ledger.transaction import Read


class NightRow(NamedTuple):
    """One run: its place on the host's chain, and the instant it works at."""

    seq: int
    at: datetime
    off_since: datetime | None = None  # since when the host was not at work before it


_FIRST_GAME = sa.select(sa.func.min(GAME.c.created_at).label("begun"))
_LAST = sa.select(NIGHT.c.seq, NIGHT.c.at, NIGHT.c.off_since, NIGHT.c.done).order_by(NIGHT.c.seq.desc()).limit(1)
# The conditions stand in the text of the queries, so that SQLite sees that its partial indexes fit.
_LETTER = sa.select(INBOX.c.id).where(sa.text("state = 'waiting'")).limit(1)
_OPENING = sa.select(OPENING.c.name).where(OPENING.c.until <= sa.bindparam("now")).limit(1)
_ADDRESS = (
    sa.select(NEW_ADDRESS.c.player)
    .where(NEW_ADDRESS.c.confirmed_at.is_not(None), NEW_ADDRESS.c.holds_from <= sa.bindparam("now"))
    .limit(1)
)
_MAIL = (
    sa.select(OUTBOX.c.id)
    .where(sa.text("next_try_at IS NOT NULL"), OUTBOX.c.next_try_at <= sa.bindparam("now"))
    .limit(1)
)


def unfinished(tx: Read) -> NightRow | None:
    """The last run, when it was begun and did not come to its end."""
    last = tx.one(_LAST)
    return None if last is None or last.done else NightRow(last.seq, last.at, last.off_since)


def last(tx: Read) -> datetime | None:
    """When the last run that had something to do was."""
    found = tx.one(_LAST)
    return None if found is None else found.at


def at_work(tx: Read) -> datetime | None:
    """When the host was last at work: its last run or, before the first, when its first game began."""
    return last(tx) or tx.one(_FIRST_GAME).begun


def any_waiting(tx: Read, now: datetime) -> bool:
    """Return whether a letter waits to be judged, a mail to be sent, a game in vain for its players, or a change of
    address to take effect."""
    if tx.one(_OPENING, {"now": now}) is not None or tx.one(_ADDRESS, {"now": now}) is not None:
        return True
    return tx.one(_LETTER) is not None or tx.one(_MAIL, {"now": now}) is not None
