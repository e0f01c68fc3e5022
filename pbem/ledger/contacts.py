"""Contacts: how the exchange with a player goes, and changes of address that wait to be confirmed."""

from __future__ import annotations

import hashlib
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from engine.canon import canonical
from pbem.ledger import codes
from pbem.ledger.chain import HOST
from pbem.ledger.players import PlayerRow
from pbem.ledger.tables import CONTACT, NEW_ADDRESS
from pbem.ledger.transaction import Read, Write

CODES = ("code", "agree_code", "veto_code")  # of a change of address; sealed where they are stored
FAILING = 3  # mails in a row that came back: the address is taken for one that does not work


class Contact(NamedTuple):
    """A player by commitment, and how many mails to them came back in a row."""

    player: str
    bounces: int

    @property
    def failing(self) -> bool:
        return self.bounces >= FAILING


class NewAddress(NamedTuple):
    """A change of address that waits.

    `code` was mailed to the new address and confirms it; `agree_code` and `veto_code` were mailed to the old one. The
    change takes effect once the new address is confirmed, and not before `holds_from`: the moment at which the old
    address agreed, or else the end of the days in which it can veto. `letter` is the mail that told the old address;
    the days count from when it has left. A change that was vetoed leaves only the moment of the veto.
    """

    player: str
    address: str
    code: str
    asked_at: datetime
    agree_code: str = ""
    veto_code: str = ""
    letter: str = ""
    holds_from: datetime | None = None
    confirmed_at: datetime | None = None
    vetoed_at: datetime | None = None


_CONTACT = [CONTACT.c[name] for name in Contact._fields]
_GET = sa.select(*_CONTACT).where(CONTACT.c.player == sa.bindparam("player"))
_NEW = [NEW_ADDRESS.c[name] for name in NewAddress._fields]
_WAITING = sa.select(*_NEW).where(NEW_ADDRESS.c.vetoed_at.is_(None)).order_by(NEW_ADDRESS.c.player)


def get(tx: Read, player: str) -> Contact:
    """How it goes with that player."""
    found = tx.one(_GET, {"player": player})
    return Contact(player, 0) if found is None else Contact(*found)


def bouncing(tx: Read) -> list[Contact]:
    """The players whose mail came back, those of whom most did first."""
    query = sa.select(*_CONTACT).where(CONTACT.c.bounces > 0).order_by(CONTACT.c.bounces.desc(), CONTACT.c.player)
    return [Contact(*row) for row in tx.all(query)]


def bounced(tx: Write, player: str, message_id: str, status: str, at: datetime) -> None:
    """Write down that a mail to a player came back."""
    tx.append(HOST, "bounce", at, {"player": player, "message_id": message_id, "status": status})


def reached(tx: Write, player: str, at: datetime) -> None:
    """Write down that mail reaches a player again."""
    tx.append(HOST, "reached", at, {"player": player})


# --- changes of address -----------------------------------------------------------------------------------------------


def ask(tx: Write, player: PlayerRow, new: NewAddress) -> None:
    """Store a change that waits; it replaces one asked for before. The chain learns a commitment to the address."""
    assert player.salt is not None, "a player who was forgotten asks for nothing"
    forget(tx, player.commitment)
    tx.add(NEW_ADDRESS, new._asdict() | {name: codes.sealed(tx.keys, name, getattr(new, name)) for name in CODES})
    asked = hashlib.sha256(player.salt + canonical({"new_address": new.address})).hexdigest()
    tx.append(HOST, "player", new.asked_at, {"commitment": player.commitment, "asked": asked})


def confirmed(tx: Write, new: NewAddress, at: datetime) -> None:
    """Write down that the new address is confirmed. Its code is used up."""
    _change(tx, new, "confirmed", at, confirmed_at=at, code="")


def agreed(tx: Write, new: NewAddress, at: datetime) -> None:
    """Write down that the old address agrees: nothing is waited for but the new one. The code is used up."""
    _change(tx, new, "agreed", at, holds_from=at, agree_code="")


def vetoed(tx: Write, new: NewAddress, at: datetime) -> None:
    """Write down that a change is ended. Only the moment of it is kept."""
    nothing = dict.fromkeys(("address", "code", "agree_code", "veto_code", "letter"), "")
    _change(tx, new, "vetoed", at, **nothing, holds_from=None, confirmed_at=None, vetoed_at=at)


def _change(tx: Write, new: NewAddress, what: str, at: datetime, **values: Any) -> None:
    tx.change(NEW_ADDRESS, {"player": new.player}, values)
    tx.append(HOST, "player", at, {"commitment": new.player, "change": what})


def was_told(tx: Write, new: NewAddress, letter: str) -> None:
    """Note which mail tells the old address of a change."""
    tx.change(NEW_ADDRESS, {"player": new.player}, {"letter": letter})


def wait_until(tx: Write, new: NewAddress, holds_from: datetime) -> None:
    """Let a change wait longer."""
    tx.change(NEW_ADDRESS, {"player": new.player}, {"holds_from": holds_from})


def asked_for(tx: Read, player: str) -> NewAddress | None:
    """Return the change that a player waits for."""
    found = last_asked(tx, player)
    return None if found is None or found.vetoed_at is not None else found


def last_asked(tx: Read, player: str) -> NewAddress | None:
    """Return the last change that was asked for, one that was vetoed included."""
    found = tx.one(sa.select(*_NEW).where(NEW_ADDRESS.c.player == player))
    return None if found is None else _opened(tx, found)


def asked(tx: Read) -> list[NewAddress]:
    """Return all changes that wait."""
    return [_opened(tx, row) for row in tx.all(_WAITING)]


def _opened(tx: Read, row: Any) -> NewAddress:
    new = NewAddress(*row)
    code, agree, veto = (codes.opened(tx.keys, getattr(new, name)) for name in CODES)
    return new._replace(code=code, agree_code=agree, veto_code=veto)


def forget(tx: Write, player: str) -> None:
    """No change of that player's address waits any more."""
    tx.run(sa.delete(NEW_ADDRESS).where(NEW_ADDRESS.c.player == player))
