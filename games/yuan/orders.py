"""Reading orders: text and mapping forms, any case, and the first reason why one cannot stand (chapter 5)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any
from unicodedata import combining, normalize

from engine import Refusal, Seat
from games.yuan.box import AUCTION_CHAO, TILES
from games.yuan.moves import PASS, RESIGN, Bid, LayTile, Move, Pass, Plan, Resign, SetCity, TakeCapital
from games.yuan.refusals import game_over, nearest, refused, why_not
from games.yuan.state import DECISIONS, State, pending
from games.yuan.tiles import open_slots

LEVEL = {"1": 1, "2": 2, "3": 3, "I": 1, "II": 2, "III": 3}
SHORT = {"D": "dev", "F": "fort", "M": "mil"}
LONG = {
    **dict.fromkeys(("DEVELOPMENT", "DEVELOPPEMENT", "SVILUPPO", "DEV"), "dev"),
    **dict.fromkeys(("FORTIFICATION", "FORTIFICAZIONE", "FORT"), "fort"),
    **dict.fromkeys(("MILITARISATION", "MILITARIZZAZIONE", "MIL"), "mil"),
}
ACCENTED = frozenset(("DEVELOPPEMENT", "CITTA", "ENCHERE"))
ANSWERS: Mapping[type, str] = {
    LayTile: "tile",
    SetCity: "city",
    Bid: "bid",
    TakeCapital: "capital",
    Plan: "plan",
    Pass: "plan",
}
NAME = re.compile(r"[A-Z]+")
WHOLE = re.compile(r"-?[0-9]+")
TILE_ID = re.compile(r"[A-Z]-[A-Z]")
SLOT = re.compile(r"(-?[0-9]+)\s*,\s*(-?[0-9]+)")
ROTATION = re.compile(r"R([0-9])")
MOST_DIGITS = 9  # a longer number is no slot and no bid of any game


class Unreadable(Exception):
    """What is wrong with the way an order is written."""

    def __init__(self, why: Refusal) -> None:
        self.why = why


def unreadable(detail: str, **facts: Any) -> Unreadable:
    """Y-FORMAT with its detail, which is part of the sentence, so that both are translated together."""
    return Unreadable(Refusal("YUAN-5.3", "Y-FORMAT", f"Cannot read this order: {detail}.", facts))


def read(state: State, seat: Seat, order: str | Mapping[str, Any]) -> Move | Refusal:
    """The move an order means, or the first reason against it."""
    move = parse(order)
    return move if isinstance(move, Refusal) else judge(state, seat, move) or move


def parse(order: str | Mapping[str, Any]) -> Move | Refusal:
    """What the order says, whether or not it can stand."""
    try:
        return from_text(order) if isinstance(order, str) else from_mapping(order)
    except Unreadable as unread:
        return unread.why


def why_never(state: State, order: str | Mapping[str, Any]) -> Refusal | None:
    """Why no position of this game could take the order: what it says cannot be read, or names nothing there is."""
    move = parse(order)
    if isinstance(move, Refusal):
        return move
    if isinstance(move, Plan | SetCity | TakeCapital):
        return name_never(state, move)
    if isinstance(move, Bid) and not 0 <= move.chao <= AUCTION_CHAO:
        return refused("Y-BID")
    if isinstance(move, LayTile) and move.tile not in state.options.tiles:
        return refused("Y-TILE", nearest(move.tile, state.options.tiles), tile=move.tile)
    return None


def name_never(state: State, move: Plan | SetCity | TakeCapital) -> Refusal | None:
    """While tiles are laid a province may still come; afterwards the map is what it is."""
    names = state.land.names
    if state.phase == "tiles":
        names = tuple(name for tile in state.options.tiles for name in TILES[tile].names if name)
    name = move.target if isinstance(move, Plan) else move.province
    if name not in names:
        close = list(nearest(name, names))
        code = {Plan: "Y-UNKNOWN", SetCity: "Y-CITY", TakeCapital: "Y-CAPITAL"}[type(move)]
        return refused(code, close, name=name, close=close)
    if isinstance(move, Plan) and not any(move.levels):
        return refused("Y-NOACTION")
    return None


def judge(state: State, seat: Seat, move: Move) -> Refusal | None:
    """Phase, seat, then what the decision itself forbids, in the order of the table."""
    if state.phase == "over":
        return game_over()
    if isinstance(move, Resign) and seat in state.seats:
        return None  # YUAN-14.6: read from any seat at any time until the game is over
    decision = DECISIONS[state.phase]
    if ANSWERS.get(type(move), decision) != decision:
        return refused("Y-PHASE", decision=decision)
    if seat not in pending(state):
        return refused("Y-SEAT")
    if isinstance(move, Plan):
        return why_not(state, seat, move)
    if isinstance(move, LayTile):
        return tile_fault(state, seat, move)
    if isinstance(move, SetCity):
        return city_fault(state, move)
    if isinstance(move, TakeCapital):
        return capital_fault(state, move)
    if isinstance(move, Bid) and not 0 <= move.chao <= AUCTION_CHAO:
        return refused("Y-BID")
    return None


def tile_fault(state: State, seat: Seat, move: LayTile) -> Refusal | None:
    hand = state.setup.hand(seat)
    if move.tile not in hand:
        return refused("Y-TILE", hand, tile=move.tile)
    slots = open_slots([placed.slot for placed in state.tiles])
    if move.slot not in slots:
        return refused("Y-SLOT", [f"{a},{b}" for a, b in slots], a=move.slot[0], b=move.slot[1])
    if not 0 <= move.rot <= (5 if state.tiles else 0):  # YUAN-3.6: the first tile unturned
        return refused("Y-ROT")
    return None


def city_fault(state: State, move: SetCity) -> Refusal | None:
    taken = [name for name, _ in state.setup.capitals]
    if move.province in state.land.number and move.province not in taken:
        return None
    free = [name for name in state.land.names if name not in taken]
    return refused("Y-CITY", nearest(move.province, free), name=move.province)


def capital_fault(state: State, move: TakeCapital) -> Refusal | None:
    left = sorted(name for name, _ in state.setup.capitals)
    return None if move.province in left else refused("Y-CAPITAL", left, name=move.province)


# --- text ---------------------------------------------------------------------------------------------------------


def from_text(text: str) -> Move:
    """The short form, tokens separated by blanks."""
    words = [plain(word) for word in text.split()]
    if not words:
        raise unreadable("it is empty")
    head, rest = SAME.get(words[0], words[0]), words[1:]
    if head in PLAIN:
        if rest:
            raise unreadable("{word} stands alone", word=head)
        return PLAIN[head]
    if head in NAMED:
        return NAMED[head](rest)
    return plan_words(rest if head == "PLAN" else words)


def plain(word: str) -> str:
    """A word of an order in capitals, without the accents of French and Italian; names of provinces have none."""
    if word.isascii():
        return word.upper()
    bare = "".join(sign for sign in normalize("NFD", word) if not combining(sign)).upper()
    if bare not in ACCENTED:
        raise unreadable("orders are written in plain letters and digits")
    return bare


def plan_words(words: list[str]) -> Plan:
    """A target, then actions and CROSS in any order, each at most once."""
    if not words:
        raise unreadable("PLAN needs a province")
    found: dict[str, int] = {}
    rest = words[:0:-1]
    while rest:
        word = rest.pop()
        if word == "CROSS":
            name, value = "cross", 1
        elif word in LONG:
            name, value = LONG[word], level(rest.pop() if rest else "")
        elif word[0] in SHORT:
            name, value = SHORT[word[0]], level(word[1:])
        else:
            raise unreadable("{word} is no action (D, F, M with a level, or CROSS)", word=word)
        if name in found:
            raise unreadable("{word} is given twice", word=word)
        found[name] = value
    cross = bool(found.pop("cross", 0))
    return Plan(province(words[0]), **found, cross=cross)


def level(word: str) -> int:
    if word not in LEVEL:
        raise unreadable("{word} is no level (1, 2, 3 or I, II, III)", word=repr(word))
    return LEVEL[word]


def province(word: str) -> str:
    if not NAME.fullmatch(word):
        raise unreadable("{word} is no name of a province", word=word)
    return word


def whole(word: str) -> int:
    if not WHOLE.fullmatch(word) or len(word) > MOST_DIGITS:
        raise unreadable("{word} is no whole number", word=word)
    return int(word)


def tile_words(words: list[str]) -> LayTile:
    if len(words) < 3:
        raise unreadable("a tile is laid as TILE M-C 1,-1 R4")
    turn = ROTATION.fullmatch(words[-1])
    if turn is None:
        raise unreadable("{word} is no rotation (R0 to R5)", word=words[-1])
    return LayTile(tile_id(words[0]), slot(" ".join(words[1:-1])), int(turn[1]))


def tile_id(word: str) -> str:
    if not TILE_ID.fullmatch(word):
        raise unreadable("{word} is no tile ({first} to {last})", word=word, first=min(TILES), last=max(TILES))
    return word


def slot(text: str) -> tuple[int, int]:
    found = SLOT.fullmatch(text)
    if found is None:
        raise unreadable("{word} is no slot such as 1,-1", word=text)
    return whole(found[1]), whole(found[2])


def only(words: list[str]) -> str:
    if len(words) != 1:
        raise unreadable("one word is wanted after the first")
    return words[0]


PLAIN: Mapping[str, Move] = {
    **dict.fromkeys(("PASS", "PASSER", "PASSARE"), PASS),
    **dict.fromkeys(("RESIGN", "ABANDONNER", "ABBANDONARE"), RESIGN),
}
SAME: Mapping[str, str] = {  # the words of the French and Italian rules
    **dict.fromkeys(("TUILE", "TESSERA"), "TILE"),
    **dict.fromkeys(("VILLE", "CITTA"), "CITY"),
    **dict.fromkeys(("ENCHERE", "OFFERTA"), "BID"),
    "CAPITALE": "CAPITAL",
    "PIANO": "PLAN",
}
NAMED: Mapping[str, Callable[[list[str]], Move]] = {
    "TILE": tile_words,
    "CITY": lambda words: SetCity(province(only(words))),
    "BID": lambda words: Bid(whole(only(words))),
    "CAPITAL": lambda words: TakeCapital(province(only(words))),
}


# --- mapping ------------------------------------------------------------------------------------------------------

KEYS: Mapping[str, tuple[str, ...]] = {
    "tile": ("tile", "slot", "rot"),
    "city": ("province",),
    "bid": ("chao",),
    "capital": ("province",),
    "plan": ("target", "dev", "fort", "mil", "cross"),
    "pass": (),
    "resign": (),
}
OPTIONAL = frozenset(("dev", "fort", "mil", "cross"))


def from_mapping(order: Mapping[str, Any]) -> Move:
    """The YAML form: the kind by `action` or by `do`, by exactly one of them."""
    fields = {str(key).strip().lower(): value for key, value in order.items()}
    kinds = [key for key in ("action", "do") if key in fields]
    if len(kinds) != 1 or len(fields) != len(order):
        raise unreadable("name the kind once, by `action` or by `do`")
    kind = scalar(fields.pop(kinds[0])).lower()
    if kind not in KEYS:
        raise unreadable("there is no action {kind} (did you mean {near}?)", kind=kind, near=nearest(kind, KEYS, 1)[0])
    check_keys(kind, fields)
    if kind in ("pass", "resign"):
        return PLAIN[kind.upper()]
    return MAPPED[kind](fields)


def check_keys(kind: str, fields: Mapping[str, Any]) -> None:
    known = KEYS[kind]
    for key in fields:
        if key not in known:
            raise unknown_key(kind, key)
    for key in known:
        if key not in fields and key not in OPTIONAL:
            raise unreadable("{kind} needs {key}", kind=kind, key=key)


def unknown_key(kind: str, key: str) -> Unreadable:
    near = nearest(key, KEYS[kind], 1)
    if not near:
        return unreadable("{kind} knows no {key}", kind=kind, key=key)
    return unreadable("{kind} knows no {key} (did you mean {near}?)", kind=kind, key=key, near=near[0])


def scalar(value: Any) -> str:
    """A text or whole number as an upper-case word; anything else cannot be read."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise unreadable("{value} is neither a word nor a whole number", value=repr(value))
    word = str(value).strip()
    if not word.isascii():
        raise unreadable("{word} is not written in plain letters and digits", word=word)
    return word.upper()


