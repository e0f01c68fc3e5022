"""Nobody learns what he may not know, in any game; and the search finds every planted leak (G25, G26)."""

import pytest

from engine import games, load
from tests.every_game import leaks
from tests.every_game.hidden import TWINS, WHOLE
from tests.every_game.playing import sample, walks
from tests.every_game.secrets import tell_apart

PAIRS = 500
LEAKS = [
    leak
    for leak in vars(leaks).values()
    if isinstance(leak, type) and issubclass(leak, leaks.Wrapped) and leak is not leaks.Wrapped
]


@pytest.mark.parametrize("game", games())
def test_pairs_that_a_seat_cannot_tell_apart(game):
    assert tell_apart(load(game), walks(game), PAIRS) == PAIRS


@pytest.mark.parametrize("leak", LEAKS, ids=lambda leak: leak.__name__)
def test_a_planted_leak_is_found(leak):
    with pytest.raises(AssertionError, match=" what it may not know"):
        tell_apart(leak(load("vault")), walks("vault"), 10 * PAIRS)


def test_there_are_enough_planted_leaks():
    assert len(LEAKS) >= 25


@pytest.mark.parametrize("game", [game for game in games() if game not in TWINS])
def test_a_game_without_twins_hides_nothing(game):
    """Its public line says as much as the whole one; a game with secrets must say in hidden.py how to vary them."""
    for one, step in sample(walks(game), 100):
        whole = WHOLE.get(game, str)
        seen = {whole(load(game).view(step.state, seat).position) for seat in (*one.seats, None)}
        assert seen == {load(game).position(step.state)}
