"""Random play of Khan through the public interface on one core: decisions a second, and what they are spent on.

`python tests/bench/bench_khan.py [seconds per round]`. Whole random games with 2, 3 and 4 seats: pending, all legal
moves, one of them by chance, resolve with its story. Time is that of the processor, so that a busy machine does
not count; the best of three rounds does.
"""

from __future__ import annotations

import cProfile
import pstats
import random
import sys
import time
from collections import Counter

from engine import Dice
from games.khan import GAME

GOAL = 3000
ROUNDS = 3
ROOMS = {
    "bench_khan": "making the lists of moves, some two thousand at action 1 (nearly all D)",
    "legal": "making the lists of moves, some two thousand at action 1 (nearly all D)",
    "placements": "conquests: which placements lie on yurts",
    "conquest": "conquests: who shares, who must consent",
    "state": "new states",
    "telling": "new states",
    "dice": "dice",
    "squares": "cells of a set",
    "material": "cells of a set",
}


def game(luck: random.Random, players: int) -> Counter[str]:
    """One random game: how many decisions of each kind."""
    dice = Dice(luck.randbytes(32))
    state = GAME.setup(GAME.Options(players=players), dice.at("0")).state
    made: Counter[str] = Counter()
    while pending := GAME.pending(state):
        moves = {seat: luck.choice(list(GAME.moves(state, seat))) for seat in pending}
        made[GAME.decision(state)] += 1
        state = GAME.resolve(state, moves, dice.at(str(made.total()))).state
    return made


def rate(seconds: float, seed: int) -> tuple[float, Counter[str]]:
    """Decisions a second over whole games, and what they were."""
    luck, made = random.Random(seed), Counter[str]()
    begun = time.process_time()
    while time.process_time() < begun + seconds:
        for players in (2, 3, 4):
            made += game(luck, players)
    return made.total() / (time.process_time() - begun), made


def shares(seed: int) -> list[tuple[str, float]]:
    """What part of the time each kind of work takes, by a profile."""
    luck, profile = random.Random(seed), cProfile.Profile()
    profile.enable()
    for players in (2, 3, 4):
        game(luck, players)
    profile.disable()
    spent: Counter[str] = Counter()
    for (file, _, _), (_, _, own, _, _) in pstats.Stats(profile).stats.items():  # type: ignore[attr-defined]
        spent[ROOMS.get(file.rpartition("/")[2].removesuffix(".py"), "the rest")] += own
    return [(room, own / sum(spent.values())) for room, own in spent.most_common()]


def main(seconds: float) -> int:
    say = sys.stdout.write
    best, made = max((rate(seconds, seed) for seed in range(ROUNDS)), key=lambda found: found[0])
    say(f"khan: {best:,.0f} decisions a second (goal {GOAL:,})\n")
    say("  " + ", ".join(f"{count / made.total():.0%} {kind}" for kind, count in made.most_common()) + "\n")
    for room, part in shares(1):
        say(f"  {part:4.0%} {room}\n")
    return int(best < GOAL)


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]) if len(sys.argv) > 1 else 3.0))