def truth(value: Any) -> bool:
    word = str(value).strip().lower() if isinstance(value, bool | str) else ""
    if word not in ("true", "false"):
        raise unreadable("cross is true or false, not {value}", value=repr(value))
    return word == "true"


def plan_fields(fields: Mapping[str, Any]) -> Plan:
    actions = {name: level(scalar(fields[name])) for name in ("dev", "fort", "mil") if name in fields}
    return Plan(province(scalar(fields["target"])), **actions, cross=truth(fields.get("cross", False)))


def tile_fields(fields: Mapping[str, Any]) -> LayTile:
    place = fields["slot"]
    pair = ",".join(map(scalar, place)) if isinstance(place, list | tuple) else scalar(place)
    return LayTile(tile_id(scalar(fields["tile"])), slot(pair), whole(scalar(fields["rot"])))


MAPPED: Mapping[str, Callable[[Mapping[str, Any]], Move]] = {
    "tile": tile_fields,
    "city": lambda fields: SetCity(province(scalar(fields["province"]))),
    "bid": lambda fields: Bid(whole(scalar(fields["chao"]))),
    "capital": lambda fields: TakeCapital(province(scalar(fields["province"]))),
    "plan": plan_fields,
}


def canonical_text(text: str) -> str | None:
    """The one canonical text of what a short form means (YUAN-18.4); None when it cannot be read."""
    try:
        return str(from_text(text))
    except Unreadable:
        return None
