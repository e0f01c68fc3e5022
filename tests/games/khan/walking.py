"""Walks: games played by chance, by defaults and by a taste for conquest, the same ones in every run."""

from __future__ import annotations

import random
from collections import defaultdict
from functools import cache
from itertools import islice

from engine import Dice
from games.khan import GAME
from games.khan.options import Options
from games.khan.orders import order_of

CUSTOM = "F2 C7 C2 L3 K7 C11 G12 L11"


def options_of(seed):
    setups = ({}, {"leader_setup": "random"}, {"leader_setup": "custom", "leaders": CUSTOM}, {"first_seat": "yellow"})
    return Options(players=2 + seed % 3, **setups[seed // 3 % 4])


def dice_of(seed):
    return Dice(b"khan walk" + seed.to_bytes(4, "big"))


def chosen(state, seat, luck, wild):
    """A move: any at all, or a conquest or a special card where there is one, or what silence does."""
    if luck.random() < wild:
        return luck.choice(list(GAME.moves(state, seat)))
    some = islice(GAME.moves(state, seat), 400)
    keen = [move for move in some if order_of(move).do in "CS" and str(move) != "S none"]
    return luck.choice(keen) if keen and luck.random() < 0.8 else GAME.default(state, seat)


def walk(seed, wild=0.5, quitting=False, told=None):
    """The states of one game from the set-up to the end."""
    luck, dice = random.Random(seed), dice_of(seed)
    turned = GAME.setup(options_of(seed), dice.at("0"))
    number = 0
    while True:
        if told is not None:
            told.append(turned)
        state = turned.state
        yield state
        number += 1
        asked = GAME.pending(state)
        if not asked:
            return
        moves = {seat: chosen(state, seat, luck, wild) for seat in asked}
        sudden = _sudden(state, luck, quitting) if luck.random() < 0.06 else None
        turned = GAME.resolve(state, sudden or moves, dice.at(str(number)))


def _sudden(state, luck, quitting):
    """Something at once: new standing instructions, or a resignation."""
    seat = luck.choice(GAME.seats(state.options))
    if quitting and luck.random() < 0.5:
        move = GAME.resignation(state, seat)
        return None if move is None else {seat: move}
    words = luck.choice(("consent always", "consent never", "consent ask", "special skip", "special ask"))
    move = GAME.read(state, seat, f"standing {words}")
    return {seat: move} if GAME.at_once(state, seat, move) else None


@cache
def states(each=18):
    """Positions from many games, evenly spread, as many of each kind of decision as there are."""
    found = defaultdict(list)
    for seed in range(36):
        for state in walk(seed, wild=(0.1, 0.5, 1.0)[seed // 3 % 3], quitting=seed % 4 == 3):
            found[state.point].append(state)
    del found["over"]
    spread = (states[:: max(1, len(states) // each)][:each] for states in found.values())
    return tuple(state for some in spread for state in some)
