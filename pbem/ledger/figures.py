"""Figures of the whole ledger, each from an end of an index: a large ledger is asked as quickly as a small one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from pbem.ledger.tables import GAME, INBOX, JOURNAL, OUTBOX
from pbem.ledger.transaction import Read

# The conditions stand in the text of the queries, so that SQLite sees that its partial indexes fit.
_LAST_ROW, _LAST_LETTER, _LAST_MAIL = (sa.select(sa.func.max(table.c.id)) for table in (JOURNAL, INBOX, OUTBOX))
_DUE = sa.select(sa.func.count(), sa.func.min(GAME.c.due_at)).where(
    sa.text("status = 'open'"), GAME.c.due_at <= sa.bindparam("now")
)
_COUNT = sa.select(sa.func.count())
_LETTERS = _COUNT.select_from(INBOX).where(sa.text("state = 'waiting'"))
_MAILS = _COUNT.select_from(OUTBOX).where(sa.text("next_try_at IS NOT NULL"))
_LOST = _COUNT.select_from(OUTBOX).where(sa.text("next_try_at IS NULL AND state <> 'sent'"))


@dataclass(frozen=True, slots=True)
class Figures:
    """How much there is and how much waits. `journal`, `letters` and `mails` only ever grow."""

    journal: int
    letters: int
    mails: int
    games_due: int
    longest_due: datetime | None
    letters_waiting: int
    mails_waiting: int
    mails_lost: int


def figures(tx: Read, now: datetime) -> Figures:
    """All of them, as they stand."""
    due = tx.one(_DUE, {"now": now})
    assert due is not None
    return Figures(
        journal=_number(tx, _LAST_ROW),
        letters=_number(tx, _LAST_LETTER),
        mails=_number(tx, _LAST_MAIL),
        games_due=int(due[0]),
        longest_due=due[1],
        letters_waiting=_number(tx, _LETTERS),
        mails_waiting=_number(tx, _MAILS),
        mails_lost=_number(tx, _LOST),
    )


def _number(tx: Read, query: sa.Executable) -> int:
    found = tx.one(query)
    return int(found[0] or 0) if found is not None else 0
