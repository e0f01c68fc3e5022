"""What a player wrote, as an action: letters and cells, whole words, French, routes, mappings (CONQ-18.1).

Nothing is judged here but whether it can be understood; `refusing` says why an action cannot stand.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Any, NamedTuple

from games.conquest.units import NAMED

CELL = re.compile(r"[a-z]{1,2}\d{1,2}", re.ASCII)
APART = re.compile(r"[.,'’‘`´\"“”„«»‹›>\-‐‑‒–—―−→⇒➔➜➝➞⟶➙]+")
IDLE = {"to", "a", "vers", "the", "le", "la", "de", "d", "with", "avec", "combat", "guerre", "attack", "attaque"}
IDLE |= {"verso", "da", "il", "lo", "l", "con", "en", "in"}
PIECES = {letter: letter for letter in NAMED}
PIECES |= dict.fromkeys(("ship", "vessel", "boat", "navire", "bateau"), "v")
PIECES |= dict.fromkeys(("galleon", "galion"), "g") | {"elephant": "e"}
PIECES |= dict.fromkeys(("chariot", "char"), "c") | dict.fromkeys(("knight", "rider", "cavalier"), "k")
PIECES |= dict.fromkeys(("soldier", "soldat"), "s") | {"tired": "t"}
PIECES |= {"nave": "v", "galeone": "g", "elefante": "e", "carro": "c", "cavaliere": "k", "soldato": "s"}
ENDS = {"end", "fin", "fine", "pass", "done", "stop"}
DECLINES = {"decline", "no", "non", "refuse", "refuser", "rifiutare", "never", "false"}
COUNTERS, DROPS = {"counter", "contre", "contro"}, {"drop", "depose", "deposer", "deposita", "deporre"}
TRUE = {"true", "yes", "on", "1"}


class Walk(NamedTuple):
    """A piece (none: the root there) and the cells it names, first to last."""

    piece: str | None
    cells: tuple[str, ...]


class Answer(NamedTuple):
    """An answering piece (none: the root there), its cell, and what it sets down."""

    piece: str | None
    start: str
    drops: tuple[tuple[str, str], ...] = ()


class Said(NamedTuple):
    """`end` or `decline`."""

    word: str


Order = Walk | Answer | Said


def understood(order: object) -> Order | None:
    """The order, or None when it cannot be read."""
    if isinstance(order, Mapping):
        return _mapping(order)
    return _words(_tokens(str(order)))


def means(text: str, move: str) -> bool:
    """Whether a player's words in an `if:` mean this canonical action; without a piece they mean whichever moved."""
    said, meant = understood(text), understood(move)
    if isinstance(said, Said) or isinstance(meant, Said):
        return said == meant
    if said is None or meant is None or type(said) is not type(meant):
        return False
    return said.piece in (None, meant.piece) and _places(said) == _places(meant)


def _places(order: Walk | Answer) -> tuple[object, ...]:
    """Where it begins and ends, or what it sets down where, in whatever order and on whatever way it is written."""
    if isinstance(order, Walk):
        return order.cells[0], order.cells[-1]
    return order.start, sorted(("s" if name == "t" else name, cell) for name, cell in order.drops)


def _tokens(text: str) -> list[str]:
    plain = unicodedata.normalize("NFD", text.lower())
    plain = "".join(sign for sign in plain if not unicodedata.combining(sign))
    return [word for word in APART.sub(" ", plain).split() if word not in IDLE]


def _words(words: list[str]) -> Order | None:
    if len(words) == 1 and words[0] in ENDS:
        return Said("end")
    if len(words) == 1 and words[0] in DECLINES:
        return Said("decline")
    if words and words[0] in COUNTERS:
        return _counter(words[1:])
    piece, cells = _piece_first(words)
    if len(cells) < 2 or not all(map(CELL.fullmatch, cells)):
        return None
    return Walk(piece, tuple(cells))


def _piece_first(words: list[str]) -> tuple[str | None, list[str]]:
    """The piece named before the cells, if one is named."""
    if words and words[0] in PIECES:
        return PIECES[words[0]], words[1:]
    return None, words


def _counter(words: list[str]) -> Answer | None:
    piece, words = _piece_first(words)
    if not words or not CELL.fullmatch(words[0]):
        return None
    start, words = words[0], words[1:]
    if not words:
        return Answer(piece, start)
    named, cells = words[1::2], words[2::2]
    if words[0] not in DROPS or not cells or len(named) != len(cells):
        return None
    if not all(word in PIECES for word in named) or not all(map(CELL.fullmatch, cells)):
        return None
    return Answer(piece, start, tuple(zip([PIECES[word] for word in named], cells, strict=True)))


# --- mappings -----------------------------------------------------------------------------------------------------


def _mapping(order: Mapping[str, Any]) -> Order | None:
    given = {str(key).lower(): value for key, value in order.items()}
    kind = str(given.pop("do", given.pop("action", ""))).lower()
    if not kind:
        kind = next((key for key in ("end", "decline", "counter") if key in given), "move")
    elif kind == "counter" and "piece" in given:
        given["counter"] = given.pop("piece")
    elif kind in ("end", "decline"):
        given.setdefault(kind, "true")
    if kind in ("end", "decline"):
        return Said(kind) if set(given) == {kind} and str(given[kind]).lower() in TRUE else None
    if kind == "counter":
        return _counter_mapping(given)
    return _walk_mapping(given) if kind == "move" else None


def _walk_mapping(given: dict[str, Any]) -> Order | None:
    if set(given) - {"piece"} == {"from", "to"}:
        cells = [given["from"], given["to"]]
    elif set(given) - {"piece"} == {"route"} and isinstance(given["route"], list | tuple):
        cells = list(given["route"])
    else:
        return None
    return _words(_joined(given.get("piece"), *cells))


def _counter_mapping(given: dict[str, Any]) -> Order | None:
    drops = given.get("drop", [])
    if not {"from"} <= set(given) <= {"counter", "from", "drop"} or not isinstance(drops, list | tuple):
        return None
    if not all(isinstance(drop, Mapping) and len(drop) == 1 for drop in drops):
        return None
    pairs = [part for drop in drops for pair in drop.items() for part in pair]
    return _words(
        ["counter", *_joined(given.get("counter"), given["from"]), *(["drop", *_joined(*pairs)] if pairs else [])]
    )


def _joined(*parts: object) -> list[str]:
    """The words of several scalars."""
    return [word for part in parts if part is not None for word in _tokens(str(part))]
