"""Reading the seeding of a game from its own rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.ledger import journal
from pbem.ledger.transaction import Read
from pbem.seeding.protocol import KIND, Seeding


def seeding_of(tx: Read, game: str, created: Mapping[str, Any]) -> Seeding:
    """Return how far the dice of a game are settled. Once they are, that never changes, and the rows that say so stand
    near the beginning of the game: no later row is read."""
    found = tx.lasting((KIND, game), lambda: _settled(_read(tx, game, created)))
    return found or _read(tx, game, created)


def _settled(seeding: Seeding) -> Seeding | None:
    return None if seeding.nonces is None else seeding


def _read(tx: Read, game: str, created: Mapping[str, Any]) -> Seeding:
    seeding = Seeding(created)
    for row in journal.rows(tx, game, kinds=(KIND,)):
        seeding.add(row.seat, row.facts())
        if seeding.nonces is not None:
            break
    return seeding
