"""The squares of a move, for who taps it on the board."""

from __future__ import annotations

from typing import Any

from engine.composing import Composer
from games.hasami_shogi.board import NAME


class Taps(Composer):
    """Every move is two taps: the piece, then where it goes (HASAMI-6.1)."""

    def places(self, move: Any) -> tuple[str, ...]:
        return (NAME[move.start], NAME[move.end])
