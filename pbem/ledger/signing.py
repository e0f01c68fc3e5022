"""The key that signs mails: made of the key file, never stored; its public half stands in the host's chain.

Whoever has the ledger and its key file can sign. A copy of the ledger alone, or a backup, is not enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

import sqlalchemy as sa

from pbem.ledger.chain import HOST
from pbem.ledger.seals import Keys
from pbem.ledger.store import Ledger
from pbem.ledger.tables import SIGNING_KEY
from pbem.ledger.transaction import Read, Write
from pbem.signature import KEY, text_of

ROW = "signing_key"  # the kind of the row that says which key signs from then on

_KNOWN = sa.select(SIGNING_KEY.c.key).order_by(SIGNING_KEY.c.seq)


class Signer(NamedTuple):
    """A key that signs: its public half as it is shown, and what signs with its secret half."""

    key: str
    sign: Callable[[bytes], bytes]


def signer(keys: Keys) -> Signer | None:
    """Return what signs mails now; None where there is no key file."""
    seed = keys.signing()
    return None if seed is None else _signer(seed)


def public_key(keys: Keys) -> str:
    """Return the public key as players are told it; "" where there is no key file."""
    found = signer(keys)
    return "" if found is None else found.key


@lru_cache(4)
def _signer(seed: bytes) -> Signer:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey  # here: most commands sign nothing

    secret = Ed25519PrivateKey.from_private_bytes(seed)
    return Signer(KEY + text_of(secret.public_key().public_bytes_raw()), secret.sign)


def journal_key(ledger: Ledger, at: datetime) -> None:
    """Write down which key signs, before the first mail leaves that is signed with it."""
    key = public_key(ledger.keys)
    with ledger.read() as tx:
        if not key or key in known_keys(tx):
            return
    with ledger.write() as tx:
        add_key(tx, at)


def add_key(tx: Write, at: datetime) -> None:
    """Write down the key that signs now, once."""
    key, known = public_key(tx.keys), list(known_keys(tx))
    if key and key not in known:
        tx.append(HOST, ROW, at, {"key": key, "replaces": known[-1] if known else None})


def known_keys(tx: Read) -> Iterator[str]:
    """Return every public key that has signed mails of this host, oldest first."""
    return (row.key for row in tx.all(_KNOWN))
