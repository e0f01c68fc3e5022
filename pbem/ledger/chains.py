"""Chains and their secrets: begin one, give it new secrets, read its secrets and its end."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from pbem.ledger import chain_secrets, journal
from pbem.ledger.chain import HOST, START
from pbem.ledger.chain_secrets import DICE, SALTING
from pbem.ledger.seals import KeyLost
from pbem.ledger.tables import HEAD, SECRET
from pbem.ledger.transaction import Read, Write


class ChainSecret(NamedTuple):
    """The secret that salts and keys of a chain are made of, and the seed of its dice (games only)."""

    secret: bytes
    seed: bytes | None


_SECRET = sa.select(SECRET.c.secret, SECRET.c.seed, SECRET.c.since).where(SECRET.c.chain == sa.bindparam("chain"))


def begin(tx: Write, chain: str, secret: bytes, seed: bytes | None = None) -> None:
    """Begin an empty chain. Its secrets come from a source nobody can guess, have 32 bytes each, and are stored sealed
    where the ledger has a key. KeyLost where it had one."""
    if len(secret) != 32 or (seed is not None and len(seed) != 32):
        raise ValueError("a secret and a seed have 32 bytes")
    tx.seal(chain)  # refuses the key of another host
    if chain != HOST:
        secret_of(tx, HOST)  # where that is sealed and the key is not here, nothing is begun in clear
    tx.add(SECRET, {"chain": chain, "since": 1, **chain_secrets.columns(tx.keys, chain, secret, seed)})
    tx.add(HEAD, {"chain": chain, "seq": 0, "hash": START, "at": None})
    tx.flush()


def renew(tx: Write, chain: str, secret: bytes, seed: bytes | None) -> None:
    """Give a chain new secrets because the old ones are lost. They salt the rows that follow."""
    end = Read.end(tx, chain)
    tx.change(SECRET, {"chain": chain}, {"since": end.seq + 1, **chain_secrets.columns(tx.keys, chain, secret, seed)})
    tx.forget(chain)


def secret_of(tx: Read, chain: str) -> ChainSecret:
    """Return the chain's secrets; LookupError when there is no such chain, KeyLost when nobody can open them."""
    found = _stored(tx, chain)
    secret = chain_secrets.opened(tx.keys, chain, SALTING, found.secret)
    seed = None if found.seed is None else chain_secrets.opened(tx.keys, chain, DICE, found.seed)
    return ChainSecret(secret, seed)


def new_commitment(tx: Read, chain: str) -> str | None:
    """Return the commitment to a seed that took the place of a lost one; None where none was lost."""
    since = _stored(tx, chain).since
    row = journal.at(tx, chain, since) if since > 1 else None
    return None if row is None else row.facts().get("seed_commitment")


def _stored(tx: Read, chain: str) -> Any:
    found = tx.lasting((SECRET, chain), lambda: tx.one(_SECRET, {"chain": chain}))
    if found is None:
        raise LookupError(f"the ledger has no chain {chain!r}")
    return found


def seed_of(tx: Read, chain: str) -> bytes | None:
    """Return the seed of the chain's dice, by the ledger's key or as its last row reveals it; None when nobody can."""
    try:
        return secret_of(tx, chain).seed
    except KeyLost:
        return revealed_seed(tx, chain)
    except LookupError:
        return None


def revealed_seed(tx: Read, chain: str) -> bytes | None:
    """Return the seed that a game or a match revealed at its end."""
    row = next(journal.rows(tx, chain, kinds=("revealed", "match_over"), newest_first=True), None)
    return None if row is None else bytes.fromhex(row.facts()["seed"])


def head_of(tx: Read, chain: str) -> str:
    """Return the chain's head as it is printed in mails."""
    return tx.end(chain).hash.hex()


def newest(tx: Read) -> datetime | None:
    """Return when anything was last written, by the clock of that time."""
    found = tx.one(sa.select(sa.func.max(HEAD.c.at).label("at")))
    return None if found is None else found.at
