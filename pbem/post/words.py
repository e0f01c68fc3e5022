"""What a server or a command says of a mail, made fit to be written down and shown."""

from __future__ import annotations

import re

from pbem.reports.plain import one_line

_address = re.compile(r"[^\s<>()\[\],;:\"]+@[A-Za-z0-9.-]+")


def said_by(words: bytes | str) -> str:
    """One short line; nothing in it can move a cursor or be taken for something else. It goes into the journal, which
    forgets nothing, so the addresses that servers like to quote are left out."""
    text = words.decode("utf-8", "replace") if isinstance(words, bytes) else words
    return _address.sub("...", one_line(text))
