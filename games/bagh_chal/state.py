"""One position: everything the rules may ask about, and nothing else.

Sets of points are whole numbers with one bit per point, lowest bit first in board order: a step of the game is then a
few operations on numbers, and states are compared, hashed and copied fast. `board.py` turns points into names.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple

from engine import Seat
from engine.words import Word

Points = Word

# Whose turn it is, as the position line writes it.
GOATS: Final = "g"
TIGERS: Final = "t"
EXTRA: Final = "a"
OVER: Final = "over"
PASS: Final = "."

OTHER: Final[dict[Seat, Seat]] = {"1": "2", "2": "1"}


class Terms(NamedTuple):
    """What was agreed for the whole match."""

    variant: str
    heroes: bool
    alpha: str
    """The point on which the Alpha starts each game; empty without heroes."""
    match: str
    quiet_limit: int


class Score(NamedTuple):
    """Which game of the match this is, what the games before it brought, and who has the tigers."""

    game: int
    wins_1: int
    wins_2: int
    draws: int
    tigers: Seat

    def wins(self, seat: Seat) -> int:
        return self.wins_1 if seat == "1" else self.wins_2


class State(NamedTuple):
    """A named tuple, because nothing else in Python is made, compared and hashed as fast."""

    terms: Terms
    score: Score
    turn: str
    tigers: Points
    """All tigers, the Alpha among them."""
    goats: Points
    """The goats on the board, without the Bouc."""
    bouc: Points
    alpha: Points
    hand: int
    captured: int
    entered: bool
    """Whether the Bouc has entered this game (BAGH-9.5: once)."""
    memory: tuple[str, ...]
    """The quiet actions since the last progress, oldest first (BAGH-5.5)."""

    @property
    def placing(self) -> bool:
        return self.hand > 0  # BAGH-5.1: phase I lasts while goats wait in hand


Values = tuple[Terms, Score, str, Points, Points, Points, Points, int, int, bool, tuple[str, ...]]
made: Final[Callable[[Values], State]] = partial(tuple.__new__, State)
"""What `State(...)` does with the same eleven values, in half the time."""
