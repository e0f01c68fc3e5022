"""The steps of one piece, kept for the next time: most of a map does not change from one decision to the next.

What a piece can do depends on the cells it reaches and those beside them, and on nothing else. So a list is kept with a
picture of these cells, and serves wherever the same piece sees the same picture.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import compress
from typing import Any, NamedTuple

from games.conquest.actions import Step
from games.conquest.geography import BIT, ball, graph
from games.conquest.units import LIMIT
from games.conquest.ways import Sight, layers

PICTURES = 4  # of one piece on one cell
SWITCHES = bytes.maketrans(b"01", b"\0\1")  # a set's binary digits, as what `compress` picks by
MOST = 1 << 13  # pieces on cells; then all is forgotten, and made again as it is asked for


class Kept(NamedTuple):
    """The cells that mattered, what stood on them, and the steps that come of it."""

    near: int
    occupied: int
    ride: int
    prey: int
    steps: tuple[Step, ...]


_kept: dict[tuple[str, int, bool, int], list[Kept]] = {}


def steps_of(letter: str, start: int, carried: bool, points: int, occupied: int, seen: Sight) -> tuple[Step, ...]:
    """All actions of a piece, by destination."""
    key = letter, start, carried, points
    pictures = _kept.get(key)
    if pictures is None:
        if len(_kept) >= MOST:
            _kept.clear()
        pictures = _kept[key] = []
    _, ride, prey, _ = seen
    for near, taken, rides, preys, steps in pictures:
        if occupied & near == taken and prey & near == preys and ride & near == rides:
            return steps
    made = _made(letter, start, carried, points, occupied, seen)
    pictures.insert(0, made)
    del pictures[PICTURES:]
    return made.steps


def _made(letter: str, start: int, carried: bool, points: int, occupied: int, seen: Sight) -> Kept:
    steps = graph(letter)
    ends = passed = 0
    for stand, ride, over, prey in layers(steps, start, carried, points, seen):
        ends |= stand | ride | prey
        passed |= stand | ride | over
    near = steps.around(passed) | passed
    first, menu = _menu(letter, start)
    chosen = f"{(ends & ~BIT[start]) >> first:b}"[::-1].encode().translate(SWITCHES)
    return Kept(near, occupied & near, seen.ride & near, seen.prey & near, tuple(compress(menu, chosen)))


@lru_cache(maxsize=1 << 12)
def _menu(letter: str, start: int) -> tuple[int, tuple[Any, ...]]:
    """The steps to every cell the piece could reach on an empty map, made once and shared by all lists: the first such
    cell, and from there on a step for each of them and nothing for the cells between."""
    within = ball(letter, start, LIMIT[letter])
    cells = range((within & -within).bit_length() - 1, within.bit_length())
    return cells[0], tuple(Step(letter, start, to) if within >> to & 1 else None for to in cells)
