"""Random play of the small games beside python-chess, in one run: `bench_beside_chess.py [rounds] [game]`.

Whole random games through the public interface: who is pending, list the legal moves, choose one, play it; the story
is made too. A round of ours stands between two of theirs and is measured by them, so that a machine that grows slower
or faster hurts both alike; the median of the rounds counts. Time is that of the processor.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from statistics import median

import chess

from engine import Dice, load

SECONDS = 0.4
GOALS = {"bagh-chal": 3.0, "hasami-shogi": 3.0, "jarmo": 2.0, "yut": 2.2}
CHOICES: dict[str, tuple[dict[str, object], ...]] = {
    "bagh-chal": (
        {},
        {"heroes": True},
        {"variant": "pulijudam"},
        {"variant": "pulijudam", "heroes": True},
    ),
    "hasami-shogi": (
        {},
        {"shogun": "front"},
        {"shogun": "back"},
        {"variant": "war"},
        {"variant": "war", "shogun": "front"},
    ),
    "jarmo": ({}, {"golden": True, "camps": "default"}, {"variant": "legendary"}, {"variant": "jasyr"}),
    "yut": (
        {},
        {"players": 3},
        {"players": 4},
        {"hurdles": "default"},
        {"wild": True},
        {"favourite": True},
        {"favourite": True, "wild": True, "hurdles": "default"},
        {"players": 4, "favourite": True, "wild": True, "hurdles": "default"},
    ),
}
Play = Callable[[random.Random], int]


def ours(game: str, **choices: object) -> Play:
    """One game by pending, moves, resolve. Gives the number of moves."""
    rules = load(game)
    options, dice = rules.Options(**choices), Dice(b"bench")

    def play(luck: random.Random) -> int:
        state = rules.setup(options, dice).state
        made = 0
        while pending := rules.pending(state):
            seat = pending[0]
            move = luck.choice(list(rules.moves(state, seat)))
            state, _events = rules.resolve(state, {seat: move}, dice)
            made += 1
        dice.draws.clear()
        return made

    return play


def theirs(luck: random.Random) -> int:
    """One game of chess, with its test whether the game is over."""
    board, made = chess.Board(), 0
    while not board.is_game_over():
        board.push(luck.choice(list(board.legal_moves)))
        made += 1
    return made


def rate(play: Play, seed: int) -> float:
    """Moves a second over whole games."""
    luck, made, begun = random.Random(seed), 0, time.process_time()
    while (spent := time.process_time() - begun) < SECONDS:
        made += play(luck)
    return made / spent


def measured(play: Play, rounds: int) -> tuple[float, float]:
    """How many times as fast as chess, and moves a second: medians."""
    ratios, rates = [], []
    for seed in range(rounds):
        before, own, after = rate(theirs, seed), rate(play, seed), rate(theirs, seed + rounds)
        rates.append(own)
        ratios.append(own / ((before + after) / 2))
    return median(ratios), median(rates)


def main(rounds: int = 5, *only: str) -> int:
    missed = 0
    for game, goal in GOALS.items():
        for choices in CHOICES[game] if not only or game in only else ():
            ratio, moves = measured(ours(game, **choices), rounds)
            missed += ratio < goal
            name = " ".join(f"{key}={value}" for key, value in choices.items()) or "as it comes"
            sys.stdout.write(f"{game:13} {name:46} {moves:9,.0f}/s {ratio:5.2f} x (goal {goal})\n")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), *sys.argv[2:]) if sys.argv[1:] else main())
