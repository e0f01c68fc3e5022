"""Where the pieces of a side can go, as tables: the moves of each piece by what stands on its lines.

A table makes an entry when it is first asked for. The tables are small, three for a piece along its row and its file:
a larger view would take fewer look-ups, but they would wait for memory, and hardly anything would be seen twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import attrgetter

from engine.boards.squares import Mask, PerCell
from games.hasami_shogi.board import BOARDS, CELLS, DIAGONAL, MOVES, NAME, STRAIGHT, Board, Ray, Step, ray
from games.hasami_shogi.moves import Move

END = attrgetter("end")
Moves = tuple[Move, ...]

NORTH_TO_SOUTH = (-1, 0, 1)


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


Look = tuple[Reach, Mask]
"""A table, and the squares to ask it about."""


def _looks(board: Board, square: Mask, steps: Sequence[Step]) -> Iterator[Look]:
    """North, along the row, and south: so the moves come out in board order."""
    for south in NORTH_TO_SOUTH:
        reach = Reach(board, square, [step for step in steps if step[1] == south])
        if reach.sight:
            yield reach, reach.sight


class Menu:
    """What pieces can do on a board: the same for both sides."""

    def __init__(self, board: Board) -> None:
        straight = {square: tuple(_looks(board, square, STRAIGHT)) for square in NAME}
        self._samurai = PerCell({cell: straight[square] for square, cell in CELLS.items()})
        self._shogun = {square: (*looks, *_looks(board, square, DIAGONAL)) for square, looks in straight.items()}

    def samurai(self, own: Mask, occupied: Mask) -> list[Move]:
        """The moves of these pieces along rows and files (HASAMI-4.2, HASAMI-4.3), in listing order (HASAMI-6.4)."""
        found: list[Move] = []
        for reach, sight in self._samurai.of(own):
            found += reach[occupied & sight]
        return found

    def shogun(self, square: Mask, occupied: Mask) -> list[Move]:
        """HASAMI-9.2: a Shogun moves like a Samurai, and along diagonals by the same rules."""
        found: list[Move] = []
        for reach, sight in self._shogun[square]:
            found += reach[occupied & sight]
        found.sort(key=END)
        return found


MENUS: Mapping[str, Menu] = {key: Menu(board) for key, board in BOARDS.items()}
