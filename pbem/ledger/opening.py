"""Opening what is sealed: by the key beside the ledger, or by the one that a game's last row reveals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.ledger import packing
from pbem.ledger.project import ORDERS, SAYS
from pbem.ledger.public import SAY
from pbem.ledger.seals import MARK, Broken, KeyLost, apart, bytes_opened, is_sealed, shown
from pbem.ledger.transaction import Read

REVEALED = "revealed"
SEALED_WORDS = "sealed_words"  # private facts of a submission, in a game whose orders are sealed


def key_of(tx: Read, id: str, chain: str) -> bytes:
    """The key of that name for that chain; KeyLost when nobody has it."""
    key = tx.keys.key(id, chain)
    if key is None:
        key = _revealed(tx, id, chain)
    if key is None:
        raise KeyLost(chain, id, tx.keys.path)
    return key


def _revealed(tx: Read, id: str, chain: str) -> bytes | None:
    from pbem.ledger import journal

    row = next(journal.rows(tx, chain, kinds=(REVEALED,), newest_first=True), None)
    said = {} if row is None else row.facts().get("seal") or {}
    return bytes.fromhex(said["key"]) if said.get("id") == id else None


def bytes_of(tx: Read, stored: bytes, chain: str | None = None) -> bytes:
    """The bytes of a letter or a mail, opened where they are sealed; Broken when they are not sealed for that chain."""
    if not isinstance(stored, packing.Sealed):
        return stored
    if chain not in (None, stored.chain):
        raise Broken("A letter or mail is sealed for another place than its own; restore a backup.")
    return bytes_opened(stored, key_of(tx, stored.id, stored.chain))


def waiting_of(tx: Read, game: str, seat: str, stored: Any) -> Any:
    """Return what waits for a seat, opened where it is sealed; nobody else's is taken for it."""
    if isinstance(stored, Mapping) and SAYS in stored:
        orders, says = (waiting_of(tx, game, seat, stored[part]) for part in (ORDERS, SAYS))
        return {**(orders or {}), SAY: says}
    if not is_sealed(stored):
        return stored
    sealed = apart(stored)
    if sealed.chain != game or sealed.label.partition("/")[0] != seat:
        raise Broken(f"What waits for seat {seat} of {game} is sealed for another; `pbem doctor --rebuild` mends it.")
    return sealed.opened(key_of(tx, sealed.id, sealed.chain))


def facts_of(tx: Read, facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the body of a row with all that is sealed in it opened."""
    found = dict(facts)
    if MARK in found and is_sealed(found[MARK]):
        sealed = apart(found[MARK])
        found = shown(found, key_of(tx, sealed.id, sealed.chain))
    if is_sealed(found.get("queue")):
        sealed = apart(found["queue"])
        found["queue"] = sealed.opened(key_of(tx, sealed.id, sealed.chain))
    if SEALED_WORDS in found:
        sealed = apart(found.pop(SEALED_WORDS))
        found |= sealed.opened(key_of(tx, sealed.id, sealed.chain))
    return found
