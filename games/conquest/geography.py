"""The map of Conquest: 425 cells, who may step from which to which, and how to ask that of many cells at once (CONQ-1).

A cell is its place in the canonical cell order, 0 to 424; a set of cells is a whole number with those bits set.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

DATA: dict[str, Any] = yaml.load(
    files("games.conquest").joinpath("data/conquest-data.yaml").read_text("utf-8"),
    getattr(yaml, "CSafeLoader", yaml.SafeLoader),
)

COLOURS: str = "".join(DATA["colours"])  # clockwise, each the left neighbour of the one before
NAMES: tuple[str, ...] = tuple(DATA["cells"])
INDEX: dict[str, int] = {name: at for at, name in enumerate(NAMES)}
KIND: tuple[str, ...] = tuple(cell["kind"] for cell in DATA["cells"].values())
XY: tuple[tuple[int, int], ...] = tuple((cell["xy"][0], cell["xy"][1]) for cell in DATA["cells"].values())
EDGES: dict[str, tuple[tuple[int, int], ...]] = {
    kind: tuple((INDEX[one], INDEX[other]) for one, other in pairs) for kind, pairs in DATA["edges"].items()
}

BIT: tuple[int, ...] = tuple(1 << at for at in range(len(NAMES)))
EVERYWHERE = (1 << len(NAMES)) - 1
COMMON = 70  # so many edges of one length make a shift of all cells at once worth its while


def bits(names: Iterable[str]) -> int:
    """The set of these cells."""
    return sum(BIT[INDEX[name]] for name in names)


def cells_in(mask: int) -> Iterator[int]:
    """The cells of a set in canonical order."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def names_in(mask: int) -> list[str]:
    """The names of the cells of a set in canonical order."""
    return [NAMES[at] for at in cells_in(mask)]


def _of_kind(*kinds: str) -> int:
    return sum(bit for bit, kind in zip(BIT, KIND, strict=True) if kind in kinds)


SEA, PORTS, GRAIL, RAMP = _of_kind("sea"), _of_kind("port"), _of_kind("grail"), _of_kind("v")
WATER = SEA | PORTS  # CONQ-1.5: a port is a water cell with a quay
DRY = EVERYWHERE & ~WATER
CAPITAL: tuple[int, ...] = tuple(bits(DATA["capital"][colour]) for colour in COLOURS)  # CONQ-1.6
PRIZED = GRAIL | sum(CAPITAL)  # cells that cost somebody points
HOME: tuple[int, ...] = tuple(
    sum(bit for bit, name in zip(BIT, NAMES, strict=True) if name[0] == colour and name[1:2] in [*"abcdefgp"])
    for colour in COLOURS
)


class Graph:
    """Steps from cell to cell, for all cells of a set at once.

    Most roads lead to an index 1, 10 or 11 away, so a whole set steps by a few bit shifts; only the cells with other
    edges (bridges, ramps, quays, lanes) are looked at one by one.
    """

    __slots__ = ("_down", "_lone", "_lone_cells", "_up", "next")

    def __init__(self, steps: Iterable[tuple[int, int]]) -> None:
        onward = [0] * len(NAMES)
        by_length: dict[int, int] = {}
        for start, to in steps:
            onward[start] |= BIT[to]
            by_length[to - start] = by_length.get(to - start, 0) | BIT[start]
        self.next: tuple[int, ...] = tuple(onward)
        common = {length: starts for length, starts in by_length.items() if starts.bit_count() >= COMMON}
        self._up = tuple((starts, length) for length, starts in common.items() if length > 0)
        self._down = tuple((starts, -length) for length, starts in common.items() if length < 0)
        lone: dict[int, int] = {}
        for length, starts in by_length.items():
            for start in cells_in(0 if length in common else starts):
                lone[BIT[start]] = lone.get(BIT[start], 0) | BIT[start + length]
        self._lone, self._lone_cells = lone, sum(lone)

    def around(self, cells: int) -> int:
        """Every cell one step away from one of these."""
        near = 0
        for starts, length in self._up:
            near |= (cells & starts) << length
        for starts, length in self._down:
            near |= (cells & starts) >> length
        lone = cells & self._lone_cells
        while lone:
            low = lone & -lone
            near |= self._lone[low]
            lone ^= low
        return near


def _steps(letter: str, lifted: str) -> Iterator[tuple[int, int]]:
    """Every step the kind of piece may make (CONQ-1.2); `lifted` names rules to look past: x (5.5), v (5.4)."""
    if letter in "vg":
        yield from _both_ways("sea", "sea_under")  # CONQ-1.4: a lane under a bridge is a lane like any other
        return
    yield from _both_ways("road", "bridge", "quay")  # CONQ-1.3
    if letter != "e" or "x" in lifted:
        yield from _both_ways("bridge_x")  # CONQ-5.5
    if letter in "sk":
        yield from _both_ways("ramp")
        return
    for low, high in EDGES["ramp"]:
        if not BIT[high] & GRAIL:  # CONQ-5.6
            yield low, high
            if "v" in lifted:  # CONQ-5.4: up and never down
                yield high, low


def _both_ways(*kinds: str) -> Iterator[tuple[int, int]]:
    for kind in kinds:
        for one, other in EDGES[kind]:
            yield one, other
            yield other, one


@cache
def graph(letter: str, lifted: str = "") -> Graph:
    """Where a piece of that letter may step."""
    return Graph(_steps("v" if letter == "g" else "s" if letter == "t" else letter, lifted))


@cache
def back(letter: str, lifted: str = "") -> Graph:
    """From where a piece of that letter may step to a cell."""
    return Graph(
        (to, start) for start, to in _steps("v" if letter == "g" else "s" if letter == "t" else letter, lifted)
    )


@cache
def ball(letter: str, at: int, steps: int) -> int:
    """All cells whose content can matter to so many steps from there."""
    seen = edge = BIT[at]
    for _ in range(steps):
        edge = graph(letter).around(edge) & ~seen
        seen |= edge
    return seen


def joined(kind: str, one: int, other: int) -> bool:
    """Whether an edge of that kind joins the two cells."""
    return (one, other) in EDGES[kind] or (other, one) in EDGES[kind]
