"""Builders of mails for the M and I tables: one line gives one mail, as rude as it need be."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from dataclasses import dataclass

from tests.pbem.intake.hostile.case import END, HEAD, KEY

OURS = "orders@pbem.example"
PLAYER = "seat1@players.example"
ORDERS = HEAD + "orders:\n  - b3\n" + END
OTHER = ORDERS.replace("b3", "a2")
GAME_LINE = re.compile(rb"game: game(?![\w.-])")
IGNORE = "ignore"


@dataclass(frozen=True, slots=True)
class Mail:
    """One hostile mail. `make` gives its bytes with the usual key in it; a host under test puts in the seat's own.

    `code` is of the trouble, or of the form's first problem; `automatic` is why it is ignored; `found` is where the
    orders stood that are taken; `says` are words of the answer; `orders` what is taken.
    """

    id: str
    make: Callable[[], bytes]
    fate: str
    code: str = ""
    automatic: str = ""
    found: str = ""
    says: str = ""
    orders: str = "b3"
    at_host: str = ""  # the fate at a host that knows its own letters, where it is another one

    def raw(self, key: str = KEY, game: str = "game") -> bytes:
        """The bytes for that key and game. Only what is written plainly is exchanged, which the table sees to."""
        made = self.make()
        return made if (key, game) == (KEY, "game") else _seated(made, key, game)


def _seated(raw: bytes, key: str, game: str) -> bytes:
    raw = _in_base64(raw, key, game).replace(tag_of(KEY, "game").encode(), tag_of(key, game).encode())
    raw = GAME_LINE.sub(b"game: " + game.encode(), raw)
    wide = "utf-16-le"
    raw = raw.replace("game: game\n".encode(wide), f"game: {game}\n".encode(wide))
    return raw.replace(KEY.encode(), key.encode()).replace(KEY.encode(wide), key.encode(wide))


def _in_base64(raw: bytes, key: str, game: str) -> bytes:
    """The form in base64 is exchanged as a whole, or without the end that was cut off."""
    here = base64.encodebytes(ORDERS.encode())
    seated = base64.encodebytes(ORDERS.replace(KEY, key).replace("game: game\n", f"game: {game}\n").encode())
    return raw.replace(here, seated).replace(here[:-20], seated[:-20])


def tag_of(key: str, game: str) -> str:
    return f"orders+{key.replace('-', '').lower()}.1.1.{game}@pbem.example"


def mail(
    body: str | bytes = ORDERS,
    *more: str,
    kind: str | None = "text/plain; charset=utf-8",
    encoding: str | None = None,
    sender: str | None = f"Anna <{PLAYER}>",
    to: str | None = OURS,
    subject: str | None = "Re: game, decision 1",
    message_id: str | None = "<m1@players.example>",
    path: str | None = f"<{PLAYER}>",
    end: str = "\r\n",
) -> bytes:
    """A mail with these headers; `more` are further header lines, None leaves a header out."""
    known = (
        ("Return-Path", path),
        ("Delivered-To", to),
        ("From", sender),
        ("To", to),
        ("Subject", subject),
        ("Message-ID", message_id),
        ("Date", "Wed, 18 Nov 2026 11:58:00 +0000"),
        ("MIME-Version", "1.0"),
        ("Content-Type", kind),
        ("Content-Transfer-Encoding", encoding),
    )
    lines = [f"{name}: {value}" for name, value in known if value is not None]
    head = end.join([*lines, *more, "", ""]).encode("utf-8", "surrogateescape")
    return head + (body if isinstance(body, bytes) else body.replace("\n", end).encode("utf-8", "surrogateescape"))


def multipart(*parts: str | bytes, subtype: str = "mixed", boundary: str = "cut", closed: bool = True) -> bytes:
    """A mail of several parts, each with its own headers."""
    return mail(joined(*parts, boundary=boundary, closed=closed), kind=f'multipart/{subtype}; boundary="{boundary}"')


def joined(*parts: str | bytes, boundary: str = "cut", closed: bool = True) -> bytes:
    line = f"--{boundary}".encode()
    whole = b"".join(line + b"\r\n" + _crlf(part) + b"\r\n" for part in parts)
    return whole + (line + b"--\r\n" if closed else b"")


def _crlf(part: str | bytes) -> bytes:
    return part if isinstance(part, bytes) else part.replace("\n", "\r\n").encode("utf-8", "surrogateescape")


def part(content: str, kind: str = "text/plain; charset=utf-8", *more: str) -> str:
    return "\n".join([f"Content-Type: {kind}", *more, "", content])


def attached(content: str = ORDERS, name: str = "orders.yml", kind: str = "text/yaml") -> str:
    return part(content, kind, f'Content-Disposition: attachment; filename="{name}"')


def html(content: str) -> str:
    return part(f"<html><body>{content}</body></html>", "text/html; charset=utf-8")


def in_html(text: str = ORDERS) -> str:
    """A form as phones write it in HTML: each line ended by a break."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("  ", "&nbsp; ").replace("\n", "<br>\n")


def quoted(text: str) -> str:
    return "".join(f"> {line}\n" for line in text.splitlines())
