"""One position: everything the rules may ask about, and nothing else.

Sets of points are whole numbers with one bit per point, lowest bit first in canonical order: a step of the game is then
a few operations on numbers, and states are compared, hashed and copied fast. `net.py` turns points into names.
"""

from __future__ import annotations

from typing import NamedTuple

Points = int
Side = int
Covered = tuple[Points, Side]
"""A golden archer with something on top of it: where, and whose."""

# JARMO-1.1: two sides. Pairs (pools, hands, camps) are indexed by them, and `1 - side` is the other one.
GREEN, BLUE = 0, 1
SIDES = ("green", "blue")
LETTERS = ("g", "b")


class Terms(NamedTuple):
    """What was agreed for the game, as far as a position line says it."""

    variant: str
    late: str
    """How a kept soldier is placed later: `move` (JARMO-5.3) or `turn` (JARMO-5.4)."""
    limit: int


class Board(NamedTuple):
    """Who stands where. Each point belongs to the side of its top piece (JARMO-10.4)."""

    tops: tuple[Points, Points]
    """For each side the points whose top piece is its own."""
    guards: Points
    """Where the top piece shows the face of a guard; elsewhere it is an archer (JARMO-1.1)."""
    gold: Points
    """Where the top piece is a golden soldier (JARMO-10.1)."""
    under: tuple[Covered, ...]
    """What stands below a top piece: golden archers only (JARMO-10.3), by point, from the bottom up."""

    @property
    def taken(self) -> Points:
        """The points that are not empty."""
        return self.tops[GREEN] | self.tops[BLUE]


Quiet = tuple[Board, str]
"""A quiet turn: the board it was made on, and its text."""


class State(NamedTuple):
    """A named tuple, because nothing else in Python is made, compared and hashed as fast."""

    terms: Terms
    side: Side
    """Who is to move; after the end, who would be."""
    board: Board
    pools: tuple[int, int]
    """Captured and still recoverable (JARMO-1.3)."""
    hands: tuple[int, int]
    """Recovered and not yet placed (JARMO-1.3)."""
    camps: Points
    """The markers of the retired camps, while they lie there (JARMO-11.1)."""
    turn: int
    tail: tuple[Quiet, ...]
    """The quiet turns since the last one that was not, oldest first (JARMO-6.3)."""
    end: str
    """Reason and winner as in `camp:g`; empty while the game goes on."""
