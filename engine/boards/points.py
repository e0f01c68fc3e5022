"""Point graphs: boards whose pieces stand where drawn lines meet, and what those lines join."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

Point = str


class BadGraph(ValueError):
    """Rows and lines that do not make one board."""


@dataclass(frozen=True, slots=True)
class PointGraph:
    """Points in board order (reading order of `rows`), and what the straight `lines` make of them.

    Two points are adjacent when they follow each other on a line. Three that follow each other are a jump: from
    either end, over the middle, to the other end. All lists are in board order.
    """

    rows: tuple[tuple[Point, ...], ...]
    lines: tuple[tuple[Point, ...], ...]
    points: tuple[Point, ...]
    adjacent: Mapping[Point, tuple[Point, ...]]
    jumps: Mapping[Point, Mapping[Point, Point]]
    """From -> landing -> the point jumped over."""

    def segments(self) -> Iterator[tuple[Point, Point]]:
        """Every drawn segment once, along its line."""
        for line in self.lines:
            yield from pairwise(line)


def point_graph(rows: Sequence[Sequence[Point]], lines: Sequence[Sequence[Point]]) -> PointGraph:
    """The graph of these points and lines; BadGraph when a line leaves the board or something is drawn twice."""
    points = tuple(point for row in rows for point in row)
    _refuse_repeats("point", points)
    order = {point: place for place, point in enumerate(points)}
    for line in lines:
        strangers = [point for point in line if point not in order]
        if strangers:
            raise BadGraph(f"line {'-'.join(line)}: {strangers[0]} is not a point of the board")
        _refuse_repeats(f"line {'-'.join(line)}: point", line)
    _refuse_repeats("segment", ["-".join(sorted(pair, key=order.__getitem__)) for pair in _windows(lines, 2)])
    return PointGraph(
        rows=tuple(tuple(row) for row in rows),
        lines=tuple(tuple(line) for line in lines),
        points=points,
        adjacent=_adjacent(points, lines),
        jumps=_jumps(points, lines),
    )


def _adjacent(points: Sequence[Point], lines: Sequence[Sequence[Point]]) -> dict[Point, tuple[Point, ...]]:
    joined: dict[Point, set[Point]] = {point: set() for point in points}
    for one, other in _windows(lines, 2):
        joined[one].add(other)
        joined[other].add(one)
    return {point: tuple(other for other in points if other in joined[point]) for point in points}


def _jumps(points: Sequence[Point], lines: Sequence[Sequence[Point]]) -> dict[Point, dict[Point, Point]]:
    over: dict[Point, dict[Point, Point]] = {point: {} for point in points}
    for one, middle, other in _windows(lines, 3):
        if other in over[one]:
            raise BadGraph(f"two jumps lead from {one} to {other}: over {over[one][other]} and over {middle}")
        over[one][other] = over[other][one] = middle
    return {point: {end: over[point][end] for end in points if end in over[point]} for point in points}


def _windows(lines: Sequence[Sequence[Point]], size: int) -> Iterator[tuple[Point, ...]]:
    """Every run of that many consecutive points on each line."""
    for line in lines:
        for first in range(len(line) - size + 1):
            yield tuple(line[first : first + size])


def _refuse_repeats(what: str, names: Sequence[str]) -> None:
    for place, name in enumerate(names):
        if name in names[:place]:
            raise BadGraph(f"{what} {name} is drawn twice")
