"""The secrets of chains as they are stored: sealed under the ledger's key, each opened once by a process.

Keys of seats, salts and dice are made of them. They are sealed under a key that no game reveals at its end, and each is
bound to its chain and its use: moved elsewhere it does not open. Without a key file they are stored as they are.
"""

from __future__ import annotations

import sqlalchemy as sa

from pbem.ledger.packing import Sealed, pack, unpack
from pbem.ledger.seals import Broken, KeyLost, Keys, bytes_opened
from pbem.ledger.tables import SECRET
from pbem.ledger.transaction import Read, Write

SECRETS = "@secrets"  # what their key is made for: no chain is called so
LENGTH = 32  # bytes of every secret; what is stored in so many is not sealed
KEPT = 4096  # opened secrets that a process keeps
SALTING, DICE = "secret", "seed"

_ALL = sa.select(SECRET.c.chain, SECRET.c.secret, SECRET.c.seed).order_by(SECRET.c.chain)
_ONE = sa.select(SECRET.c.secret, SECRET.c.seed).where(SECRET.c.chain == sa.bindparam("chain"))


def is_sealed(stored: bytes) -> bool:
    """Return whether a stored secret is sealed."""
    return len(stored) != LENGTH


def sealed(keys: Keys, chain: str, use: str, secret: bytes) -> bytes:
    """Return a secret as it is stored: sealed, unless there is no key."""
    if len(secret) != LENGTH:
        raise ValueError(f"a secret has {LENGTH} bytes")
    seal = keys.seal(SECRETS)
    return secret if seal is None else pack(seal.data(_label(chain, use), secret))


def opened(keys: Keys, chain: str, use: str, stored: bytes) -> bytes:
    """Return a stored secret. KeyLost without its key; Broken when it was changed or belongs elsewhere."""
    if not is_sealed(stored):
        return stored
    known = keys.opened.get(stored)
    if known is None:
        known = keys.opened[stored] = _opened(keys, chain, use, stored)
        if len(keys.opened) > KEPT:
            keys.opened.clear()
    name, secret = known
    if name != _label(chain, use):
        raise Broken(f"The {use} of {chain} belongs to another chain; restore a backup.")
    return secret


def key_id(stored: bytes) -> str | None:
    """Return the name of the key that a stored secret is sealed under; None when it is not sealed or damaged."""
    try:
        return _unpacked(stored).id if is_sealed(stored) else None
    except Broken:
        return None


def is_lost(tx: Read, chain: str) -> bool:
    """Return whether the secrets of that chain are sealed under a key that is not here."""
    row = tx.one(_ONE, {"chain": chain})
    id = None if row is None else key_id(row.secret)
    return id is not None and id not in tx.keys.names


def seal_all(tx: Write) -> int:
    """Seal every secret and code that is stored as it is; return how many chains had one. Nothing without a key."""
    if not tx.keys.names:
        return 0
    clear = [row for row in tx.all(_ALL) if not (is_sealed(row.secret) and is_sealed(row.seed or b""))]
    for row in clear:
        tx.change(SECRET, {"chain": row.chain}, columns(tx.keys, row.chain, row.secret, row.seed))
    return len(clear)


def columns(keys: Keys, chain: str, secret: bytes, seed: bytes | None) -> dict[str, bytes | None]:
    """Return what is stored for a chain, of secrets that may be sealed already."""
    given = {SALTING: secret, DICE: seed}
    return {
        use: value if value is None or is_sealed(value) else sealed(keys, chain, use, value)
        for use, value in given.items()
    }


def count_clear(tx: Read) -> int:
    """Return how many chains have a secret that is stored as it is."""
    length = sa.func.length(SECRET.c.secret)
    return int(tx.one(sa.select(sa.func.count()).select_from(SECRET).where(length == LENGTH))[0])


def _label(chain: str, use: str) -> str:
    return f"{use}@{chain}"


def _opened(keys: Keys, chain: str, use: str, stored: bytes) -> tuple[str, bytes]:
    found = _unpacked(stored)
    key = keys.key(found.id, SECRETS)
    if key is None:
        raise KeyLost(chain, found.id, keys.path)
    return found.chain, bytes_opened(found, key)


def _unpacked(stored: bytes) -> Sealed:
    try:
        found = unpack(stored)
    except ValueError:
        found = b""
    if not isinstance(found, Sealed):
        raise Broken("A secret of the ledger is damaged; restore a backup.")
    return found
