"""Where everything is drawn: the unchanging part of a view, made once per map, in pixels and in columns of text."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from engine.boards.hexes import RING, Hex, centre, corners, edge, frame, neighbours
from games.yuan.box import Slot
from games.yuan.land import LAKE, MOUNTAIN, TERRAIN_WORDS, VOLCANO, Cell, Land
from games.yuan.tiles import centre_of

Facts = dict[str, Any]
Line = list[tuple[int, Cell]]  # cells of one row, each with its place from the west in half cells
WIDTH = 8  # columns of a cell in text
BAND = 17  # half cells of a text band, four columns each, and a half cell more on every second row
SIGNS = {LAKE: "~~~~~~", MOUNTAIN: "/\\/\\", VOLCANO: "/\\**/\\"}
MARGIN = 8


@lru_cache(maxsize=16)
def drawn(land: Land) -> Facts:
    """Cells, rivers, the frame around them, who touches whom, and the rows of the board in text."""
    return {
        "cells": [cell_facts(cell.place, cell.terrain, cell.name) for cell in land.cells],
        "rivers": river_edges(land),
        "banks": banks(land),
        "bands": bands(land),
        "adjacent": dict(zip(land.names, map(land.named, land.neighbours), strict=True)),
        "connected": dict(zip(land.names, map(land.named, land.overseas), strict=True)),
        "beside_volcano": land.named(land.beside_volcano),
    }


@lru_cache(maxsize=16)
def box(land: Land, slots: tuple[Slot, ...]) -> list[int]:
    """The frame around the map and the slots still open: left, top, width, height."""
    around = [place for slot in slots for place in (centre_of(slot), *neighbours(centre_of(slot)))]
    left, top, width, height = frame([*(cell.place for cell in land.cells), *around])
    return [left - MARGIN, top - MARGIN, width + 2 * MARGIN, height + 2 * MARGIN]


def slot_facts(slot: Slot) -> Facts:
    """An open slot, its middle, and the outline of its seven cells."""
    middle = centre_of(slot)
    x, y = centre(middle)
    cells = [" ".join(f"{a},{b}" for a, b in corners(place)) for place in (middle, *neighbours(middle))]
    return {"slot": list(slot), "x": x, "y": y, "cells": cells}


@lru_cache(maxsize=8192)  # maps are made of the same tiles, so most cells of one are in others too
def cell_facts(place: Hex, terrain: str, name: str) -> Facts:
    x, y = centre(place)
    points = " ".join(f"{a},{b}" for a, b in corners(place))
    word = TERRAIN_WORDS[terrain]
    return {
        "q": place.q,
        "r": place.r,
        "x": x,
        "y": y,
        "terrain": terrain,
        "word": word,
        "name": name,
        "points": points,
    }


def river_edges(land: Land) -> list[list[int]]:
    """The edges along which a river flows, as x1, y1, x2, y2."""
    edges = []
    for river in land.rivers:
        for one, other in river:
            way = Hex(other.q - one.q, other.r - one.r)
            if way in RING:
                (x1, y1), (x2, y2) = edge(one, way)
                edges.append([x1, y1, x2, y2])
    return edges


def banks(land: Land) -> list[list[str]]:
    """The pairs of provinces that a river separates (YUAN-17.5), by name."""
    name = {cell.place: cell.name for cell in land.provinces}
    pairs = [pair for river in land.rivers for pair in river if pair[0] in name and pair[1] in name]
    return sorted(sorted((name[one], name[other])) for one, other in pairs)


def bands(land: Land) -> list[list[Facts]]:
    """The board in text, cut into bands that fit a page: band, then rows."""
    if not land.cells:
        return []
    lines: dict[int, Line] = {}
    for cell in land.cells:
        q, r = cell.place
        lines.setdefault(r, []).append((2 * q + r, cell))
    halves = [half for line in lines.values() for half, _ in line]
    first, last = min(halves), max(halves)
    # Even bands look better than a full one and a sliver.
    count = (last - first + 2) // (BAND + 1) + 1
    size = (last - first + 2 + count - 1) // count
    ordered = [(r, sorted(lines[r])) for r in sorted(lines)]
    return [rows(ordered, first + i * size, first + (i + 1) * size) for i in range(count)]


def rows(lines: list[tuple[int, Line]], start: int, stop: int) -> list[Facts]:
    """The rows of one band, numbered from the north of the whole map, so that rows of two bands can be told to meet."""
    north = lines[0][0]
    found = [(r, [(half - start, cell) for half, cell in line if start <= half < stop]) for r, line in lines]
    return [{"number": r - north + 1, **row_facts(row)} for r, row in found if row]


def row_facts(row: Line) -> Facts:
    """The line of names, which never changes, and the cells with the blanks before each."""
    names, cells, end = "", [], 0
    for half, (_, terrain, name) in row:
        column = WIDTH * half // 2
        names = names.ljust(column) + (name or SIGNS[terrain])
        cells.append({"before": " " * (column - end), "terrain": terrain, "name": name})
        end = column + WIDTH
    return {"names": names, "cells": cells}
