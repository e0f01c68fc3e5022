"""Looks: whoever sees what is still secret in a running game is written down, before he sees it."""

from __future__ import annotations

from datetime import datetime

from pbem.audit import book as books
from pbem.ledger.store import Ledger


def note(
    ledger: Ledger, game: str, what: str, who: str, at: datetime, *, turn: int | None = None, seat: str | None = None
) -> bool:
    """Put a `look` on the game's chain; a game that is over has no secrets, and nothing is written."""
    with books.of_ledger(ledger, game) as book:
        books.refuse_match(book)
        if books.is_over(book):
            return False
    with ledger.write() as tx:
        tx.append(game, "look", at, {"who": who, "what": what}, turn, seat)
    return True
