"""One position: everything the rules may ask about, and nothing else.

A set of squares is a whole number with one bit per square, lowest bit first in board order (HASAMI-2.3): a step of the
game is then a few operations on numbers, and states are compared, hashed and copied fast.
"""

from __future__ import annotations

from typing import NamedTuple

from engine import Seat
from engine.boards.squares import Mask

# Whose turn it is, as the position line writes it.
GREEN, RED, OVER = "g", "r", "over"
PASS = "."

FOE = {GREEN: RED, RED: GREEN}
NAMES = {GREEN: "green", RED: "red"}
SEATS: tuple[Seat, ...] = ("1", "2")
OTHER: dict[Seat, Seat] = {"1": "2", "2": "1"}


class Terms(NamedTuple):
    """What was agreed before the game."""

    variant: str
    green: Seat
    """The seat that has green; the other has red (HASAMI-1.1)."""
    quiet_limit: int

    def seat(self, side: str) -> Seat:
        return self.green if side == GREEN else OTHER[self.green]


Trail = tuple[int, ...]
"""How the board differed from that after the last progress: at first, and after each entry of the memory. Equal numbers
are equal positions with the same side to move (HASAMI-7.4)."""
BEGIN: Trail = (0,)


class State(NamedTuple):
    """A named tuple, because nothing else in Python is made, compared and hashed as fast."""

    terms: Terms
    turn: str
    green: Mask
    """All green pieces, the Shogun among them."""
    red: Mask
    shoguns: Mask
    memory: tuple[str, ...]
    """The quiet turns since the last progress, oldest first (HASAMI-7.3)."""
    trail: Trail
    """It follows from the board and the memory, and is kept because it is asked about after every move."""
