"""Random play of Bagh Chal through the public interface, beside the package `baghchal`, in one run on one core.

`python tests/bench/bench_bagh_chal.py [seconds per round]`. Both programs play whole random games: list the legal
moves, choose one, play it. Rounds alternate and the best of each counts, so that a busy machine hurts both alike.
"""

from __future__ import annotations

import os
import random
import sys
import time
from collections.abc import Callable
from typing import Any

from engine import Dice, load

GOAL = 5
ROUNDS = 3


def ours(**choices: object) -> Callable[[random.Random], int]:
    """One game by pending, moves, resolve; its story is made too. Gives the number of moves."""
    game = load("bagh-chal")
    options, dice = game.Options(**choices), Dice(b"bench")

    def play(luck: random.Random) -> int:
        state = game.setup(options, dice).state
        made = 0
        while pending := game.pending(state):
            seat = pending[0]
            move = luck.choice(list(game.moves(state, seat)))
            state, _events = game.resolve(state, {seat: move}, dice)
            made += 1
        return made

    return play


def theirs() -> Callable[[random.Random], int]:
    """One game of the package from the index. Importing it changes the working folder, which is put back."""
    here = os.getcwd()  # noqa: PTH109
    from baghchal.env import Board

    os.chdir(here)

    def play(luck: random.Random) -> int:
        board: Any = Board()
        made = 0
        while moves := board.possible_moves():
            board.move(luck.choice(list(moves)))
            made += 1
        return made

    return play


def rate(play: Callable[[random.Random], int], seconds: float, seed: int) -> float:
    """Moves per second over whole games."""
    luck, made, begun = random.Random(seed), 0, time.perf_counter()
    while (spent := time.perf_counter() - begun) < seconds:
        made += play(luck)
    return made / spent


def main(seconds: float = 2.0) -> int:
    players = {
        "baghchal (package)": theirs(),
        "bagh-chal classic": ours(),
        "bagh-chal classic, heroes": ours(heroes=True),
        "bagh-chal pulijudam": ours(variant="pulijudam"),
        "bagh-chal pulijudam, heroes": ours(variant="pulijudam", heroes=True),
    }
    best = dict.fromkeys(players, 0.0)
    for turn in range(ROUNDS):
        for name, play in players.items():
            best[name] = max(best[name], rate(play, seconds, turn))
    measure = best["baghchal (package)"]
    for name, moves in best.items():
        sys.stdout.write(f"{name:28} {moves:10,.0f} moves a second {moves / measure:6.1f} x\n")
    return 0 if best["bagh-chal classic"] >= GOAL * measure else 1


if __name__ == "__main__":
    sys.exit(main(*map(float, sys.argv[1:2])))
