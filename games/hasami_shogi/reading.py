"""What a player wrote, as words of the game: two squares and the sign between them (HASAMI-6.2)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple


class Words(NamedTuple):
    """An order as written; whether it can stand is another question."""

    start: str
    end: str
    capturing: bool
    """Written with `x` or `:`, which insists on a capture."""

    @property
    def text(self) -> str:
        return f"{self.start}-{self.end}"


SIGNS = str.maketrans({**dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"), "\u00d7": "x", "\u2192": "->"})
SQUARE = "([a-z][0-9])"
TEXT = re.compile(rf"{SQUARE}(?: ?(->|-|x|:) ?| to | |){SQUARE}")
MOVE, CAPTURE = "move", "capture"


def words(order: str | Mapping[str, Any]) -> Words | None:
    """The order in the game's words, or None when it is none of the forms."""
    if isinstance(order, str):
        return from_text(order)
    keys = [key for key in ("do", "action") if key in order]
    if len(keys) != 1 or not all(isinstance(value, str) for value in order.values()):
        return None
    return from_mapping(plain(order[keys[0]]), {key: value for key, value in order.items() if key not in keys})


def from_text(text: str) -> Words | None:
    match = TEXT.fullmatch(plain(text))
    if match is None:
        return None
    start, sign, end = match.groups()
    return Words(start, end, sign in ("x", ":"))


def from_mapping(kind: str, rest: Mapping[str, str]) -> Words | None:
    """`{do: move, from: e2, to: e5}`, `{do: capture, from: e2, to: e5}`, or a whole text."""
    if not rest:
        return from_text(kind)
    if kind not in (MOVE, CAPTURE) or set(rest) != {"from", "to"}:
        return None
    start, end = plain(rest["from"]), plain(rest["to"])
    if not all(re.fullmatch(SQUARE, square) for square in (start, end)):
        return None
    return Words(start, end, kind == CAPTURE)


def plain(text: str) -> str:
    """One kind of dash and cross, single blanks, lower case."""
    return " ".join(text.translate(SIGNS).split()).lower()


def means(text: str, move: str) -> bool:
    """Whether a player's words mean this canonical action, which does not tell whether it captured (HASAMI-6.1)."""
    said = from_text(text)
    return said is not None and said.text == move
