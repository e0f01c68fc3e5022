"""The actions of the game, each a shared value with one canonical text (section 6)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from games.yut.board import SPACES, Space

NEW = "new"
PLACING = 0


@dataclass(frozen=True, eq=False, slots=True)
class Move:
    """One throw for one horse or pile; with `throw` 0 the placing of a hurdle on the space `horse`.

    All there can be stand in the tables below: equal ones are one.
    """

    text: str
    throw: int
    horse: Space
    """The space of the own horse or pile, or `new` for a waiting horse."""
    short: bool = False

    def __str__(self) -> str:
        return self.text

    def __reduce__(self) -> tuple[Callable[[str], Move], tuple[str]]:
        return move_of, (self.text,)


VALUES = (5, 4, 3, 2, 1)  # listing order

HURDLES: Mapping[Space, Move] = {space: Move(f"hurdle {space}", PLACING, space) for space in SPACES}  # YUT-12.1
BARE: Mapping[tuple[int, Space], Move] = {
    (throw, horse): Move(f"{throw} {horse}", throw, horse) for throw in VALUES for horse in (NEW, *SPACES)
}
SHORT: Mapping[tuple[int, Space], Move] = {
    (throw, space): Move(f"{throw} {space} short", throw, space, True) for throw in VALUES for space in SPACES
}
BY_TEXT: Mapping[str, Move] = {move.text: move for moves in (HURDLES, BARE, SHORT) for move in moves.values()}


def move_of(text: str) -> Move:
    return BY_TEXT[text]
