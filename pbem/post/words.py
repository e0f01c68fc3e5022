"""What a server or a command says of a mail, made fit to be written down and shown."""

from __future__ import annotations

from pbem.reports.plain import one_line


def said_by(words: bytes | str) -> str:
    """One short line; nothing in it can move a cursor or be taken for something else."""
    text = words.decode("utf-8", "replace") if isinstance(words, bytes) else words
    return one_line(text)
