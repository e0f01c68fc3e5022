"""Bounces: what a delivery status notification (RFC 3464) says, and which mail of ours it speaks of."""

from __future__ import annotations

import re

from pbem.intake.limits import Limits
from pbem.intake.mail.headers import Headers, headers, split
from pbem.intake.mail.parts import Part
from pbem.intake.mail.reading import Bounce

GROUPS = re.compile(rb"\r?\n[ \t]*\r?\n")
ID = re.compile(r"<[^<>\s@]{1,200}@[^<>\s]{1,200}>")
STATUS = re.compile(r"\b([245]\.\d{1,3}\.\d{1,3})\b")
STATUS_TYPES = ("message/delivery-status", "message/global-delivery-status")
RETURNED = ("text/rfc822-headers", "message/global-headers")
WORSE = {"failed": 0, "delayed": 1}  # which of several recipients is told of


def bounce_of(leaves: list[Part], top: Headers, limits: Limits) -> Bounce | None:
    """What bounced, of several recipients the one that fared worst; None where no part tells of it."""
    told = next((part for part in leaves if part.type.word in STATUS_TYPES), None)
    if told is None:
        return None
    groups = [headers(group, limits) for group in GROUPS.split(told.bytes.strip())[:20]]
    recipients = [group for group in groups if group.get("final-recipient") or group.get("original-recipient")]
    if not recipients:
        return Bounce(message_id=_returned_id(leaves, top, limits))
    worst = min(recipients, key=lambda group: WORSE.get(_word(group.get("action")), 2))
    address = worst.get("original-recipient") or worst.get("final-recipient")
    status = STATUS.search(worst.get("status")) or STATUS.search(worst.get("diagnostic-code"))
    return Bounce(
        address.rpartition(";")[2].strip().strip("<>").lower()[:320],
        status[1] if status else "",
        _word(worst.get("action")),
        _returned_id(leaves, top, limits),
    )


def _word(text: str) -> str:
    return text.partition(" ")[0].partition(";")[0].strip().lower()[:20]


def _returned_id(leaves: list[Part], top: Headers, limits: Limits) -> str:
    """The Message-ID of the mail that came back, in what is quoted of it, or else in the thread."""
    for part in leaves:
        if part.type.word in RETURNED:
            found = ID.search(split(part.bytes, limits)[0].get("message-id"))
        elif part.forwarded:
            found = ID.search(part.above.get("message-id")) if part.above else None
        else:
            continue
        if found:
            return found[0]
    thread = ID.search(top.get("in-reply-to")) or ID.search(top.get("references"))
    return thread[0] if thread else ""
