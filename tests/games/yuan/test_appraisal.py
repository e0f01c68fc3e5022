"""What programs that play think of a position: temples before all, then what feeds, guards and wins."""

import pytest

from games.yuan import GAME
from tests.games.yuan.board import drawn
from tests.games.yuan.vectors import seat_of

RIVAL = "X1: GA=c"


def stands(clan: str, rival: str = RIVAL, letter: str = "S", **facts) -> int:
    state = drawn(f"{clan}\n{rival}", **facts)
    return GAME.appraise(state, seat_of(state, letter))


@pytest.mark.parametrize(
    ("better", "worse", "facts"),
    [
        ("S0: AA=c AB=v", "S0: AA=c BA=v", {"temples": "AB", "need": 9}),  # a temple
        ("S0: AA=c BA=v", "S0: AA=c BB=v", {"terrain": "BA=M"}),  # a mine
        ("S0: AA=c AB=v", "S0: AA=c", {}),  # land
        ("S0: AA=c AB=c", "S0: AA=c AB=v", {}),  # a city
        ("S2: AA=c", "S1: AA=c", {}),  # chao
        ("S0: AA=c+2", "S0: AA=c+1", {}),  # an army
        ("S0: AA=c/w", "S0: AA=c", {}),  # a rampart
    ],
)
def test_more_of_it_is_better(better, worse, facts):
    assert stands(better, **facts) > stands(worse, **facts)


def test_whoever_would_win_now_stands_far_better():
    """YUAN-14.1."""
    facts = {"temples": "AA AB", "turn": 3}
    assert stands("S0: AA=c AB=v", need=2, **facts) - stands("S0: AA=c AB=v", need=3, **facts) >= 100


def test_the_best_of_the_others_counts_against_it():
    one = stands("S0: AA=c", "X1: GA=c")
    assert stands("S0: AA=c", "X9: GA=c") < one
    assert stands("S0: AA=c", "X9: GA=c\nM0: CA=c") == stands("S0: AA=c", "X9: GA=c\nM1: CA=c")
    assert stands("S0: AA=c", letter="X") == -one
