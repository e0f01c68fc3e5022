"""Position lines: one line of text for the whole state, written here and read back (YUAN-18)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from engine import BadOption, BadPosition, Refusal, Seat
from games.yuan import position_checks
from games.yuan.box import CLANS, EDITION, SCENARIOS, TILES, Placed
from games.yuan.land import Land
from games.yuan.moves import Move, Resign
from games.yuan.options import SEATS, Options
from games.yuan.orders import read as read_order
from games.yuan.pieces import Clan
from games.yuan.state import Opening, Phase, State, pending
from games.yuan.tiles import lay

KEYS = (
    *("yuan", "view", "opt", "ph", "t", "to", "map", "order", "hands", "clans", "cap", "try", "won", "tem"),
    *CLANS,
    *("gone", "filed", "win"),
)  # YUAN-18.1: in the order of the table
PHASES: tuple[Phase, ...] = ("tiles", "cities", "bids", "capital", "plan", "over")
PUBLIC = "public"
HIDDEN = "?"
NOBODY = "-"
FLAGS = ("auction", "powers", "volcanoes", "rivers")
WALLS = ("", "/w", "/s")


@dataclass(frozen=True, slots=True)
class Line:
    """What a line holds: the state, the orders filed for the open decision, and for whom it is redacted.

    The engine keeps filed orders outside the state, so they stand here and not there (YUAN-18.1). In a redacted
    line a hidden order is None (YUAN-18.3).
    """

    state: State
    filed: Mapping[Seat, Move | None] = field(default_factory=dict)
    view: str | None = None

    def redacted(self, view: str) -> Line:
        """The form for a seat or for the public: all see who has filed, only the seat itself what (YUAN-18.3)."""
        return Line(self.state, {seat: move if seat == view else None for seat, move in self.filed.items()}, view)

    def __str__(self) -> str:
        return write(self)


# --- writing ------------------------------------------------------------------------------------------------------


def write(line: Line) -> str:
    """Empty values are left out."""
    values = {**written(line.state), "view": line.view or "", "filed": filed_text(line.filed)}
    return ";".join([f"{key}={values[key]}" for key in KEYS if values.get(key)])


def written(state: State) -> dict[str, str]:
    """The state's own keys and their values."""
    setup = state.opening or Opening()
    values = {
        "yuan": EDITION,
        "opt": options_text(state.options),
        "ph": state.phase,
        "t": str(state.turn),
        "to": " ".join(pending(state)),
        "map": " ".join(map(str, state.tiles)) if state.options.free else "",
        "order": " ".join(setup.order),
        "hands": " ".join([f"{seat}:{','.join(tiles)}" for seat, tiles in setup.hands]),
        "clans": " ".join(setup.clans),
        "cap": " ".join([f"{name}:{clan}" for name, clan in setup.capitals]),
        "try": " ".join([str(setup.attempt), *setup.bidders]) if setup.attempt else "",
        "won": f"{setup.won[0]}:{setup.won[1]}" if setup.won else "",
        "tem": " ".join(state.land.named(state.temples)),
        "gone": " ".join(state.gone),
        "win": "" if state.winners is None else " ".join(state.winners) or NOBODY,
    }
    for clan in state.clans:
        values[clan.id] = clan_text(clan, state.land)
    return values


def options_text(options: Options) -> str:
    """The parameters of 3.1; defaults left out."""
    parts = [f"players:{options.players}"]
    if not options.free:
        parts.append(f"scenario:{options.scenario}")
    parts += [name for name in FLAGS if getattr(options, name)]
    if options.base_box == "china":
        parts.append("base_box:china")
    if options.clans:
        parts.append("clans:" + ",".join(options.clans))
    if options.dealt:
        parts.append("tile_setup:dealt")
    return " ".join(parts)


def clan_text(clan: Clan, land: Land) -> str:
    """Seat, chao, then the provinces with their pieces as in chapter 9."""
    armies = dict(clan.armies)
    names = land.names
    parts = [clan.seat, str(clan.chao)]
    for province in range(clan.lands.bit_length()):
        if clan.lands >> province & 1:
            parts.append(f"{names[province]}:{pieces_text(clan, province, armies.get(province, 0))}")
    return " ".join(parts)


