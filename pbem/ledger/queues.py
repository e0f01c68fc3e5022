"""Queues: what waits to be played for each seat, and how many submissions the seat has made.

Queues change by rows of the journal: a `submission` whose body has `queue`, and a `turn` whose body has `queues`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from pbem.ledger.opening import waiting_of
from pbem.ledger.tables import QUEUE
from pbem.ledger.transaction import Read


@dataclass(frozen=True, slots=True)
class SeatQueue:
    """One seat's queue as JSON (None: nothing), the number of its last submission, mails that came in its name without
    its key since its last report, its last word on days of absence, and its messages without an answer."""

    body: Any
    counter: int
    keyless: int = 0
    away: Any = None
    unanswered: Any = None


_OF_GAME = (
    sa.select(QUEUE.c.seat, QUEUE.c.body, QUEUE.c.counter, QUEUE.c.keyless, QUEUE.c.away, QUEUE.c.unanswered)
    .where(QUEUE.c.game == sa.bindparam("game"))
    .order_by(QUEUE.c.seat)
)


def of_game(tx: Read, game: str) -> dict[str, SeatQueue]:
    """Every seat's queue, opened where it is sealed."""
    return {
        row.seat: SeatQueue(waiting_of(tx, game, row.seat, row.body), *row[2:])
        for row in tx.all(_OF_GAME, {"game": game})
    }
