"""Looks: whoever sees what is still secret in a running game is written down, before he sees it.

Where the game was begun so, its players are told of it in their next report.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pbem.attending.attendance import Attendance
from pbem.audit import book as books
from pbem.errors import Trouble
from pbem.ledger import games, queues
from pbem.ledger.store import Ledger
from pbem.ledger.transaction import Write
from pbem.reports.report import News


def note(
    ledger: Ledger, game: str, what: str, who: str, at: datetime, *, turn: int | None = None, seat: str | None = None
) -> bool:
    """Put a `look` on the game's chain; a game that is over has no secrets, and nothing is written."""
    with books.of_ledger(ledger, game) as book:
        news = News("looked", None, {"by": who}) if books.created(book).get("tells_looks") else None
        if books.is_over(book):
            return False
    if ledger.home.unwritable:
        raise Trouble(
            f"{game} is still being played, so whoever looks at its secrets is written into the ledger; {ledger.path} "
            "cannot be written to, so nothing is shown."
        )
    with ledger.write() as tx:
        tx.append(game, "look", at, {"who": who, "what": what, **_told(tx, game, news)}, turn, seat)
    return True


def _told(tx: Write, game: str, news: News | None) -> dict[str, Any]:
    """What the next report tells, with this; the same look twice is told once."""
    row = games.glance(tx, game)
    attendance = Attendance.from_json(row.attendance if row else None)
    if news is None or news in attendance.news:
        return {}
    return {"attendance": attendance.told(news).to_json()}


def ahead(ledger: Ledger, game: str, seat: str | None, who: str, at: datetime) -> dict[str, Any]:
    """What waits to be played, of one seat or of all: the look is on the chain before it is opened."""
    with books.of_ledger(ledger, game) as book:
        books.known_seat(book, seat)
    note(ledger, game, "orders that wait", who, at, seat=seat)
    with ledger.read() as tx:
        return {name: held.body for name, held in queues.of_game(tx, game).items() if seat in (None, name)}
