"""Square boards: cells in reading order, sets of cells as bits of one whole number, forms that may be turned over.

A cell is a number, counted row by row over a frame one column wider than the board: so the neighbour to the east is
1 further, the one to the south one frame row, and no step ever leads from one rim of the board to the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import getitem
from typing import Generic, TypeVar

T = TypeVar("T")

Cell = int
Mask = int
"""A set of cells: bit n stands for cell n."""
Form = tuple[tuple[int, int], ...]
"""A figure of squares as (x east, y south), in reading order, touching the north and the west rim of its frame."""

COMPASS: Mapping[str, tuple[int, int]] = {
    "N": (0, -1),
    "NE": (1, -1),
    "E": (1, 0),
    "SE": (1, 1),
    "S": (0, 1),
    "SW": (-1, 1),
    "W": (-1, 0),
    "NW": (-1, -1),
}
"""The eight directions clockwise from the north, as steps (x east, y south)."""


class PerCell(Generic[T]):
    """Some things of each cell: given a set of cells, the things of these, in reading order.

    Eight cells at a time are looked up: which of them are in the set is one byte of its number.
    """

    def __init__(self, things: Mapping[Cell, Sequence[T]]) -> None:
        self._size = max(things) // 8 + 1
        self._bytes = tuple(_eight([things.get(8 * i + bit, ()) for bit in range(8)]) for i in range(self._size))

    def of(self, mask: Mask) -> Iterator[T]:
        return chain.from_iterable(map(getitem, self._bytes, mask.to_bytes(self._size, "little")))


def _eight(things: Sequence[Sequence[T]]) -> tuple[tuple[T, ...], ...]:
    """By each byte: the things at its bits, lowest bit first."""
    table: list[tuple[T, ...]] = [()]
    for of_one in things:
        table += [(*before, *of_one) for before in table]
    return tuple(table)


@dataclass(frozen=True, slots=True)
class Squares:
    """A board of square cells. Lists of cells are always in reading order: row by row, west to east."""

    width: int
    """Cells of one frame row: the step to the south."""
    cells: tuple[Cell, ...]
    names: Mapping[Cell, str]
    numbers: Mapping[str, Cell]
    whole: Mask
    _names: PerCell[str]

    def xy(self, cell: Cell) -> tuple[int, int]:
        """Column and row of a cell, both counted from 0."""
        return cell % self.width, cell // self.width

    def at(self, x: int, y: int) -> Cell | None:
        """The cell in that column and row, if there is one."""
        if not 0 <= x < self.width or y < 0:
            return None
        cell = y * self.width + x
        return cell if cell in self.names else None

    def ray(self, cell: Cell, direction: tuple[int, int], length: int) -> tuple[Cell, ...]:
        """The cells 1, 2, ... steps away in that direction, as far as the board goes."""
        (x, y), (dx, dy) = self.xy(cell), direction
        found: list[Cell] = []
        while len(found) < length:
            x, y = x + dx, y + dy
            step = self.at(x, y)
            if step is None:
                break
            found.append(step)
        return tuple(found)

    def mask(self, names: Iterable[str]) -> Mask:
        """The set of these cells."""
        bits = 0
        for name in names:
            bits |= 1 << self.numbers[name]
        return bits

    def names_of(self, mask: Mask) -> tuple[str, ...]:
        """The names of a set's cells."""
        return tuple(self._names.of(mask))

    def beside(self, mask: Mask) -> Mask:
        """The cells that share a side with a cell of the set (its own among them, if they touch)."""
        return (mask << 1 | mask >> 1 | mask << self.width | mask >> self.width) & self.whole

    def around(self, mask: Mask) -> Mask:
        """The set with all cells one king's step away."""
        rows = mask | mask << 1 | mask >> 1
        return (rows | rows << self.width | rows >> self.width) & self.whole

    def groups(self, mask: Mask) -> Iterator[Mask]:
        """The parts of a set that hang together by sides, by their first cells."""
        while mask:
            group, grown = 0, mask & -mask
            while grown != group:
                group, grown = grown, (grown | self.beside(grown)) & mask
            yield group
            mask &= ~group

    def positions(self, form: Form) -> Iterator[Mask]:
        """Every place where this figure, as it lies, is on the board."""
        for cell in self.cells:
            x, y = self.xy(cell)
            (x0, y0), covered = form[0], []
            for dx, dy in form:
                covered.append(self.at(x - x0 + dx, y - y0 + dy))
            numbers = [number for number in covered if number is not None]
            if len(numbers) == len(form):
                yield sum(1 << number for number in numbers)


def squares(columns: Sequence[str], rows: Sequence[str], void: str = "#", *, from_south: bool = False) -> Squares:
    """The board of these rows from north to south, one letter a cell; a cell is called by column and row, as in C4.

    The northernmost row is row 1, or `from_south` the southernmost, as in chess.
    """
    width = len(columns) + 1
    names = {
        y * width + x: f"{columns[x]}{len(rows) - y if from_south else y + 1}"
        for y, row in enumerate(rows)
        for x, letter in enumerate(row)
        if letter != void
    }
    return Squares(
        width=width,
        cells=tuple(names),
        names=names,
        numbers={name: cell for cell, name in names.items()},
        whole=sum(1 << cell for cell in names),
        _names=PerCell({cell: (name,) for cell, name in names.items()}),
    )


def orientations(coords: Iterable[tuple[int, int]]) -> tuple[Form, ...]:
    """The different ways a figure lies when it may be turned in quarter turns and turned over."""
    found: dict[Form, None] = {}
    points = list(coords)
    for _ in range(2):
        for _ in range(4):
            found.setdefault(settled(points))
            points = [(-y, x) for x, y in points]
        points = [(-x, y) for x, y in points]
    return tuple(sorted(found, key=lambda form: [(y, x) for x, y in form]))


def settled(points: Iterable[tuple[int, int]]) -> Form:
    """A figure moved to the north-west corner, its squares in reading order."""
    squares = list(points)
    west, north = min(x for x, _ in squares), min(y for _, y in squares)
    return tuple(sorted(((x - west, y - north) for x, y in squares), key=lambda square: (square[1], square[0])))
