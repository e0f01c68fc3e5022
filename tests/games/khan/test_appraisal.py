"""What programs that play think of a position: points, yurts that may still bring some, cards."""

import pytest

from games.khan import GAME
from games.khan.appraisal import best_claim
from games.khan.material import SEAT_NUMBER
from tests.games.khan.table import drawn, leave


def stands(seat="red", **given):
    return GAME.appraise(drawn(**given).state, seat)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ({"yurts": {"red": "E7 H3"}}, {"yurts": {"red": "E7"}}),  # a yurt
        ({"yurts": {"red": "E7 F7"}}, {"yurts": {"red": "E7 H3"}}),  # two that lie together
        ({"yurts": {"red": "E7", "black": "F7"}}, {"yurts": {"red": "E7", "black": "H3"}}),  # beside a neutral one
        ({"specials": {"red": {"protection": 2}}}, {"specials": {"red": {"protection": 1}}}),  # a card
        (
            {"shapes": [{"id": "T2", "cells": "E7 F7", "owners": ["red"]}]},
            {"shapes": [{"id": "T2", "cells": "E7 F7", "owners": ["red", "yellow"]}]},
        ),  # points of one's own
    ],
)
def test_what_is_better(better, worse):
    assert stands(**better) > stands(**worse)
    assert stands("yellow", **better) < stands("yellow", **worse)


@pytest.mark.parametrize(("yurts", "points"), [("G6 H6 I6 J6", 5), ("E7 F7 J2", 2), ("E7 H9 J2", 0)])
def test_a_conquest_that_could_be_made_is_hoped_for(yurts, points):
    """KHAN-14.1: the best of them, for as many points as it would bring."""
    state = drawn(yurts={"red": yurts}).state
    assert best_claim(state, SEAT_NUMBER["red"]) == points
    assert best_claim(state, SEAT_NUMBER["yellow"]) == 0


def test_who_has_left_hopes_for_nothing():
    table = drawn(3, yurts={"red": "E7 F7 G7", "yellow": "B5"})
    before = GAME.appraise(table.state, "red")
    leave(table, "red")
    assert GAME.appraise(table.state, "red") < before
