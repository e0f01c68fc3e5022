"""Contacts: how the exchange with a player goes, and changes of address that wait to be confirmed."""

from __future__ import annotations

import hashlib
from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa

from engine.canon import canonical
from pbem.ledger.chain import HOST
from pbem.ledger.players import PlayerRow
from pbem.ledger.tables import CONTACT, NEW_ADDRESS
from pbem.ledger.transaction import Read, Write

FAILING = 3  # mails in a row that came back: the address is taken for one that does not work


class Contact(NamedTuple):
    """A player by his commitment; the answers he was sent on the last day he was sent any, and bounces in a row."""

    player: str
    day: str
    answers: int
    bounces: int

    @property
    def failing(self) -> bool:
        return self.bounces >= FAILING


class NewAddress(NamedTuple):
    """An address that a player will have once he has shown, with the code, that mail reaches him there."""

    player: str
    address: str
    code: str
    asked_at: datetime


_CONTACT = [CONTACT.c[name] for name in Contact._fields]
_GET = sa.select(*_CONTACT).where(CONTACT.c.player == sa.bindparam("player"))
_NEW = [NEW_ADDRESS.c[name] for name in NewAddress._fields]


def get(tx: Read, player: str) -> Contact:
    """How it goes with that player."""
    found = tx.one(_GET, {"player": player})
    return Contact(player, "", 0, 0) if found is None else Contact(*found)


def bouncing(tx: Read) -> list[Contact]:
    """The players whose mail came back, those of whom most did first."""
    query = sa.select(*_CONTACT).where(CONTACT.c.bounces > 0).order_by(CONTACT.c.bounces.desc(), CONTACT.c.player)
    return [Contact(*row) for row in tx.all(query)]


def answers_on(tx: Read, player: str, day: str) -> int:
    """How many answers that player was sent on that day."""
    found = get(tx, player)
    return found.answers if found.day == day else 0


def bounced(tx: Write, player: str, message_id: str, status: str, at: datetime) -> None:
    """Write down that a mail to a player came back."""
    tx.append(HOST, "bounce", at, {"player": player, "message_id": message_id, "status": status})


def reached(tx: Write, player: str, at: datetime) -> None:
    """Write down that mail reaches a player again."""
    tx.append(HOST, "reached", at, {"player": player})


# --- changes of address -----------------------------------------------------------------------------------------------


def ask(tx: Write, player: PlayerRow, address: str, code: str, at: datetime) -> None:
    """A change that waits; it takes the place of one asked for before. The chain learns a commitment to the address."""
    assert player.salt is not None, "a player who was forgotten asks for nothing"
    forget(tx, player.commitment)
    tx.add(NEW_ADDRESS, {"player": player.commitment, "address": address, "code": code, "asked_at": at})
    asked = hashlib.sha256(player.salt + canonical({"new_address": address})).hexdigest()
    tx.append(HOST, "player", at, {"commitment": player.commitment, "asked": asked})


def asked_for(tx: Read, player: str) -> NewAddress | None:
    """The change that a player waits for."""
    found = tx.one(sa.select(*_NEW).where(NEW_ADDRESS.c.player == player))
    return None if found is None else NewAddress(*found)


def asked(tx: Read) -> list[NewAddress]:
    """All changes that wait."""
    return [NewAddress(*row) for row in tx.all(sa.select(*_NEW).order_by(NEW_ADDRESS.c.player))]


def forget(tx: Write, player: str) -> None:
    """No change of that player's address waits any more."""
    tx.run(sa.delete(NEW_ADDRESS).where(NEW_ADDRESS.c.player == player))
