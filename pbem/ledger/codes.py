"""Codes that confirm something by mail, as they are stored: sealed, so that nobody reads one out of a copy."""

from __future__ import annotations

import sqlalchemy as sa

from pbem.ledger.chain_secrets import SECRETS
from pbem.ledger.seals import Keys, apart, is_sealed
from pbem.ledger.tables import JOINING
from pbem.ledger.transaction import Write

_JOINING = sa.select(JOINING.c.code)


def sealed(keys: Keys, purpose: str, code: str) -> str:
    """Return a code as it is stored; one that was used up stays empty, and without a key it stays as it is."""
    seal = keys.seal(SECRETS)
    return code if not code or is_sealed(code) or seal is None else seal.text(SECRETS, purpose, code)


def opened(keys: Keys, stored: str) -> str:
    """Return a stored code; an empty one, which fits nothing, where its key is not here."""
    if not is_sealed(stored):
        return stored
    found = apart(stored)
    key = keys.key(found.id, SECRETS)
    return "" if key is None else str(found.opened(key))


def seal_all(tx: Write) -> None:
    """Seal the codes of an older pbem, which stored them as they are."""
    for row in tx.all(_JOINING):
        if not is_sealed(row.code):
            tx.change(JOINING, {"code": row.code}, {"code": sealed(tx.keys, "joining", row.code)})
