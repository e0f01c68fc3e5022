"""Players: persons, beside the chain. The chain knows a salted commitment, so that a person can be forgotten."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from engine.canon import canonical
from pbem.intake.characters import name_key
from pbem.ledger.chain import HOST
from pbem.ledger.tables import PLAYER
from pbem.ledger.transaction import Read, Write


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """One player. After being forgotten only the commitment is left."""

    commitment: str
    name: str | None
    address: str | None
    lang: str | None
    zone: str | None
    salt: bytes | None
    digest: bool = False  # whether the mails of one run come to him as one
    remind: int = 0  # hours before a deadline at which he wishes to be reminded; 0: never
    volunteers: list[str] | None = None  # the games in which he would take over a seat
    address_at: datetime | None = None  # since when the address is this one; None: since the player was registered


_COLUMNS = [PLAYER.c[field.name] for field in fields(PlayerRow)]
_GET = sa.select(*_COLUMNS).where(PLAYER.c.commitment == sa.bindparam("commitment"))
_NAMED = sa.select(*_COLUMNS).where(PLAYER.c.name == sa.bindparam("name"))
_NAMES = sa.select(PLAYER.c.commitment, PLAYER.c.name).where(PLAYER.c.name.is_not(None))
_WISHING = sa.select(*_COLUMNS).where(PLAYER.c.digest, PLAYER.c.name.is_not(None))
_EVERY = sa.select(*_COLUMNS).order_by(PLAYER.c.id)
_OF_ADDRESS = _EVERY.where(sa.func.lower(PLAYER.c.address) == sa.bindparam("address")).limit(1)
_NAMED_FROM = sa.select(PLAYER.c.commitment, PLAYER.c.name).where(
    PLAYER.c.name.like(sa.bindparam("pattern"), escape="/")
)
_AMONG = sa.select(*_COLUMNS).where(PLAYER.c.commitment.in_(sa.bindparam("commitments", expanding=True)))


def commitment(salt: bytes, name: str, address: str) -> str:
    """What the chain knows of a player: his name and the address he first gave, under a salt of his own."""
    return hashlib.sha256(salt + canonical({"address": address, "name": name})).hexdigest()


def add(tx: Write, name: str, address: str, lang: str, zone: str, at: datetime, salt: bytes) -> PlayerRow:
    """Register a player, with a `player` row. The salt (32 bytes) must come from a source nobody can guess."""
    row = PlayerRow(commitment(salt, name, address), name, address, lang, zone, salt)
    tx.add(PLAYER, {field.name: getattr(row, field.name) for field in fields(PlayerRow)})
    tx.append(HOST, "player", at, {"commitment": row.commitment})
    return row


def change(tx: Write, player: PlayerRow, *, address: str, lang: str, zone: str, at: datetime) -> PlayerRow:
    """Another address, language or zone; the chain learns a commitment to them."""
    assert player.salt is not None
    details = hashlib.sha256(player.salt + canonical({"address": address, "lang": lang, "zone": zone})).hexdigest()
    since = player.address_at if address == player.address else at
    values = {"address": address, "lang": lang, "zone": zone, "address_at": since}
    tx.change(PLAYER, {"commitment": player.commitment}, values)
    tx.append(HOST, "player", at, {"commitment": player.commitment, "details": details})
    return replace(player, address=address, lang=lang, zone=zone, address_at=since)


def wish(
    tx: Write, player: PlayerRow, *, digest: bool | None = None, remind: int | None = None, at: datetime
) -> PlayerRow:
    """Whether the player's mails of one run leave as one, and how many hours before a deadline he is reminded."""
    said = {"digest": digest, "remind": remind}
    wishes: dict[str, Any] = {name: value for name, value in said.items() if value is not None}
    tx.change(PLAYER, {"commitment": player.commitment}, wishes)
    tx.append(HOST, "player", at, {"commitment": player.commitment, **wishes})
    return replace(player, **wishes)


def volunteer(tx: Write, player: PlayerRow, wanted: list[str] | None, at: datetime) -> None:
    """In which games the player would take over a seat; None: in none."""
    tx.change(PLAYER, {"commitment": player.commitment}, {"volunteers": wanted})
    tx.append(HOST, "player", at, {"commitment": player.commitment, "volunteers": wanted})


def volunteering(tx: Read) -> list[PlayerRow]:
    """The players who would take over a seat, in the order they were registered."""
    query = sa.select(*_COLUMNS).where(PLAYER.c.volunteers.is_not(None), PLAYER.c.name.is_not(None))
    return [PlayerRow(*row) for row in tx.all(query.order_by(PLAYER.c.id))]


def wishing_digests(tx: Read) -> dict[str, PlayerRow]:
    """The players who wish digests, by their commitments."""
    rows = tx.all(_WISHING)
    return {row.commitment: PlayerRow(*row) for row in rows}


def forget(tx: Write, commitment: str, at: datetime) -> None:
    """Remove everything about a person but the commitment, which without its salt says nothing."""
    nothing = dict.fromkeys(("name", "address", "lang", "zone", "salt", "volunteers", "address_at"))
    tx.change(PLAYER, {"commitment": commitment}, nothing | {"digest": False, "remind": 0})
    tx.append(HOST, "player", at, {"commitment": commitment, "forgotten": True})


def get(tx: Read, commitment: str) -> PlayerRow | None:
    """The player of that commitment."""
    found = tx.one(_GET, {"commitment": commitment})
    return None if found is None else PlayerRow(*found)


def among(tx: Read, commitments: Iterable[str]) -> dict[str, PlayerRow]:
    """The players of these commitments, found at once."""
    return {row.commitment: PlayerRow(*row) for row in tx.all(_AMONG, {"commitments": list(commitments)})}


def by_name(tx: Read, name: str) -> PlayerRow | None:
    """Return the player of that name. Case, width and look-alike letters make no difference where one player fits."""
    found = tx.one(_NAMED, {"name": name})
    if found is None:
        key = name_key(name)
        alike = [row for row in tx.all(_NAMES) if name_key(row.name) == key]
        if len(alike) == 1:
            return get(tx, alike[0].commitment)
    return None if found is None else PlayerRow(*found)


def is_same_person(one: PlayerRow, other: PlayerRow) -> bool:
    """Return whether two rows are of one person: the same player, or the same mail address."""
    if one.commitment == other.commitment:
        return True
    return bool(one.address and other.address) and name_key(one.address or "") == name_key(other.address or "")


def by_address(tx: Read, address: str) -> PlayerRow | None:
    """The first player who is registered with that address, in whatever letters it is written."""
    found = tx.all(_OF_ADDRESS, {"address": address.lower()})
    return PlayerRow(*found[0]) if found else None


def named_from(tx: Read, beginning: str) -> frozenset[str]:
    """The commitments of all players whose name begins so, in just these letters: to SQLite large ones are small."""
    plain = re.sub("([/%_])", r"/\1", beginning)
    found = tx.all(_NAMED_FROM, {"pattern": f"{plain}%"})
    return frozenset(row.commitment for row in found if row.name.startswith(beginning))


def every(tx: Read) -> list[PlayerRow]:
    """All players, the forgotten ones included, in the order they came."""
    return [PlayerRow(*row) for row in tx.all(_EVERY)]
