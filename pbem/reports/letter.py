"""The bytes of a mail: MIME written by ourselves, so that the same letter is the same bytes on any machine.

The standard library draws a boundary by chance, folds headers differently from release to release and is slow. A
letter of ours needs few structures: text, HTML beside it, a picture that the HTML shows, files after them.
"""

from __future__ import annotations

import binascii
import hashlib
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import format_datetime
from functools import lru_cache
from typing import Literal, NamedTuple
from urllib.parse import quote

from pbem.reports import plain

FOLD = 76
LONGEST_LINE = 900  # a server may refuse lines over 998 bytes
LONGEST_HEADER = 500
ENCODED = 39  # bytes of UTF-8 in one encoded word: with its frame it stays under the 75 that RFC 2047 allows

Auto = Literal["auto-generated", "auto-replied"]
KIND, TURN, LOOP = "X-Pbem-Kind", "X-Pbem-Turn", "X-Loop"  # headers of our own; the last tells us from robots

_address = re.compile(
    r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-][A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{0,63}@[A-Za-z0-9.-]{1,255}", re.ASCII
)
_message_id = re.compile(r"<[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,120}@[A-Za-z0-9.-]{1,120}>", re.ASCII)
_name = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,60}", re.ASCII)
_atoms = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~ -]+", re.ASCII)
_type = re.compile(r"[a-z]+/[a-z0-9.+-]+(?:; method=PUBLISH)?", re.ASCII)
_file = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,80}", re.ASCII)
_cid = re.compile(r"[0-9a-f]{64}@pbem", re.ASCII)
_language = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*", re.ASCII)


class BadHeader(ValueError):
    """Something that cannot stand in a header, and which making plain would make another thing."""


class Address(NamedTuple):
    """One mailbox: a name for people, and where the mail goes."""

    name: str
    address: str


class File(NamedTuple):
    """Something attached: its name, type, and bytes. Text is kept readable on the way, the rest goes as base64."""

    name: str
    type: str
    data: bytes


class Shown(NamedTuple):
    """A picture that the HTML shows: what the HTML calls it, and its SVG, in ASCII, with a line feed at the end."""

    cid: str
    svg: bytes


class Envelope(NamedTuple):
    """All of a letter but its words. Message-ID and date are given: a letter that is sent again keeps both."""

    message_id: str
    date: datetime
    sender: Address
    to: Address
    subject: str
    lang: str = "en"
    reply_to: Address | None = None
    references: tuple[str, ...] = ()  # the thread, oldest first; the last one is what this letter answers
    auto: Auto = "auto-generated"
    unsubscribe: str = ""  # an address
    more: tuple[tuple[str, str], ...] = ()  # further headers of the host's own


def write(
    envelope: Envelope, text: str, html: str = "", files: tuple[File, ...] = (), shown: Shown | None = None
) -> bytes:
    """The whole message, lines ended by CR LF."""
    part = _body(envelope, text, html, files, shown)
    head = "".join(f"{line}\r\n" for line in _headers(envelope))
    return head.encode("ascii") + b"MIME-Version: 1.0\r\n" + part.head + part.content


# --- the body --------------------------------------------------------------------------------------------------------


class Part(NamedTuple):
    """The headers of a content with the blank line after them, the content, and a hash that depends on both."""

    head: bytes
    content: bytes
    sha256: bytes


def _part(head: bytes, content: bytes) -> Part:
    digest = hashlib.sha256(head)
    digest.update(content)
    return Part(head, content, digest.digest())


def _body(envelope: Envelope, text: str, html: str, files: tuple[File, ...], shown: Shown | None) -> Part:
    part = _text(text)
    if html:
        page = page_part(html)
        if shown:
            page = _multipart('related; type="text/html"', envelope.message_id, [page, drawn(shown)])
        part = _multipart("alternative", envelope.message_id, [part, page])
    return _multipart("mixed", envelope.message_id, [part, *map(attached, files)]) if files else part


