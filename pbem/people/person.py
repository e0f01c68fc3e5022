"""People: what a host does with players once they are registered: looks at one, or changes him."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pbem.clock import stamp
from pbem.config import Config
from pbem.correspondence import addresses
from pbem.deadlines.reminding import wish
from pbem.deadlines.wallclock import known_zone
from pbem.errors import NO, Trouble
from pbem.game.hosting import LANGUAGES, player_named
from pbem.intake.hours import LONGEST, read_hours
from pbem.ledger import contacts, games, players
from pbem.ledger.contacts import Contact, NewAddress
from pbem.ledger.players import PlayerRow
from pbem.ledger.transaction import Read, Write
from pbem.people.reliability import Reliability, of_player


@dataclass(frozen=True, slots=True)
class Person:
    """A player: where he sits, how mail gets through to him, and the address that he has not confirmed yet."""

    row: PlayerRow
    seats: tuple[tuple[str, str, str], ...]  # game, seat, status of the game
    contact: Contact
    waits: NewAddress | None
    reliability: Reliability

    def to_json(self) -> dict[str, Any]:
        row = self.row
        said = {name: getattr(row, name) for name in ("name", "address", "lang", "zone", "digest", "remind")}
        seats = [{"game": game, "seat": seat, "status": status} for game, seat, status in self.seats]
        waits = None if self.waits is None else _waits(self.waits)
        mail = {"bounces": self.contact.bounces, "failing": self.contact.failing}
        more = {"reliability": self.reliability.to_json(), "volunteers": row.volunteers}
        return {**said, "seats": seats, **mail, "new_address": waits, **more}


def _waits(new: NewAddress) -> dict[str, Any]:
    def at(moment: datetime | None) -> str | None:
        return None if moment is None else stamp(moment)

    asked, holds, confirmed = at(new.asked_at), at(new.holds_from), at(new.confirmed_at)
    return {"address": new.address, "asked": asked, "holds_from": holds, "confirmed": confirmed}


def about(tx: Read, name: str) -> Person:
    """All that is known of a player."""
    row = player_named(tx, name)
    contact, waits = contacts.get(tx, row.commitment), contacts.asked_for(tx, row.commitment)
    return Person(row, seats_of(tx, row), contact, waits, of_player(tx, row.commitment))


def seats_of(tx: Read, player: PlayerRow) -> tuple[tuple[str, str, str], ...]:
    """Where a player sits: game, seat, and the game's status."""
    found = games.of_player(tx, player.commitment)
    return tuple(
        (row.name, seat, row.status) for row in found for seat in row.seats if row.seats[seat] == player.commitment
    )


def changed(
    tx: Write,
    config: Config,
    name: str,
    now: datetime,
    *,
    address: str | None = None,
    lang: str | None = None,
    zone: str | None = None,
    remind: str | None = None,
    at_once: bool = False,
) -> str:
    """Change a player's language or zone at once, and the address once it is confirmed by the code that is given back,
    or `at_once`."""
    player = player_named(tx, name)
    if lang is not None and lang not in LANGUAGES:
        raise Trouble(f"{lang!r} is not a language of the reports; choose one of {', '.join(LANGUAGES)}.")
    if lang is not None or zone is not None:
        lang, zone = lang or player.lang or "en", known_zone(zone or player.zone or "UTC")
        player = players.change(tx, player, address=player.address or "", lang=lang, zone=zone, at=now)
    if remind is not None:
        player = wish(tx, config, player, lead(remind), now)
    if address is not None and at_once:
        addresses.change_at_once(tx, config, player, address, now)
        return ""
    return "" if address is None else addresses.ask(tx, config, player, address, now)


def stopped(tx: Write, config: Config, name: str, now: datetime) -> None:
    """End the change of address that waits for a player."""
    addresses.stop_by_host(tx, config, player_named(tx, name), now)


def lead(text: str) -> int:
    """So many hours before a deadline somebody is to be reminded; Trouble says how it is written."""
    hours = read_hours(text)
    if hours is None:
        raise Trouble(f"{text!r} is no time before a deadline; write it like 24h, 2d or off, {LONGEST}h at the most.")
    return hours


def confirmed(tx: Write, config: Config, code: str, now: datetime) -> PlayerRow:
    """Confirm a new address; gives its player. What was asked by mail may still wait for the old address."""
    player = addresses.confirm(tx, config, code, now)
    if player is None:
        raise Trouble("No change of address waits for this code; it may be too old.", NO)
    return player


def in_trouble(tx: Read) -> list[tuple[str, Contact]]:
    """The players whose mail comes back, by name."""
    found = ((players.get(tx, contact.player), contact) for contact in contacts.bouncing(tx))
    return [(row.name, contact) for row, contact in found if row is not None and row.name is not None]
