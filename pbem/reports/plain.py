"""Player text is text: what is taken out of it before anybody else's screen, mail program or terminal sees it.

The tables are our own and fixed, because Python's own Unicode tables change between releases and the bytes of a report
must not.
"""

from __future__ import annotations

import re
from functools import lru_cache

COLUMNS = 78
NO_BREAK = "\u00a0"  # a blank at which no line is broken: one alone stays as it is
SHOWN = 200  # so much of a text that was sent to us is ever repeated

# Controls, soft hyphen, invisible marks, anything that turns the writing direction, tags, halves of characters.
_BAD = (
    r"\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164"
    r"\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\ud800-\udfff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    r"\U000e0000-\U000e0fff"
)
_unsafe = re.compile(f"[{_BAD}]")
_unsafe_or_space = re.compile(rf"[{_BAD}\s]+")
_line_ends = re.compile("\r\n?|[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_MARK = r"[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"
_many_marks = re.compile(f"({_MARK}{{3}}){_MARK}+")  # piled up, they cover the lines above and below
_HARMLESS = bytes(range(32, 127)) + b"\n"
_wide = re.compile(
    r"[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60"
    r"\uffe0-\uffe6\U0001f300-\U0001faff\U00020000-\U0003fffd]"
)
_no_width = re.compile(r"[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u200c\u200d\u20d0-\u20ff\ufe0e\ufe0f\ufe20-\ufe2f]")


def clean(text: str) -> str:
    """A whole document: line ends stay, anything else that is not to be seen becomes U+FFFD."""
    # Most of a document is plain ASCII, and taking that away is far faster than looking at every letter of it.
    odd = text.encode("utf-8", "surrogatepass").translate(None, _HARMLESS).decode("utf-8", "surrogatepass")
    if not (_unsafe.search(odd) or _many_marks.search(odd) or "\t" in odd):
        return text
    text = _line_ends.sub("\n", text)
    return _many_marks.sub(r"\1", _unsafe.sub("\ufffd", text)).replace("\t", "    ")


def one_line(text: str, limit: int = SHOWN) -> str:
    """A name, an order, a sentence: one line, single blanks, cut short when it is longer than anybody reads."""
    if not (text.isascii() and text.isprintable() and "  " not in text):
        text = clean(_unsafe_or_space.sub(_blank_or_mark, text))
    text = text.strip()
    return text if len(text) <= limit else text[: limit - 3].rstrip() + "..."


def _blank_or_mark(found: re.Match[str]) -> str:
    if found[0].isspace():
        return NO_BREAK if found[0] == NO_BREAK else " "
    return "\ufffd"


def begun(text: str) -> str:
    """The text as a sentence begins."""
    return text[:1].upper() + text[1:]


def lines(text: str, limit: int = 4000) -> list[str]:
    """Press: its lines, each clean, without blank ones at the ends."""
    return [line.rstrip() for line in clean(text[:limit]).strip().split("\n")]


def width(text: str) -> int:
    """How many columns of a terminal it takes."""
    if text.isascii():
        return len(text)
    return len(text) + len(_wide.findall(text)) - len(_no_width.findall(text))


@lru_cache(8192)
def wrap(text: str, first: str = "", rest: str | None = None, columns: int = COLUMNS) -> str:
    """The text in lines of at most so many columns, the first after `first`, the others after `rest`.

    The seats of a game are told the same sentences, so what was wrapped is kept for a while.
    """
    if len(first) + width(text) <= columns:
        return first + text if text else first.rstrip()
    rest = " " * len(first) if rest is None else rest
    out: list[str] = []
    line: list[str] = []
    used, room = -1, columns - len(first)
    measure = len if text.isascii() else width
    for word in text.split(" "):
        size = measure(word)
        if line and used + 1 + size > room:
            out.append(" ".join(line))
            line, used, room = [], -1, columns - len(rest)
        while size > room:
            out.append(_fitting(word, room))
            word, room = word[len(out[-1]) :], columns - len(rest)
            size = measure(word)
        line.append(word)
        used += 1 + size
    out.append(" ".join(line))
    return first + ("\n" + rest).join(out)


def _fitting(word: str, room: int) -> str:
    """As much of a very long word as fits."""
    end = min(len(word), room)
    while end > 1 and width(word[:end]) > room:
        end -= 1
    return word[:end]
