"""One mail for all of a run, for players who wish it: the single mails stay in the ledger as they are, and their fate
says in which digest they left.

A digest is a mail of its own: its words are those of the single ones, one after another; their order forms, data and
pages are attached. It is made in one transaction out of what is due, so a run that is killed makes the same one again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import groupby
from typing import NamedTuple
from urllib.parse import unquote

from pbem.config import Config
from pbem.game.outgoing import DATE_FILE, DATE_TYPE, JSON_FILE, PAGE_FILE
from pbem.ledger import Ledger, games, mailed, outbox, players
from pbem.ledger.chain import HOST
from pbem.ledger.outbox import QUEUED, SENT, OutMail
from pbem.ledger.players import PlayerRow
from pbem.ledger.transaction import Read
from pbem.mailparts import Parts, parts
from pbem.post.headers import header, words
from pbem.post.own import envelope, host_id, next_id
from pbem.post.parcels import recipient_of
from pbem.reports import environment, letter
from pbem.reports.plain import COLUMNS, wrap

DIGEST = "digest"
MOST = 20  # single mails in one digest, so that it stays a mail that is taken everywhere
RULE = "=" * COLUMNS
TYPES = {JSON_FILE: "application/json", PAGE_FILE: "text/html", DATE_FILE: DATE_TYPE}


LEAVING = re.compile(r"<mailto:([^?>]*\+[^?>]*)")


class Single(NamedTuple):
    """One mail of a digest."""

    mail: OutMail
    subject: str
    parts: Parts
    leaving: str  # where one may write that he wants no more; "" for the host's own address


def bundle(config: Config, ledger: Ledger, now: datetime) -> int:
    """Put together what is due to players who wish digests; gives how many digests there are."""
    with ledger.read() as tx:
        if not players.wishing_digests(tx):
            return 0
        wanted = list(_bundles(tx, now))
    if not wanted:
        return 0
    mailed.note(ledger, {mail.game for _, mails in wanted for mail in mails})  # their heads leave in the digest
    with ledger.write() as tx:
        count = 0
        for player, mails in _bundles(tx, now):
            message_id = next_id(tx, config, DIGEST, now)
            thread = host_id(tx, config, "digest thread", player.commitment)
            singles = [_single(tx, mail) for mail in mails]
            raw = write(config, player, singles, message_id, thread, now)
            outbox.post(tx, HOST, None, DIGEST, message_id, raw, now, now)
            for mail in mails:
                outbox.fate(tx, mail, SENT, now, f"in the digest {message_id}")
            count += 1
    return count


def player_of(tx: Read, message_id: str) -> str | None:
    """To whom (by his commitment) a digest went: by its address, as it stands in the digest."""
    raw = outbox.raw(tx, message_id)
    if header(raw, letter.KIND) != DIGEST:
        return None
    recipient = recipient_of(raw)
    return next((row.commitment for row in players.every(tx) if row.address == recipient), None)


def _bundles(tx: Read, now: datetime) -> Iterator[tuple[PlayerRow, list[OutMail]]]:
    """The players with two mails or more, and their mails. What was tried already by itself stays by itself."""
    wishing = players.wishing_digests(tx)
    seated: dict[str, dict[str, str]] = {}
    found: list[tuple[str, OutMail]] = []
    for mail in outbox.due(tx, now):
        if mail.seat is None or mail.state != QUEUED:
            continue
        if mail.game not in seated:
            row = games.get(tx, mail.game)
            seated[mail.game] = dict(row.seats) if row is not None else {}
        commitment = seated[mail.game].get(mail.seat, "")
        player = wishing.get(commitment)
        if player is not None and recipient_of(outbox.raw(tx, mail.message_id)) == player.address:
            found.append((commitment, mail))
    found.sort(key=lambda one: one[0])  # those of one player stay in their order
    for commitment, group in groupby(found, key=lambda one: one[0]):
        mails = [mail for _, mail in group]
        for first in range(0, len(mails), MOST):
            if len(some := mails[first : first + MOST]) > 1:
                yield wishing[commitment], some


def _single(tx: Read, mail: OutMail) -> Single:
    raw = outbox.raw(tx, mail.message_id)
    return Single(mail, words(header(raw, "Subject")), parts(raw), _leaving(raw))


def _leaving(raw: bytes) -> str:
    """The address with a seat's key in it to which a mail program may write that its owner wants to leave."""
    found = LEAVING.search(header(raw, "List-Unsubscribe"))
    return unquote(found[1]) if found else ""


# --- the mail itself --------------------------------------------------------------------------------------------------


def write(
    config: Config, player: PlayerRow, singles: Sequence[Single], message_id: str, thread: str, now: datetime
) -> bytes:
    """The bytes of a digest. The same mails give the same bytes."""
    assert player.address is not None
    lang = environment.language(player.lang or "en")
    says = environment.says(lang)
    cover = envelope(
        config,
        DIGEST,
        message_id,
        now,
        letter.Address(player.name or "", player.address),
        says("[%(host)s] %(count)s letters", host=config.host, count=len(singles)),
        lang,
        references=(thread,),
        unsubscribe=next(filter(None, (one.leaving for one in singles)), config.address),
    )
    return letter.write(cover, _text(singles, lang), files=tuple(_files(singles)))


def _text(singles: Sequence[Single], lang: str) -> str:
    says = environment.says(lang)
    opening = says(
        "These are %(count)s letters in one. Answer the order forms of different games in different mails; each form "
        "says whose it is. The attached pages show the maps.",
        count=len(singles),
    )
    contents = [wrap(f"{number}. {one.subject}", "", "   ") for number, one in enumerate(singles, start=1)]
    pieces = [wrap(opening), "", *contents, ""]
    for number, one in enumerate(singles, start=1):
        pieces += [RULE, wrap(f"{number}. {one.subject}", "", "   "), RULE, "", one.parts.text.rstrip("\n"), ""]
    return "\n".join(pieces)


def _files(singles: Sequence[Single]) -> Iterator[letter.File]:
    """What was attached to the single mails, under names that tell them apart, and their pages."""
    for number, one in enumerate(singles, start=1):
        before = f"{number:02d}-{one.mail.game}"
        for name, data in one.parts.files.items():
            yield letter.File(f"{before}-{name}", TYPES.get(name, "text/yaml"), data)
        if one.parts.html:
            yield letter.File(f"{before}-{one.parts.kind}.html", "text/html", one.parts.html.encode())
