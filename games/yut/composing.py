"""The space of a move, for who taps it on the board."""

from __future__ import annotations

from typing import Any

from engine.composing import Composer
from games.yut.moves import NEW


class Taps(Composer):
    """The horse that moves, or the space of a hurdle; a waiting horse stands in the list only."""

    def places(self, move: Any) -> tuple[str, ...]:
        return () if move.horse == NEW else (move.horse,)
