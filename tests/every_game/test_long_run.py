"""Whole games of every variant. `PBEM_LONG=10000` plays ten thousand of each (or: python -m tests.every_game long)."""

import os
import sys

import pytest

from engine import games
from tests.every_game.long_run import long_run, play_portion
from tests.every_game.option_sets import option_sets

GAMES = int(os.environ.get("PBEM_LONG", "0"))


@pytest.mark.parametrize("game", games())
def test_a_few_games_of_every_variant(game):
    for variant in range(len(option_sets(game))):
        decisions, longest = play_portion(game, variant, range(1000, 1002))
        assert decisions >= longest >= 1


@pytest.mark.slow
@pytest.mark.timeout(0)
@pytest.mark.skipif(not GAMES, reason="PBEM_LONG=10000 asks for the long run")
@pytest.mark.parametrize("game", games())
def test_many_games_of_every_variant(game, capsys):
    for count in long_run((game,), GAMES, jobs=os.cpu_count() or 1):
        assert count.games == GAMES
        with capsys.disabled():
            sys.stdout.write(f"\n{count}")
