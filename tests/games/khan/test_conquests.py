"""Legal conquests found by a second, slow way: every shape turned and tried on every cell, by the words of KHAN-7."""

from __future__ import annotations

from itertools import product

import pytest

from games.khan.conquest import conquests
from games.khan.material import DATA
from tests.games.khan.walking import states

GRID = {(x, y): letter for y, row in enumerate(DATA["board"]["grid"]) for x, letter in enumerate(row) if letter != "#"}
SIDES = ((0, -1), (1, 0), (0, 1), (-1, 0))
KING = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]


def turned(coords):
    """KHAN-1.9: quarter turns and turning over."""
    found = set()
    for flip in (1, -1):
        points = [(flip * x, y) for x, y in coords]
        for _ in range(4):
            points = [(-y, x) for x, y in points]
            x0, y0 = min(x for x, _ in points), min(y for _, y in points)
            found.add(frozenset((x - x0, y - y0) for x, y in points))
    return found


def joins(cells):
    """KHAN-7.5."""
    water = {cell for cell in cells if GRID[cell] == "~"}
    land = cells - water
    for x, y in water:
        if {(x, y - 1), (x, y + 1)} <= land or {(x - 1, y), (x + 1, y)} <= land:
            return True
    shore = land | {(x + dx, y + dy) for x, y in water for dx, dy in KING if GRID.get((x + dx, y + dy), "~") != "~"}
    group, edge = set(), {min(land)}
    while edge:
        group |= edge
        edge = {(x + dx, y + dy) for x, y in edge for dx, dy in SIDES} & shore - group
    return not land <= group


def slow(state):
    """KHAN-7.1 to KHAN-7.7, KHAN-9.6, KHAN-10.1, KHAN-10.4, one after the other as they are written."""
    seat, seats = state.seat, list(state.seats)
    yurt = {}
    for owner, mask in enumerate(state.yurts):
        for x, y in GRID:
            if mask >> (y * 14 + x) & 1:
                yurt[x, y] = owner if owner in seats else "black"
    covered = {(x, y) for x, y in GRID if state.covered >> (y * 14 + x) & 1}
    for number, row in enumerate(DATA["shapes"]):
        kept = [other for other in seats if other != seat and state.reserved[other] == number]
        left = row["copies"] - sum(laid.shape == number for laid in state.shapes)
        if left < 1 or (kept and (state.players < 4 or left <= len(kept))):
            continue
        for form in turned(row["coords"]):
            for x0, y0 in product(range(13), repeat=2):
                cells = {(x0 + x, y0 + y) for x, y in form}
                if cells <= GRID.keys() and _stands(state, row, cells, yurt, covered, seat):
                    yield row["id"], tuple(sorted(cells, key=lambda cell: (cell[1], cell[0])))


def _stands(state, row, cells, yurt, covered, seat):
    water = {cell for cell in cells if GRID[cell] == "~"}
    if any(cell not in yurt for cell in cells - water) or water & covered:
        return False
    counts = DATA["bridges"]["river_cells"].get(row["id"], [0])
    if len(water) not in counts or (row["kind"] == "bridge" and not joins(cells)):
        return False
    votes = [yurt[cell] for cell in cells - water if yurt[cell] != "black"]
    most = max((votes.count(owner) for owner in votes), default=0)
    sharers = {owner for owner in votes if votes.count(owner) == most}
    if seat not in sharers:
        return False
    for other, active in enumerate(state.active):
        if active is None or other == seat:
            continue
        region = {"": GRID.values(), **{word: [letter] for letter, word in DATA["board"]["regions"].items()}}
        hurt = (
            any(yurt.get(cell) == other for cell in cells)
            if active.card == 1
            else any(yurt.get(cell) == "black" and GRID[cell] in region[active.region] for cell in cells)
        )
        if hurt and (other not in sharers or other in state.refused):
            return False
    return True


@pytest.mark.parametrize("part", range(3))
def test_both_ways_find_the_same_conquests(part):
    found = 0
    for state in states()[part::9]:
        if state.phase == "placement":
            continue
        quick = [one.placement for one in conquests(state, state.seat)]
        names = {(DATA["shapes"][placement.shape]["id"], placement.cells) for placement in quick}
        wanted = {(shape, tuple(f"{'ABCDEFGHIJKLM'[x]}{y + 1}" for x, y in cells)) for shape, cells in slow(state)}
        assert names == wanted
        found += len(names)
    assert found > 20
