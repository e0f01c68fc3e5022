"""Readers: who can read what players write to each other. Each player is told with his first words in a game."""

from __future__ import annotations

from datetime import datetime

from engine import Notice, Seat
from pbem.game.sheet import Sheet
from pbem.ledger import games, journal
from pbem.ledger.transaction import Read, Write

READERS_TOLD = "readers_told"


def readers(tx: Read, sheet: Sheet, seat: Seat) -> tuple[Notice, ...]:
    """Return what a player has to know before he relies on private words; nothing once he was told in this game."""
    player = _player(tx, sheet, seat)
    rows = journal.rows(tx, sheet.name, kinds=(READERS_TOLD,))
    if any(row.seat == seat and row.facts()["player"] == player for row in rows):
        return ()
    text = (
        "Who reads your words: the seats that you write to, and nobody else who plays. The host can read them, too."
        " What you send with `say` leaves at once; what stands in an order form leaves with the next report."
        " No public file holds your words, not even once the game is over."
    )
    told = [Notice("", "readers", text)]
    if sheet.masks:
        masked = "Words without your name keep it from those who play. The host can look it up."
        told.append(Notice("", "readers_masked", masked))
    return tuple(told)


def note_told(tx: Write, sheet: Sheet, seat: Seat, turn: int | None, now: datetime) -> None:
    """Write down that a player was told, so that he is told once."""
    tx.append(sheet.name, READERS_TOLD, now, {"player": _player(tx, sheet, seat)}, turn, seat)


def _player(tx: Read, sheet: Sheet, seat: Seat) -> str:
    row = games.glance(tx, sheet.name)
    assert row is not None, "the game of a seat that is proven"
    return row.seats[seat]
