"""Flowed text (RFC 3676): the lines that a mail program broke are joined again, those of a form are left alone."""

from __future__ import annotations

import re

QUOTES = re.compile(r">*")
# A program that flows what it should not ends such lines with a blank, too; the next line is no part of them.
WHOLE = re.compile(r"[ \t]*(?:-[ ]+)?[\w-]+[ ]*:[ ]*$|[ \t]*(?:end|key|turn|seat|game)[ ]*:|[ \t]*#", re.I)
STARTS = re.compile(r"[ \t]*(?:-[ \t]|[\w-]{1,40}[ ]*:(?:[ ]|$)|#|$)")
SIGNATURE = "-- "


def unflowed(text: str, delsp: bool) -> str:
    """The text with its soft line ends undone and its stuffing taken out."""
    lines: list[str] = []
    joinable, depth = False, 0
    for raw in text.split("\n"):
        quotes = QUOTES.match(raw)[0]  # type: ignore[index]
        line = raw[len(quotes) :]
        line = line[1:] if line.startswith(" ") else line
        if joinable and len(quotes) == depth and line != SIGNATURE and not STARTS.match(line):
            before = lines[-1][:-1] if delsp else lines[-1]
            lines[-1] = before + line
        else:
            lines.append(f"{quotes} {line}" if quotes else line)
        depth = len(quotes)
        joinable = line.endswith(" ") and line != SIGNATURE and not WHOLE.match(lines[-1][depth:])
    return "\n".join(lines)
