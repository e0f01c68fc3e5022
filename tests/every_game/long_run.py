"""Games as the long run plays them: each ends, nothing is lost, states go to JSON and to their line and back (G22).

Most are played by chance; in each fifth seats resign, each fiftieth is played greedily, and one more of fifty in
silence. Of each game the end and each fourth state are asked whether all adds up, and the end and one other state are
written and read back. Each 101st game is asked all that at every state, which costs ten times the playing: no other
share comes round as that one does, so it meets games of every kind.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine import load
from engine.registry import AnyGame
from tests.every_game.ask_states import over_when_nobody_is_asked, there_and_back
from tests.every_game.ask_story import an_outcome_places_every_seat_once
from tests.every_game.option_sets import option_sets
from tests.every_game.playing import Walk, at, walk

WHOLE = 101  # each so many-th game is asked about every one of its states
STRIDE = 4  # of the others each so many-th state
GREEDY = 22  # the first seed of a game that is played greedily


def play_portion(game_id: str, variant: int, seeds: Iterable[int]) -> tuple[int, int]:
    """Plays these games of a variant; decisions in all, and in the longest."""
    game, options = load(game_id), option_sets(game_id)[variant]
    lengths = [play_one(game, options, seed) for seed in seeds]
    return sum(lengths), max(lengths)


def play_one(game: AnyGame, options: Any, seed: int) -> int:
    """Plays the game of that seed and asks it all; how many decisions it took."""
    resigning, greedily, silent = seed % 5 == 4, seed % 50 == GREEDY, seed % 50 == 49
    one = walk(game, options, seed, resigning=resigning, greedily=greedily, silent=silent)
    with at(one):
        _ask_states(one)
    an_outcome_places_every_seat_once(game, (one,))
    return len(one.steps)


def _ask_states(one: Walk) -> None:
    states, every = list(one.states), one.seed % WHOLE == 0
    last, other = len(states) - 1, one.seed % len(states)
    for number, state in enumerate(states):
        if every or number == last or (number + one.seed) % STRIDE == 0:
            one.game.check(state)
            over_when_nobody_is_asked(one.game, one.seats, state)
        if every or number in (last, other):
            there_and_back(one.game, state)
