"""Mails made wrong by chance: the same ones for the same seed, on any machine."""

from __future__ import annotations

import base64
import binascii
import random
import re
from collections.abc import Callable, Iterator, Sequence

TOKENS = tuple(
    token.encode("utf-8", "surrogateescape")
    for token in (
        *(
            "\r\n",
            "\n",
            "\r",
            "\r\n\r\n",
            "\0",
            "\t",
            " ",
            "  ",
            "\x1b[2J",
            "\x7f",
            "\xa0",
            "\u2028",
            "\u202e",
            "\ufeff",
        ),
        *(
            "--cut",
            "--cut--",
            "--",
            "--cut\r\n\r\n",
            "> ",
            ">>>> ",
            "-- \n",
            "```",
            "```yaml\n",
            "<div>",
            "</blockquote>",
        ),
        *(
            "=?utf-8?q?=0D=0A?=",
            "=?x?b?!!?=",
            "=?utf-8?q?",
            "?=",
            "=\r\n",
            "=ZZ",
            "=3D",
            "&nbsp;",
            "&#0;",
            "<!--",
            "-->",
        ),
        *("game: game\n", "seat: '1'\n", "turn: 1\n", "key: K7Q2-9FXM\n", "orders:\n", "  - b3\n", "end: orders\n"),
        *("&a ", "*a", "!x ", "<<: ", "%", "[" * 40, "{", "|", "'", '"', "{{", "%s", "\u00e9", "\U0001f42f", "\udcff"),
        *("From: ", "To: ", "Content-Type: multipart/mixed; boundary=\r\n", "Content-Type: text/html\r\n", ";" * 50),
        *("Content-Transfer-Encoding: base64\r\n", "Auto-Submitted: auto-replied\r\n", "boundary=", "charset=", "*0*="),
        *(
            "(" * 60,
            "<" * 60,
            "@",
            ",",
            ":",
            "\\" * 30,
            "help",
            "resign",
            "On Wed, Anna wrote:\n",
            "Le mer. a \u00e9crit :\n",
        ),
    )
)
CHARSETS = (
    *("utf-8", "us-ascii", "iso-8859-1", "windows-1252", "utf-16", "utf-16-le", "utf-32", "utf-7", "cp500", "koi8-r"),
    *(
        "gb18030",
        "iso-2022-jp",
        "shift_jis",
        "zlib_codec",
        "rot13",
        "unicode_escape",
        "idna",
        "undefined",
        "x-none",
        "",
    ),
)
ENCODINGS = ("7bit", "8bit", "base64", "quoted-printable", "x-uuencode", "binary", "", "BASE64 (x)")
TYPES = (
    *("text/plain", "text/html", "multipart/mixed", "multipart/alternative", "multipart/report", "message/rfc822"),
    *(
        "message/delivery-status",
        "application/octet-stream",
        "text/yaml",
        "text/calendar",
        "multipart/signed",
        "x",
        "/",
    ),
)
FIELD = re.compile(rb"(?im)^(content-type|content-transfer-encoding|content-disposition):[^\r\n]*")
NUMBER = re.compile(rb"\d+")
CHARSET = re.compile(rb'(?i)charset="?[^\s";]*')
LARGEST = 300 << 10


def mutated(raw: bytes, others: Sequence[bytes], luck: random.Random) -> bytes:
    """One mail with one to eight things wrong with it."""
    for _ in range(luck.choice((1, 1, 1, 2, 2, 3, 5, 8))):
        raw = luck.choice(WAYS)(raw, others, luck)[:LARGEST]
    return raw


def many(corpus: Sequence[bytes], count: int, seed: int) -> Iterator[bytes]:
    luck = random.Random(seed)
    for _ in range(count):
        yield mutated(luck.choice(corpus), corpus, luck)


def _flip(raw: bytes, others: Sequence[bytes], luck: random.Random) -> bytes:
    flipped = bytearray(raw)
    for _ in range(luck.choice((1, 1, 2, 8, 60)) if raw else 0):
        flipped[luck.randrange(len(raw))] ^= 1 << luck.randrange(8)
    return bytes(flipped)


def _cut(raw: bytes, others: Sequence[bytes], luck: random.Random) -> bytes:
    return raw[: luck.randint(0, len(raw))] if luck.random() < 0.7 else raw[luck.randint(0, len(raw)) :]


def _take_out(raw: bytes, others: Sequence[bytes], luck: random.Random) -> bytes:
    at, to = _stretch(raw, luck)
    return raw[:at] + raw[to:]


def _double(raw: bytes, others: Sequence[bytes], luck: random.Random) -> bytes:
    at, to = _stretch(raw, luck)
    return raw[:to] + raw[at:to] * luck.choice((1, 1, 2, 30)) + raw[to:]


