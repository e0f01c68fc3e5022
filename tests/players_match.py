"""`python -m tests.players_match GAME A B N [--option K=V ...] [--budget MOVES]`: N games of two players, and who won.

Seats alternate between the two, and change sides after each game. A player wins when all the seats in first place are
its own; processor time is counted, so that a busy machine says the same.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Mapping
from typing import Any

from engine import Dice, Seat, load
from engine.players import PLAYERS, MonteCarlo, Player, choose
from engine.registry import AnyGame
from tests import conftest  # noqa: F401  it puts the sample games on the path

LONGEST = 5000  # decision points; a game without an end is nobody's


def game(rules: AnyGame, options: Any, players: Mapping[Seat, Player], dice: Dice) -> tuple[Seat, ...]:
    """Who is in first place at the end; nobody when there is none."""
    state = rules.setup(options, dice.at("0")).state
    for number in range(1, LONGEST):
        turn, asked = dice.at(str(number)), rules.pending(state)
        if not asked:
            outcome = rules.outcome(state)
            assert outcome is not None
            return outcome.places[0]
        moves = {seat: choose(players[seat], rules, state, seat, turn.at(seat)) for seat in asked}
        state = rules.resolve(state, moves, turn).state
    return ()


def match(rules: AnyGame, options: Any, pair: tuple[str, str], number: int, budget: int) -> Counter[str]:
    """How many games each of the two has won, and how many neither."""
    known = {**PLAYERS, "monte-carlo": MonteCarlo(budget)}
    won: Counter[str] = Counter()
    for at in range(number):
        seated = {seat: pair[(place + at) % 2] for place, seat in enumerate(rules.seats(options))}
        dice = Dice(f"{rules.id} {pair} {at}".encode())
        first = {seated[seat] for seat in game(rules, options, {s: known[who] for s, who in seated.items()}, dice)}
        won[first.pop() if len(first) == 1 else "neither"] += 1
    return won


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("game")
    asked.add_argument("a", choices=PLAYERS)
    asked.add_argument("b", choices=PLAYERS)
    asked.add_argument("number", type=int)
    asked.add_argument("--option", action="append", default=[], metavar="K=V")
    asked.add_argument("--budget", type=int, default=MonteCarlo().budget)
    given = asked.parse_args()
    rules = load(given.game)
    options = rules.Options(**dict(option.split("=", 1) for option in given.option))
    begun = time.process_time()
    won = match(rules, options, (given.a, given.b), given.number, given.budget)
    took = time.process_time() - begun
    told = f"{given.a} {won[given.a]}, {given.b} {won[given.b]}, neither {won['neither']}"
    sys.stdout.write(f"{rules.id} {' '.join(given.option)}: {told}; {took:.1f} s\n")


if __name__ == "__main__":
    main()
