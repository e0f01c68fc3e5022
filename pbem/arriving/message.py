"""A message as it came: its bytes, the id it bears, and when it arrived. Nothing here takes a mail apart.

The id is found by a bounded scan of the header's bytes; parsers meet a mail only later, in a bounded child.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from pbem.intake.limits import CUT, USUAL

LARGEST = USUAL.message_bytes  # where the host has set no other limit
HEADER = 64 << 10  # so far into a message its header is looked for
ADDRESS = 320  # characters of an address that is written above a mail
_ID = re.compile(rb"^message-id:[ \t]*(?:\r?\n[ \t]+)?<([!-;=?-~]{1,250})>[ \t]*\r?$", re.I | re.M)
_END = re.compile(rb"\r?\n\r?\n")
_MBOX = re.compile(rb"From [^\r\n]*\r?\n")
_NOT_PLAIN = re.compile(r"[\x00-\x20<>\x7f-\x9f\u2028\u2029\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Message:
    """What is to be stored."""

    raw: bytes
    message_id: str
    arrived: datetime


def arrived_by(raw: bytes, at: datetime, size: int = 0, most: int = LARGEST) -> Message:
    """A mail with the id it bears.

    `raw` may be the first bytes of a mail of that `size`: where nobody else could tell its sender that it is too large,
    `most` of them are taken, from which it is seen whose it is. The line above them says that there was more, so that
    it is refused, whatever stands in what came.
    """
    if len(raw) <= most:
        return Message(raw, message_id_of(raw), at)
    beginning = raw[:most]
    return Message(_below(beginning, [f"{CUT}: {max(size, len(raw))}"]), message_id_of(beginning), at)


def message_id_of(raw: bytes) -> str:
    """The mail's Message-ID, or what stands for it where there is none that can be believed."""
    found = _ID.search(header_of(raw))
    if found is not None:
        return f"<{found[1].decode('ascii')}>"
    return f"sha256:{hashlib.sha256(raw.replace(CRLF, LF)).hexdigest()}"


CRLF, LF = b"\r\n", b"\n"


def header_of(raw: bytes) -> bytes:
    """The mail's header, or as much of it as is looked at."""
    top = raw[:HEADER]
    end = _END.search(top)
    return top if end is None else top[: end.start()]


def words_of(raw: bytes) -> bytes:
    """A digest of what the mail says below its header. Two deliveries of a mail differ in the lines above it that tell
    the ways they went, and in how their lines end."""
    end = _END.search(raw)
    said = b"" if end is None else raw[end.end() :]
    return hashlib.sha256(said.replace(CRLF, LF).rstrip(LF)).digest()


def with_envelope(raw: bytes, sender: str | None, recipients: Sequence[str]) -> bytes:
    """The mail below the lines that a delivery agent writes: who sent it, and to which addresses of ours."""
    lines = [] if sender is None else [f"Return-Path: <{plain(sender)}>"]
    lines += [f"Delivered-To: {plain(one)}" for one in recipients]
    return _below(raw, lines)


def _below(raw: bytes, lines: Sequence[str]) -> bytes:
    """The mail below lines of our own."""
    mbox = _MBOX.match(raw)  # some agents set a line of their own above a mail that they hand to a program
    first = mbox[0] if mbox else b""
    line_end = CRLF if CRLF in raw[:HEADER] else LF
    return first + b"".join(line.encode() + line_end for line in lines) + raw[len(first) :]


def plain(address: str) -> str:
    """An address without anything that could end its line or its brackets."""
    return _NOT_PLAIN.sub("", address.strip().removeprefix("<").removesuffix(">"))[:ADDRESS]
