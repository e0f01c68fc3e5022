"""Budgets: how much of what is limited was used in its current period, one row for each owner and kind.

The owner is a seat (`game/seat`) or a player (by commitment); a period is a day of UTC or a decision of a game. A row
holds its newest period alone, so the table does not grow with history. All of it follows from rows of the journal:
messages of a seat, and mails that answer somebody.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa

from pbem.ledger.tables import BUDGET, QUEUE
from pbem.ledger.transaction import Read, Write

RECEIPTS, ANSWERS = "receipts", "answers"  # what a mail is counted to that does not name its budget
OF_SEATS = frozenset({RECEIPTS, "old_receipts"})  # budgets of mails that a seat has; all others are a player's
MESSAGES, OLD_MESSAGES = "messages", "old_messages"  # with the current key, and with older ones, in one decision
DAILY, BYTES, REFUSED = "daily", "bytes", "refused"

_SPENT = sa.select(BUDGET.c.period, BUDGET.c.spent).where(
    BUDGET.c.owner == sa.bindparam("owner"), BUDGET.c.kind == sa.bindparam("kind")
)
_SPEND = sa.text(
    "INSERT INTO budget (owner, kind, period, spent) VALUES (:owner, :kind, :period, :spent)"
    " ON CONFLICT (owner, kind) DO UPDATE SET period = excluded.period, spent = excluded.spent"
    " + CASE WHEN budget.period = excluded.period THEN budget.spent ELSE 0 END"
)
_SEATS = sa.select(QUEUE.c.seat).where(QUEUE.c.game == sa.bindparam("game"))
_ALL_ANEW = sa.delete(BUDGET).where(BUDGET.c.owner == sa.bindparam("owner"))
_ANEW = _ALL_ANEW.where(BUDGET.c.kind.in_((MESSAGES, OLD_MESSAGES)))


def seat_of(game: str, seat: str) -> str:
    """The owner's name of a seat."""
    return f"{game}/{seat}"


def spent(tx: Read, owner: str, kind: str, period: str) -> int:
    """How much of that budget was used in that period."""
    found = tx.one(_SPENT, {"owner": owner, "kind": kind})
    return int(found.spent) if found is not None and found.period == period else 0


def spend(tx: Write, owner: str, kind: str, period: str, much: int = 1) -> None:
    """Count so much more; the first of a new period begins at nothing."""
    tx.gather(_SPEND, {"owner": owner, "kind": kind, "period": period, "spent": much})


def count_message(tx: Write, game: str, seat: str, turn: int, body: Mapping[str, Any], day: str, size: int) -> None:
    """Count one message of a seat. One with an old key uses up nothing of what those with the current key may use."""
    owner = seat_of(game, seat)
    if body.get("old_key"):
        spend(tx, owner, OLD_MESSAGES, str(turn))
        return
    spend(tx, owner, MESSAGES, str(turn))
    spend(tx, owner, DAILY, day)
    if size:
        spend(tx, owner, BYTES, day, size)


def count_mail(tx: Write, game: str, seat: str | None, body: Mapping[str, Any]) -> None:
    """Count one mail that answers somebody, to the budget that it names, or that its kind has."""
    kind = body.get("budget") or (RECEIPTS if body["kind"] == "receipt" else ANSWERS)
    owner = seat_of(game, seat) if kind in OF_SEATS and seat is not None else body.get("answers")
    if owner:
        spend(tx, owner, kind, body["date"][:10])


def open_again(tx: Write, game: str) -> None:
    """Forget what the seats sent in the open decision: after a take-back it is another one under the same number."""
    for row in tx.all(_SEATS, {"game": game}):
        tx.run(_ANEW, {"owner": seat_of(game, row.seat)})


def change_hands(tx: Write, game: str, seat: str) -> None:
    """Forget what was counted for a seat: another player has it now."""
    tx.run(_ALL_ANEW, {"owner": seat_of(game, seat)})
