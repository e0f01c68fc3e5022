"""Transfer: the content of a part from the bytes that travelled to the text that was written, forgiving what is broken.

Character sets stand on a list: those in which mail programs write the languages we speak. A text in another one is read
when it is UTF-8 or plain ASCII after all; else its letters cannot be known, and each becomes U+FFFD.
"""

from __future__ import annotations

import binascii
import re

from pbem.intake.characters import laid_out

UNKNOWN = "\ufffd"

_SAME = {"iso-8859-1": "cp1252", "latin-1": "cp1252", "latin1": "cp1252", "l1": "cp1252", "ansi": "cp1252"}
# Western and central European sets, and those that Windows and older Macintosh programs call their own.
CHARSETS = frozenset(
    [
        *("utf-8", "utf8", "us-ascii", "ascii", "ansi_x3.4-1968"),
        *("iso-8859-2", "iso-8859-3", "iso-8859-9", "iso-8859-15", "latin-9", "iso-8859-16", "macintosh"),
        *(f"windows-125{n}" for n in range(9)),
        *(f"cp125{n}" for n in range(9)),
        *("utf-16", "utf-16le", "utf-16be"),
        *_SAME,
    ]
)
_UNICODE = frozenset({"", "utf-8", "utf8", "us-ascii", "ascii", "ansi_x3.4-1968"})
_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/]+")


def undone(data: bytes, encoding: str) -> bytes:
    """The content without its transfer encoding; what is cut off or broken gives as much as is there."""
    match encoding.strip().lower():
        case "quoted-printable":
            return binascii.a2b_qp(data)
        case "base64":
            return _from_base64(data)
    return data


def _from_base64(data: bytes) -> bytes:
    # What follows padding is the footer of a list or of a virus scanner, and no part of the content.
    letters = _NOT_BASE64.sub(b"", data.partition(b"=")[0])
    if len(letters) % 4 == 1:
        letters = letters[:-1]
    return binascii.a2b_base64(letters + b"=" * (-len(letters) % 4))


def text_of(data: bytes, charset: str) -> str:
    """The text, laid out as orders are read."""
    return laid_out(_decoded(data, charset.strip().strip("'\"").lower()))


def _decoded(data: bytes, charset: str) -> str:
    if charset not in CHARSETS and charset:
        return _guessed(data)
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    if charset.startswith("utf-16") and b"\0" in data:
        return data.decode("utf-16-be" if charset.endswith("be") else "utf-16-le", "replace")
    if charset in _UNICODE:
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError:
            return data.decode("cp1252", "replace")  # a wrong label: such programs write Windows-1252
    if charset.startswith("utf-16"):
        return _guessed(data)
    return data.decode(_SAME.get(charset, charset.replace("macintosh", "mac_roman")), "replace")


def _guessed(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("ascii", "replace")
