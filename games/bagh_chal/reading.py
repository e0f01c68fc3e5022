"""What a player wrote, as words of the game: kind, points and the sign between them (BAGH-6.2)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

PLACING, BOUC, STAYING, MOVING = "place", "bouc", "stay", "move"


class Words(NamedTuple):
    """An order as written; whether it can stand is another question."""

    kind: str
    points: tuple[str, ...] = ()
    capturing: bool = False
    """Written with `x` or `:`, which insists on a capture."""


SIGNS = str.maketrans({**dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"), "\u00d7": "x", "\u2192": "->"})
POINT = "([a-z][0-9])"
PLACE_WORDS = ("place", "put", "poser", "placer", "posare", "piazzare")
BOUC_WORDS = ("bouc", "buck", "billy", "caprone", "becco")
STAY_WORDS = ("stay", "pass", "rester", "passer", "restare", "passare")
MOVE_WORDS = ("move", "capture", "bouger", "prendre", "muovere", "prendere")

PLACE_TEXT = re.compile(rf"(?:(?:{'|'.join(PLACE_WORDS)}) |[+@] ?)?{POINT}")
BOUC_TEXT = re.compile(rf"(?:{'|'.join(BOUC_WORDS)})[ @]{POINT}")
MOVE_TEXT = re.compile(rf"{POINT}(?: ?(->|-|x|:) ?| (?:to|vers|en|a|in) | |){POINT}")


def words(order: str | Mapping[str, Any]) -> Words | None:
    """The order in the game's words, or None when it is none of the forms."""
    if isinstance(order, str):
        return from_text(order)
    keys = [key for key in ("do", "action") if key in order]
    if len(keys) != 1 or not all(isinstance(value, str) for value in order.values()):
        return None
    return from_mapping(plain(order[keys[0]]), {key: value for key, value in order.items() if key not in keys})


def from_text(text: str) -> Words | None:
    text = plain(text)
    if text in STAY_WORDS:
        return Words(STAYING)
    for kind, form in ((PLACING, PLACE_TEXT), (BOUC, BOUC_TEXT)):
        if match := form.fullmatch(text):
            return Words(kind, match.groups())
    if match := MOVE_TEXT.fullmatch(text):
        start, sign, end = match.groups()
        return Words(MOVING, (start, end), sign in ("x", ":"))
    return None


def from_mapping(kind: str, rest: Mapping[str, str]) -> Words | None:
    """`{do: place, at: c3}`, `{do: bouc, at: b4}`, `{do: move, from: a5, to: c3}`, `{do: stay}`, or a whole text."""
    if not rest:
        return from_text(kind)
    points = {key: plain(value) for key, value in rest.items()}
    if not all(re.fullmatch(POINT, point) for point in points.values()):
        return None
    if set(points) == {"at"} and kind in PLACE_WORDS + BOUC_WORDS:
        return Words(PLACING if kind in PLACE_WORDS else BOUC, (points["at"],))
    if set(points) == {"from", "to"} and kind in MOVE_WORDS:
        return Words(MOVING, (points["from"], points["to"]), kind == "capture")
    return None


def plain(text: str) -> str:
    """One kind of dash and cross, single blanks, lower case."""
    return " ".join(text.translate(SIGNS).split()).lower()


def means(text: str, move: str) -> bool:
    """Whether a player's words mean this canonical action: a dash also means a capture, as in BAGH-6.2."""
    said, meant = from_text(text), from_text(move)
    if said is None or meant is None:
        return False
    return said[:2] == meant[:2] and (meant.capturing or not said.capturing)
