"""The page that somebody asks for: a seat's, or the public one."""

from __future__ import annotations

from pbem.config import Config
from pbem.ledger.transaction import Read
from pbem.pages.public import public_page
from pbem.pages.seat import seat_page


def page(tx: Read, config: Config, name: str, seat: str | None, turn: int | None) -> str:
    """The page of a game as of that turn (the last one, unless named)."""
    return public_page(tx, config, name, turn) if seat is None else seat_page(tx, config, name, seat, turn)