def pieces_text(clan: Clan, province: int, armies: int) -> str:
    city = clan.cities >> province & 1
    text = "c" * (city + (clan.doubled >> province & 1)) if city else "v"
    text += WALLS[(clan.walled >> province & 1) + (clan.stone >> province & 1)]
    return f"{text}+{armies}" if armies else text


def filed_text(filed: Mapping[Seat, Move | None]) -> str:
    return "|".join([f"{seat}:{HIDDEN if filed[seat] is None else filed[seat]}" for seat in sorted(filed)])


# --- reading ------------------------------------------------------------------------------------------------------

OPTION = re.compile(r"(players|scenario|base_box|clans|tile_setup):(\S+)")
PLACED = re.compile(r"([CM]-[A-O]):(-?\d{1,3}),(-?\d{1,3}):([0-5])")
PIECES = re.compile(r"(v|cc?)(/[ws])?(?:\+([1-9]))?")
NUMBER = re.compile(r"0|[1-9]\d{0,8}")


def read(text: str) -> Line:
    """The state and orders of a line; BadPosition with what is wrong otherwise (YUAN-18.2)."""
    values = split(text)
    line = Line(read_state(values), {}, values.get("view"))
    if line.view not in (None, PUBLIC, *line.state.seats):
        raise BadPosition(f"view={line.view} is neither public nor a seat")
    position_checks.check(line.state)
    line = replace(line, filed=read_filed(values.get("filed", ""), line))
    if str(line) != text:
        raise BadPosition(f"this position is written {line}")
    return line


def from_position(text: str) -> State:
    """The state of a full line. Filed orders are checked, then left to the host, which keeps them."""
    line = read(text)
    if line.view is not None:
        raise BadPosition("a redacted line reads back as a view, not as a state")  # YUAN-18.3
    return line.state


def split(text: str) -> dict[str, str]:
    """Key and value of each pair, every key known, once and in order, no value empty (YUAN-18.1)."""
    values: dict[str, str] = {}
    for pair in text.split(";"):
        key, equals, value = pair.partition("=")
        if key not in KEYS or not equals or not value or key in values:
            raise BadPosition(f"{pair!r} is no pair of a known key and its value, each key once")
        values[key] = value
    for key in ("yuan", "opt", "ph", "t"):
        if key not in values:
            raise BadPosition(f"the key {key} is missing")
    if values["yuan"] != EDITION:
        raise BadPosition(f"{values['yuan']} is not the edition {EDITION}")
    return values


def read_state(values: Mapping[str, str]) -> State:
    options = read_options(values["opt"])
    phase = next((name for name in PHASES if name == values["ph"]), None)
    if phase is None:
        raise BadPosition(f"there is no phase {values['ph']}")
    tiles = read_tiles(values.get("map", "")) if options.free else SCENARIOS[options.scenario].tiles
    land = lay(tiles, options.rivers)
    turn = number(values["t"])
    if not 0 <= turn <= len(options.wheel):
        raise BadPosition(f"the wheel has no turn {turn}")
    return State(
        options=options,
        phase=phase,
        turn=turn,
        tiles=tiles,
        land=land,
        temples=province_set(values.get("tem", "").split(), land),
        clans=tuple(read_clan(name, values[name], land) for name in CLANS if name in values),
        gone=seats(values.get("gone", "")),
        opening=read_opening(values) if turn == 0 else None,
        winners=read_winners(values.get("win")),
        wheel=options.wheel,
    )


def read_options(text: str) -> Options:
    choices: dict[str, Any] = {}
    for word in text.split(" "):
        found = OPTION.fullmatch(word)
        if found is None and word not in FLAGS:
            raise BadPosition(f"there is no option {word}")
        choices.update({word: True} if found is None else {found[1]: found[2]})
    try:
        return Options(**choices)
    except BadOption as bad:
        raise BadPosition(str(bad)) from None


