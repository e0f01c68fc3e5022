"""The parts of a mail we wrote: what is shown again is what was sent, not something made anew."""

from __future__ import annotations

from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from typing import NamedTuple


class Parts(NamedTuple):
    """A mail of ours, taken apart."""

    text: str
    html: str
    files: dict[str, bytes]
    kind: str
    turn: int


def parts(raw: bytes) -> Parts:
    message: EmailMessage = BytesParser(policy=policy.default).parsebytes(raw)
    bodies = {kind: message.get_body(preferencelist=(kind,)) for kind in ("plain", "html")}
    text, html = ("" if body is None else body.get_content() for body in bodies.values())
    files = {part.get_filename() or "file": _bytes(part) for part in message.iter_attachments()}
    return Parts(text, html, files, message.get("X-Pbem-Kind", "mail"), int(message.get("X-Pbem-Turn", "0")))


def _bytes(part: EmailMessage) -> bytes:
    data = part.get_payload(decode=True)
    assert isinstance(data, bytes), "an attachment of ours is one part"
    return data.replace(b"\r\n", b"\n") if part.get_content_maintype() == "text" else data
