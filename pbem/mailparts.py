"""The parts of a mail we wrote: what is shown again is what was sent, not something made anew.

Our letters have one plain structure (`pbem.reports.letter`), so they are taken apart here by their boundaries. The
standard library's parser, which must understand everybody's mail, takes ten times as long as writing one did.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from pbem.reports.picture import with_inside

_field = re.compile(rb"^([A-Za-z-]+):[ \t]*((?:[^\r\n]|\r\n[ \t])*)", re.MULTILINE)
_boundary = re.compile(rb'boundary="([^"]+)"')
_name = re.compile(rb'filename="([^"]+)"')
_image = b"image/"
FORGOTTEN = "forgotten"  # the kind of a mail whose bytes are gone
_blank = b"\r\n\r\n"


class Parts(NamedTuple):
    """A mail of ours, taken apart. The page has its picture inside, so it can be looked at by itself."""

    text: str
    html: str
    files: dict[str, bytes]
    kind: str
    turn: int


class Found(NamedTuple):
    """One part that holds something: its headers, and where in the mail it begins, its content begins, and it ends."""

    headers: Mapping[bytes, bytes]
    start: int
    content: int
    end: int

    def is_a(self, kind: bytes) -> bool:
        return self.headers.get(b"content-type", b"").startswith(kind)

    @property
    def is_shown(self) -> bool:
        """Whether it is a picture that the page shows."""
        return self.is_a(_image) and b"content-id" in self.headers

    @property
    def file(self) -> str:
        """What the part is saved as; "" for one that is to be read."""
        disposition = self.headers.get(b"content-disposition", b"")
        name = _name.search(disposition)
        return name[1].decode() if name else "file" if disposition else ""

    @property
    def cid(self) -> str:
        """What the page calls this picture."""
        return self.headers[b"content-id"].decode("ascii").strip("<>")

    @property
    def name(self) -> str:
        """The hash of the SVG."""
        return self.cid.partition("@")[0]


def parts(raw: bytes) -> Parts:
    """A letter as `pbem.reports.letter.write` wrote it, or as it left; of one that was forgotten nothing is left."""
    if not raw:
        return Parts("", "", {}, FORGOTTEN, 0)
    headers = headers_of(raw.partition(_blank)[0])
    text = html = ""
    files: dict[str, bytes] = {}
    for found in found_parts(raw):
        if found.is_shown:
            html = with_inside(html, found.cid, decoded(raw, found), found.headers[b"content-type"].decode())
        elif found.file:
            files[found.file] = decoded(raw, found)
        elif found.is_a(b"text/html"):
            html = decoded(raw, found).decode()
        else:
            text = decoded(raw, found).decode()
    return Parts(text, html, files, *_kind_and_turn(headers))


def kind_and_turn(raw: bytes) -> tuple[str, int]:
    """Of what kind a letter is, and of which turn."""
    return _kind_and_turn(headers_of(raw.partition(_blank)[0])) if raw else (FORGOTTEN, 0)


def _kind_and_turn(headers: Mapping[bytes, bytes]) -> tuple[str, int]:
    return headers.get(b"x-pbem-kind", b"mail").decode(), int(headers.get(b"x-pbem-turn", b"0"))


def some_parts(raw: bytes, wanted: Collection[str]) -> tuple[dict[str, bytes], bytes | None]:
    """The files of these names, as far as a letter brings them, and its picture; nothing else of it is looked into."""
    files: dict[str, bytes] = {}
    picture = None
    for found in found_parts(raw):
        if found.is_shown:
            picture = decoded(raw, found)
        elif (name := found.file) in wanted:
            files[name] = decoded(raw, found)
    return files, picture


def picture_in(raw: bytes) -> Found | None:
    """The picture that the page shows. Found by the boundaries, which nobody who writes in a letter can know."""
    if _image not in raw:
        return None
    return next((found for found in found_parts(raw) if found.is_shown), None)


def with_part(raw: bytes, part: bytes) -> bytes:
    """A letter of several parts with one more at its end. Its boundaries hold: no part as it travels contains one."""
    boundary = _boundary.search(headers_of(raw.partition(_blank)[0])[b"content-type"])
    assert boundary is not None
    line = b"--" + boundary[1]
    before, end, after = raw.rpartition(line + b"--")
    return before + line + b"\r\n" + part + b"\r\n" + end + after


def page_in(raw: bytes) -> Found:
    """The HTML of a letter."""
    return next(found for found in found_parts(raw) if found.is_a(b"text/html"))


def found_parts(raw: bytes) -> Iterator[Found]:
    """The parts that hold something, from the first to the last. The letter is gone through once: a part ends at the
    next line of what it is a part of, as no part holds such a line of those around it."""
    at, lines = 0, list[bytes]()  # the boundaries of what is open, the innermost last
    while True:
        content = raw.index(_blank, at) + len(_blank)
        headers = headers_of(raw[at:content])
        boundary = _boundary.search(headers.get(b"content-type", b""))
        if boundary is not None:
            lines.append(b"\r\n--" + boundary[1])
            end = content - 2  # its first part begins right below the blank line
        else:
            end = raw.index(lines[-1], content) if lines else len(raw)
            yield Found(headers, at, content, end)
        while lines and raw.startswith(b"--", end + len(lines[-1])):  # that was the last part of it
            closed = end + len(lines.pop())
            end = raw.index(lines[-1], closed) if lines else len(raw)
        if not lines:
            return
        at = end + len(lines[-1]) + 2


def headers_of(head: bytes) -> dict[bytes, bytes]:
    """The headers of a mail or a part, their names in lower case."""
    return {name.lower(): value.replace(b"\r\n", b"") for name, value in _field.findall(head)}


def decoded(raw: bytes, found: Found) -> bytes:
    """The content, lines ended by a line feed."""
    body, encoding = raw[found.content : found.end], found.headers.get(b"content-transfer-encoding", b"7bit")
    if encoding == b"base64":
        return binascii.a2b_base64(body)
    plain = body.replace(b"\r", b"")  # we write none but before a line feed, and to look for pairs takes far longer
    return binascii.a2b_qp(plain) if encoding == b"quoted-printable" else plain
