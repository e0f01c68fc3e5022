"""The chain: how one row's hash takes in its content, a secret salt and the row before. Pure functions.

    leaf = SHA-256(salt + canonical JSON of the row)     a commitment: it tells nothing without the salt
    hash = SHA-256(hash of the row before + leaf)        so a head vouches for every row up to it

The salts come out of the chain's secret, so the same night run again writes the same bytes; without the secret they
cannot be told from noise. They are revealed row by row, never by giving the secret away.
"""

from __future__ import annotations

import hashlib
import hmac
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

from engine.canon import canonical
from pbem.ledger.public import published
from pbem.ledger.times import stamp

START = bytes(32)  # what the first row of every chain stands on
HOST = "@host"  # the chain of rows that belong to no game


class Content(NamedTuple):
    """What a row says: all that is hashed. `body` is canonical JSON."""

    chain: str
    seq: int
    kind: str
    at: datetime
    turn: int | None
    seat: str | None
    body: bytes


def salt_of(secret: bytes, seq: int) -> bytes:
    """The salt of one row of the chain with that secret."""
    return hmac.digest(secret, b"salt%d" % seq, "sha256")


def text_of(content: Content) -> bytes:
    """Return the row's canonical JSON as it is hashed. The body is canonical already; private facts are left out of it,
    with a commitment in their place."""
    at, chain, kind, seat = stamp(content.at).encode(), _json(content.chain), _json(content.kind), _json(content.seat)
    rest = published(content.body), chain, kind, seat, content.seq, _json(content.turn)
    return b'{"at":"%b","body":%b,"chain":%b,"kind":%b,"seat":%b,"seq":%d,"turn":%b}' % (at, *rest)


@lru_cache(1024, typed=True)  # names of chains, kinds and seats, and numbers of turns: the same few in many rows
def _json(value: str | int | None) -> bytes:
    return canonical(value)


def leaf_of(salt: bytes, text: bytes) -> bytes:
    """The commitment to a row."""
    return hashlib.sha256(salt + text).digest()


def link(prev: bytes, leaf: bytes) -> bytes:
    """The row's hash, and the head of its chain once it is written."""
    return hashlib.sha256(prev + leaf).digest()