def _text(text: str) -> Part:
    data = _lines(text).encode()
    if data.isascii() and _short(data) and not _has_from(data):
        return _part(_content("text/plain; charset=us-ascii", "7bit"), _crlf(data))
    return _part(_content("text/plain; charset=utf-8", "quoted-printable"), _crlf(_quoted(data)))


def page_part(html: str) -> Part:
    """HTML needs no letter outside ASCII: it has a way of its own to write the others, so its lines stay readable."""
    data = _without_from(_lines(html).encode("ascii", "xmlcharrefreplace"), b"&#70;rom ")
    if _short(data):
        return _part(_content("text/html; charset=us-ascii", "7bit"), _crlf(data))
    return _part(_content("text/html; charset=us-ascii", "quoted-printable"), _crlf(_quoted(data)))


def attached(file: File) -> Part:
    """A part that mail programs offer to save."""
    if not (_file.fullmatch(file.name) and _type.fullmatch(file.type)):
        raise BadHeader(f"a file named {file.name!r} of type {file.type!r}")
    wanted = f'Content-Disposition: attachment; filename="{file.name}"\r\n'.encode("ascii")
    if file.type.startswith("text/") or file.type == "application/json":
        kind = _content(f"{file.type}; charset=utf-8", "quoted-printable", wanted)
        return _part(kind, _crlf(_quoted(_lines(file.data.decode("utf-8", "replace")).encode())))
    return _part(_content(file.type, "base64", wanted), _crlf(_base64(file.data)))


@lru_cache(maxsize=4)  # the seats of a turn mostly see the same one
def drawn(shown: Shown) -> Part:
    """The picture as it is stored: text, which packs well, until it is painted for the mail that leaves."""
    kind, encoding, data = "image/svg+xml", "7bit", shown.svg
    if not _short(data) or _has_from(data):
        encoding, data = "quoted-printable", _quoted(data)
    return _part(_content(kind, encoding, _inline(shown.cid, "map.svg")), _crlf(data))


@lru_cache(maxsize=4)
def painted(cid: str, png: bytes) -> Part:
    """The same picture as mail programs show it."""
    return _part(_content("image/png", "base64", _inline(cid, "map.png")), _crlf(_base64(png)))


def _inline(cid: str, name: str) -> bytes:
    about = f'Content-ID: <{_fit(_cid, cid)}>\r\nContent-Disposition: inline; filename="{name}"\r\n'
    return about.encode("ascii")


def _base64(data: bytes) -> bytes:
    line = binascii.b2a_base64(data, newline=False)
    return b"\n".join(line[i : i + FOLD] for i in range(0, len(line), FOLD)) + b"\n"


def _multipart(kind: str, message_id: str, parts: list[Part]) -> Part:
    """Its boundary is a line that is in none of the parts. It depends on all of them, so nobody can have written it in
    advance."""
    digest = hashlib.sha256(f"{kind} {message_id}".encode("ascii") + b"".join(part.sha256 for part in parts)).digest()
    boundary = b"=_" + digest.hex()[:32].encode()
    while any(boundary in part.content for part in parts):
        digest = hashlib.sha256(digest).digest()
        boundary = b"=_" + digest.hex()[:32].encode()
    line = b"--" + boundary
    body = b"".join(line + b"\r\n" + part.head + part.content + b"\r\n" for part in parts) + line + b"--\r\n"
    return Part(f'Content-Type: multipart/{kind};\r\n boundary="'.encode() + boundary + b'"\r\n\r\n', body, digest)


def _content(kind: str, encoding: str, more: bytes = b"") -> bytes:
    return f"Content-Type: {kind}\r\nContent-Transfer-Encoding: {encoding}\r\n".encode("ascii") + more + b"\r\n"


def _lines(text: str) -> str:
    """The text clean, lines ended by a line feed, the last one too."""
    return plain.clean(text).rstrip("\n") + "\n"


def _quoted(data: bytes) -> bytes:
    return _without_from(binascii.b2a_qp(data, istext=True), b"=46rom ")


def _has_from(data: bytes) -> bool:
    return data.startswith(b"From ") or b"\nFrom " in data


