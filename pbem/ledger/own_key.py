"""Check that the key beside a ledger is its own: another host's may lie in its place, and must seal nothing here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import sqlalchemy as sa

from pbem.ledger import chain_secrets, journal
from pbem.ledger.chain import HOST
from pbem.ledger.opening import key_of
from pbem.ledger.packing import Sealed
from pbem.ledger.seals import KeyLost
from pbem.ledger.store import Ledger
from pbem.ledger.tables import LETTER, MAIL, SECRET
from pbem.ledger.transaction import Read
from pbem.ledger.troubles import NotItsKey

NEW_KEY = "new-key"  # the act of the ruling that gives keys up for lost
LOOKED_AT = 50  # of the oldest and of the newest letters and mails: a host may have millions

_NEWEST = tuple(sa.select(table.c.raw).order_by(table.c.id.desc()).limit(1) for table in (MAIL, LETTER))


_HOST = sa.select(SECRET.c.secret).where(SECRET.c.chain == HOST)


class Seals(NamedTuple):
    """The names of the keys under which letters, mails and the host's own secret are sealed: those that are here, and
    those that nobody has and no referee has given up for lost."""

    here: tuple[str, ...]
    missing: tuple[str, ...]


def guard(ledger: Ledger) -> None:
    """Refuse to work with the key of another host."""
    with ledger.read() as tx:
        look(tx)


def look(tx: Read) -> None:
    """The same within a transaction. The host's secret tells, or the newest mail or letter; only when they do not are
    more of them read. One look is enough for as long as a ledger is open: its keys are read once."""
    if tx.keys.fit or not tx.keys.names:
        return
    if not (_host_key(tx) in tx.keys.names or _opens_the_newest(tx)):
        found = seals(tx)
        if found.missing and not found.here:
            raise NotItsKey(tx.keys.path, found.missing)
    tx.keys.fit = True


def _host_key(tx: Read) -> str | None:
    """Return the name of the key that the host's own secret is sealed under; None where it is not sealed."""
    row = tx.one(_HOST)
    return None if row is None else chain_secrets.key_id(row.secret)


def _opens_the_newest(tx: Read) -> bool:
    newest = (tx.one(query) for query in _NEWEST)
    return any(row is not None and isinstance(row.raw, Sealed) and row.raw.id in tx.keys.names for row in newest)


def seals(tx: Read) -> Seals:
    """Return the keys of the host's secret and of the oldest and the newest letters and mails. What belongs to games
    that are over may be open to all by now."""
    here, missing = set(), set()
    used = {(sealed.id, sealed.chain) for sealed in _sealed(tx)}
    if (of_host := _host_key(tx)) is not None:
        used.add((of_host, HOST))
    for id, chain in used:
        if id in tx.keys.names:
            here.add(id)
        elif not _is_revealed(tx, id, chain):
            missing.add(id)
    return Seals(tuple(sorted(here)), tuple(sorted(missing - _given_up(tx) if missing else missing)))


def _sealed(tx: Read) -> Iterator[Sealed]:
    for table in (LETTER, MAIL):
        for order in (table.c.id, table.c.id.desc()):
            found = tx.all(sa.select(table.c.raw).order_by(order).limit(LOOKED_AT))
            yield from (row.raw for row in found if isinstance(row.raw, Sealed))


def _is_revealed(tx: Read, id: str, chain: str) -> bool:
    try:
        key_of(tx, id, chain)
    except KeyLost:
        return False
    return True


def _given_up(tx: Read) -> set[str]:
    rulings = (row.facts() for row in journal.rows(tx, HOST, kinds=("ruling",)))
    return {id for ruling in rulings if ruling["act"] == NEW_KEY for id in ruling["lost"]}
