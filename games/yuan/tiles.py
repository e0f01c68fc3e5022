"""Tiles on the lattice: where a tile's cells come to lie, and which slots are open (YUAN-1.2, YUAN-3.6)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import lru_cache

from engine.boards.hexes import RING, Hex
from games.yuan.box import TILES, Placed, Slot
from games.yuan.land import Cell, Land, River

SLOT_A, SLOT_B = Hex(2, 1), Hex(-1, 3)  # YUAN-1.2: flowers of seven cells fit on this lattice without gaps
BESIDE: tuple[Slot, ...] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
FIRST: Slot = (0, 0)


def centre_of(slot: Slot) -> Hex:
    """The cell in the middle of a slot."""
    return SLOT_A.times(slot[0]).plus(SLOT_B.times(slot[1]))  # YUAN-1.2


@lru_cache(maxsize=8192)  # all ways in which tiles lie on the maps of a night are fewer
def cells_of(placed: Placed) -> tuple[Cell, ...]:
    """The seven cells of a tile where it lies, in the order they are printed."""
    tile, middle = TILES[placed.tile], centre_of(placed.slot)
    places = [middle] + [middle.plus(RING[(i + placed.rot) % 6]) for i in range(6)]  # YUAN-1.2: k sixths
    return tuple(
        Cell(place, letter, name) for place, letter, name in zip(places, tile.terrain, tile.names, strict=True)
    )


def river_of(placed: Placed) -> River:
    """The pairs of cells between which the tile's river flows; () without one."""
    places = [cell.place for cell in cells_of(placed)]
    return tuple((places[one], places[other]) for one, other in TILES[placed.tile].river)


@lru_cache(maxsize=1024)
def lay(tiles: tuple[Placed, ...], rivers: bool) -> Land:
    """The map these tiles make. Equal maps share one object, with all it has found out about itself."""
    cells = tuple(cell for placed in tiles for cell in cells_of(placed))
    # YUAN-17.2: only China tiles have rivers, and only Mongolia tiles volcanoes. YUAN-17.6: each if its option is on.
    flowing = tuple(filter(None, map(river_of, tiles))) if rivers else ()
    return Land(cells, flowing)


def open_slots(used: Collection[Slot]) -> tuple[Slot, ...]:
    """Empty slots beside a used one, in the order a, b; the very first tile has one slot only."""
    if not used:
        return (FIRST,)  # YUAN-3.6
    return tuple(sorted({slot for start in used for slot in beside(start)} - set(used)))


def beside(slot: Slot) -> Iterable[Slot]:
    """The six slots around a slot."""
    return ((slot[0] + a, slot[1] + b) for a, b in BESIDE)
