"""Whole games of every variant, a few in every run. `PBEM_LONG=10000` goes on with ten thousand of each (or:
`python -m tests.every_game long`), and tells how far that is."""

import pytest

from engine import games
from tests.every_game import campaign
from tests.every_game.long_run import GREEDY, play_portion
from tests.every_game.option_sets import option_sets
from tests.faults.figures import so_many, told

GAMES = so_many(0, campaign.GOAL)


@pytest.mark.parametrize("game", games())
def test_a_few_games_of_every_variant(game):
    for variant in range(len(option_sets(game))):
        decisions, longest = play_portion(game, variant, range(2))
        assert decisions >= longest >= 1


@pytest.mark.parametrize("game", games())
def test_a_greedy_game(game):
    decisions, _ = play_portion(game, 0, [GREEDY])
    assert decisions >= 1


@pytest.mark.slow
@pytest.mark.timeout(0)
@pytest.mark.skipif(not GAMES, reason="PBEM_LONG=10000 asks for the long run")
@pytest.mark.parametrize("game", games())
def test_the_long_run_goes_on(game):
    """What is missing on this build is played; what was played before counts."""
    broken = [part for part in campaign.go_on([game], GAMES) if part.broken]
    told(campaign.reached(game))
    assert not broken, "\n".join(str(part.broken) for part in broken)
