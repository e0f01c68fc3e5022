"""What silence means, what a warning says, and what a receipt foretells."""

import pytest

from games.jarmo import GAME
from games.jarmo.net import MOVES
from tests.games.jarmo.table import START, at, seat, turn


@pytest.mark.parametrize(
    ("position", "default"),
    [
        (START, "a1-c2"),
        ("base aaaa1/4a/2A2/5/1AAAA g 0.0 0.0 - 8 - -", "c3-e4"),  # the first capture
        ("base 1AA2/3a1/3A1/5/5 b 2.0 4.0 - 50 - -", "d4-b5"),  # not the one that loses
        ("base aaAaa/5/5/5/1AAA1 g 0.1 1.0 - 22 - -", "b1-d2 place a1"),
        ("base,late=turn aaAaa/5/5/5/1AAA1 g 0.1 1.0 - 22 - -", "place a1"),
        ("base a1a2/5/A3A/5/1AA2 g 1.0 1.0 a3+e3 22 - -", "b1-d2 recall a1"),
        ("legendary aaGaa/5/5/5/1AAA1 g 1.0 1.0 - 22 - -", "flip c5 place a1"),
        ("base aaaa1/4A/5/5/5 g 4.0 1.0 - 30 - -", "e4-c3"),  # entering would end the game, and lose it
        ("base aa3/4A/5/5/5 g 4.0 3.0 - 30 - -", "e4-c3"),
        ("base,limit=50 aaaaa/4A/5/5/5 g 4.0 0.0 - 49 - -", "e4-c5"),  # everything loses: nothing is struck
        ("jasyr AA2A/5/A4/a1a2/2a2 g 0.0 0.0 - 28 - -", "pass"),
    ],
)
def test_default(position, default):
    state = at(position)
    assert str(GAME.default(state, seat(state))) == default


@pytest.mark.parametrize(
    ("position", "order", "warned"),
    [
        (START, "a1-c2", []),
        ("base aaaa1/4A/5/5/5 g 4.0 1.0 - 30 - -", "e4-c5", ["ends-lost JARMO-6.1"]),
        ("base 5/4A/5/5/a4 g 4.0 4.0 - 30 - -", "e4-c5", ["ends-drawn JARMO-6.1"]),
        ("base aA1aA/4A/5/5/2a2 g 2.0 2.0 - 30 - -", "e4-c5", []),  # a win
        ("base aa1aa/4G/5/5/1AAA1 g 1.0 1.0 - 20 - -", "e4-c5", ["could-place JARMO-5.2"]),
        ("base aa1aa/4G/5/5/1AAA1 g 1.0 1.0 - 20 - -", "e4-c5 place a1", []),
        ("legendary aaGaa/5/5/5/1AAA1 g 1.0 1.0 - 22 - -", "flip c5", ["could-place JARMO-5.2"]),
        ("base aaaa1/5/A4/2A2/1AA2 g 1.0 1.0 a3+e3 20 - -", "c2-e3", ["could-recall JARMO-11.2"]),
        ("jasyr 1A3/5/A4/a4/2a2 b 0.0 0.0 - 31 pass -", "pass", []),  # there is nothing else
    ],
)
def test_warnings(position, order, warned):
    state = at(position)
    found = GAME.notices(state, seat(state), MOVES[order])
    assert [f"{notice.code} {notice.rule}" for notice in found] == warned
    assert all(order in str(notice) for notice in found)


def test_a_preview_is_what_will_happen():
    state = at("base aa1aa/4G/5/5/1AAA1 g 1.0 1.0 - 20 - -")
    assert GAME.preview(state, "green", MOVES["e4-c5 place a1"]) == turn(state, "e4-c5 place a1").events
    assert GAME.preview(state, "blue", MOVES["e4-c5 place a1"]) == ()
    assert GAME.preview(state, "green", MOVES["a1-c2"]) == ()
    assert GAME.notices(state, "green", MOVES["a1-c2"]) == ()
    assert GAME.foresee(state, "green", MOVES["e4-c5"]) == turn(state, "e4-c5").state
