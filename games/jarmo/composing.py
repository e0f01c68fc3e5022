"""The points of a turn, for who taps it on the mat."""

from __future__ import annotations

from typing import Any

from engine.composing import Composer
from games.jarmo.net import NAME


class Taps(Composer):
    """A piece, where it goes, and where a soldier comes in; of each only what the turn has. A pass is in the list."""

    def places(self, move: Any) -> tuple[str, ...]:
        return tuple(NAME[point] for point in (move.start, move.end, move.at) if point)
