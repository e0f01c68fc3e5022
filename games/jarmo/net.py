"""The mat as tables, made once: its points and lines, every action that can be ordered, and where each piece can go."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from engine.boards.points import Point, PointGraph, point_graph
from games.jarmo.moves import FLIP, PASS, PLACE, PLACING, RECALL, STEP, Move
from games.jarmo.state import BLUE, GREEN, SIDES, Points, Side
from games.jarmo.variants import DATA, VARIANTS, Variant

# JARMO-1.2: the points in canonical order, rank by rank away from green.
POINTS: tuple[Point, ...] = tuple(DATA["board"]["points"])
RANKS: tuple[tuple[Point, ...], ...] = tuple(tuple(p for p in POINTS if p[1] == rank) for rank in "12345")
SOLID: tuple[tuple[Point, Point], ...] = tuple((one, other) for one, other in DATA["board"]["solid"])
DOTTED: tuple[tuple[Point, Point], ...] = tuple((one, other) for one, other in DATA["board"]["dotted"])

BIT: Mapping[Point, Points] = {point: 1 << place for place, point in enumerate(POINTS)}
NAME: Mapping[Points, Point] = {bit: point for point, bit in BIT.items()}
ALL: Points = (1 << len(POINTS)) - 1


def set_of(points: Iterable[Point]) -> Points:
    return sum(BIT[point] for point in points)


CAMPS: tuple[Points, Points] = (set_of(DATA["board"]["camps"]["green"]), set_of(DATA["board"]["camps"]["blue"]))
"""The own camp of each side; that of the other one is its enemy camp."""
FIELD: Points = ALL ^ CAMPS[GREEN] ^ CAMPS[BLUE]
OUTSIDE: tuple[Points, Points] = (ALL ^ CAMPS[BLUE], ALL ^ CAMPS[GREEN])
"""For each side the points outside the enemy camp, where its pieces can move (JARMO-4.1)."""


class Bits(dict[Points, tuple[Points, ...]]):
    """A set of points -> its points one by one, in canonical order."""

    def __missing__(self, points: Points) -> tuple[Points, ...]:
        found = self[points] = tuple(bit for bit in NAME if bit & points)
        return found


BITS = Bits()


def names_of(points: Points) -> tuple[Point, ...]:
    return tuple(name for name, bit in BIT.items() if bit & points)


def rank(point: Points) -> int:
    """0 in green's camp, 4 in blue's."""
    return (point.bit_length() - 1) // len(RANKS[0])


def forward(side: Side, start: Points, end: Points) -> int:
    """How many ranks a move goes towards the enemy camp: up for green, down for blue."""
    return rank(end) - rank(start) if side == GREEN else rank(start) - rank(end)


# --- every action that can be ordered -------------------------------------------------------------------------------


def _actions() -> Iterable[Move]:
    yield PASS
    camp_points = [NAME[bit] for camp in CAMPS for bit in NAME if bit & camp]
    for point in camp_points:
        yield Move(PLACING, f"place {point}", how=PLACE, at=BIT[point])
        flip = Move(FLIP, f"flip {point}", end=BIT[point])
        yield from (flip, *_added(flip, PLACE, camp_points))
    for line in (*SOLID, *DOTTED):
        for one, other in (line, line[::-1]):
            step = Move(STEP, f"{one}-{other}", BIT[one], BIT[other])
            yield from (step, *_added(step, PLACE, camp_points), *_added(step, RECALL, camp_points))


def _added(move: Move, how: str, points: Iterable[Point]) -> Iterable[Move]:
    return [move._replace(text=f"{move.text} {how} {point}", how=how, at=BIT[point]) for point in points]


MOVES: Mapping[str, Move] = {move.text: move for move in _actions()}
"""Every action by its canonical text."""


class Additions(dict[tuple[str, str, Points], tuple[Move, ...]]):
    """An action, `place` or `recall`, free camp points -> the action with each of them added, in canonical order."""

    def __missing__(self, key: tuple[str, str, Points]) -> tuple[Move, ...]:
        text, how, points = key
        found = self[key] = tuple(MOVES[f"{text} {how} {name}".lstrip()] for name in names_of(points))
        return found


ADDED = Additions()


# --- where each piece can go ----------------------------------------------------------------------------------------


class Reach(dict[Points, tuple[Move, ...]]):
    """The moves from one point, by which of the points in its sight can be entered; filled as it is asked."""

    __slots__ = ("sight", "steps")

    def __init__(self, steps: Sequence[Move]) -> None:
        self.steps = steps
        self.sight = sum(step.end for step in steps)

    def __missing__(self, ends: Points) -> tuple[Move, ...]:
        found = self[ends] = tuple([step for step in self.steps if step.end & ends])
        return found


Pieces = tuple[tuple[Reach, Points], ...]


class Movers(dict[Points, Pieces]):
    """The points a side stands on -> for each piece that can move, in canonical order: its reach and what it sees."""

    __slots__ = ("_reach",)

    def __init__(self, reach: Mapping[Points, Reach]) -> None:
        self._reach = reach

    def __missing__(self, points: Points) -> Pieces:
        pairs = [(self._reach[point], self._reach[point].sight) for point in BITS[points]]
        found = self[points] = tuple([pair for pair in pairs if pair[1]])
        return found


class Net:
    """The lines one variant uses, and for each side what moves they allow."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        lines = SOLID + DOTTED if variant.dotted else SOLID  # JARMO-9.2
        self.lines = lines
        self.graph: PointGraph = point_graph(RANKS, lines)
        self.demotes = variant.demotion == "on_entering"  # JARMO-4.2, JARMO-8.3
        self.movers = (Movers(self._reach(GREEN)), Movers(self._reach(BLUE)))
        self.doorsteps = (self._beside(GREEN), self._beside(BLUE))

    def allows(self, side: Side, start: Points, end: Points) -> bool:
        """Whether lines and directions let that side go from one point to the other."""
        joined = NAME[end] in self.graph.adjacent[NAME[start]]  # JARMO-2.2
        return joined and (self.variant.backward or forward(side, start, end) >= 0)  # JARMO-9.3

    def _reach(self, side: Side) -> Mapping[Points, Reach]:
        return {start: Reach(self._steps(side, start)) for start in NAME}

    def _steps(self, side: Side, start: Points) -> list[Move]:
        if not start & OUTSIDE[side]:
            return []  # JARMO-4.1: who has entered the enemy camp never moves again
        ends = (end for end in NAME if self.allows(side, start, end))
        return [MOVES[f"{NAME[start]}-{NAME[end]}"] for end in ends]

    def _beside(self, side: Side) -> Points:
        """The points from which a piece of that side can enter the enemy camp."""
        return sum(start for start in NAME if any(s.end & ~OUTSIDE[side] for s in self._steps(side, start)))


NETS: Mapping[str, Net] = {key: Net(variant) for key, variant in VARIANTS.items()}
SEAT_OF: Mapping[str, Side] = {seat: side for side, seat in enumerate(SIDES)}
