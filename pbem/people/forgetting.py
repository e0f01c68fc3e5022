"""Forgetting a person: who he was, and every letter and mail in which an address of his stands.

What is gone afterwards: name, address, language, zone; the salt without which the commitment in the chain says nothing;
and the bytes of all letters and mails that named one of his addresses, other people's that quote it among them. What
stays: their hashes, on which the chains stand, and everything that was played, since orders, draws and states are rows
of the journal. What cannot go: rows of the journal that hold the address because he wrote it there himself (in press,
say), his name in the reports that others were sent, and whatever lies outside the ledger.
"""

from __future__ import annotations

import binascii
import re
from collections import defaultdict
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from engine.canon import canonical
from pbem.agreed.consenting import reviewed
from pbem.config import Config
from pbem.errors import CannotGoOn, Trouble
from pbem.game.hosting import player_named
from pbem.ledger import contacts, games, journal, openings, outbox, players
from pbem.ledger import forgetting as emptying
from pbem.ledger.letters import WAITING
from pbem.ledger.opening import bytes_of, facts_of
from pbem.ledger.players import PlayerRow
from pbem.ledger.project import SETTING
from pbem.ledger.tables import INBOX, LETTER, MAIL
from pbem.ledger.transaction import Read, Write
from pbem.people.addresses import NOBODY
from pbem.people.person import seats_of
from pbem.post.parcels import recipient_of

