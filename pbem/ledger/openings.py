"""Openings: games that wait for their players. What happens to one stands on the host's chain; persons by commitments.

Who has asked by mail and not shown yet that mail reaches him stands beside the chain, with his address.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from pbem.ledger import codes, players
from pbem.ledger.chain import HOST
from pbem.ledger.players import PlayerRow
from pbem.ledger.tables import JOINING, OPENING
from pbem.ledger.times import stamp
from pbem.ledger.transaction import Read, Write


@dataclass(frozen=True, slots=True)
class Opening:
    """A game that waits: what the host wants of it, who sits where so far, and until when it waits."""

    name: str
    wanted: dict[str, Any]
    seats: dict[str, str]
    at: datetime
    until: datetime | None

    @property
    def free(self) -> tuple[str, ...]:
        """The seats that nobody has taken."""
        return tuple(seat for seat in self.wanted["seats"] if seat not in self.seats)

    def is_past(self, now: datetime) -> bool:
        return self.until is not None and self.until <= now


class Asking(NamedTuple):
    """Somebody who would like a seat, and the code that they were sent."""

    code: str
    opening: str
    seat: str | None
    name: str
    address: str
    lang: str
    asked_at: datetime


_COLUMNS = [OPENING.c[field.name] for field in fields(Opening)]
_GET = sa.select(*_COLUMNS).where(OPENING.c.name == sa.bindparam("name"))
_PAST = sa.select(*_COLUMNS).where(OPENING.c.until <= sa.bindparam("now")).order_by(OPENING.c.until, OPENING.c.name)
_ASKED = sa.select(*(JOINING.c[name] for name in Asking._fields)).order_by(JOINING.c.code)


def begin(
    tx: Write, name: str, wanted: dict[str, Any], seats: dict[str, str], until: datetime | None, at: datetime
) -> None:
    body = {"name": name, "wanted": wanted, "seats": seats, "until": None if until is None else stamp(until)}
    tx.append(HOST, "opening", at, body)


def join(tx: Write, name: str, seat: str, player: str, at: datetime) -> None:
    tx.append(HOST, "opening_joined", at, {"name": name, "seat": seat, "player": player})


def leave(tx: Write, name: str, seat: str, at: datetime) -> None:
    tx.append(HOST, "opening_left", at, {"name": name, "seat": seat})


def close(tx: Write, name: str, at: datetime, *, begun: bool, reason: str = "") -> None:
    """The game begins, or will never; nobody who has asked is waited for any more."""
    tx.append(HOST, "opening_closed", at, {"name": name, "begun": begun, "reason": reason})
    tx.run(sa.delete(JOINING).where(JOINING.c.opening == name))


def get(tx: Read, name: str) -> Opening | None:
    """The opening of that name."""
    found = tx.one(_GET, {"name": name})
    return None if found is None else Opening(*found)


def every(tx: Read) -> list[Opening]:
    """All that wait, by name."""
    return [Opening(*row) for row in tx.all(sa.select(*_COLUMNS).order_by(OPENING.c.name))]


def past(tx: Read, now: datetime) -> list[Opening]:
    """Those that have waited long enough, the longest overdue first."""
    return [Opening(*row) for row in tx.all(_PAST, {"now": now})]


# --- who has asked ----------------------------------------------------------------------------------------------------


def ask(tx: Write, asking: Asking) -> None:
    """Keep that somebody has asked; it takes the place of what he asked before for that game."""
    tx.run(sa.delete(JOINING).where(JOINING.c.opening == asking.opening, JOINING.c.address == asking.address))
    tx.add(JOINING, asking._asdict() | {"code": codes.sealed(tx.keys, "joining", asking.code)})


def asked(tx: Read) -> list[Asking]:
    """All who have asked."""
    found = (Asking(*row) for row in tx.all(_ASKED))
    return [one._replace(code=codes.opened(tx.keys, one.code)) for one in found]


def move(tx: Write, player: PlayerRow, address: str) -> None:
    """A player has another address from now on; what came from the one he had, as far as it was his, goes along. Left
    behind, it would be nobody's, and he a stranger when he answers by its code."""
    old = player.address or ""
    asker = players.by_address(tx, old)
    if asker is None or asker.commitment != player.commitment:
        return
    mine = [one for one in asked(tx) if one.address.lower() == old.lower()]
    forget(tx, old)
    for one in mine:
        ask(tx, one._replace(address=address))


def forget(tx: Write, address: str) -> None:
    """Nothing is kept of what came from that address."""
    tx.run(sa.delete(JOINING).where(sa.func.lower(JOINING.c.address) == address.lower()))
