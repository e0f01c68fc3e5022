"""Random play of Yut through the public interface, dice included, beside python-chess where it is installed.

`python tests/bench/bench_yut.py [seconds per round]`. Whole random games: who is pending, list the legal moves, choose
one, play it; the story is made too. Rounds alternate and the best of each counts; the time is that of the processor, so
that a busy machine hurts little. A last line says what the seeded dice cost: the same games with sticks from a table
of ready numbers.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable

from engine import Dice
from games.yut import GAME

GOAL = 65_000
ROUNDS = 3
Play = Callable[[random.Random], int]


class Ready:
    """Sticks without any work: numbers made before."""

    def __init__(self) -> None:
        self.next = iter(random.Random(0).choices((0, 1), k=5_000_000)).__next__

    def below(self, n: int, why: str, index: int) -> int:
        return self.next()


def ours(dice: Dice, **choices: object) -> Play:
    """One game by pending, moves, resolve. Gives the number of moves."""
    options = GAME.Options(**choices)

    def play(luck: random.Random) -> int:
        state = GAME.setup(options, dice).state
        made = 0
        while pending := GAME.pending(state):
            seat = pending[0]
            move = luck.choice(list(GAME.moves(state, seat)))
            state, _events = GAME.resolve(state, {seat: move}, dice)
            made += 1
        dice.draws.clear()
        return made

    return play


def theirs() -> Play | None:
    """One game of python-chess, with its test whether the game is over."""
    try:
        import chess
    except ImportError:
        return None

    def play(luck: random.Random) -> int:
        board = chess.Board()
        made = 0
        while not board.is_game_over():
            board.push(luck.choice(list(board.legal_moves)))
            made += 1
        return made

    return play


def rate(play: Play, seconds: float, seed: int) -> float:
    """Moves per second over whole games."""
    luck, made, begun = random.Random(seed), 0, time.process_time()
    while (spent := time.process_time() - begun) < seconds:
        made += play(luck)
    return made / spent


def main(seconds: float = 2.0) -> int:
    players: dict[str, Play | None] = {
        "python-chess (package)": theirs(),
        "yut": ours(Dice(b"bench")),
        "yut, three players": ours(Dice(b"bench"), players=3),
        "yut, hurdles": ours(Dice(b"bench"), hurdles="default"),
        "yut, wild horse": ours(Dice(b"bench"), wild=True),
        "yut, favourite": ours(Dice(b"bench"), favourite=True),
        "yut, all together": ours(Dice(b"bench"), favourite=True, wild=True, hurdles="default"),
        "yut, without the cost of dice": ours(Dice(source=Ready())),
    }
    found = {name: play for name, play in players.items() if play is not None}
    best = dict.fromkeys(found, 0.0)
    for turn in range(ROUNDS):
        for name, play in found.items():
            best[name] = max(best[name], rate(play, seconds, turn))
    for name, moves in best.items():
        sys.stdout.write(f"{name:30} {moves:10,.0f} moves a second\n")
    return 0 if best["yut"] >= GOAL else 1


if __name__ == "__main__":
    sys.exit(main(*map(float, sys.argv[1:2])))
