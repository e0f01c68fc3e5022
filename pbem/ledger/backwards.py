"""Backwards: what waited for each seat at a place in the past, by the rows that changed it."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from pbem.ledger import journal
from pbem.ledger.transaction import Read

CHANGING = ("submission", "turn", "at_once", "ruling", "taken_back")


def queues_at(tx: Read, chain: str, seats: Collection[str], seq: int) -> dict[str, Any]:
    """Every seat's queue as it lay in the ledger once the row at that place was written; None where nothing waited."""
    found: dict[str, Any] = {}
    for row in journal.rows(tx, chain, kinds=CHANGING, upto=seq, newest_first=True):
        facts = row.facts()
        told: dict[str, Any] = facts.get("queues", {})
        if row.seat is not None and "queue" in facts:
            told = {row.seat: facts["queue"]}
        for seat, waits in told.items():
            found.setdefault(seat, waits)
        if set(seats) <= found.keys():
            break
    return {seat: found.get(seat) for seat in seats}
