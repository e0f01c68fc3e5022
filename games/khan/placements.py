"""Where each shape can ever lie on the map, made once: a position is only laid over it (KHAN-1.9, KHAN-7).

A set of placements is one whole number, as a set of cells is: bit n stands for `PLACEMENTS[n]`. So what a position asks
of all of them, it asks of all at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from engine.boards.squares import Cell, Mask, PerCell, settled
from games.khan.material import BESIDE, BOARD, LAND, RIVER, RIVER_CELLS, SHAPES, Shape, cells_of

Layings = int
"""A set of placements: bit n stands for placement n."""


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

EVERY: Layings = (1 << len(PLACEMENTS)) - 1
OF_SHAPE: tuple[Layings, ...] = tuple(
    sum(1 << placement.number for placement in PLACEMENTS if placement.shape == shape) for shape in range(len(SHAPES))
)


def _on() -> dict[Cell, Layings]:
    """For each cell, the placements that cover it."""
    found = dict.fromkeys(BOARD.cells, 0)
    for placement in PLACEMENTS:
        for cell in cells_of(placement.mask):
            found[cell] |= 1 << placement.number
    return found


_ON = PerCell({cell: (layings,) for cell, layings in _on().items()})


def touching(mask: Mask) -> Layings:
    """The placements that cover one of these cells, or more."""
    found = 0
    for covering in _ON.of(mask):
        found |= covering
    return found


def within(mask: Mask) -> Layings:
    """The placements that cover none but these cells."""
    return EVERY ^ touching(BOARD.whole & ~mask)


class Tally(NamedTuple):
    """How many cells of a set each placement covers, up to 7, in binary digits: each digit says for which it is set."""

    fours: Layings
    twos: Layings
    ones: Layings


@lru_cache(maxsize=256)
def tally(mask: Mask) -> Tally:
    """Cell by cell, all placements that cover it count one more. What other seats have mostly stays as it was."""
    fours = twos = ones = 0
    for covering in _ON.of(mask):
        carried = ones & covering
        ones ^= covering
        fours |= twos & carried
        twos ^= carried
    return Tally(fours, twos, ones)


def differing(one: Tally, other: Tally) -> Layings:
    """The placements of which the two do not count as many cells."""
    return one.fours ^ other.fours | one.twos ^ other.twos | one.ones ^ other.ones


def greater(one: Tally, other: Tally) -> Layings:
    """The placements of which the first counts more: the highest digit in which they differ decides."""
    fours, twos, ones = one.fours ^ other.fours, one.twos ^ other.twos, one.ones ^ other.ones
    return one.fours & fours | (EVERY ^ fours) & (one.twos & twos | (EVERY ^ twos) & one.ones & ones)


def numbers_of(layings: Layings) -> list[int]:
    """The numbers of these placements, in canonical order."""
    bits, found = f"{layings:b}"[::-1], []
    number = bits.find("1")
    while number >= 0:
        found.append(number)
        number = bits.find("1", number + 1)
    return found


def placements_of(layings: Layings) -> list[Placement]:
    return [PLACEMENTS[number] for number in numbers_of(layings)]
