"""From a stored mail to a parcel: its reader's address is read from its own first line `To:`, and nowhere else.

The bytes were written for the person who had the seat then, with that person's key; whoever sits there now must not
get them.
"""

from __future__ import annotations

import re

from pbem.config import Config
from pbem.ledger.outbox import REFUSED, OutMail
from pbem.people.addresses import ADDRESS, NOBODY
from pbem.post.carrier import Answer, Parcel
from pbem.post.headers import header
from pbem.post.returns import sender_for

LONGEST = 998  # octets of a line, without its end (RFC 5322)
_angled = re.compile(r"<([^<>]*)>\Z")


def parcel_of(config: Config, mail: OutMail, stored: bytes, raw: bytes) -> Parcel | Answer:
    """The parcel, or why it can never be sent."""
    recipient = recipient_of(raw)
    if recipient == NOBODY:
        return Answer(REFUSED, "its reader has no address any more")
    if not ADDRESS.fullmatch(recipient):
        return Answer(REFUSED, "it names no address that mail could be sent to")
    lines = raw.split(b"\r\n")
    if raw.count(b"\n") != len(lines) - 1 or raw.count(b"\r") != len(lines) - 1 or max(map(len, lines)) > LONGEST:
        # A server may take a bare line feed for a line end, and what follows it for a command.
        return Answer(REFUSED, "its lines are not such as mail is made of")
    sender = sender_for(mail.message_id, config.address) if config.post.tags else config.address
    return Parcel(mail, sender, recipient, raw, stored)


def recipient_of(raw: bytes) -> str:
    """To whom a mail of ours is addressed."""
    said = header(raw, "To")
    angled = _angled.search(said)
    return angled[1] if angled else said
