"""Signing: every mail that the ledger holds leaves with a signature of the host (`docs/signatures.md`).

It is made when the mail leaves, since only then its map is painted and its page is added; it names the hash under which
the journal knows the mail as it was written. The same mail under the same key gets the same signature.
"""

from __future__ import annotations

import hashlib
from binascii import a2b_base64
from functools import lru_cache
from urllib.parse import quote

from pbem.ledger.outbox import OutMail
from pbem.ledger.signing import Signer
from pbem.mailparts import decoded, found_parts
from pbem.post.headers import header
from pbem.reports import letter
from pbem.signature import COVERED, HEADER, KEY, PURPOSE, Item, file_name, header_item, is_text, item, text_item
from pbem.signature import text_of as encoded

WIDTH = 72  # characters of the signature in one line


def signed(signer: Signer, mail: OutMail, stored: bytes, raw: bytes) -> bytes:
    """Return the mail as it leaves, with its signature above all other headers."""
    said = [
        "v=1",
        f"k={signer.key.removeprefix(KEY)}",
        f"g={mail.game}",
        f"a={quote(mail.seat or '', safe='')}",
        f"t={header(raw, letter.TURN) or 0}",
        f"i={mail.message_id}",
        f"m={hashlib.sha256(stored).hexdigest()}",
        "p=" + ",".join(f"{name}:{hash}" for name, hash in items(raw)),
        "s=",
    ]
    text = ";".join(said)
    text += encoded(signer.sign(PURPOSE + text.encode("ascii")))
    lines = "\r\n ".join(text[at : at + WIDTH] for at in range(0, len(text), WIDTH))
    return f"{HEADER}: {lines}\r\n".encode("ascii") + raw


def items(raw: bytes) -> list[Item]:
    """Return what is signed of a mail that `pbem.reports.letter` wrote."""
    found = [_header_item(name, header(raw, name)) for name in COVERED]
    for part in found_parts(raw):
        kind = part.headers[b"content-type"].partition(b";")[0].decode("ascii")
        name = file_name(part.file or None, kind)
        if part.headers.get(b"content-transfer-encoding") == b"base64":
            found.append(_in_base64(name, raw[part.content : part.end]))
        else:
            found.append((text_item if is_text(kind) else item)(name, decoded(raw, part)))
    return found


_header_item = lru_cache(maxsize=64)(header_item)  # a night's mails have one date and one sender


@lru_cache(maxsize=8)  # the seats of a turn mostly see the same picture
def _in_base64(name: str, content: bytes) -> Item:
    """The item of a part in base64, which is no text in mails of ours."""
    return item(name, a2b_base64(content))