def _without_from(data: bytes, instead: bytes) -> bytes:
    """A line that begins with `From ` would get a `>` before it in a mailbox file."""
    if data.startswith(b"From "):
        data = instead + data[5:]
    return data.replace(b"\nFrom ", b"\n" + instead)


def _crlf(data: bytes) -> bytes:
    return data.replace(b"\n", b"\r\n")


def _short(data: bytes) -> bool:
    """Whether every line may travel as it is."""
    return len(data) <= LONGEST_LINE or max(map(len, data.split(b"\n"))) <= LONGEST_LINE


# --- the headers -----------------------------------------------------------------------------------------------------


def _headers(envelope: Envelope) -> Iterator[str]:
    yield f"Message-ID: {_id(envelope.message_id)}"
    yield f"Date: {_date(envelope.date)}"
    yield _mailbox("From", envelope.sender)
    yield _mailbox("To", envelope.to)
    if envelope.reply_to:
        yield _mailbox("Reply-To", envelope.reply_to)
    yield _unstructured("Subject", envelope.subject)
    if envelope.references:
        thread = [_id(reference) for reference in envelope.references]
        yield f"In-Reply-To: {thread[-1]}"
        yield _folded("References", thread)
    yield f"Auto-Submitted: {envelope.auto}"
    yield "X-Auto-Response-Suppress: All"
    if envelope.unsubscribe:
        local, _, host = _mail(envelope.unsubscribe).rpartition("@")
        yield f"List-Unsubscribe: <mailto:{quote(local, safe='+')}@{host}?subject=unsubscribe>"
    yield f"Content-Language: {_fit(_language, envelope.lang)}"
    for name, value in envelope.more:
        yield _unstructured(_fit(_name, name), value)


def _fit(pattern: re.Pattern[str], value: str) -> str:
    if not pattern.fullmatch(value):
        raise BadHeader(f"{value[:80]!r} cannot stand in a header")
    return value


def _id(value: str) -> str:
    return _fit(_message_id, value)


def is_message_id(value: str) -> bool:
    """Whether it can stand in a header of ours: the ids of mails from outside are theirs."""
    return _message_id.fullmatch(value) is not None


def _mail(value: str) -> str:
    return _fit(_address, value)


def _date(date: datetime) -> str:
    if date.tzinfo is None:
        raise BadHeader(f"the date {date} has no zone")
    return format_datetime(date.astimezone(UTC))


def _mailbox(header: str, mailbox: Address) -> str:
    """A mailbox, its name quoted or encoded as it needs; the address is taken as it is or not at all."""
    address, name = f"<{_mail(mailbox.address)}>", plain.one_line(mailbox.name, 80)
    if not name:
        return f"{header}: {mailbox.address}"
    if _atoms.fullmatch(name) and "=?" not in name:
        words = [*name.split(" "), address]
    elif name.isascii() and "=?" not in name:  # which some would decode even inside quotes
        quoted = name.replace("\\", "\\\\").replace('"', '\\"')
        words = [f'"{quoted}"', address]
    else:
        words = [*_encoded(name), address]
    return _folded(header, words)


def _unstructured(header: str, value: str) -> str:
    value = plain.one_line(value, LONGEST_HEADER)
    words = value.split(" ")
    if value.isascii() and "=?" not in value and max(map(len, words)) < FOLD - len(header):
        return _folded(header, words)
    return _folded(header, _encoded(value))


def _encoded(value: str) -> list[str]:
    """RFC 2047: encoded words, none cut inside a letter. A reader joins them without the blanks between them."""
    words, chunk = [], b""
    for letter in value:
        data = letter.encode("utf-8")
        if len(chunk) + len(data) > ENCODED:
            words.append(chunk)
            chunk = b""
        chunk += data
    words.append(chunk)
    return [f"=?utf-8?b?{binascii.b2a_base64(word, newline=False).decode('ascii')}?=" for word in words]


def _folded(header: str, words: list[str]) -> str:
    lines, line = [], f"{header}:"
    for i, word in enumerate(words):
        if i and len(line) + 1 + len(word) > FOLD:
            lines.append(line)
            line = ""
        line = f"{line} {word}"
    return "\r\n".join([*lines, line])
