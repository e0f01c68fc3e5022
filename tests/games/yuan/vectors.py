"""The vector file, read once, and the small board its turn vectors are drawn on (chapter 9.1)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from engine.boards.hexes import Hex
from games.yuan.box import CLANS
from games.yuan.land import Cell, Land
from games.yuan.options import Options
from games.yuan.pieces import Clan
from games.yuan.state import State

VECTORS = Path(__file__).with_name("vectors.yaml")
ROWS = {-3: (0, 4), -2: (-1, 5), -1: (-2, 6), 0: (-3, 7), 1: (-3, 6), 2: (-3, 5), 3: (-3, 4)}
PLACES = {
    "ABCDEFG"[r + 3] + "ABCDEFG"[i]: Hex(first + i, r) for r, (first, length) in ROWS.items() for i in range(length)
}
LETTERS = {card.letter: clan for clan, card in CLANS.items()}
PIECES = re.compile(r"(v|cc?)(/[ws])?(?:\+(\d+))?")


@cache
def all_vectors() -> tuple[Mapping[str, Any], ...]:
    return tuple(yaml.safe_load(VECTORS.read_text(encoding="utf-8")))


def of_kind(kind: str) -> list[Mapping[str, Any]]:
    return [vector for vector in all_vectors() if vector["kind"] == kind]


def words(text: str) -> set[str]:
    return set(text.split())


def land_of(vector: Mapping[str, Any]) -> Land:
    """The board of 37 cells with the vector's terrain and rivers; all other cells are hills."""
    terrain = dict.fromkeys(PLACES, "H")
    for part in (vector.get("terrain") or "").split():
        name, letter = part.split("=")
        terrain[name] = "L" if letter == "~" else letter
    cells = tuple(Cell(place, terrain[name], name if terrain[name] in "RMFH" else "") for name, place in PLACES.items())
    rivers = tuple(
        tuple((PLACES[one], PLACES[other]) for one, other in (pair.split("-") for pair in text.split()))
        for text in vector.get("rivers", ())
    )
    return Land(cells, rivers if "rivers" in vector.get("options", ()) else ())


def clan_from(line: str, seat: str, land: Land) -> Clan:
    """`X4: DD=c/w+1 DE=v`: clan letter, chao, provinces with their pieces."""
    head, _, rest = line.partition(":")
    clan = Clan(LETTERS[head[0]], seat, int(head[1:]))
    sets = dict.fromkeys(("lands", "cities", "doubled", "walled", "stone"), 0)
    armies = []
    for part in rest.split():
        name, pieces = part.split("=")
        found = PIECES.fullmatch(pieces)
        assert found, part
        bit = 1 << land.number[name]
        there = {"lands": True, "cities": "c" in found[1], "doubled": found[1] == "cc"}
        there |= {"walled": bool(found[2]), "stone": found[2] == "/s"}
        for key, yes in there.items():
            sets[key] |= bit if yes else 0
        if found[3]:
            armies.append((land.number[name], int(found[3])))
    return clan._replace(**sets, armies=tuple(sorted(armies)))


def clans_from(text: str, land: Land) -> tuple[Clan, ...]:
    """The clans of a drawn position in canonical order, seats numbered in that order."""
    lines = {line[0]: line for line in map(str.strip, text.splitlines()) if line}
    in_order = [letter for letter in LETTERS if letter in lines]
    return tuple(clan_from(lines[letter], str(i + 1), land) for i, letter in enumerate(in_order))


def state_of(vector: Mapping[str, Any]) -> State:
    """The position before the turn, with the vector's options, wheel and temples."""
    land = land_of(vector)
    clans = clans_from(vector["before"], land)
    turn, need = vector.get("turn", 1), vector.get("need", 99)
    on = dict.fromkeys(vector.get("options", ()), True)
    wheel = (need,) * (turn if vector.get("last") else turn + 1)
    return State(
        options=Options(players=max(2, len(clans)), **on),
        phase="plan",
        turn=turn,
        land=land,
        temples=land.numbered((vector.get("temples") or "").split()),
        clans=clans,
        wheel=wheel,
    )


def seat_of(state: State, letter: str) -> str:
    return next(clan.seat for clan in state.clans if clan.id == LETTERS[letter])
