"""What a player wrote, as words of the game: throw, horse, way and landing (section 6, "Accepted on input")."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from games.yut.board import CORNERS, Space
from games.yut.moves import NEW

AUTO, HURDLE, MOVING = "auto", "hurdle", "move"

NAME = "[a-z][0-9]*"  # a letter with or without digits; whether there is such a space is another question
NEW_WORDS = "new|enter|start|nouveau|nuovo"
SHORT_WORDS = r"shortcut|short|raccourci|scorciatoia|\*"
HURDLE_WORDS = "hurdle|haie|ostacolo|siepe"
LANDING = rf"(?:->|-|>|to) *(home|{NAME})"

MOVE_TEXT = re.compile(
    rf"([0-9]{{1,3}}) *:? *({NEW_WORDS}|{NAME})(?: *({SHORT_WORDS}))?(?: *{LANDING})?(?: *({SHORT_WORDS}))?"
)
HURDLE_TEXT = re.compile(rf"(?:{HURDLE_WORDS}) *:? *({NAME})")
SIGNS = str.maketrans({**dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"), "\u2192": "->"})

TRUE, FALSE = ("true", "yes", "on", "1", "short"), ("false", "no", "off", "0")
DO_WORDS = ("do", "action")


class Words(NamedTuple):
    """An order as written; whether it can stand is another question."""

    kind: str
    throw: int = 0
    name: Space = ""
    """The space of a horse or a hurdle, or `new`."""
    short: bool = False
    landing: Space | None = None
    """Where the move is said to stop: a space, or `home`."""


def words(order: str | Mapping[str, Any]) -> Words | None:
    """The order in the game's words, or None when it is none of the forms."""
    return from_text(order) if isinstance(order, str) else from_mapping(order)


def from_text(text: str) -> Words | None:
    text = plain(text)
    if text == AUTO:
        return Words(AUTO)
    if placed := HURDLE_TEXT.fullmatch(text):
        return Words(HURDLE, name=space(placed[1]))
    said = MOVE_TEXT.fullmatch(text)
    if said is None:
        return None
    throw, horse, short, landing, short_behind = said.groups()
    if short and short_behind:
        return None  # the landing stands before or after `short`, which is written once
    name = NEW if horse in NEW_WORDS.split("|") else space(horse)
    return Words(MOVING, int(throw), name, bool(short or short_behind), landing and space(landing))


def from_mapping(order: Mapping[str, Any]) -> Words | None:
    """`{throw: 3, horse: r5, short: true}`, `{hurdle: r8}`, `{3: r5}`; `do` may name the kind, or be a whole text."""
    parts = {plain(str(key)): said for key, value in order.items() if (said := scalar(value)) is not None}
    if len(parts) != len(order) or not parts:
        return None
    kinds = [parts.pop(key) for key in DO_WORDS if key in parts]
    if len(kinds) > 1:
        return None
    if not kinds:
        return from_parts(parts)
    if not parts:
        return from_text(kinds[0])
    if kinds[0] == MOVING and "throw" in parts:
        return from_parts(parts)
    if (
        kinds[0] in HURDLE_WORDS.split("|")
        and len(parts) == 1
        and set(parts) <= {"space", "at", *HURDLE_WORDS.split("|")}
    ):
        return of_one_pair(HURDLE, *parts.values())
    return None


def from_parts(parts: Mapping[str, str]) -> Words | None:
    """The parts of a mapping that do not name its kind."""
    if len(parts) == 1:
        return of_one_pair(*next(iter(parts.items())))
    if not {"throw", "horse"} <= set(parts) <= {"throw", "horse", "short", "to"}:
        return None
    short = parts.get("short", "false")
    if short not in TRUE + FALSE or not re.fullmatch(f"{NEW_WORDS}|{NAME}", parts["horse"]):
        return None
    landing = f" to {parts['to']}" if "to" in parts else ""
    return from_text(f"{parts['throw']} {parts['horse']}{' short' if short in TRUE else ''}{landing}")


def of_one_pair(key: str, value: str) -> Words | None:
    """`3: r5` and `hurdle: r8`, which YAML reads as mappings, mean what they say as texts."""
    return from_text(f"{key} {value}") if key in HURDLE_WORDS.split("|") or re.fullmatch("[0-9]+", key) else None


def scalar(value: Any) -> str | None:
    """A text, number or truth value as text; lists and mappings are no part of an order."""
    return plain(str(value)) if isinstance(value, str | int | bool) else None


def space(name: str) -> Space:
    """A single letter a, b, c, d is the corner of that name."""
    return CORNERS.get(name, name)


def plain(text: str) -> str:
    """One kind of dash and arrow, single blanks, lower case."""
    return " ".join(text.translate(SIGNS).split()).lower()


def means(text: str, move: str) -> bool:
    """Whether a player's words in an `if:` mean this canonical action; a landing cannot be looked at there."""
    said, meant = from_text(text), from_text(move)
    return said is not None and said == meant and said.kind != AUTO
