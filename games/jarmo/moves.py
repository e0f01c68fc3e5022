"""The actions of the game, each a value with one canonical text (section 6 of the rules document).

All of them are made once and shared. An action of both sides with the same text is the same value.
"""

from __future__ import annotations

from typing import NamedTuple

from games.jarmo.state import Points

STEP, FLIP, PLACING, PASSING = "move", "flip", "place", "pass"  # JARMO-2.1: the four kinds of a turn
PLACE, RECALL = "place", "recall"  # what may be added to a move, `place` also to a turning-over (JARMO-5, JARMO-11)


class Move(NamedTuple):
    """One action: a turn of one side (JARMO-2.1)."""

    kind: str
    text: str
    start: Points = 0
    end: Points = 0
    """Where a piece moves to, or where the guard stands that is turned over."""
    how: str = ""
    """How a soldier comes onto the board in this turn, if one does: `place` or `recall`."""
    at: Points = 0
    """Where it comes: at most one in a turn (JARMO-5.6)."""

    def __str__(self) -> str:
        return self.text


PASS = Move(PASSING, "pass")
