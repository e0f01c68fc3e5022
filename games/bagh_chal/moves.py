"""The actions of the game, each a value with one canonical text (BAGH-6.1)."""

from __future__ import annotations

from typing import Final, NamedTuple

from games.bagh_chal.state import Points

PLACE: Final = "place"
WALK: Final = "walk"
LEAP: Final = "leap"
CAPTURE: Final = "capture"
ENTER: Final = "enter"
STAY: Final = "stay"

# What must be so on the board is one number: the points that must be empty, and above them those that must be prey.
PREY: Final = 32


class Move(NamedTuple):
    """One action on one board. A leap is a jump without capture (BAGH-9.7), so `P-Q` is a walk or a leap."""

    kind: str
    text: str
    start: Points = 0
    over: Points = 0
    end: Points = 0
    needs: Points = 0
    """Its end is empty; over a goat or the Bouc, that stands `PREY` places above."""

    def __str__(self) -> str:
        return self.text


DECLINE: Final = Move(STAY, "stay")
