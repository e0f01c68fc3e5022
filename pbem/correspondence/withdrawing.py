"""Withdrawing: a seat takes back all that it has said ahead, orders, draft, standing answers and press that waits."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

from engine.queue import NO_ORDERS
from pbem.attending.answers import due_after
from pbem.clock import stamp
from pbem.game.sheet import submission
from pbem.ledger.letters import Waiting
from pbem.submitting.identity import Proven


def withdrawn(given: Proven, message: Waiting, now: datetime) -> dict[str, Any]:
    """The submission's row after which nothing stands. To be asked apart."""
    found = given.opened()
    seat, standing = found.seat, found.standing
    says = {other: said for other, said in standing.says.items() if other != seat}
    after = replace(standing, orders={**standing.orders, seat: NO_ORDERS}, says=says)
    due = due_after(found.sheet, after, now)
    body = {
        "letter": message.sha256,
        "route": message.route,
        "message_id": message.message_id,
        "counter": standing.counters.get(seat, 0) + 1,
        "fate": "accepted",
        "withdraws": True,
        "orders": None,
        "draft": False,
        "standing": None,
        "extra": {},
        "say": {},
        "understood": [],
        "refusals": [],
        "warnings": [],
        "replaces": standing.sources.get(seat),
        "queue": None,
        "due_at": None if due is None else stamp(due),
    }
    return submission(found.sheet, seat, body)
