"""A state as plain JSON and back: the fields of chapter 7, without what follows from the rest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.boards.hexes import Hex
from games.yuan.box import SCENARIOS, Placed
from games.yuan.land import Cell, Land
from games.yuan.options import Options
from games.yuan.pieces import Clan
from games.yuan.state import Opening, State
from games.yuan.tiles import lay

Json = Any
SETS = ("lands", "cities", "doubled", "walled", "stone")


def dump(state: State) -> Json:
    """Provinces by name, so that a person can read it."""
    land = state.land
    data: dict[str, Json] = {
        "game": "yuan",
        "params": state.options.to_json(),
        "phase": state.phase,
        "turn": state.turn,
        "temples": land.named(state.temples),
        "clans": [dump_clan(clan, land) for clan in state.clans],
        "resigned": list(state.gone),
        "setup": None if state.opening is None else dump_opening(state.opening),
        "winners": None if state.winners is None else list(state.winners),
    }
    if state.options.free:
        data["map"] = [[placed.tile, *placed.slot, placed.rot] for placed in state.tiles]
    if land is not lay(state.tiles, state.options.rivers) and land != lay(state.tiles, state.options.rivers):
        data["land"] = dump_land(land)  # a board that is not made of tiles
    if state.wheel != state.options.wheel:
        data["wheel"] = list(state.wheel)
    return data


def restore(data: Mapping[str, Json]) -> State:
    options = Options(**data["params"])
    if options.free:
        tiles = tuple(Placed(tile, (a, b), rot) for tile, a, b, rot in data["map"])
    else:
        tiles = SCENARIOS[options.scenario].tiles
    land = restore_land(data["land"]) if "land" in data else lay(tiles, options.rivers)
    return State(
        options=options,
        phase=data["phase"],
        turn=data["turn"],
        tiles=tiles,
        land=land,
        temples=land.numbered(data["temples"]),
        clans=tuple([restore_clan(clan, land) for clan in data["clans"]]),
        gone=tuple(data["resigned"]),
        opening=None if data["setup"] is None else restore_opening(data["setup"]),
        winners=None if data["winners"] is None else tuple(data["winners"]),
        wheel=tuple(data["wheel"]) if "wheel" in data else options.wheel,
    )


def dump_clan(clan: Clan, land: Land) -> Json:
    data: dict[str, Json] = {"id": clan.id, "seat": clan.seat, "chao": clan.chao}
    data |= {name: land.named(getattr(clan, name)) for name in SETS}
    data["armies"] = {land.names[province]: count for province, count in clan.armies}
    return data


def restore_clan(data: Mapping[str, Json], land: Land) -> Clan:
    sets = {name: land.numbered(data[name]) for name in SETS}
    armies = tuple(sorted((land.number[name], count) for name, count in data["armies"].items()))
    return Clan(data["id"], data["seat"], data["chao"], **sets, armies=armies)


def dump_opening(opening: Opening) -> Json:
    return {
        "order": list(opening.order),
        "hands": {seat: list(hand) for seat, hand in opening.hands},
        "clans": list(opening.clans),
        "capitals": [list(pair) for pair in opening.capitals],
        "attempt": opening.attempt,
        "bidders": list(opening.bidders),
        "won": None if opening.won is None else list(opening.won),
    }


def restore_opening(data: Mapping[str, Json]) -> Opening:
    return Opening(
        order=tuple(data["order"]),
        hands=tuple(sorted((seat, tuple(hand)) for seat, hand in data["hands"].items())),
        clans=tuple(data["clans"]),
        capitals=tuple((name, clan) for name, clan in data["capitals"]),
        attempt=data["attempt"],
        bidders=tuple(data["bidders"]),
        won=None if data["won"] is None else (data["won"][0], data["won"][1]),
    )


def dump_land(land: Land) -> Json:
    cells = [[cell.place.q, cell.place.r, cell.terrain, cell.name] for cell in land.cells]
    return {"cells": cells, "rivers": [[[*one, *other] for one, other in river] for river in land.rivers]}


def restore_land(data: Mapping[str, Json]) -> Land:
    cells = tuple(Cell(Hex(q, r), terrain, name) for q, r, terrain, name in data["cells"])
    rivers = tuple(tuple((Hex(q, r), Hex(x, y)) for q, r, x, y in river) for river in data["rivers"])
    return Land(cells, rivers)
