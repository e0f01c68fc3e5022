"""A board as tables, made once: every action that can ever be played on it, and where each piece can go.

The tables only gather what the rules say of single points, so that listing all actions of a side takes a few look-ups.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Generic, TypeVar

from engine.boards.points import Point
from games.bagh_chal.moves import CAPTURE, DECLINE, ENTER, LEAP, PLACE, WALK, Move
from games.bagh_chal.state import PASS, Points
from games.bagh_chal.variants import VARIANTS, Variant

T = TypeVar("T")

# What a piece sees around it is one number: the empty points, and above them the points with a goat or the Bouc.
PREY = 32


class Reach(dict[int, tuple[Move, ...]]):
    """What a piece can do on the points in its sight, by what it sees there; each entry is made when first asked for.

    `sight` is at most four straight lines of two points, so there are at most 1,296 entries.
    """

    __slots__ = ("sight", "steps")

    def __init__(self, steps: Iterable[Move]) -> None:
        self.steps = [(step, _needs(step)) for step in steps]
        self.sight = 0
        for _, needs in self.steps:
            self.sight |= needs

    def __missing__(self, seen: int) -> tuple[Move, ...]:
        found = self[seen] = tuple([step for step, needs in self.steps if seen & needs == needs])
        return found


def _needs(step: Move) -> int:
    """A walk needs an empty end (BAGH-4.3, BAGH-5.2); a jump also a goat or the Bouc in the middle (BAGH-4.4)."""
    return step.end | step.over << PREY


class PerPoint(Generic[T]):
    """One thing for each point: given a set of points, the things of these points in board order."""

    HALF = 13  # Two halves of the board are looked up, so that the tables stay small.
    LOW = (1 << HALF) - 1

    def __init__(self, things: Sequence[T]) -> None:
        self._low = _Listed(things[: self.HALF])
        self._high = _Listed(things[self.HALF :])

    def of(self, points: Points) -> tuple[T, ...]:
        return self._low[points & self.LOW] + self._high[points >> self.HALF]


class _Listed(dict[int, tuple[T, ...]]):
    __slots__ = ("things",)

    def __init__(self, things: Sequence[T]) -> None:
        self.things = things

    def __missing__(self, points: int) -> tuple[T, ...]:
        found = self[points] = tuple([thing for place, thing in enumerate(self.things) if points >> place & 1])
        return found


class Board:
    """Bits and names of the points, the actions by their text, and what each piece can reach."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        graph = variant.graph
        self.bit: Mapping[Point, Points] = {point: 1 << place for place, point in enumerate(graph.points)}
        self.name: Mapping[Points, Point] = {bit: point for point, bit in self.bit.items()}
        self.all: Points = (1 << len(graph.points)) - 1
        self.points = PerPoint(list(self.name))
        self.names = PerPoint(graph.points)
        self.near: Mapping[Points, Points] = {
            self.bit[point]: self.set_of(others) for point, others in graph.adjacent.items()
        }

        self.moves: dict[str, Move] = {DECLINE.text: DECLINE}
        """Every action of this board by its canonical text."""
        self._add_actions()
        self.placings = PerPoint([self.moves[f"place {point}"] for point in graph.points])
        self.entries = PerPoint([self.moves[f"bouc {point}"] for point in graph.points])
        self.back: Mapping[str, Move | None] = {
            PASS: None,  # BAGH-5.5: a forced pass forbids nothing
            **{move.text: self._back(move) for move in self.moves.values() if move.kind in (WALK, LEAP)},
        }
        """A quiet action -> the one that goes straight back (BAGH-5.4)."""

        self.walks: Mapping[Points, Reach] = {bit: Reach(self._from(bit, {WALK})) for bit in self.name}
        self._halves = {bit: self._two_halves(bit) for bit in self.name}
        self._hunts: dict[Points, tuple[tuple[Reach, int], ...]] = {}

    def set_of(self, points: Iterable[Point]) -> Points:
        return sum(self.bit[point] for point in points)

    def hunts(self, tigers: Points) -> tuple[tuple[Reach, int], ...]:
        """For tigers on these points, in listing order: what each of them reaches, and the points to look at for it."""
        found = self._hunts.get(tigers)
        if found is None:
            found = tuple(half for tiger in self.points.of(tigers) for half in self._halves[tiger])
            self._hunts[tigers] = found
        return found

    def _add_actions(self) -> None:
        graph = self.variant.graph
        for point, bit in self.bit.items():
            self._add(Move(PLACE, f"place {point}", end=bit))
            self._add(Move(ENTER, f"bouc {point}", end=bit))
            for other in graph.adjacent[point]:
                self._add(Move(WALK, f"{point}-{other}", bit, 0, self.bit[other]))
            for landing, middle in graph.jumps[point].items():
                self._add(Move(LEAP, f"{point}-{landing}", bit, self.bit[middle], self.bit[landing]))
                self._add(Move(CAPTURE, f"{point}x{landing}", bit, self.bit[middle], self.bit[landing]))

    def _add(self, move: Move) -> None:
        self.moves[move.text] = move

    def _back(self, quiet: Move) -> Move:
        return self.moves[f"{self.name[quiet.end]}-{self.name[quiet.start]}"]

    def _from(self, start: Points, kinds: set[str]) -> list[Move]:
        """The actions from a point, by their end in board order (BAGH-6.4)."""
        found = [move for move in self.moves.values() if move.start == start and move.kind in kinds]
        return sorted(found, key=lambda move: move.end)

    def _two_halves(self, tiger: Points) -> list[tuple[Reach, int]]:
        """The lines through a point have one side before it and one after it in board order: two short tables."""
        steps = self._from(tiger, {WALK, CAPTURE})
        sides = [step for step in steps if step.end < tiger], [step for step in steps if step.end > tiger]
        return [(reach, reach.sight) for reach in map(Reach, filter(None, sides))]


BOARDS: Mapping[str, Board] = {key: Board(variant) for key, variant in VARIANTS.items()}
