"""Options: values, words for hurdles, and what does not go together (section 3)."""

import pytest

from engine import BadOption
from games.yut import GAME


def test_defaults():
    assert GAME.Options().to_json() == {
        "players": 2,
        "favourite": False,
        "wild": False,
        "hurdles": "off",
        "game": 1,
        "first": 1,
    }


@pytest.mark.parametrize(
    ("said", "meant"),
    [(False, "off"), (True, "default"), ("false", "off"), ("TRUE", "default"), ("choose", "choose"), ("o + b", "r5+o")],
)
def test_words_for_hurdles(said, meant):
    assert GAME.Options(hurdles=said).hurdles == meant


@pytest.mark.parametrize(
    "choices",
    [
        {"players": 5},
        {"players": 1},
        {"players": 3, "favourite": True},
        {"game": 2},
        {"game": 2, "wild": True},
        {"game": 2, "favourite": True},
        {"first": 3},
        {"players": 3, "first": 4},
        {"hurdles": "r8"},
        {"hurdles": "r8+r8"},
        {"wild": True, "hurdles": "r10+r18"},
        {"wild": True, "favourite": True, "hurdles": "b+r18"},
        {"wild": True, "favourite": True, "game": 2, "hurdles": "r15+r18"},
    ],
)
def test_what_is_refused(choices):
    with pytest.raises(BadOption):
        GAME.Options(**choices)


@pytest.mark.parametrize(
    "choices",
    [
        {"wild": True, "favourite": True, "hurdles": "r10+r15"},
        {"wild": True, "favourite": True, "game": 2, "hurdles": "r5+r10"},
        {"hurdles": "r10+r18"},
        {"players": 4, "first": 4, "favourite": True, "wild": True, "game": 2, "hurdles": "choose"},
    ],
)
def test_all_else_combines(choices):
    assert GAME.Options(**GAME.Options(**choices).to_json()) == GAME.Options(**choices)
