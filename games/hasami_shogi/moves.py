"""The actions of the game: `P-Q`, from a square to another (HASAMI-6.1)."""

from __future__ import annotations

from typing import NamedTuple

from engine.boards.squares import Mask


class Move(NamedTuple):
    """From and to decide the rest: whether it is a slide or a jump, and what is captured (HASAMI-5.4)."""

    text: str
    start: Mask
    end: Mask

    def __str__(self) -> str:
        return self.text
