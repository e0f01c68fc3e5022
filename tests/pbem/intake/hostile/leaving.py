"""What leaves, as a parser that is not ours takes it apart: the shape of a mail, without its words."""

from __future__ import annotations

import email
import email.policy
import re
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import getaddresses
from functools import lru_cache
from typing import Any

from pbem.deadlines.schedule import Schedule
from pbem.game.outgoing import written
from pbem.game.sheet import Host, Sheet, Sitter
from tests.pbem.reports.letters import EVERY, NIM
from tests.pbem.reports.test_plain import bad

NOW = datetime(2026, 11, 18, 12, 0, tzinfo=UTC)
ADDRESSES = {"1": "ann@players.example", "2": "ben@players.example"}
PARTIES = ("From", "To", "Cc", "Bcc", "Reply-To", "Sender", "Resent-To", "Errors-To", "Return-Path", "Delivered-To")


def sheet(name: str) -> Sheet:
    """A game where that name is everybody's, the host's included."""
    sitters = {seat: Sitter(name, address, "en", "UTC") for seat, address in ADDRESSES.items()}
    options = NIM.Options(heaps="3-4-5").to_json()
    host = Host(name, "orders@pbem.example")
    return Sheet("jade-river", "nim", options, sitters, Schedule(), host, bytes(32), bytes(32), {}, "00" * 32)


def mailed(kind: str, text: str) -> bytes:
    """A letter of that kind with the text wherever a player can put one, as it would leave."""
    return written(sheet(text), EVERY[kind](text), "<jade-river.1@pbem.example>", NOW)


@lru_cache(maxsize=1)  # the shape of a mail and its faults are asked one after the other
def parsed(raw: bytes) -> EmailMessage:
    message = email.message_from_bytes(raw, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    return message


def shape(raw: bytes) -> tuple[Any, ...]:
    """The headers' names, all addresses, and each part's type and file name: nothing that words may change."""
    message = parsed(raw)
    parties = getaddresses([str(value) for name in PARTIES for value in message.get_all(name, [])])
    parts = [(part.get_content_type(), part.get_filename(), tuple(part.keys())) for part in message.walk()]
    return tuple(message.keys()), tuple(address for _, address in parties), tuple(parts)


def faults(raw: bytes) -> list[str]:
    """What no mail of ours may hold, whatever players wrote."""
    found = []
    if raw.count(b"\r\n") != raw.count(b"\n") or raw.count(b"\r\n") != raw.count(b"\r"):
        found.append("a line that does not end as lines do")
    lines = raw.split(b"\r\n")
    if max(map(len, lines)) > 998:
        found.append("a line too long for a server")
    if any(line.startswith(b"From ") for line in lines):
        found.append("a line that begins another mail in a mailbox file")
    if not raw.isascii() or re.search(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]", raw):
        found.append("a byte that is no plain letter")
    message = parsed(raw)
    for part in message.walk():
        if part.defects:
            found.append(f"defects {part.defects}")
        if part.get_content_maintype() == "text" and bad(part.get_content(), "\r\n"):
            found.append("a sign that steers a terminal")
    found += [f"the header {name}" for name, value in message.items() if bad(str(value)) or "\n" in str(value)]
    return found
