"""A moment: one decision point as one reader meets it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine import Move, Seat, Turned
from engine.registry import AnyGame
from tests.every_game.probes import Order


@dataclass(frozen=True)
class Moment:
    """A decision point as one reader meets it: the state, the orders that are in, and what came of them.

    `turned` is None when what came of the orders is not the reader's secret to compare.
    """

    game: AnyGame
    options: Any
    state: Any
    moves: Mapping[Seat, Move]
    turned: Turned | None
    seat: Seat | None
    probes: tuple[Order, ...]

    @property
    def position(self) -> str:
        return self.game.position(self.state)

    @property
    def asked(self) -> bool:
        return self.seat in self.game.pending(self.state)
