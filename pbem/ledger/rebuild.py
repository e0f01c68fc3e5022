"""Rebuilding: the projections dropped and made again from the journal, by the same steps that made them first."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import sqlalchemy as sa

from pbem.ledger import journal
from pbem.ledger.chain import START, Content
from pbem.ledger.project import project
from pbem.ledger.store import Ledger
from pbem.ledger.tables import HEAD, PROJECTIONS, SECRET
from pbem.ledger.transaction import Write

_EMPTIED = [sa.delete(table) for table in PROJECTIONS]
_CHAINS = sa.select(SECRET.c.chain).order_by(SECRET.c.chain)


def rebuild(ledger: Ledger) -> int:
    """Make all projections anew, in one transaction; gives the number of rows read."""
    with ledger.write() as tx:
        for statement in _EMPTIED:
            tx.run(statement)
        ends: dict[str, tuple[int, bytes, datetime | None]] = {row.chain: (0, START, None) for row in tx.all(_CHAINS)}
        count = 0
        for row in journal.rows(tx):
            body = row.facts()
            project(tx, Content(row.chain, row.seq, row.kind, row.at, row.turn, row.seat, row.body), body)
            ends[row.chain] = (row.seq, row.hash, row.at)
            count += 1
        _heads(tx, ends)
    return count


def _heads(tx: Write, ends: dict[str, tuple[int, bytes, Any]]) -> None:
    for chain, (seq, head, at) in ends.items():
        tx.add(HEAD, {"chain": chain, "seq": seq, "hash": head, "at": at})