def _splice(raw: bytes, others: Sequence[bytes], luck: random.Random) -> bytes:
    other = luck.choice(others)
    at, to = _stretch(other, luck)
    here = luck.randint(0, len(raw))
    return raw[:here] + other[at:to] + raw[here:]


def _cross(raw: bytes, others: Sequence[bytes], luck: random.Random) -> bytes:
    """The headers of one mail over the body of another."""
    return raw.partition(b"\r\n\r\n")[0] + b"\r\n\r\n" + luck.choice(others).partition(b"\r\n\r\n")[2]


def _token(raw: bytes, others: Sequence[bytes], luck: random.Random) -> bytes:
    for _ in range(luck.choice((1, 1, 3, 10))):
        here = luck.randint(0, len(raw))
        raw = raw[:here] + luck.choice(TOKENS) + raw[here:]
    return raw


def _lines(raw: bytes, others: Sequence[bytes], luck: random.Random) -> bytes:
    """Lines change places, or all lines end otherwise."""
    if luck.random() < 0.3:
        return raw.replace(b"\r\n", luck.choice((b"\n", b"\r", b"\r\r\n", b"\n\r")))
    lines = raw.split(b"\r\n")
    for _ in range(luck.choice((1, 2, 10))):
        one, two = luck.randrange(len(lines)), luck.randrange(len(lines))
        lines[one], lines[two] = lines[two], lines[one]
    return b"\r\n".join(lines)


def _field(raw: bytes, others: Sequence[bytes], luck: random.Random) -> bytes:
    """A field of some part says something else."""
    found = list(FIELD.finditer(raw))
    if not found:
        return raw
    field = luck.choice(found)
    boundary = luck.choice(("", "; boundary=cut", "; boundary=b0", '; boundary="', "; charset*0*=x'y'z; charset*1=q"))
    new = luck.choice(
        (
            f"Content-Type: {luck.choice(TYPES)}; charset={luck.choice(CHARSETS)}{boundary}",
            f"Content-Transfer-Encoding: {luck.choice(ENCODINGS)}",
            f'Content-Disposition: {luck.choice(("attachment", "inline", "x"))}; filename="{luck.choice("ab")}.yml"',
        )
    )
    return raw[: field.start()] + new.encode() + raw[field.end() :]


def _charset(raw: bytes, others: Sequence[bytes], luck: random.Random) -> bytes:
    new = b"charset=" + luck.choice(CHARSETS).encode()
    return CHARSET.sub(lambda _: new, raw, count=luck.choice((0, 1)))


def _number(raw: bytes, others: Sequence[bytes], luck: random.Random) -> bytes:
    """A number is blown up."""
    found = list(NUMBER.finditer(raw))
    if not found:
        return raw
    number = luck.choice(found)
    new = luck.choice((b"0", b"-1", b"9" * luck.choice((5, 20, 400, 5000)), b"1e999", b"0x7fffffff", "\u0669".encode()))
    return raw[: number.start()] + new + raw[number.end() :]


def _wrap(raw: bytes, others: Sequence[bytes], luck: random.Random) -> bytes:
    """The whole mail, or its body, inside something else."""
    head, _, body = raw.partition(b"\r\n\r\n")
    match luck.randrange(4):
        case 0:
            return b"Content-Type: message/rfc822\r\n\r\n" + raw
        case 1:
            kind = b'\r\nContent-Type: multipart/mixed; boundary="w"\r\n\r\n--w\r\n'
            return head + kind + head + b"\r\n\r\n" + body + b"\r\n--w--\r\n"
        case 2:
            return head + b"\r\nContent-Transfer-Encoding: base64\r\n\r\n" + base64.encodebytes(body)
        case _:
            return head + b"\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n" + binascii.b2a_qp(body)


def _grow(raw: bytes, others: Sequence[bytes], luck: random.Random) -> bytes:
    """One byte, or one line, very many times."""
    here = luck.randint(0, len(raw))
    stretch = raw[here : here + luck.choice((1, 2, 10, 60))] or b"x"
    return raw[:here] + stretch * luck.choice((10, 300, 9000)) + raw[here:]


def _stretch(raw: bytes, luck: random.Random) -> tuple[int, int]:
    at = luck.randint(0, len(raw))
    return at, min(len(raw), at + luck.choice((1, 8, 80, 800, 8000)))


Way = Callable[[bytes, Sequence[bytes], random.Random], bytes]
WAYS: tuple[Way, ...] = (
    *(_flip, _flip, _cut, _take_out, _double, _splice, _splice, _cross, _token, _token, _token, _lines),
    *(_field, _field, _field, _charset, _number, _wrap, _wrap, _grow),
)
