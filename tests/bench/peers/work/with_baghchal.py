"""Random games of the package `baghchal`. It asks whether the game is over when it lists the moves."""

from __future__ import annotations

import random
from typing import Any

from baghchal.env import Board
from serving import Sizes, Work, serve, whole_games


def one_game(luck: random.Random) -> int:
    board: Any = Board()
    made = 0
    while moves := board.possible_moves():
        board.move(luck.choice(list(moves)))
        made += 1
    return made


def sizes(luck: random.Random) -> Sizes:
    board: Any = Board()
    seen = Sizes()
    while moves := board.possible_moves():
        seen.saw(len(moves), len(board.fen))
        board.move(luck.choice(list(moves)))
    return seen


if __name__ == "__main__":
    serve(("baghchal",), {"baghchal": lambda: Work(whole_games(one_game), sizes)})
