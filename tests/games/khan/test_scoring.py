"""Scoring beyond the vectors: points by owners, places with resigned seats, the outcome (KHAN-14, KHAN-15)."""

from __future__ import annotations

import pytest

from games.khan import GAME
from games.khan.conquest import points_each
from games.khan.material import SHAPE_NUMBER
from games.khan.scoring import bonuses, ranking, scores
from tests.games.khan.table import drawn

FIVE = ["RUS", "HUN", "KIP", "PER", "DAL"]


@pytest.mark.parametrize(
    ("shape", "owners", "each"),
    [
        ("T2", 1, 2),
        ("T2", 2, 1),
        ("T5I", 1, 9),
        ("T5I", 2, 5),
        ("T5I", 3, 3),
        ("T5I", 4, 3),
        ("B4L", 2, 3),
        ("B3I", 4, 1),
    ],
)
def test_points_are_divided_and_rounded_up(shape, owners, each):
    """KHAN-14.1."""
    assert points_each(SHAPE_NUMBER[shape], owners) == each


@pytest.mark.parametrize(
    ("sizes", "found"),
    [
        ([(), ()], (0, 0)),
        ([(2,), ()], (10, 0)),
        ([(5, 2), (5, 2, 1)], (6, 10)),  # KHAN-14.3: the beginning of a list is smaller
        ([(5, 1), (4, 4, 4)], (10, 6)),
        ([(5,), (5,), (5,), (5,)], (10, 10, 10, 10)),
        ([(1,), (2,), (3,), (4,)], (0, 3, 6, 10)),
    ],
)
def test_bonus_goes_by_place(sizes, found):
    """KHAN-14.4."""
    assert bonuses(sizes) == found


def test_cards_are_worth_nothing():
    """KHAN-14.5, KHAN-14.2: the river counts in territories, cards in nothing."""
    shapes = [{"id": "B3I", "cells": "F3 F4 F5", "owners": ["red"]}, {"id": "T2", "cells": "E4 E5", "owners": ["red"]}]
    table = drawn(at="over", removed=FIVE, shapes=shapes[:1], hands={"red": "RUS-JO"})
    (red, yellow) = scores(table.state)
    assert (red.shapes, red.territories, red.bonus, red.total) == (3, (3,), 10, 13)
    assert (yellow.shapes, yellow.territories, yellow.bonus, yellow.total) == (0, (), 0, 0)


def test_equal_seats_share_a_place_and_resigned_ones_stand_last():
    """KHAN-15.1, KHAN-15.2."""
    shapes = [
        {"id": "T5P", "cells": "B8 C8 D8 B9 C9", "owners": ["red"]},
        {"id": "T2", "cells": "J10 K10", "owners": ["yellow"]},
        {"id": "T2", "cells": "J12 K12", "owners": ["blue"]},
    ]
    table = drawn(4, at="over", removed=FIVE, shapes=shapes, gone=["red"])
    assert ranking(table.state) == ((1, 2), (3,), (0,))
    outcome = GAME.outcome(table.state)
    assert outcome.places == (("yellow", "blue"), ("green",), ("red",))
    assert outcome.scores == {"red": 19, "yellow": 8, "blue": 8, "green": 0}
    assert outcome.details["yellow"] == [2, 6, 2]
    assert outcome.rule == "KHAN-13.6"
