"""Where the pieces of a side can go, as tables: the moves of each piece by what stands on its lines.

A table makes an entry when it is first asked for. A piece looks along its row and its file; since most questions are
the same for a whole row of the board, one look-up finds the pieces of a side in it, with their moves along it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from operator import attrgetter
from typing import NamedTuple

from engine.boards.squares import Mask
from games.hasami_shogi.board import BIT, BOARDS, DIAGONAL, MOVES, NAME, STRAIGHT, Board, Ray, ray
from games.hasami_shogi.moves import Move
from games.hasami_shogi.state import GREEN, RED
from games.hasami_shogi.variants import FILES, ROWS

END = attrgetter("end")
Moves = tuple[Move, ...]


class Line(dict[Mask, tuple[Moves, Moves]]):
    """A piece on its square and two opposite directions: by what stands on these, where it can go.

    Two lists, of the ends before and after it in board order, each in board order (HASAMI-6.4).
    """

    __slots__ = ("after", "before", "board", "side", "square", "squares")

    def __init__(self, board: Board, side: str, square: Mask, step: tuple[int, int]) -> None:
        self.board, self.side, self.square = board, side, square
        first, then = sorted((step, (-step[0], -step[1])), key=lambda way: way[::-1])  # north before south, then west
        self.before, self.after = ray(square, first), ray(square, then)
        self.squares: Mask = sum(self.before) + sum(self.after)
        """What matters of a board: everything else must be cut away before asking."""

    def __missing__(self, occupied: Mask) -> tuple[Moves, Moves]:
        before, after = (self._along(found, occupied) for found in (self.before, self.after))
        found = self[occupied] = before[::-1], after
        return found

    def _along(self, way: Ray, occupied: Mask) -> Moves:
        ends = [end for end in reached(way, occupied) if self.board.open_to(self.side, self.square, end)]
        return tuple([MOVES[f"{NAME[self.square]}-{NAME[end]}"] for end in ends])


def reached(way: Ray, occupied: Mask) -> Ray:
    """The ends of slides and of the jump along a ray."""
    free = next((place for place, square in enumerate(way) if square & occupied), len(way))
    if free == 0 and len(way) > 1 and not way[1] & occupied:
        return way[1:2]  # HASAMI-4.3: over a neighbouring piece, to the square just behind it
    return way[:free]  # HASAMI-4.2: as far as the squares are empty


class Piece(NamedTuple):
    """A piece in its row: where it can go along that, and whom to ask about its file."""

    across: Moves
    squares: Mask
    file: Line


class InRow(dict[Mask, tuple[Piece, ...]]):
    """The pieces of one side in a row, in board order, by all that stands in the row."""

    __slots__ = ("pieces",)

    def __init__(self, pieces: Sequence[tuple[Line, Line]]) -> None:
        self.pieces = pieces

    def __missing__(self, occupied: Mask) -> tuple[Piece, ...]:
        found = self[occupied] = tuple([self._piece(row, file, occupied) for row, file in self.pieces])
        return found

    def _piece(self, row: Line, file: Line, occupied: Mask) -> Piece:
        before, after = row[occupied & row.squares]
        return Piece(before + after, file.squares, file)


class Row(dict[Mask, InRow]):
    """By the pieces of one side in a row: what is to be known of them."""

    __slots__ = ("lines", "squares")

    def __init__(self, lines: Mapping[Mask, tuple[Line, Line]]) -> None:
        self.lines = lines
        self.squares: Mask = sum(lines)

    def __missing__(self, own: Mask) -> InRow:
        found = self[own] = InRow([lines for square, lines in self.lines.items() if square & own])
        return found


class Menu:
    """What a side can do on a board."""

    def __init__(self, board: Board, side: str) -> None:
        line = partial(Line, board, side)
        row, file = STRAIGHT[1], STRAIGHT[0]
        self._straight = {square: (line(square, row), line(square, file)) for square in NAME}
        self._diagonal = {square: tuple(line(square, step) for step in DIAGONAL[:2]) for square in NAME}
        self._rows = tuple((found.squares, found) for found in map(self._row, range(ROWS, 0, -1)))

    def _row(self, number: int) -> Row:
        return Row({BIT[f"{file}{number}"]: self._straight[BIT[f"{file}{number}"]] for file in FILES})

    def samurai(self, own: Mask, occupied: Mask) -> list[Move]:
        """The moves of these pieces along rows and files (HASAMI-4.2, HASAMI-4.3), in listing order (HASAMI-6.4)."""
        found: list[Move] = []
        for squares, row in self._rows:
            if here := own & squares:
                for across, sight, file in row[here][occupied & squares]:
                    up, down = file[occupied & sight]
                    found += up
                    found += across
                    found += down
        return found

    def shogun(self, square: Mask, occupied: Mask) -> list[Move]:
        """HASAMI-9.2: a Shogun moves like a Samurai, and along diagonals by the same rules."""
        found: list[Move] = []
        for line in self._straight[square] + self._diagonal[square]:
            before, after = line[occupied & line.squares]
            found += before
            found += after
        found.sort(key=END)
        return found


MENUS: Mapping[str, Mapping[str, Menu]] = {
    key: {side: Menu(board, side) for side in (GREEN, RED)} for key, board in BOARDS.items()
}