def read_tiles(text: str) -> tuple[Placed, ...]:
    tiles = []
    for word in text.split():
        found = PLACED.fullmatch(word)
        if found is None or found[1] not in TILES:
            raise BadPosition(f"{word} is no tile in its slot")
        tiles.append(Placed(found[1], (int(found[2]), int(found[3])), int(found[4])))
    if len({placed.slot for placed in tiles}) < len(tiles) or len({placed.tile for placed in tiles}) < len(tiles):
        raise BadPosition("a tile or a slot is there twice")
    return tuple(tiles)


def read_opening(values: Mapping[str, str]) -> Opening:
    hands = tuple(pair(word) for word in values.get("hands", "").split())
    attempt, *bidders = values.get("try", "0").split(" ")
    won = pair(values["won"]) if "won" in values else None
    return Opening(
        order=seats(values.get("order", "")),
        hands=tuple((seat(holder), tuple(tiles.split(","))) for holder, tiles in hands),
        clans=tuple(values.get("clans", "").split()),
        capitals=tuple(pair(word) for word in values.get("cap", "").split()),
        attempt=number(attempt),
        bidders=tuple(map(seat, bidders)),
        won=(seat(won[0]), number(won[1])) if won else None,
    )


def read_clan(name: str, text: str, land: Land) -> Clan:
    words = text.split(" ")
    if len(words) < 2:
        raise BadPosition(f"{name}={text} lacks its seat or chao")
    sets = dict.fromkeys(("lands", "cities", "doubled", "walled", "stone"), 0)
    armies = []
    for word in words[2:]:
        place, pieces = pair(word)
        found = PIECES.fullmatch(pieces)
        if found is None or (found[1] == "v" and found[2]):
            raise BadPosition(f"{pieces} are no pieces of a province")
        province = province_set([place], land)
        kept = {"lands": True, "cities": "c" in found[1], "doubled": found[1] == "cc"}
        kept |= {"walled": bool(found[2]), "stone": found[2] == "/s"}
        for what, there in kept.items():
            sets[what] |= province if there else 0
        if found[3]:
            armies.append((land.number[place], int(found[3])))
    return Clan(name, seat(words[0]), number(words[1]), **sets, armies=tuple(sorted(armies)))


def read_winners(text: str | None) -> tuple[Seat, ...] | None:
    return None if text is None else () if text == NOBODY else seats(text)


def read_filed(text: str, line: Line) -> dict[Seat, Move | None]:
    """Filed orders are those of seats that decide, legal, in canonical short text (YUAN-18.2)."""
    filed: dict[Seat, Move | None] = {}
    for part in text.split("|") if text else ():
        holder, order = pair(part)
        if holder not in pending(line.state):
            raise BadPosition(f"seat {holder} has no open decision")
        filed[holder] = read_one(order, holder, line)
    return filed


def read_one(order: str, holder: Seat, line: Line) -> Move | None:
    if order == HIDDEN:
        if line.view is None or line.view == holder:
            raise BadPosition("an order is hidden in a full line, or from its own seat")
        return None
    if line.view is not None and line.view != holder:
        raise BadPosition("a redacted line hides the orders of other seats")
    move = read_order(line.state, holder, order)
    if isinstance(move, Refusal):
        raise BadPosition(f"{order}: {move}")
    if isinstance(move, Resign) and line.state.phase != "plan":
        raise BadPosition("in the set-up a resignation takes effect at once and is not filed")
    return move


# --- small parts --------------------------------------------------------------------------------------------------


def pair(text: str) -> tuple[str, str]:
    one, colon, other = text.partition(":")
    if not colon:
        raise BadPosition(f"{text!r} lacks its colon")
    return one, other


def number(text: str) -> int:
    if not NUMBER.fullmatch(text):
        raise BadPosition(f"{text!r} is no number without leading zero")
    return int(text)


def seat(text: str) -> Seat:
    if text not in SEATS:
        raise BadPosition(f"{text!r} is no seat")
    return text


def seats(text: str) -> tuple[Seat, ...]:
    return tuple(seat(word) for word in text.split())


def province_set(names: list[str], land: Land) -> int:
    for name in names:
        if name not in land.number:
            raise BadPosition(f"there is no province {name} on this map")
    return land.numbered(names)
