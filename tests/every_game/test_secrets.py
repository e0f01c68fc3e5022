"""Nobody learns what he may not know, in any game; and the search finds every planted leak (G25, G26)."""

import pytest

from engine import games, load
from tests.every_game import leaks
from tests.every_game.hidden import TWINS, WHOLE
from tests.every_game.playing import sample, walks
from tests.every_game.secrets import tell_apart
from tests.faults.figures import counted, told

PAIRS = 500
LEAKS = [
    leak
    for leak in vars(leaks).values()
    if isinstance(leak, type) and issubclass(leak, leaks.Wrapped) and leak is not leaks.Wrapped
]


@pytest.mark.parametrize("game", games())
def test_pairs_that_a_seat_cannot_tell_apart(game):
    pairs = tell_apart(load(game), walks(game), PAIRS)
    assert pairs == PAIRS
    counted(pairs, "pairs that one seat cannot tell apart, byte-equal")
    told(f"{game}: {pairs} pairs")


@pytest.mark.parametrize("leak", LEAKS, ids=lambda leak: leak.__name__)
def test_a_planted_leak_is_found(leak):
    with pytest.raises(AssertionError, match=" what it may not know"):
        tell_apart(leak(load("vault")), walks("vault"), 10 * PAIRS)
    counted(1, "leaks planted in a game, found")


def test_there_are_enough_planted_leaks():
    assert len(LEAKS) >= 25


@pytest.mark.parametrize("game", games())
def test_a_game_hides_something_or_nothing(game):
    """Without secrets each seat's line says as much as the whole one; with secrets hidden.py must know them."""
    rules, whole = load(game), WHOLE.get(game, str)
    assert rules.hides == (game in TWINS)
    for one, step in [] if rules.hides else sample(walks(game), 100):
        seen = {whole(rules.view(step.state, seat).position) for seat in (*one.seats, None)}
        assert seen == {rules.position(step.state)}
