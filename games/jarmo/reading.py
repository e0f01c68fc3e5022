"""What a player wrote, as words of the game: kind, points, what is added (section 6 of the rules document)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from games.jarmo.moves import FLIP, PASSING, PLACE, PLACING, RECALL, STEP

AUTO = "auto"


class Words(NamedTuple):
    """An order as written; whether it can stand is another question."""

    kind: str
    points: tuple[str, ...] = ()
    how: str = ""
    at: str = ""
    capturing: bool = False
    """Written with `x`, which asserts a capture (JARMO-3.1)."""

    @property
    def every_point(self) -> tuple[str, ...]:
        return (*self.points, self.at) if self.at else self.points

    @property
    def bare(self) -> str:
        """The action without its addition, in its canonical text."""
        return f"flip {self.points[0]}" if self.kind == FLIP else "-".join(self.points)

    @property
    def text(self) -> str:
        """The canonical text."""
        if self.kind in (PASSING, AUTO):
            return self.kind
        return f"{self.bare} {self.how} {self.at}".strip()


SIGNS = str.maketrans({**dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"), "\u00d7": "x", "\u2192": ">"})
# JARMO-2.1: a point is a letter and digits; whether it is on the board is asked later (JARMO-1.2).
POINT = "([a-z][0-9]+)"
PLACES = r"(place|drop|\+)"
RECALLS = r"(recall|\^)"
SAME = {  # the words of the French and Italian rules
    "bouger": STEP, "muovere": STEP, "poser": PLACE, "placer": PLACE, "posare": PLACE, "piazzare": PLACE,
    "rappeler": RECALL, "richiamare": RECALL, "retourner": FLIP, "girare": FLIP, "passer": PASSING, "passare": PASSING,
}  # fmt: skip
STEP_TEXT = re.compile(rf"(?:move|m)? ?{POINT} ?(->|-|>|to|x|) ?{POINT}(?: ?(?:{PLACES}|{RECALLS}) ?{POINT})?")
FLIP_TEXT = re.compile(rf"flip ?{POINT}(?: ?{PLACES} ?{POINT})?")
PLACE_TEXT = re.compile(rf"{PLACES} ?{POINT}")


def words(order: str | Mapping[str, Any]) -> Words | None:
    """The order in the game's words, or None when it is none of the forms."""
    return from_text(order) if isinstance(order, str) else from_mapping(order)


def from_text(text: str) -> Words | None:
    text = " ".join(SAME.get(word, word) for word in text.lower().translate(SIGNS).split())
    if text in (PASSING, AUTO):
        return Words(text)
    if match := STEP_TEXT.fullmatch(text):
        start, sign, end, place, recall, at = match.groups()
        how = PLACE if place else RECALL if recall else ""
        return Words(STEP, (start, end), how, at or "", sign == "x")
    if match := FLIP_TEXT.fullmatch(text):
        point, place, at = match.groups()
        return Words(FLIP, (point,), PLACE if place else "", at or "")
    if match := PLACE_TEXT.fullmatch(text):
        return Words(PLACING, (), PLACE, match[2])
    return None


def from_mapping(order: Mapping[str, Any]) -> Words | None:
    """`{move: [a1, c2], place: b1}`, `{flip: c5}`, `{place: b1}`; or with `do`: `{do: move, from: a1, to: c2}`."""
    text = _spelt(order) if {"do", "action"} & set(order) else _plain_spelt(order)
    return None if text is None else from_text(text)


def _plain_spelt(order: Mapping[str, Any]) -> str | None:
    """Each key is a word of the text, and its value what follows the word."""
    keys = [key for key in (STEP, FLIP, PLACE, RECALL) if key in order]
    if not keys or len(keys) != len(order):
        return None
    parts = [_text(order[key]) for key in keys]
    if not all(parts):
        return None
    return " ".join(f"{key} {part}" for key, part in zip(keys, parts, strict=True))


def _spelt(order: Mapping[str, Any]) -> str | None:
    """`do` or `action` names the kind, or is the whole text when it stands alone."""
    rest = {key: value if isinstance(value, str) and value.strip() else None for key, value in order.items()}
    if {"do", "action"} <= set(rest) or not all(rest.values()):
        return None
    kind = " ".join((rest.pop("do", None) or rest.pop("action", None) or "").lower().split())
    added = "".join(f" {how} {rest.pop(how)}" for how in (PLACE, RECALL) if how in rest)
    if not rest and not added:
        return kind
    if kind == STEP and set(rest) == {"from", "to"}:
        return f"{rest['from']} {rest['to']}{added}"
    if kind in (FLIP, PLACE) and set(rest) == {"at"}:
        return f"{kind} {rest['at']}{added}"
    return None


def _text(value: Any) -> str | None:
    """A text, or the points of a list as a text."""
    if isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
        return " ".join(value) or None
    return value if isinstance(value, str) and value.strip() else None


def means(text: str, move: str) -> bool:
    """Whether a player's words mean this canonical action; an `x` means the move, for a text does not tell captures."""
    said = from_text(text)
    return said is not None and said.text == move
