"""Many games of every variant: each ends, nothing is lost, states go to JSON and to their line and back (G22)."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

from engine import load
from tests.every_game.ask_states import there_and_back
from tests.every_game.option_sets import option_sets
from tests.every_game.playing import at, walk

PORTION = 50
WRITTEN = 50  # each fiftieth game writes and reads back every one of its states: that costs ten times the playing


class Count(NamedTuple):
    """What was played of one variant."""

    game: str
    variant: str
    games: int
    decisions: int
    longest: int

    def __str__(self) -> str:
        counts = f"{self.games:7} games {self.decisions:9} decisions, longest {self.longest:5}"
        return f"{self.game:14} {counts}  {self.variant}"


def play_portion(game_id: str, variant: int, seeds: range) -> tuple[int, int]:
    """Plays these games of a variant; decisions in all, and in the longest."""
    game, options = load(game_id), option_sets(game_id)[variant]
    lengths = []
    for seed in seeds:
        one = walk(game, options, seed, resigning=seed % 5 == 4, silent=seed % 50 == 49)
        with at(one):
            for state in one.states:
                game.check(state)
                if seed % WRITTEN == 0:
                    there_and_back(game, state)
            assert game.outcome(one.last) is not None
        lengths.append(len(one.steps))
    return sum(lengths), max(lengths)


def long_run(game_ids: tuple[str, ...], games: int, jobs: int = 1) -> Iterator[Count]:
    """So many games of each variant of these games; a line for each variant."""
    with ProcessPoolExecutor(jobs) as pool:
        for game_id in game_ids:
            for variant, options in enumerate(option_sets(game_id)):
                portions = [range(seed, min(seed + PORTION, games)) for seed in range(0, games, PORTION)]
                done = [pool.submit(play_portion, game_id, variant, portion) for portion in portions]
                lengths = [one.result() for one in done]
                yield Count(
                    game_id,
                    " ".join(f"{name}={value}" for name, value in options.to_json().items()),
                    games,
                    sum(decisions for decisions, _ in lengths),
                    max(longest for _, longest in lengths),
                )
