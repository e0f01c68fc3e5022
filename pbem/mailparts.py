"""The parts of a mail we wrote: what is shown again is what was sent, not something made anew.

Our letters have one plain structure (`pbem.reports.letter`), so they are taken apart here by their boundaries. The
standard library's parser, which must understand everybody's mail, takes ten times as long as writing one did.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator
from typing import NamedTuple

_field = re.compile(rb"^([A-Za-z-]+):[ \t]*((?:[^\r\n]|\r\n[ \t])*)", re.MULTILINE)
_boundary = re.compile(rb'boundary="([^"]+)"')
_name = re.compile(rb'filename="([^"]+)"')


class Parts(NamedTuple):
    """A mail of ours, taken apart."""

    text: str
    html: str
    files: dict[str, bytes]
    kind: str
    turn: int


class _Leaf(NamedTuple):
    """One part that holds something: its headers, and its content decoded, lines ended by a line feed."""

    headers: dict[bytes, bytes]
    data: bytes

    def is_a(self, kind: bytes) -> bool:
        return self.headers[b"content-type"].startswith(kind)


def parts(raw: bytes) -> Parts:
    """A letter as `pbem.reports.letter.write` wrote it."""
    headers = _headers(raw.partition(b"\r\n\r\n")[0])
    text = html = ""
    files: dict[str, bytes] = {}
    for leaf in _leaves(raw):
        disposition = leaf.headers.get(b"content-disposition")
        if disposition is not None:
            name = _name.search(disposition)
            files[name[1].decode() if name else "file"] = leaf.data
        elif leaf.is_a(b"text/html"):
            html = leaf.data.decode()
        else:
            text = leaf.data.decode()
    kind, turn = headers.get(b"x-pbem-kind", b"mail"), headers.get(b"x-pbem-turn", b"0")
    return Parts(text, html, files, kind.decode(), int(turn))


def _leaves(part: bytes) -> Iterator[_Leaf]:
    """The parts that hold something, from the first to the last."""
    head, _, body = part.partition(b"\r\n\r\n")
    headers = _headers(head)
    boundary = _boundary.search(headers[b"content-type"])
    if boundary is None:
        yield _Leaf(headers, _decoded(body, headers.get(b"content-transfer-encoding", b"7bit")))
        return
    line = b"--" + boundary[1]
    for piece in body.split(b"\r\n" + line if not body.startswith(line) else line)[1:-1]:
        yield from _leaves(piece.removeprefix(b"\r\n").removesuffix(b"\r\n"))


def _headers(head: bytes) -> dict[bytes, bytes]:
    return {name.lower(): value.replace(b"\r\n", b"") for name, value in _field.findall(head)}


def _decoded(body: bytes, encoding: bytes) -> bytes:
    if encoding == b"base64":
        return binascii.a2b_base64(body)
    plain = body.replace(b"\r\n", b"\n")
    return binascii.a2b_qp(plain) if encoding == b"quoted-printable" else plain
