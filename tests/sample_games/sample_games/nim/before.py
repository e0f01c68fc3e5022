"""Nim as it was before version 1: silence took all of the last heap. Games begun under it are played on under it."""

from __future__ import annotations

from sample_games.nim.game import Nim
from sample_games.nim.state import Move, Position


class NimBefore(Nim):
    version = "0"

    def default(self, state: Position, seat: str) -> Move:
        return list(self.moves(state, seat))[-1]


GAME = NimBefore()
