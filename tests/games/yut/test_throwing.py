"""Sticks and throws (YUT-2)."""

from collections import Counter
from itertools import product

import pytest

from engine import Dice
from games.yut import GAME
from games.yut.board import DATA
from games.yut.sticks import VALUE
from tests.games.yut.table import line_of, play, throws


def test_the_four_sticks_are_drawn_one_after_the_other():  # YUT-2.1
    dice = Dice.script([(2, 1), (2, 0), (2, 0), (2, 1)])
    _, story = GAME.setup(GAME.Options(), dice)
    assert story[0].facts["sticks"] == ["flat", "round", "round", "flat"]
    assert [draw.why for draw in dice.draws] == [f"orange: stick {stick}" for stick in (1, 2, 3, 4)]


def test_the_value_is_the_number_of_flat_sides_and_five_for_none():  # YUT-2.2
    for number, sticks in enumerate(product((0, 1), repeat=4)):
        assert VALUE[number] == (sum(sticks) or 5)
    assert Counter(VALUE) == {1: 4, 2: 6, 3: 4, 4: 1, 5: 1} == DATA["throw"]["sixteenths_by_value"]


@pytest.mark.parametrize(
    ("values", "unused", "rethrows"),
    [
        ((3,), "3", 0),  # YUT-2.3
        ((4, 1), "4,1", 1),  # YUT-2.4
        ((5, 3), "5,3", 1),
        ((4, 5, 2), "5,4,2", 2),
        ((5, 5, 5), "5,5,5", 2),  # YUT-2.5: not a fourth time
    ],
)
def test_a_turn_begins_with_one_throw_and_its_re_throws(values, unused, rethrows):
    state, story = GAME.setup(GAME.Options(), throws(*values))
    assert line_of(state) == f"2 1 {unused} {rethrows} 4/0/-;4/0/- - - 0 -"
    assert [event.facts["why"] for event in story] == ["turn", *["again"] * rethrows]
    assert [event.facts["value"] for event in story] == list(values)


def test_re_throws_and_extra_throws_count_together():  # YUT-2.5, YUT-6.2
    line, story = play("2 1 4,2 1 3/0/r4;3/0/r6 - - 6 -", "2 r4", then=(4,))
    assert line == "2 1 4,4 2 3/0/r6;4/0/- - - 6 -"
    assert story[-1].facts == {"seat": "orange", "sticks": ["flat"] * 4, "value": 4, "why": "catch"}


def test_seeded_sticks_fall_flat_half_the_time():  # YUT-2.1
    dice = Dice(bytes(32), "sticks")
    for _ in range(500):
        GAME.setup(GAME.Options(), dice)
    flats = sum(draw.value for draw in dice.draws)
    assert abs(2 * flats - len(dice.draws)) < 4 * len(dice.draws) ** 0.5
