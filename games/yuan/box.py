"""What lies in the two boxes: tiles, clans, limits, the wheel, slots and scenarios, read once from the data file."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from typing import Any, NamedTuple

import yaml

Slot = tuple[int, int]
DATA = "data/yuan-data.yaml"


class Tile(NamedTuple):
    """One tile as printed: its centre, then the cells E, NE, NW, W, SW, SE of it (YUAN-1.2)."""

    id: str
    box: str
    terrain: str
    names: tuple[str, ...]
    river: tuple[tuple[int, int], ...]


class Placed(NamedTuple):
    """A tile on the map: in which slot, and turned by how many sixths counter-clockwise."""

    tile: str
    slot: Slot
    rot: int

    def __str__(self) -> str:
        return f"{self.tile}:{self.slot[0]},{self.slot[1]}:{self.rot}"


class ClanCard(NamedTuple):
    """What is printed about a clan."""

    id: str
    letter: str
    box: str
    colour: str
    chao_adjust: int

    @property
    def name(self) -> str:
        return self.id.capitalize()


class Scenario(NamedTuple):
    """An imposed map (YUAN-3.1, YUAN-17.3): its tiles, and its capitals unless the players choose them."""

    players: int
    tiles: tuple[Placed, ...]
    capitals: tuple[str, ...]


def _read() -> Mapping[str, Any]:
    text = resources.files(__package__).joinpath(DATA).read_text(encoding="utf-8")
    data: Mapping[str, Any] = yaml.safe_load(text)
    return data


def _tile(name: str, card: Mapping[str, Any]) -> Tile:
    river = tuple((one, other) for one, other in card.get("river", ()))
    return Tile(name, card["box"], card["cells"], tuple(card["names"]), river)


def _scenario(card: Mapping[str, Any]) -> Scenario:
    tiles = tuple(Placed(tile, (a, b), rot) for tile, a, b, rot in card["tiles"])
    capitals = () if card["capitals"] == "free" else tuple(card["capitals"])
    return Scenario(card["players"], tiles, capitals)


_data = _read()
EDITION: str = _data["edition"]

# YUAN-2.1: pieces of one clan, and temples of one box.
VILLAGES: int = _data["components"]["per_clan"]["villages"]
CITIES: int = _data["components"]["per_clan"]["cities"]
ARMIES: int = _data["components"]["per_clan"]["armies"]
RAMPARTS: int = _data["components"]["per_clan"]["ramparts"]
TEMPLES: int = _data["components"]["per_box"]["temples"]

BASE_COST: tuple[int, ...] = tuple(_data["base_cost"])
PASS_INCOME: int = _data["pass_income"]
DEVELOPMENT_INCOME: int = _data["development_2_income"]
THEFT: int = _data["theft"]
ARMY_CAP: int = _data["army_cap"]
VOLCANO_TURNS = frozenset(_data["volcano_turns"])
START_CHAO: int = _data["start_chao"]["no_auction"]
AUCTION_CHAO: int = _data["start_chao"]["auction"]
WHEEL: Mapping[int, tuple[int, ...]] = {players: tuple(line) for players, line in _data["wheel"].items()}

CLANS: Mapping[str, ClanCard] = {
    card["id"]: ClanCard(card["id"], card["letter"], card["box"], card["colour"], card["chao_adjust"])
    for card in _data["clans"]
}  # in canonical order (YUAN-1.10)
BOXES = ("mongolia", "china")
TILES: Mapping[str, Tile] = {name: _tile(name, _data["tiles"][name]) for name in sorted(_data["tiles"])}
SLOTS: Mapping[int, tuple[Slot, ...]] = {
    count: tuple((a, b) for a, b in slots) for count, slots in _data["slots"].items()
}
SCENARIOS: Mapping[str, Scenario] = {name: _scenario(card) for name, card in _data["scenarios"].items()}


def tiles_in_play(players: int, base_box: str) -> tuple[str, ...]:
    """The tiles for so many players, by id (YUAN-3.2)."""
    line = _data["setup"][players]
    base, other = ("M", "C") if base_box == "mongolia" else ("C", "M")
    return tuple(sorted([f"{base}-{letter}" for letter in line["base"]] + [f"{other}-{x}" for x in line["other"]]))
