"""Escaping: text from a file or a person, made safe to show: no character of it steers a terminal or forges a line."""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any

# Control characters, format characters (bidirectional controls, zero-width characters), surrogates, private and
# unassigned code points, line and paragraph separators.
UNSAFE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# Letters and marks that show nothing (Default_Ignorable_Code_Point outside of Cf).
INVISIBLE = frozenset(
    map(chr, (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0, *range(0x180B, 0x1810), *range(0xFE00, 0xFE10)))
)
BLANKS = 60  # more of them in a row could push what follows to the beginning of a terminal's next line
_gap = re.compile(rf"\s{{{BLANKS},}}")


def is_unsafe(letter: str) -> bool:
    """Return whether a character must not reach a terminal as it is."""
    return unicodedata.category(letter) in UNSAFE or letter in INVISIBLE or "\U000e0100" <= letter <= "\U000e01ef"


def escaped(text: str, keep: str = "") -> str:
    """Return the text with every unsafe character written out (`\\x1b`, `\\u202e`, `\\n`), except those in `keep`."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(one if one in keep or not is_unsafe(one) else _written(one) for one in text)


def line(text: str) -> str:
    """Return the text as one line: line ends, tabs and unsafe characters are written out, wide gaps are counted."""
    return _gap.sub(lambda gap: f" [{len(gap[0])} blanks] ", escaped(text))


def lines(text: str) -> str:
    """Return a text of several lines (LF or CRLF) with each line made safe."""
    return "\n".join(line(one) for one in text.replace("\r\n", "\n").split("\n"))


def document(text: str) -> str:
    """Return a document with its layout (LF, CRLF, tabs) and its letters as they are; other control characters are
    written out."""
    return re.sub("\r(?!\n)|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]", lambda one: _written(one[0]), text)


def json_text(data: Any, *, indent: int | None = None) -> str:
    """Return the data as JSON with its unsafe characters escaped: to a program it says the same."""
    return in_json(json.dumps(data, ensure_ascii=False, indent=indent, default=str))


def in_json(text: str) -> str:
    """Return a JSON text with the unsafe characters of its strings escaped; line ends and tabs outside strings stay."""
    if text.isascii() and "\x7f" not in text:
        return text
    return "".join(one if one in "\n\r\t" or not is_unsafe(one) else json.dumps(one)[1:-1] for one in text)


def _written(letter: str) -> str:
    if not letter.isprintable():
        return repr(letter)[1:-1]
    return f"\\u{ord(letter):04x}" if letter <= "\uffff" else f"\\U{ord(letter):08x}"
