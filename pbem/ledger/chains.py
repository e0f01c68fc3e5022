"""Chains and their secrets: beginning one, and what is made out of its secret."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa

from pbem.ledger.chain import START
from pbem.ledger.tables import HEAD, SECRET
from pbem.ledger.transaction import Read, Write


class ChainSecret(NamedTuple):
    """The secret that salts and keys of a chain are made of, and the seed of its dice (games only)."""

    secret: bytes
    seed: bytes | None


_SECRET = sa.select(SECRET.c.secret, SECRET.c.seed).where(SECRET.c.chain == sa.bindparam("chain"))


def begin(tx: Write, chain: str, secret: bytes, seed: bytes | None = None) -> None:
    """A new, empty chain. Secret and seed must come from a source nobody can guess (32 bytes each)."""
    if len(secret) != 32 or (seed is not None and len(seed) != 32):
        raise ValueError("a secret and a seed have 32 bytes")
    tx.add(SECRET, {"chain": chain, "secret": secret, "seed": seed})
    tx.add(HEAD, {"chain": chain, "seq": 0, "hash": START, "at": None})
    tx.flush()


def secret_of(tx: Read, chain: str) -> ChainSecret:
    """The chain's secrets; LookupError when there is no such chain."""
    found = tx.lasting((SECRET, chain), lambda: tx.one(_SECRET, {"chain": chain}))
    if found is None:
        raise LookupError(f"the ledger has no chain {chain!r}")
    return ChainSecret(*found)


def head_of(tx: Read, chain: str) -> str:
    """The chain's head as it is printed in mails."""
    return tx.end(chain).hash.hex()


def newest(tx: Read) -> datetime | None:
    """When anything was last written, by the clock of that time."""
    found = tx.one(sa.select(sa.func.max(HEAD.c.at).label("at")))
    return None if found is None else found.at
