"""Games as they stand: one, all, and those that are due.

A game changes by rows of the journal (`tx.append`): nothing here changes one, but for the count of attempts, which must
be on disk before a turn is tried, since a turn that kills its process can write no row.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from pbem.ledger.tables import GAME
from pbem.ledger.transaction import Read, Write

OPEN, OVER, HALTED, HELD, SEEDING = "open", "over", "halted", "held", "seeding"
SAID = {
    OPEN: "open",
    OVER: "over",
    HALTED: "halted",
    HELD: "paused",
    SEEDING: "waiting for its dice",
}  # what players read, in their own language


@dataclass(frozen=True, slots=True)
class GameRow:
    """One hosted game. `turn` is the decision point now open; `seats` names the players by their commitments."""

    name: str
    rules: str
    version: str
    options: dict[str, Any]
    seats: dict[str, str]
    status: str
    turn: int
    decision: str
    pending: list[str]
    at_once: int  # moves out of turn since this turn was opened
    due_at: datetime | None  # when a run has to look at it: the deadline, or earlier when everyone has answered
    deadline_at: datetime | None  # what the players were told
    resigned: list[str]
    schedule: Any
    attempts: int
    created_at: datetime
    state: Any  # as the rules dumped it
    deeds: Any  # what each seat's next conditionals may look at
    attendance: Any = None  # who came, was late, stayed away; and what silence means
    remind_at: datetime | None = None  # when somebody may have to be reminded

    @property
    def pinned(self) -> str:
        """Its rules in the version that it was begun under, which it keeps to its end."""
        return f"{self.rules}@{self.version}"


_NAMES = [field.name for field in fields(GameRow)]
_COLUMNS = [GAME.c[name] for name in _NAMES]
_LIGHT = [sa.null().label(name) if name in ("state", "deeds") else GAME.c[name] for name in _NAMES]
_EVERY = sa.select(*_COLUMNS).order_by(GAME.c.name)
_EVERY_OF = _EVERY.where(GAME.c.status == sa.bindparam("status"))
_GLANCE = sa.select(*_LIGHT).where(GAME.c.name == sa.bindparam("name"))
_GET = sa.select(*_COLUMNS).where(GAME.c.name == sa.bindparam("name"))
# The status stands in the text of the query: with a parameter SQLite would not see that the index of open games fits.
_DUE = (
    sa.select(GAME.c.name)
    .where(sa.text("status = 'open'"), GAME.c.due_at <= sa.bindparam("now"))
    .order_by(GAME.c.due_at, GAME.c.name)
)
_ANY_DUE = _DUE.limit(1)
_TRIED = _DUE.where(GAME.c.attempts > 0).order_by(None).order_by(GAME.c.attempts, GAME.c.due_at, GAME.c.name)
_AMONG = GAME.c.name.in_(sa.bindparam("names", expanding=True))
_ATTEMPTS = sa.select(GAME.c.name, GAME.c.attempts).where(_AMONG)
_REMIND = (
    sa.select(GAME.c.name)
    .where(sa.text("status = 'open'"), GAME.c.remind_at <= sa.bindparam("now"))
    .order_by(GAME.c.remind_at, GAME.c.name)
)

_SEEDING = (
    sa.select(GAME.c.name)
    .where(sa.text("status = 'seeding'"), GAME.c.due_at <= sa.bindparam("now"))
    .order_by(GAME.c.due_at, GAME.c.name)
)


def get(tx: Read, name: str) -> GameRow | None:
    """The game of that name."""
    found = tx.one(_GET, {"name": name})
    return None if found is None else GameRow(*found)


def due(tx: Read, now: datetime, among: Collection[str] | None = None) -> list[str]:
    """The open games, or those among these, whose deadline has come, the longest overdue first. Reads no others."""
    return _names(tx, _DUE, now, among)


def tried_before(tx: Read, now: datetime, among: Collection[str] | None = None) -> list[str]:
    """Those of the games that are due at which an attempt was made that came to nothing, the fewest attempts first."""
    return _names(tx, _TRIED, now, among)


def _names(tx: Read, query: sa.Select[tuple[str]], now: datetime, among: Collection[str] | None) -> list[str]:
    if among is None:
        return [row.name for row in tx.all(query, {"now": now})]
    return [row.name for row in tx.all(query.where(_AMONG), {"now": now, "names": list(among)})]


def seeding_due(tx: Read, now: datetime) -> list[str]:
    """Return the games whose dice are being settled and whose deadline for that has come."""
    return [row.name for row in tx.all(_SEEDING, {"now": now})]


def is_seeding(tx: Read, name: str) -> bool:
    """Return whether the dice of that game are still being settled."""
    found = glance(tx, name)
    return found is not None and found.status == SEEDING


def any_due(tx: Read, now: datetime) -> bool:
    """Whether any deadline has come."""
    return tx.one(_ANY_DUE, {"now": now}) is not None


def to_remind(tx: Read, until: datetime) -> list[str]:
    """The open games in which somebody may have to be reminded by that moment, the soonest first."""
    return [row.name for row in tx.all(_REMIND, {"now": until})]


def forgive(tx: Write, name: str) -> None:
    """An attempt that found nothing to resolve does not count against the game."""
    tx.change(GAME, {"name": name}, {"attempts": 0})


def every(tx: Read, status: str | None = None) -> Iterator[GameRow]:
    """All games, or those with that status, by name."""
    for row in tx.each(_EVERY) if status is None else tx.each(_EVERY_OF, {"status": status}):
        yield GameRow(*row)


def glance(tx: Read, name: str) -> GameRow | None:
    """The game of that name without its state, which takes time to unpack."""
    found = tx.one(_GLANCE, {"name": name})
    return None if found is None else GameRow(*found)


def of_player(tx: Read, player: str) -> list[GameRow]:
    """The games in which that player (by his commitment) has a seat, by name; without their states."""
    query = sa.select(*_LIGHT).where(GAME.c.seats.cast(sa.Text).contains(player)).order_by(GAME.c.name)
    return [GameRow(*row) for row in tx.all(query)]


def ever_of_player(tx: Read, player: str) -> list[GameRow]:
    """The games in which that player (by his commitment) has a seat or had one, by name; without their states."""
    sits, sat = (column.cast(sa.Text).contains(player) for column in (GAME.c.seats, GAME.c.attendance))
    return [GameRow(*row) for row in tx.all(sa.select(*_LIGHT).where(sits | sat).order_by(GAME.c.name))]


def attempt(tx: Write, names: Collection[str]) -> dict[str, int]:
    """Count an attempt at the open turn of each game, to be committed before it is made; gives the numbers of these
    attempts. Resolving the turn sets the count back to 0.
    """
    found = {row.name: row.attempts for row in tx.all(_ATTEMPTS, {"names": list(names)})}
    for name in names:
        if name not in found:
            raise LookupError(f"the ledger has no game {name!r}")
    tried = {name: found[name] + 1 for name in names}
    for name, attempts in tried.items():
        tx.change(GAME, {"name": name}, {"attempts": attempts})
    return tried
