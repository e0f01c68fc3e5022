"""Hexagons: axial cells (q, r), pointy-top, r growing downwards; directions, turns, and where to draw them.

Everything is whole numbers. A hexagon is drawn HALF wide on either side of its centre and 2 * QUARTER high on either
side of it; 26 and 15 stand for the square root of three to a tenth of a percent, so no float is ever needed.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

HALF, QUARTER = 26, 15


class Hex(NamedTuple):
    """A cell, or the way from one cell to another."""

    q: int
    r: int

    def plus(self, other: tuple[int, int]) -> Hex:
        return Hex(self.q + other[0], self.r + other[1])

    def times(self, factor: int) -> Hex:
        return Hex(self.q * factor, self.r * factor)


E, NE, NW = Hex(1, 0), Hex(1, -1), Hex(0, -1)
W, SW, SE = Hex(-1, 0), Hex(-1, 1), Hex(0, 1)
RING = (E, NE, NW, W, SW, SE)  # counter-clockwise, as the sky turns
DIRECTIONS = {"E": E, "NE": NE, "NW": NW, "W": W, "SW": SW, "SE": SE}


@lru_cache(maxsize=4096)  # a game asks for those of its few hundred cells again and again
def neighbours(cell: Hex) -> tuple[Hex, ...]:
    """The six cells that touch this one, counter-clockwise from the east."""
    return tuple(map(cell.plus, RING))


def touch(one: Hex, other: Hex) -> bool:
    """Whether two different cells share an edge."""
    return Hex(other.q - one.q, other.r - one.r) in RING


def distance(one: Hex, other: Hex) -> int:
    """How many steps from one cell to the other, nothing in the way."""
    q, r = other.q - one.q, other.r - one.r
    return max(abs(q), abs(r), abs(q + r))


def turned(way: Hex, sixths: int) -> Hex:
    """A way turned counter-clockwise about its start by so many sixths of a full turn."""
    for _ in range(sixths % 6):
        way = Hex(way.q + way.r, -way.q)
    return way


@lru_cache(maxsize=4096)
def centre(cell: Hex) -> tuple[int, int]:
    """Where the middle of a cell is drawn: x to the right, y downwards."""
    return HALF * (2 * cell.q + cell.r), 3 * QUARTER * cell.r


def corners(cell: Hex) -> tuple[tuple[int, int], ...]:
    """The six corners of a cell as drawn, counter-clockwise from the upper end of its eastern edge."""
    x, y = centre(cell)
    return (
        (x + HALF, y - QUARTER),
        (x, y - 2 * QUARTER),
        (x - HALF, y - QUARTER),
        (x - HALF, y + QUARTER),
        (x, y + 2 * QUARTER),
        (x + HALF, y + QUARTER),
    )


def edge(cell: Hex, way: Hex) -> tuple[tuple[int, int], tuple[int, int]]:
    """The two ends of the edge a cell shares with its neighbour in that direction."""
    ends = corners(cell)
    place = RING.index(way)
    return ends[place - 1], ends[place]


def frame(cells: Iterable[Hex]) -> tuple[int, int, int, int]:
    """The smallest upright rectangle around the drawn cells: left, top, width, height."""
    middles = list(map(centre, cells))
    if not middles:
        return 0, 0, 0, 0
    across, down = [x for x, _ in middles], [y for _, y in middles]
    left, top = min(across) - HALF, min(down) - 2 * QUARTER
    return left, top, max(across) + HALF - left, max(down) + 2 * QUARTER - top