SEATING = (SETTING - {"turn", "at_once"}) | {"created"}  # the kinds of rows that can say who sits where
_base64 = re.compile(rb"(?:[A-Za-z0-9+/]{40,}\r?\n)*[A-Za-z0-9+/]{8,}={0,2}")


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What became of it: letters and mails emptied, mails that will not leave, and rows that hold an address still."""

    letters: int
    mails: int
    stopped: int
    rows: int


@dataclass(slots=True)
class Traces:
    """Where a person stands in the ledger, by the hashes of letters and mails."""

    addresses: frozenset[str]
    letters: set[str]
    mails: dict[str, str]  # hash -> Message-ID
    own: set[str]  # of the mails, those that were written to him


def forget(tx: Write, config: Config, name: str, now: datetime, *, anyway: bool = False) -> Forgotten:
    """Forget a player. Compact the ledger afterwards, or its file still holds what was taken out."""
    player = player_named(tx, name)
    going_on = [f"{game} ({seat})" for game, seat, status in seats_of(tx, player) if status != games.OVER]
    if going_on and not anyway:
        told = ", ".join(going_on)
        raise Trouble(f"{name} still plays in {told}; with --anyway these seats get no more mail, and silence decides.")
    found = _traces(tx, config, player)
    stopped = _settled(tx, found, now)
    contacts.forget(tx, player.commitment)
    openings.forget(tx, player.address or "")
    contacts.reached(tx, player.commitment, now)
    players.forget(tx, player.commitment, now)
    emptying.empty(tx, player.commitment, found.letters, found.mails, now)
    for game in sorted({game for game, _, status in seats_of(tx, player) if status == games.OPEN}):
        with suppress(CannotGoOn):  # what is asked there waits for its rules; who is to be forgotten does not
            reviewed(tx, config, game, now)
    return Forgotten(len(found.letters), len(found.mails), stopped, _rows_naming(tx, found.addresses))


def _settled(tx: Write, found: Traces, now: datetime) -> int:
    """Mails to him that have not left will not leave; what else is on its way must arrive first."""
    waiting = tx.all(sa.select(INBOX.c.sha256).where(INBOX.c.state == WAITING))
    if any(row.sha256 in found.letters for row in waiting):
        raise Trouble("Letters that hold his address still wait to be judged; run `pbem fetch` first.")
    stopped = 0
    for sha256, message_id in found.mails.items():
        mail = outbox.get(tx, message_id)
        if mail is None or mail.next_try_at is None:
            continue
        if sha256 not in found.own:
            raise Trouble("Mails to others that hold his address have not left yet; run `pbem deliver` first.")
        outbox.fate(tx, mail, outbox.REFUSED, now, "its reader was forgotten")
        stopped += 1
    return stopped


# --- where he stands --------------------------------------------------------------------------------------------------


def _traces(tx: Read, config: Config, player: PlayerRow) -> Traces:
    found = Traces(frozenset(), set(), {}, set())
    for chain, sittings in _sittings(tx, player.commitment).items():
        _of_seats(tx, chain, sittings, found)
    found.own = set(found.mails)
    found.addresses = _addresses(tx, config, player, found)
    for row in tx.each(sa.select(LETTER.c.sha256, LETTER.c.raw)):
        if _names(bytes_of(tx, row.raw), found.addresses):
            found.letters.add(row.sha256)
    for row in tx.each(sa.select(MAIL.c.sha256, MAIL.c.message_id, MAIL.c.raw)):
        raw = bytes_of(tx, row.raw)
        if _names(raw, found.addresses):
            found.mails[row.sha256] = row.message_id
            if recipient_of(raw).lower() in found.addresses:
                found.own.add(row.sha256)
    return found


Sittings = list[tuple[int, frozenset[str]]]  # from that row on, in these seats


def _sittings(tx: Read, player: str) -> dict[str, Sittings]:
    """For each chain in which he ever sat: from which row on, in which seats. Somebody else may sit there by now."""
    found: dict[str, Sittings] = defaultdict(list)
    for row in journal.rows(tx, kinds=SEATING):
        seats = row.facts().get("seats")
        if seats is not None and (player in seats.values() or row.chain in found):
            found[row.chain].append((row.seq, frozenset(seat for seat in seats if seats[seat] == player)))
    return dict(found)


def _of_seats(tx: Read, chain: str, sittings: Sittings, found: Traces) -> None:
    """The mails that his seats were sent while they were his, and the letters in which he gave orders for them."""
    for row in journal.rows(tx, chain, kinds=("mail", "submission")):
        seats = next((his for since, his in reversed(sittings) if since <= row.seq), frozenset())
        if row.seat not in seats:
            continue
        facts = row.facts()
        if row.kind == "mail":
            found.mails[facts["sha256"]] = facts["message_id"]
        elif facts.get("letter") is not None:
            found.letters.add(facts["letter"])


def _addresses(tx: Read, config: Config, player: PlayerRow, found: Traces) -> frozenset[str]:
    """Every address of his that is known: today's, the one he asked for, and those he was ever written to at. Not one
    that somebody else has, too."""
    asked = contacts.asked_for(tx, player.commitment)
    his = {player.address or "", "" if asked is None else asked.address}
    his |= {recipient_of(outbox.raw(tx, message_id)) for message_id in found.mails.values()}
    others = {row.address or "" for row in players.every(tx) if row.commitment != player.commitment}
    others |= {"", NOBODY, config.address, config.referee}
    return frozenset(address.lower() for address in his) - frozenset(address.lower() for address in others)


# --- where an address stands ------------------------------------------------------------------------------------------


def _names(raw: bytes, addresses: Collection[str]) -> bool:
    wanted, plain = _pattern(addresses), [address.encode() for address in addresses]
    # A pattern that looks at what stands before is slow: it is asked only where an address stands at all.
    return any(wanted.search(said) for said in _readings(raw) if any(address in said for address in plain))


def _pattern(addresses: Collection[str]) -> re.Pattern[bytes]:
    """Any of them, whole: ann@example.org does not stand in joann@example.org."""
    some = b"|".join(re.escape(address.encode()) for address in sorted(addresses)) or b"(?!)"
    return re.compile(rb"(?<![a-z0-9._+-])(?:" + some + rb")(?!\.?[a-z0-9-])")


def _readings(raw: bytes) -> Iterator[bytes]:
    """The bytes in small letters, as they stand and as a mail program would read what is encoded in them. A program
    reads as base64 what says that it is: a part, or a word in a header."""
    small = raw.lower()
    yield small
    if b"=" in raw:
        yield binascii.a2b_qp(raw).lower()
    if b"base64" in small or b"?b?" in small:
        yield from map(_from_base64, _base64.findall(raw))


def _from_base64(block: bytes) -> bytes:
    packed = block.replace(b"\r", b"").replace(b"\n", b"").rstrip(b"=")
    packed = packed[: len(packed) - (len(packed) % 4 == 1)]
    return binascii.a2b_base64(packed + b"=" * (-len(packed) % 4)).lower()


def _rows_naming(tx: Read, addresses: Collection[str]) -> int:
    """How many rows of the journal hold one of the addresses; those stay."""
    wanted = _pattern(addresses)
    said = (canonical(facts_of(tx, row.facts())) for row in journal.rows(tx))
    return sum(wanted.search(words.lower()) is not None for words in said)
