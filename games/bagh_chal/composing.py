"""The points of a move, for who taps it on the board: where the piece stands, then where it goes."""

from __future__ import annotations

from typing import Any

from engine.composing import Composer
from games.bagh_chal.board import BOARDS
from games.bagh_chal.state import State


class Taps(Composer):
    """A walk, a leap or a capture is two taps, a placing or the entry of the Bouc one; `stay` stands in the list."""

    def __init__(self, state: State) -> None:
        self.board = BOARDS[state.terms.variant]

    def places(self, move: Any) -> tuple[str, ...]:
        return (*self.board.names_of(move.start), *self.board.names_of(move.end))
