"""Random play of Jarmo through the public interface on one core: `python tests/bench/bench_jarmo.py [seconds a round]`.

Whole random games: ask who is pending, list the legal moves, choose one, resolve it; the story is made too. The best
of some rounds counts, in processor time, so that a busy machine hurts little.
"""

from __future__ import annotations

import random
import sys
import time

from engine import Dice
from games.jarmo import GAME

GOAL = 65_000  # twice random play by python-chess with its end check
ROUNDS = 5
SETTINGS: dict[str, dict[str, object]] = {
    "base": {},
    "base, golden, camps": {"golden": True, "camps": "default"},
    "legendary": {"variant": "legendary"},
    "jasyr": {"variant": "jasyr"},
}


def rate(choices: dict[str, object], seconds: float, seed: int) -> float:
    """Moves a second over whole games."""
    luck, dice, made = random.Random(seed), Dice(b"bench"), 0
    begun = time.process_time()
    while (spent := time.process_time() - begun) < seconds:
        state = GAME.setup(GAME.Options(**choices), dice).state
        while pending := GAME.pending(state):
            seat = pending[0]
            move = luck.choice(list(GAME.moves(state, seat)))
            state = GAME.resolve(state, {seat: move}, dice).state
            made += 1
    return made / spent


def main(seconds: float = 1.0) -> int:
    best = {name: max(rate(choices, seconds, seed) for seed in range(ROUNDS)) for name, choices in SETTINGS.items()}
    for name, moves in best.items():
        sys.stdout.write(f"jarmo {name:20} {moves:10,.0f} moves a second {moves / GOAL:5.2f} of the goal\n")
    return 0 if best["base"] >= GOAL else 1


if __name__ == "__main__":
    sys.exit(main(*map(float, sys.argv[1:2])))
