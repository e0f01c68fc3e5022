"""Where the pieces of a side can go, as tables: the moves of each piece by what stands on its lines.

A table makes an entry when it is first asked for. The tables are small, two for a piece: along its file and its row. A
larger view would take fewer look-ups, but they would wait for memory, and hardly anything would be seen twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import attrgetter

from engine.boards.squares import Mask, PerCell
from games.hasami_shogi.board import BOARDS, CELLS, DIAGONAL, MOVES, NAME, STRAIGHT, Board, Ray, Step, ray
from games.hasami_shogi.moves import Move

END = attrgetter("end")
Moves = tuple[Move, ...]

NORTH, SOUTH = -1, 1


class Reach(dict[Mask, Moves]):
    """A piece on its square that looks some ways: by what stands on these, where it can go, in board order."""

    __slots__ = ("board", "rays", "sight", "square")

    def __init__(self, board: Board, square: Mask, steps: Iterable[Step]) -> None:
        self.board, self.square = board, square
        self.rays = [ray(square, step) for step in steps]
        self.sight: Mask = sum(map(sum, self.rays))
        """What matters of a board: everything else must be cut away before asking."""

    def __missing__(self, occupied: Mask) -> Moves:
        ends = sorted(end for way in self.rays for end in reached(way, occupied))
        found = self[occupied] = tuple([self._to(end) for end in ends if self.board.is_open(self.square, end)])
        return found

    def _to(self, end: Mask) -> Move:
        return MOVES[f"{NAME[self.square]}-{NAME[end]}"]


def reached(way: Ray, occupied: Mask) -> Ray:
    """The ends of slides and of the jump along a ray."""
    free = next((place for place, square in enumerate(way) if square & occupied), len(way))
    if free == 0 and len(way) > 1 and not way[1] & occupied:
        return way[1:2]  # HASAMI-4.3: over a neighbouring piece, to the square just behind it
    return way[:free]  # HASAMI-4.2: as far as the squares are empty


class File(dict[Mask, tuple[Moves, Moves]]):
    """A piece on its square that looks along its file: where it can go to the north, and to the south."""

    __slots__ = ("north", "sight", "south")

    def __init__(self, board: Board, square: Mask) -> None:
        self.north, self.south = (_reach(board, square, STRAIGHT, south) for south in (NORTH, SOUTH))
        self.sight: Mask = self.north.sight | self.south.sight

    def __missing__(self, occupied: Mask) -> tuple[Moves, Moves]:
        north, south = (reach[occupied & reach.sight] for reach in (self.north, self.south))
        self[occupied] = north, south
        return north, south


def _reach(board: Board, square: Mask, steps: Iterable[Step], south: int) -> Reach:
    """Those of the steps that lead so far to the south."""
    return Reach(board, square, [step for step in steps if step[1] == south])


Cross = tuple[File, Mask, Reach, Mask]
"""The tables of a file and a row, each with the squares to ask it about."""


def _cross(board: Board, square: Mask) -> Cross:
    file, row = File(board, square), _reach(board, square, STRAIGHT, 0)
    return file, file.sight, row, row.sight


class Menu:
    """What pieces can do on a board: the same for both sides."""

    def __init__(self, board: Board) -> None:
        self._straight = {square: _cross(board, square) for square in NAME}
        self._of_all = PerCell({cell: (self._straight[square],) for square, cell in CELLS.items()})
        self._diagonal = {square: [_reach(board, square, DIAGONAL, way) for way in (NORTH, SOUTH)] for square in NAME}

    def samurai(self, own: Mask, occupied: Mask) -> list[Move]:
        """The moves of these pieces along rows and files (HASAMI-4.2, HASAMI-4.3), in listing order (HASAMI-6.4)."""
        found: list[Move] = []
        for file, along_file, row, along_row in self._of_all.of(own):
            # North, along the row, and south: so the moves come out in board order.
            north, south = file[occupied & along_file]
            if north:
                found += north
            found += row[occupied & along_row]
            if south:
                found += south
        return found

    def shogun(self, square: Mask, occupied: Mask) -> list[Move]:
        """HASAMI-9.2: a Shogun moves like a Samurai, and along diagonals by the same rules."""
        file, along_file, row, along_row = self._straight[square]
        north, south = file[occupied & along_file]
        found = [*north, *row[occupied & along_row], *south]
        for reach in self._diagonal[square]:
            found += reach[occupied & reach.sight]
        found.sort(key=END)
        return found


MENUS: Mapping[str, Menu] = {key: Menu(board) for key, board in BOARDS.items()}
