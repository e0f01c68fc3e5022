"""Parts: the tree of a MIME message, walked within limits, as a flat list of what can be read."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from engine.refusal import Refusal
from pbem.intake.limits import Limits
from pbem.intake.mail.headers import Headers, Valued, split, valued
from pbem.intake.mail.transfer import text_of, undone

MULTIPART = "multipart/"
PLAIN, HTML = "text/plain", "text/html"
MESSAGES = ("message/rfc822", "message/global")
SEALED = frozenset(
    f"application/{kind}" for kind in ("pkcs7-mime", "x-pkcs7-mime", "pgp-encrypted", "ms-tnef", "vnd.ms-tnef")
)
SIGNATURES = frozenset(f"application/{kind}" for kind in ("pgp-signature", "pkcs7-signature", "x-pkcs7-signature"))
PICTURE = "image/"
NO_TEXT = (PICTURE, "audio/", "video/", "font/")
BINARY = re.compile(rb"[\x00-\x08\x0e-\x1a]")


@dataclass(frozen=True, slots=True)
class Part:
    """A leaf of the tree."""

    type: Valued
    headers: Headers
    data: bytes  # as it travelled
    attached: bool  # a file, by its disposition or its having a name
    above: Headers | None  # those of the forwarded message that it is in
    whole: bool  # the boundary after it was seen, so that it was not cut short

    @property
    def forwarded(self) -> bool:
        """Whether it is inside a message inside the message."""
        return self.above is not None

    @property
    def bytes(self) -> bytes:
        return undone(self.data, self.headers.get("content-transfer-encoding"))

    @property
    def text(self) -> str:
        return text_of(self.bytes, self.type.parameters.get("charset", ""))

    @property
    def is_body(self) -> bool:
        """Whether it is what a person reads first: the text of the mail itself."""
        return not self.attached and not self.forwarded

    @property
    def is_piece(self) -> bool:
        """Whether it is but a piece of a message, or says where one lies."""
        return self.type.word in ("message/partial", "message/external-body")

    @property
    def is_sealed(self) -> bool:
        """Whether the mail itself is inside, where only some programs find it."""
        return self.type.word in SEALED

    @property
    def name(self) -> str:
        """The name of a file, as its sender gave it; its type where it has none."""
        disposition = valued(self.headers.get("content-disposition"))
        return disposition.parameters.get("filename") or self.type.parameters.get("name") or self.type.word

    @property
    def is_closed(self) -> bool:
        """Whether it is a file that is not looked into, and in which somebody may have put orders."""
        return (
            self.attached
            and not (self.forwarded or self.is_text or self.is_piece or self.is_sealed)
            and not self.type.word.startswith(NO_TEXT)
            and self.type.word not in SIGNATURES
        )

    @property
    def is_text(self) -> bool:
        """Whether there may be orders in it, by its bytes rather than by its type, which many programs get wrong."""
        if self.type.word.startswith(NO_TEXT) or self.is_piece:
            return False
        start = self.bytes[:512]
        return start[:2] in (b"\xff\xfe", b"\xfe\xff") or not BINARY.search(start)


@dataclass(slots=True)
class Tree:
    """What the walk found. With a `trouble` it was ended before its end; `buried` says that a message inside the
    message goes deeper than was looked, which matters where nothing else is found."""

    leaves: list[Part] = field(default_factory=list)
    types: list[Valued] = field(default_factory=list)  # of everything, from the outside to the inside
    trouble: Refusal | None = None
    buried: Refusal | None = None

    @property
    def pictures(self) -> int:
        """The bytes of all pictures, as they travelled."""
        return sum(len(part.data) for part in self.leaves if part.type.word.startswith(PICTURE))


def walk(headers: Headers, body: bytes, limits: Limits) -> Tree:
    """All parts of a message."""
    tree = Tree()
    _enter(tree, headers, body, 1, limits, above=None, whole=True)
    return tree


def _enter(
    tree: Tree,
    headers: Headers,
    body: bytes,
    depth: int,
    limits: Limits,
    *,
    above: Headers | None,
    whole: bool,
) -> None:
    kind = valued(headers.get("content-type"))
    tree.types.append(kind)
    if len(tree.leaves) == limits.parts:
        sentence = "The mail has more than {most} parts. Send your orders as plain text, without attachments."
        tree.trouble = tree.trouble or Refusal("", "parts", sentence, {"most": limits.parts})
    if depth > limits.mime_depth:
        sentence = "The parts of the mail are nested deeper than {most}. Send your orders as plain text."
        why = Refusal("", "mime_depth", sentence, {"most": limits.mime_depth})
        if above is not None:  # a letter of ours that was attached goes deeper, and nothing in it orders anything
            tree.buried = why
            return
        tree.trouble = tree.trouble or why
    if tree.trouble:
        return
    if kind.word.startswith(MULTIPART) and (boundary := kind.parameters.get("boundary", "")):
        pieces, closed = _pieces(body, boundary)
        is_digest = kind.word == "multipart/digest"  # whose parts are messages of others
        for number, piece in enumerate(pieces):
            inner, content = split(piece, limits)
            uncut = whole and (closed or number + 1 < len(pieces))
            _enter(tree, inner, content, depth + 1, limits, above=inner if is_digest else above, whole=uncut)
            if tree.trouble:
                return
        if pieces:
            return
    if kind.word in MESSAGES:
        inner, content = split(undone(body, headers.get("content-transfer-encoding")), limits)
        _enter(tree, inner, content, depth + 1, limits, above=inner, whole=whole)
        return
    tree.leaves.append(_leaf(kind, headers, body, above, whole))


def _leaf(kind: Valued, headers: Headers, body: bytes, above: Headers | None, whole: bool) -> Part:
    disposition = valued(headers.get("content-disposition"))
    readable = kind.word in (PLAIN, HTML) or "/" not in kind.word or kind.word.startswith(MULTIPART)
    named = "filename" in disposition.parameters or "name" in kind.parameters
    attached = disposition.word == "attachment" or named or not readable
    return Part(kind, headers, body, attached, above, whole)


def _pieces(body: bytes, boundary: str) -> tuple[list[bytes], bool]:
    """What stands between the lines of a boundary, and whether the last of them closed it."""
    line = b"--" + boundary.encode("utf-8", "replace")
    pieces: list[bytes] = []
    start, at = -1, 0
    while (at := body.find(line, at)) >= 0:
        after = at + len(line)
        if at and body[at - 1 : at] != b"\n":
            at = after
            continue
        end = body.find(b"\n", after)
        rest = body[after : end if end >= 0 else len(body)].strip()
        if rest not in (b"", b"--"):
            at = after
            continue
        if start >= 0:
            pieces.append(_without_line_end(body[start:at]))
        if rest or end < 0:
            return pieces, bool(rest)
        start = at = end + 1
    if start >= 0:
        pieces.append(body[start:])
    return pieces, False


def _without_line_end(piece: bytes) -> bytes:
    return piece[:-2] if piece.endswith(b"\r\n") else piece[:-1] if piece.endswith(b"\n") else piece
