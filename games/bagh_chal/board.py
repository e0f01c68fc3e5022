"""A board, made once: every action that can ever be played on it, and those that start from each point.

They only gather what the rules say of single points: what is legal is then a comparison of numbers for each of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter
from typing import Final

from engine.boards.points import Point
from games.bagh_chal.moves import CAPTURE, DECLINE, ENTER, LEAP, PLACE, PREY, WALK, Move
from games.bagh_chal.state import PASS, Points
from games.bagh_chal.variants import VARIANTS, Variant


class Board:
    """Bits and names of the points, the actions by their text, and what each piece can reach."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        graph = variant.graph
        self.bit: dict[Point, Points] = {point: 1 << place for place, point in enumerate(graph.points)}
        self.name: dict[Points, Point] = {bit: point for point, bit in self.bit.items()}
        self.all: Points = (1 << len(graph.points)) - 1
        self.near: dict[Points, Points] = {
            self.bit[point]: self.set_of(others) for point, others in graph.adjacent.items()
        }

        self.moves: dict[str, Move] = {DECLINE.text: DECLINE}
        """Every action of this board by its canonical text."""
        self._add_actions()
        self.placings = [self.moves[f"place {point}"] for point in graph.points]
        self.entries = [self.moves[f"bouc {point}"] for point in graph.points]
        self.back: dict[str, Move | None] = {
            PASS: None,  # BAGH-5.5: a forced pass forbids nothing
            **{move.text: self._back(move) for move in self.moves.values() if move.kind in (WALK, LEAP)},
        }
        """A quiet action -> the one that goes straight back (BAGH-5.4)."""

        self.walks = {bit: self._from(bit, (WALK,)) for bit in self.name}
        """From a point, what a goat or the Bouc might do."""
        self.hunts = {bit: self._from(bit, (WALK, CAPTURE)) for bit in self.name}
        """And what a tiger might do."""

    def set_of(self, points: Iterable[Point]) -> Points:
        return sum(self.bit[point] for point in points)

    def points_of(self, points: Points) -> tuple[Points, ...]:
        """One by one, in board order."""
        return tuple([point for point in self.name if point & points])

    def names_of(self, points: Points) -> tuple[Point, ...]:
        return tuple([name for point, name in self.name.items() if point & points])

    def _add_actions(self) -> None:
        graph = self.variant.graph
        for point, bit in self.bit.items():
            self._add(PLACE, f"place {point}", end=bit)
            self._add(ENTER, f"bouc {point}", end=bit)
            for other in graph.adjacent[point]:
                self._add(WALK, f"{point}-{other}", bit, 0, self.bit[other])
            for landing, middle in graph.jumps[point].items():
                self._add(LEAP, f"{point}-{landing}", bit, self.bit[middle], self.bit[landing])
                self._add(CAPTURE, f"{point}x{landing}", bit, self.bit[middle], self.bit[landing])

    def _add(self, kind: str, text: str, start: Points = 0, over: Points = 0, end: Points = 0) -> None:
        """A walk needs an empty end (BAGH-4.3, BAGH-5.2); a jump also a goat or the Bouc in the middle (BAGH-4.4)."""
        self.moves[text] = Move(kind, text, start, over, end, needs=end | over << PREY)

    def _back(self, quiet: Move) -> Move:
        return self.moves[f"{self.name[quiet.end]}-{self.name[quiet.start]}"]

    def _from(self, start: Points, kinds: tuple[str, ...]) -> list[Move]:
        """The actions from a point, by their end in board order (BAGH-6.4)."""
        found = [move for move in self.moves.values() if move.start == start and move.kind in kinds]
        return sorted(found, key=attrgetter("end"))


BOARDS: Final = {key: Board(variant) for key, variant in VARIANTS.items()}
