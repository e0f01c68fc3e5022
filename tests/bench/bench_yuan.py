"""How many whole Yuan turns a second: `python -m tests.bench.bench_yuan`, one core, four seats, events made.

States and plans come from random legal play, recorded beforehand; only `GAME.resolve` is measured, the way a host
calls it. A turn is a full resolution: reveal, payment, the seven steps, victory, next turn.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator

from engine import Dice
from games.yuan import GAME
from games.yuan.moves import PASS, Move
from games.yuan.state import State

Recorded = tuple[State, dict[str, Move]]
PASSES = 0.15  # how often a seat passes; otherwise it takes the dearest of three random legal plans
WANTED = 2500


def plan_for(state: State, seat: str, luck: random.Random) -> Move:
    """A typical plan: legal, and rather one that costs something."""
    menu = list(GAME.moves(state, seat))
    if len(menu) == 1 or luck.random() < PASSES:
        return PASS
    return max(luck.sample(menu, min(3, len(menu))), key=lambda move: sum(getattr(move, "levels", ())))


def turns(games: int, **options: object) -> Iterator[Recorded]:
    """The turns of random games from the first plan to the end."""
    for game in range(games):
        luck = random.Random(game)
        dice = Dice(f"bench {game}".encode())
        state, _ = GAME.setup(GAME.Options(**options), dice)
        while seats := GAME.pending(state):
            planning = state.phase == "plan"
            moves = {seat: plan_for(state, seat, luck) if planning else GAME.default(state, seat) for seat in seats}
            if planning:
                yield state, moves
            state, _ = GAME.resolve(state, moves, dice)


def measure(recorded: list[Recorded], seconds: float = 3.0) -> tuple[float, float]:
    """Resolutions a second, and events per resolution."""
    resolve, dice = GAME.resolve, Dice(b"")
    done = told = 0
    start = time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds:
        for state, moves in recorded:
            told += len(resolve(state, moves, dice).events)
        done += len(recorded)
    return done / spent, told / done


def main() -> int:
    recorded = list(turns(40, players=4, scenario="river_control", powers=True, volcanoes=True))
    rate, told = measure(recorded)
    sys.stdout.write(f"yuan: {rate:,.0f} turns a second, 4 seats, {told:.1f} events each, {len(recorded)} states\n")
    return 0 if rate >= WANTED else 1


if __name__ == "__main__":
    sys.exit(main())
