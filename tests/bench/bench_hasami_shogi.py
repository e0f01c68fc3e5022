"""Random play of Hasami Shogi through the public interface, beside python-chess where it is installed, on one core.

`python tests/bench/bench_hasami_shogi.py [seconds per round]`. Whole random games: list the legal moves, choose one,
play it, ask whether it is over. Rounds alternate and the best of each counts, so that a busy machine hurts all alike.
Time is that of the process, not of the wall.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec

from engine import Dice
from games.hasami_shogi import GAME

MEASURE = 32_700  # python-chess on an idle core, its test for the end included; used where it is not installed
ROUNDS = 3


def ours(**choices: object) -> Callable[[random.Random], int]:
    """One game by pending, moves, resolve; its story is made too. Gives the number of moves."""
    options, dice = GAME.Options(**choices), Dice(b"bench")

    def play(luck: random.Random) -> int:
        state = GAME.setup(options, dice).state
        made = 0
        while pending := GAME.pending(state):
            seat = pending[0]
            move = luck.choice(list(GAME.moves(state, seat)))
            state, _events = GAME.resolve(state, {seat: move}, dice)
            made += 1
        return made

    return play


def theirs() -> Callable[[random.Random], int]:
    """One random game of chess."""
    import chess

    def play(luck: random.Random) -> int:
        board, made = chess.Board(), 0
        while not board.is_game_over(claim_draw=False):
            board.push(luck.choice(list(board.legal_moves)))
            made += 1
        return made

    return play


def rate(play: Callable[[random.Random], int], seconds: float, seed: int) -> float:
    """Moves per second over whole games."""
    luck, made, begun = random.Random(seed), 0, time.process_time()
    while (spent := time.process_time() - begun) < seconds:
        made += play(luck)
    return made / spent


def main(seconds: float = 2.0) -> int:
    players = {
        "hasami-shogi": ours(),
        "hasami-shogi shogun front": ours(shogun="front"),
        "hasami-shogi shogun back": ours(shogun="back"),
        "hasami-shogi war": ours(variant="war"),
        "hasami-shogi war, shogun": ours(variant="war", shogun="front"),
    }
    if find_spec("chess"):
        players["python-chess"] = theirs()
    best = dict.fromkeys(players, 0.0)
    for turn in range(ROUNDS):
        for name, play in players.items():
            best[name] = max(best[name], rate(play, seconds, turn))
    measure = best.get("python-chess", MEASURE)
    for name, moves in best.items():
        sys.stdout.write(f"{name:28} {moves:10,.0f} moves a second {moves / measure:6.1f} x\n")
    return 0 if best["hasami-shogi"] > measure else 1


if __name__ == "__main__":
    sys.exit(main(*map(float, sys.argv[1:2])))
