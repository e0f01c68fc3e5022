"""The key of a ledger: seal what an older pbem stored in clear, and go on when the key is lost.

Without its key no game goes on: the secrets that its keys, salts and dice are made of cannot be opened. Who has lost
the key gives the chains new secrets; the journal says from which row on, and commits to the new seed.
"""

from __future__ import annotations

import secrets as random_source
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from engine.dice import commitment
from pbem.agreed.taking_back import here
from pbem.attending.attendance import FAR_OFF
from pbem.clock import stamp
from pbem.config import Config
from pbem.errors import NO, Trouble
from pbem.ledger import Ledger, chain_secrets, chains, codes, games, journal, letters, matches, outbox, own_key
from pbem.ledger.chain import HOST
from pbem.ledger.games import GameRow
from pbem.ledger.opening import waiting_of
from pbem.ledger.own_key import NEW_KEY, seals
from pbem.ledger.seals import SUFFIX, KeyLost, key_file
from pbem.ledger.signing import add_key
from pbem.ledger.tables import QUEUE
from pbem.ledger.transaction import Read, Write
from pbem.ledger.troubles import NotItsKey
from pbem.locks import NIGHT, alone
from pbem.rulings.noticing import announce

REASON = (
    "The host has lost the key that opens what is sealed. What you had ordered ahead is gone with it, and the keys that"
    " you have speak for you no more: please order again with the new key in this mail."
)


def seal_secrets(ledger: Ledger) -> int:
    """Seal every secret that is stored in clear, and leave no trace of it where the ledger is stored; return how many
    chains had one. Nothing is done without a key, or under the key of another host."""
    with ledger.write() as tx:
        if tx.keys.names and _fits(tx):
            count = chain_secrets.seal_all(tx)
            codes.seal_all(tx)
        else:
            return 0
    ledger.compact()
    return count


def _fits(tx: Read) -> bool:
    try:
        own_key.look(tx)
    except NotItsKey:
        return False
    return True


def locked(tx: Read) -> Iterator[str]:
    """Yield the games that go on and that nobody can open: their secrets or what waits in them is sealed under a key
    that is not here, or they are sealed and there is no key at all."""
    without = not tx.keys.names
    for game in games.every(tx):
        if game.status != games.OVER and (
            chain_secrets.is_lost(tx, game.name) or _shut(tx, game.name) or (without and _is_sealed(tx, game.name))
        ):
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
    """Go on with a new key: chains whose secrets are lost get new ones, orders that nobody can open are struck by a
    ruling, and all seats of their games are told, with their new keys. Return the games; Trouble when nothing is lost.
    """
    with alone(config.place, NIGHT):
        with closing(Ledger.open(config.place)) as ledger, ledger.read() as tx:
            lost, gone = {name: _shut(tx, name) for name in locked(tx)}, seals(tx).missing
            if not lost and not gone:
                raise Trouble("Nothing is lost: every order that waits can be opened.", NO)
        key_file(config.place.beside(SUFFIX))
        with closing(Ledger.open(config.place)) as ledger, ledger.write() as tx:
            # First of all: until a key is given up, a ledger takes no other one's for its own.
            _renew(tx, HOST)
            tx.append(HOST, "ruling", now, {"act": NEW_KEY, "reason": reason, "lost": list(gone)})
            add_key(tx, now)
            for match in list(matches.every(tx)):
                if seed := _renew(tx, match.name):
                    tx.append(match.name, "ruling", now, {"act": NEW_KEY, "reason": reason, **seed})
            for game in list(games.every(tx)):
                if game.name in lost:
                    _strike(tx, game, lost[game.name], now, reason)
                else:
                    _renew(tx, game.name)  # mails of games that are over are still on their way
            _set_aside(tx, now)
            for name in lost:
                announce(tx, config, name, "ruling", now, text=REASON, forms=here)
        with closing(Ledger.open(config.place)) as ledger:
            seal_secrets(ledger)  # of an older pbem, which stored them in clear
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


def _strike(tx: Write, game: GameRow, seats: list[str], now: datetime, reason: str) -> None:
    """Rule that these seats have ordered nothing, and that keys and dice are made of new secrets from here on."""
    body: dict[str, Any] = {"act": NEW_KEY, "reason": reason, "queues": dict.fromkeys(seats), **_renew(tx, game.name)}
    if game.status == games.OPEN and game.deadline_at is not None:
        body["due_at"] = stamp(game.deadline_at)  # who had answered has not, now
    tx.append(game.name, "ruling", now, body, game.turn)


def _renew(tx: Write, chain: str) -> dict[str, str]:
    """Give a chain new secrets where its own are lost; return what its journal must say of a new seed. A seed that was
    revealed stays what it was."""
    if not chain_secrets.is_lost(tx, chain):
        return {}
    seed = None if chain == HOST else chains.revealed_seed(tx, chain)
    commits = chain != HOST and seed is None
    if commits:
        seed = random_source.token_bytes(32)
    chains.renew(tx, chain, random_source.token_bytes(32), seed)
    return {"seed_commitment": commitment(seed, chain)} if commits and seed is not None else {}
