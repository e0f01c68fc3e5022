"""Boards in letters and as a picture: what never changes is kept for the map that was drawn last, and for no other."""

from __future__ import annotations

import copy
from dataclasses import replace

import pytest

from games.conquest import GAME
from pbem.reports.words import Memo, Words
from tests.games.conquest.builders import position

UNITS = "sd6=Sk sp1=Sv wd6=We nd6=Nk ed6=Es"


def boards(view):
    words = Words(GAME, "en", Memo())
    return words.drawn(view), str(words.pictured(view, ("sd6",)))


def with_map(view, **changes):
    return replace(view, facts={**view.facts, "map": {**copy.deepcopy(view.facts["map"]), **changes}})


@pytest.fixture
def view():
    return GAME.view(position(UNITS), None)


def test_a_map_that_reads_the_same_is_drawn_the_same(view):
    assert boards(with_map(view)) == boards(view)


def test_another_map_is_drawn_as_it_is_and_the_first_one_again(view):
    first = boards(view)
    drawn, pictured = boards(with_map(view, cells=[*view.facts["map"]["cells"], ["se12", "land", 6, 12]]))
    assert "se12" in pictured
    assert "se12" not in first[1]
    assert drawn != first[0]
    assert boards(with_map(view, lines=view.facts["map"]["lines"][1:]))[1] != first[1]
    assert boards(view) == first


def test_a_cell_is_named_while_nobody_stands_there(view):
    label = '<text transform="translate(-128 490)scale(.84 1)">p1</text>'
    (taken, picture), (free, other) = boards(view), boards(GAME.view(position("sd6=Sk nd6=Nk ed6=Es"), None))
    assert label in other
    assert label not in picture
    assert taken.count("Sv") == 1
    assert free.count("Sv") == 0
