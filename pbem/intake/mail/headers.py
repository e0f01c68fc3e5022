"""Headers: the lines above a mail's text, taken apart so that no bytes can be wrong enough to raise anything."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from pbem.intake.limits import Limits
from pbem.intake.mail.phrases import names

LINE_END = re.compile(rb"\r{0,3}\n")
BLANK_LINE = re.compile(rb"(?:\A|\n)\r{0,3}\n")
NAME = re.compile(r"[!-9;-~]+", re.ASCII)
PARAMETER = re.compile(r""";\s*([!#-'*+.0-9A-Z^-z|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"?|([^\s;"]*))""", re.ASCII | re.S)
CONTINUED = re.compile(r"(.+?)\*(?:(\d{1,2})\*?)?")  # RFC 2231: a name over several lines, or with a character set

# One of these stands above every mail; where none does, somebody sent nothing but the text.
USUAL_NAMES = names(
    "from to cc subject date message-id received return-path delivered-to content-type mime-version x-original-to"
)


@dataclass(frozen=True, slots=True)
class Headers:
    """The headers of a mail or of a part: by name in lower case, in their order, each cut at the limit."""

    rows: tuple[tuple[str, str], ...] = ()
    size: int = 0  # bytes of the whole block

    def all(self, *names: str) -> list[str]:
        return [value for name, value in self.rows if name in names]

    def get(self, name: str) -> str:
        """The first of that name, "" when there is none."""
        return next((value for known, value in self.rows if known == name), "")

    def __contains__(self, name: str) -> bool:
        return any(known == name for known, _ in self.rows)


class Valued(NamedTuple):
    """A header such as Content-Type: a word, and parameters after it."""

    word: str
    parameters: dict[str, str]


def split(raw: bytes, limits: Limits) -> tuple[Headers, bytes]:
    """The headers and what follows them. A line of a mailbox file (`From `) and lines that are none are passed over."""
    if b"\n" not in raw:
        raw = raw.replace(b"\r", b"\n")
    found = BLANK_LINE.search(raw)
    block, body = (raw[: found.start()], raw[found.end() :]) if found else (raw, b"")
    return headers(block, limits), body


def headers(block: bytes, limits: Limits) -> Headers:
    """The headers in a block of lines; of very many or very long ones, as much as the limits allow and one more."""
    rows: list[tuple[str, str]] = []
    parts: list[str] = []
    most = limits.header
    for line in LINE_END.split(block[: limits.header_block]):
        text = _text(line[: most + 1])
        if text[:1] in (" ", "\t"):
            if parts:
                parts.append(text.strip())
            continue
        _close(rows, parts, most)
        if len(rows) > limits.headers:
            break
        parts = [text] if ":" in text else []
    else:
        _close(rows, parts, most)
    return Headers(tuple(rows), len(block))


def _text(line: bytes) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        return line.decode("latin-1")


def _close(rows: list[tuple[str, str]], parts: list[str], most: int) -> None:
    if not parts:
        return
    name, _, value = parts[0].partition(":")
    name = name.rstrip().lower()
    if len(parts) > 1:
        value = " ".join([value, *parts[1:]])
    if NAME.fullmatch(name):
        rows.append((name, value.replace("\0", "").strip()[:most]))


def is_mail(found: Headers) -> bool:
    """Whether these are the headers of a mail, and not the first lines of a text that was sent without any."""
    return any(name in USUAL_NAMES for name, _ in found.rows)


def valued(text: str) -> Valued:
    """A header with parameters, such as `text/plain; charset="utf-8"`, in lower case but for the values."""
    word, semicolon, _ = text.partition(";")
    parameters: dict[str, str] = {}
    if semicolon:
        for name, quoted, plain in PARAMETER.findall(text):
            value = re.sub(r"\\(.)", r"\1", quoted) if quoted else plain
            key = name.lower()
            if "*" in key and (long := CONTINUED.fullmatch(key)):
                key = long[1]
                value = value.rpartition("'")[2] if "'" in value else value
                value = parameters.get(key, "") + value if long[2] not in (None, "0") else value
                parameters[key] = value
            else:
                parameters.setdefault(key, value)
    return Valued(word.strip().lower(), parameters)
