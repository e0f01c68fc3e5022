"""Where each shape can ever lie on the map, made once: a position is only laid over it (KHAN-1.9, KHAN-7)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from engine.boards.squares import Cell, Mask, settled
from games.khan.material import BESIDE, BOARD, LAND, RIVER, RIVER_CELLS, SHAPES, Shape, cells_of


class Placement(NamedTuple):
    """A shape and a set of cells that is one of the positions of its form."""

    number: int
    """Its place in the canonical order: by shape, then cell by cell (KHAN-17.6)."""
    shape: int
    mask: Mask
    cells: tuple[str, ...]


def joins_two_sides(mask: Mask) -> bool:
    """KHAN-7.5: whether a bridge on these cells leads from one side of the river to another."""
    water, land = mask & RIVER, mask & LAND
    for cell in cells_of(water):
        beside = BESIDE[cell] & land
        if beside >> BOARD.width & beside << BOARD.width & 1 << cell or beside >> 1 & beside << 1 & 1 << cell:
            return True  # KHAN-7.5 (a): covered land north and south of it, or east and west
    shores = BOARD.groups(BOARD.around(water) & LAND | land)
    return sum(1 for shore in shores if shore & land) > 1  # KHAN-7.5 (b): a bend


def is_on_its_ground(shape: Shape, mask: Mask) -> bool:
    """Whether the map, empty, would take the shape there: a tile on land, a bridge from side to side."""
    if not shape.is_bridge:
        return not mask & RIVER  # KHAN-7.2
    return (mask & RIVER).bit_count() in RIVER_CELLS[shape.id] and joins_two_sides(mask)  # KHAN-7.4, KHAN-7.5


def has_form(shape: Shape, cells: tuple[Cell, ...]) -> bool:
    """Whether different cells make the form of the shape, turned or turned over as may be (KHAN-1.9)."""
    return len(set(cells)) == shape.size == len(cells) and settled(map(BOARD.xy, cells)) in shape.forms


def _all() -> Iterator[Placement]:
    count = 0
    for number, shape in enumerate(SHAPES):
        masks = {mask for form in shape.forms for mask in BOARD.positions(form) if is_on_its_ground(shape, mask)}
        for mask in sorted(masks, key=cells_of):
            yield Placement(count, number, mask, BOARD.names_of(mask))
            count += 1


PLACEMENTS: tuple[Placement, ...] = tuple(_all())
AT: dict[tuple[int, Mask], Placement] = {(placement.shape, placement.mask): placement for placement in PLACEMENTS}

_FROM: dict[Cell, tuple[tuple[Mask, int], ...]] = {
    cell: tuple((found.mask, found.number) for found in PLACEMENTS if found.mask & -found.mask == 1 << cell)
    for cell in BOARD.cells
}
"""The placements by their first cell, each with its number."""


@lru_cache(maxsize=256)
def covering(ready: Mask) -> tuple[Placement, ...]:
    """Every placement within these cells, in canonical order.

    The first cell of a placement has another one to its east or south: cells without such a neighbour begin nothing.
    """
    blocked = ~ready
    starts = ready & (ready >> 1 | ready >> BOARD.width)
    found = [number for cell in cells_of(starts) for mask, number in _FROM[cell] if not mask & blocked]
    found.sort()
    return tuple([PLACEMENTS[number] for number in found])
