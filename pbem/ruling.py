"""Rulings of the referee: rows of the journal that change when or whether a game goes on, told to all its seats."""

from __future__ import annotations

from datetime import datetime

from pbem.clock import stamp
from pbem.config import Config
from pbem.errors import Trouble
from pbem.hosting import game_named
from pbem.ledger import games
from pbem.ledger.transaction import Write
from pbem.noticing import announce
from pbem.schedule import Schedule

RULING = "ruling"


def resumed(tx: Write, config: Config, name: str, now: datetime, reason: str) -> str:
    """Let a halted or paused game go on; gives its new deadline. Its attempts are forgotten."""
    game = game_named(tx, name)
    if game.status not in (games.HALTED, games.HELD):
        raise Trouble(f"{name} is {game.status}; only a game that was halted or paused can be resumed.")
    deadline = stamp(Schedule.from_json(game.schedule).deadline(now, game.turn))
    body = {"act": "resume", "reason": reason, "status": games.OPEN, "due_at": deadline, "deadline_at": deadline}
    tx.append(name, RULING, now, body, game.turn)
    announce(tx, config, name, "resumed", now, text=reason)
    return deadline


def paused(tx: Write, config: Config, name: str, now: datetime, reason: str) -> None:
    """Hold a game: nothing falls due until it is resumed."""
    game = game_named(tx, name)
    if game.status != games.OPEN:
        raise Trouble(f"{name} is {game.status}; only an open game can be paused.")
    body = {"act": "pause", "reason": reason, "status": games.HELD, "due_at": None, "deadline_at": None}
    tx.append(name, RULING, now, body, game.turn)
    announce(tx, config, name, "paused", now, text=reason)
