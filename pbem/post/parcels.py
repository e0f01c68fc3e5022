"""From a stored mail to a parcel: its reader's address is read from its own first line `To:`, and nowhere else.

The bytes were written for the person who had the seat then, with that person's key; whoever sits there now must not
get them.
"""

from __future__ import annotations

import re

from pbem.config import Config
from pbem.ledger.outbox import REFUSED, OutMail
from pbem.ledger.signing import Signer
from pbem.people.addresses import ADDRESS, NOBODY
from pbem.post.carrier import Answer, Parcel
from pbem.post.headers import header
from pbem.post.returns import sender_for
from pbem.post.signing import signed

LONGEST = 998  # octets of a line, without its end (RFC 5322)
_angled = re.compile(r"<([^<>]*)>\Z")


def parcel_of(config: Config, mail: OutMail, stored: bytes, raw: bytes, signer: Signer | None) -> Parcel | Answer:
    """Return the parcel, its mail signed where there is a key, or why it can never be sent."""
    recipient = recipient_of(raw)
    if recipient == NOBODY:
        return Answer(REFUSED, "its reader has no address any more")
    if not ADDRESS.fullmatch(recipient):
        return Answer(REFUSED, "it names no address that mail could be sent to")
    if not _has_plain_lines(raw):
        # A server may take a bare line feed for a line end, and what follows it for a command.
        return Answer(REFUSED, "its lines are not such as mail is made of")
    sender = sender_for(mail.message_id, config.address) if config.post.tags else config.address
    leaving = raw if signer is None else signed(signer, mail, stored, raw)
    return Parcel(mail, sender, recipient, leaving, stored)


def _has_plain_lines(raw: bytes) -> bool:
    """Whether every line ends as a line of a mail does, and none is too long. To take out and put in again what stands
    before a line feed is far quicker than to look for the pairs, and most lines are passed over many at a time."""
    text = raw.replace(b"\r", b"")
    at = 0
    while len(text) - at > LONGEST:
        at = text.rfind(b"\n", at, at + LONGEST + 1) + 1
        if not at:
            return False
    return text.replace(b"\n", b"\r\n") == raw


def recipient_of(raw: bytes) -> str:
    """To whom a mail of ours is addressed."""
    said = header(raw, "To")
    angled = _angled.search(said)
    return angled[1] if angled else said
