"""When the key is lost, or another one lies in its place: what cannot be opened any more, and how games go on without
what lay sealed in them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from pbem.attending.attendance import FAR_OFF
from pbem.clock import stamp
from pbem.config import Config
from pbem.errors import NO, Trouble
from pbem.ledger import Ledger, games, journal, letters, outbox
from pbem.ledger.chain import HOST
from pbem.ledger.opening import waiting_of
from pbem.ledger.own_key import NEW_KEY, seals
from pbem.ledger.seals import SUFFIX, KeyLost, key_file
from pbem.ledger.tables import QUEUE
from pbem.ledger.transaction import Read, Write
from pbem.locks import NIGHT, alone
from pbem.rulings.noticing import announce

REASON = "The key that opens sealed orders is lost. What you had ordered ahead is gone with it: please order again."


def locked(tx: Read) -> Iterator[str]:
    """The games that go on and that nobody can open: something waits in them under a key that is not here, or they are
    sealed and there is no key at all."""
    without = not tx.keys.names
    for game in games.every(tx):
        if game.status != games.OVER and (_shut(tx, game.name) or (without and _is_sealed(tx, game.name))):
            yield game.name


def _is_sealed(tx: Read, name: str) -> bool:
    first = journal.at(tx, name, 1)
    return first is not None and bool(first.facts().get("sealed"))


def _shut(tx: Read, name: str) -> list[str]:
    """The seats whose orders cannot be opened."""
    shut = []
    for row in tx.all(sa.select(QUEUE.c.seat, QUEUE.c.body).where(QUEUE.c.game == name).order_by(QUEUE.c.seat)):
        try:
            waiting_of(tx, name, row.seat, row.body)
        except KeyLost:
            shut.append(row.seat)
    return shut


def new_key(config: Config, now: datetime, reason: str) -> list[str]:
    """Go on with a new key: orders that nobody can open are struck by a ruling, and all seats of their games are told.

    Trouble when nothing is lost. Gives the games.
    """
    with alone(config.place, NIGHT):
        with closing(Ledger.open(config.place)) as ledger, ledger.read() as tx:
            lost, gone = {name: _shut(tx, name) for name in locked(tx)}, seals(tx).missing
            if not lost and not gone:
                raise Trouble("Nothing is lost: every order that waits can be opened.", NO)
        key_file(config.place.beside(SUFFIX))
        with closing(Ledger.open(config.place)) as ledger:
            # First of all: until a key is given up, a ledger takes no other one's for its own.
            with ledger.write() as tx:
                tx.append(HOST, "ruling", now, {"act": NEW_KEY, "reason": reason, "lost": list(gone)})
                _set_aside(tx, now)
            for name, seats in lost.items():
                with ledger.write() as tx:
                    _struck(tx, config, name, seats, now, reason)
    return list(lost)


def _set_aside(tx: Write, now: datetime) -> None:
    """Letters that nobody can judge any more, and mails that nobody can send."""
    for letter in letters.waiting(tx):
        try:
            letters.get(tx, letter.sha256)
        except KeyLost:
            more = {"reason": "it is sealed, and its key is lost"}
            letters.settle(tx, letter.sha256, letter.message_id, letters.QUARANTINED, now, more)
    for mail in outbox.due(tx, FAR_OFF):
        if not outbox.raw(tx, mail.message_id):
            outbox.fate(tx, mail, outbox.REFUSED, now, "it is sealed, and its key is lost")


def _struck(tx: Write, config: Config, name: str, seats: list[str], now: datetime, reason: str) -> None:
    game = games.get(tx, name)
    assert game is not None
    body: dict[str, Any] = {"act": NEW_KEY, "reason": reason, "queues": dict.fromkeys(seats)}
    if game.status == games.OPEN and game.deadline_at is not None:
        body["due_at"] = stamp(game.deadline_at)  # who had answered has not, now
    tx.append(name, "ruling", now, body, game.turn)
    if seats:
        announce(tx, config, name, "ruling", now, text=REASON)
