"""The actions of the game, each a value with one canonical text (BAGH-6.1)."""

from __future__ import annotations

from typing import NamedTuple

from games.bagh_chal.state import Points

PLACE, WALK, LEAP, CAPTURE, ENTER, STAY = "place", "walk", "leap", "capture", "enter", "stay"


class Move(NamedTuple):
    """One action on one board. A leap is a jump without capture (BAGH-9.7), so `P-Q` is a walk or a leap."""

    kind: str
    text: str
    start: Points = 0
    over: Points = 0
    end: Points = 0

    def __str__(self) -> str:
        return self.text


DECLINE = Move(STAY, "stay")
