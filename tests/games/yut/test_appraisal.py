"""How a position is appraised, for players that are programs."""

import pytest

from games.yut import GAME
from tests.games.yut.table import at


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("2 2 1 0 3/1/-;4/0/- - - 9 -", "2 2 1 0 3/0/r19;4/0/- - - 9 -"),  # home is safe
        ("2 2 1 0 3/0/r9;4/0/- - - 9 -", "2 2 1 0 3/0/r8;4/0/- - - 9 -"),  # farther
        ("2 2 1 0 1/0/r9x3;3/0/r10 - - 9 -", "2 2 1 0 1/0/r9x3;3/0/r7 - - 9 -"),  # nobody close behind
        ("2 1 3 0 3/0/r9;4/0/- - - 9 -", "2 1 1 0 3/0/r9;4/0/- - - 9 -"),  # the larger throw in hand
    ],
)
def test_what_is_better(better, worse):
    assert GAME.appraise(at(better), "orange") > GAME.appraise(at(worse), "orange")


def test_both_partners_stand_alike_and_the_rivals_stand_worse():
    state = at("4 1 1 0 2/2/-;4/0/- - - 9 -")
    assert GAME.appraise(state, "orange-1") == GAME.appraise(state, "orange-2") > 0
    assert GAME.appraise(state, "blue-1") == GAME.appraise(state, "blue-2") < 0


def test_only_the_best_rival_counts():
    state = at("3 1 1 0 3/0/-;2/0/r9;2/1/- - - 9 -")
    assert GAME.appraise(state, "green") > 0 > GAME.appraise(state, "blue") > GAME.appraise(state, "orange")


def test_a_throw_counts_no_more_when_the_game_is_over():
    won, longer = (at(f"2 1 - 0 0/4/-;3/0/{horse} - - 40 finish:1>2") for horse in ("r2", "r1"))
    assert 0 < GAME.appraise(won, "orange") < GAME.appraise(longer, "orange")
