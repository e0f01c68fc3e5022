"""All vectors of the rules document: positions, events, refusals, legal actions, defaults and counts, to the letter."""

import pytest

from games.bagh_chal import GAME
from tests.games.bagh_chal.story import lines
from tests.games.vectors import holds, vectors

VECTORS = vectors(__file__)


def test_no_vector_is_missing():
    assert len(VECTORS) == 119


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_vector(vector):
    holds(GAME, vector, lines)
