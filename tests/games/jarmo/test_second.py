"""The game against a second program written from the rules alone: the same lists, positions, defaults and counts."""

import os
import random
from functools import cache

import pytest

from engine import Dice
from games.jarmo import GAME, legal
from tests.faults import figures
from tests.games.jarmo.second import Mat, count
from tests.games.jarmo.table import NO_LUCK, counted
from tests.games.jarmo.test_random_games import SETTINGS
from tests.games.jarmo.test_vectors import VECTORS

LONG = "PBEM_LONG" in os.environ
AFFORDABLE = 10**6 if LONG else 1_500  # sequences of three moves


@cache
def positions(number, **setting):
    """That many positions out of random games, spread over their length, more of the rare ones."""
    luck = random.Random(f"second program {sorted(setting.items())}")
    found = []
    while len(found) < number:
        options = GAME.Options(**setting, limit=luck.choice((50, 300)))
        state = GAME.setup(options, NO_LUCK).state
        game = []
        while GAME.pending(state):
            game.append(state)
            (seat,) = GAME.pending(state)
            moves = list(GAME.moves(state, seat))
            # Entering is often put off, else few games would see full pools, hands and columns.
            patient = [move for move in moves if not str(move)[:5].endswith("5" if seat == "green" else "1")]
            move = luck.choice(patient if patient and luck.random() < 0.7 else moves)
            state = GAME.resolve(state, {seat: move}, NO_LUCK).state
        game.append(state)
        weights = [1 + 4 * (sum(each.hands) + len(each.board.under)) for each in game]
        found += luck.choices(game, weights, k=3)
    return tuple(found[:number])


def same_below(state, depth):
    """Both programs list the same actions in the same order, and each leads to the same position line."""
    mat = Mat(GAME.position(state))
    assert mat.line() == GAME.position(state)
    (seat,) = GAME.pending(state) or ("",)
    moves = list(GAME.moves(state, seat)) if seat else []
    assert [str(move) for move in moves] == mat.actions(), mat.line()
    if moves:
        assert str(GAME.default(state, seat)) == mat.default(), mat.line()
    compared = 1
    for move in moves:
        after = GAME.resolve(state, {seat: move}, Dice()).state
        assert GAME.position(after) == mat.after(str(move)).line(), f"{mat.line()} then {move}"
        if depth > 1:
            compared += same_below(after, depth - 1)
    return compared


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_same_actions_defaults_and_positions(setting):
    compared = sum(same_below(state, 1) for state in positions(24, **setting))
    figures.counted(compared, "positions with the same actions in both programs")


@pytest.mark.timeout(0 if LONG else 300)
@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_same_counts(setting):
    """Counted positions of each setting, to depth 2, and to depth 3 where that is quick; in the long form wherever."""
    for state in positions(24, **setting)[:15]:
        depth = 3 if counted(state, 3) <= AFFORDABLE else 2
        assert counted(state, depth) == count(Mat(GAME.position(state)), depth), GAME.position(state)
        figures.counted(1, f"of Jarmo counted to depth {depth}, equal")


@pytest.mark.parametrize("line", sorted({vector["expect"] for vector in VECTORS if "expect" in vector}))
def test_same_from_the_vectors(line):
    same_below(GAME.from_position(line), 1)


def test_the_positions_compared_reach_everything():
    states = [state for setting in SETTINGS for state in positions(24, **setting)]
    assert sum(any(state.hands) for state in states) > 20
    assert sum(bool(state.board.under) for state in states) > 20
    assert sum(bool(state.camps) for state in states) > 20
    assert sum(bool(state.tail) for state in states) > 20
    assert sum(bool(state.end) for state in states) > 5
    assert {move.kind for state in states for seat in GAME.pending(state) for move in GAME.moves(state, seat)} >= {
        *("move", "flip", "place"),
    }


def test_g21_weakened_a_changed_rule_is_found(monkeypatch):
    """Seen red: a build in which no move brings a soldier of the pool back."""
    monkeypatch.setattr(legal, "may_bring_back", lambda state: False)
    with pytest.raises(AssertionError):
        list(map(test_same_actions_defaults_and_positions, SETTINGS))
