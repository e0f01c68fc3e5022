"""Random play of Conquest through the public interface on one core: decisions a second, and what they are spent on.

`python tests/bench/bench_conquest.py [seconds per round]`. Whole random games: list all legal actions, choose
one, resolve it with its story. The best of three rounds counts; what was learnt in one round serves the next.
"""

from __future__ import annotations

import cProfile
import pstats
import random
import sys
import time
from collections import Counter
from typing import Any

from engine import Dice
from games.conquest import GAME
from games.conquest.steps import Search

GOAL = 5000
ROUNDS = 3
ROOMS = {
    "ways": "searching the map",
    "geography": "searching the map",
    "steps": "making the lists of steps",
    "actions": "making the lists of steps",
    "legal": "making the lists of steps",
    "striking": "carrying out",
    "moving": "carrying out",
    "board": "carrying out",
    "units": "carrying out",
    "state": "points and friends",
    "ending": "points and friends",
    "exchange": "exchanges",
    "story": "telling",
    "turn": "telling",
    "bench_conquest": "choosing",
}


def game(luck: random.Random, **choices: Any) -> int:
    """One game; the number of decisions."""
    state, made = GAME.setup(GAME.Options(**choices), Dice(b"bench")).state, 0
    while pending := GAME.pending(state):
        seat = pending[0]
        move = luck.choice(list(GAME.moves(state, seat)))
        state = GAME.resolve(state, {seat: move}, Dice()).state
        made += 1
    return made


def rate(seconds: float, seed: int, **choices: Any) -> float:
    """Decisions per second over whole games."""
    luck, made, begun = random.Random(seed), 0, time.process_time()
    while time.process_time() - begun < seconds:
        made += game(luck, **choices)
    return made / (time.process_time() - begun)


def shares(seed: int) -> list[tuple[str, float]]:
    """What part of the time each kind of work takes, by a profile."""
    profile = cProfile.Profile()
    profile.enable()
    game(random.Random(seed))
    profile.disable()
    spent: Counter[str] = Counter()
    for (file, _, _), (_, _, own, _, _) in pstats.Stats(profile).stats.items():  # type: ignore[attr-defined]
        spent[ROOMS.get(file.rpartition("/")[2].removesuffix(".py"), "Python itself")] += own
    return [(room, own / sum(spent.values())) for room, own in spent.most_common()]


def found_again(seed: int) -> float:
    """What part of the lists of steps did not have to be made anew."""
    profile = cProfile.Profile()
    profile.enable()
    game(random.Random(seed))
    profile.disable()
    calls = {name: total for (_, _, name), (_, total, *_) in pstats.Stats(profile).stats.items()}  # type: ignore[attr-defined]
    return 1 - calls[Search._list.__name__] / calls[Search._know.__name__]


def main(seconds: float) -> int:
    say = sys.stdout.write
    slow = False
    for choices in ({}, {"mode": "alliance"}, {"players": 3}, {"players": 2}):
        best = max(rate(seconds, seed, **choices) for seed in range(ROUNDS))
        slow |= best < GOAL
        say(f"conquest {choices or 'free'}: {best:,.0f} decisions a second (goal {GOAL:,})\n")
    say(f"lists of steps: {found_again(1):.0%} found in memory\n")
    for room, part in shares(1):
        say(f"  {part:4.0%} {room}\n")
    return int(slow)


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]) if len(sys.argv) > 1 else 3.0))
