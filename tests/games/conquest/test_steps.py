"""Lists of steps that are kept: the same one serves as long as nothing near has changed."""

from __future__ import annotations

import pytest

from games.conquest.geography import INDEX
from games.conquest.legal import eyes
from games.conquest.steps import steps_of
from tests.games.conquest.builders import position


def steps(letter, cell, units, points=6):
    board = position(units).board
    seen = eyes(board, board.held[0], 0)[letter]
    return steps_of(letter, INDEX[cell], False, points, board.occupied, seen)


def ends(found):
    return {step.to for step in found}


def test_what_happens_far_away_changes_no_list():
    """The very same list, and not one that is made anew."""
    alone = steps("k", "sd6", "sd6=Sk")
    assert steps("k", "sd6", "sd6=Sk nd6=Nk nc4=Ns") is alone
    assert steps("k", "sd6", "sd6=Sk", points=2) is not alone


@pytest.mark.parametrize("near", ["sd7=Ss", "sd7=Ws", "sd8=We"])
def test_what_comes_near_changes_it(near):
    alone = steps("k", "sd6", "sd6=Sk", points=2)
    crowded = steps("k", "sd6", f"sd6=Sk {near}", points=2)
    assert crowded is steps("k", "sd6", f"sd6=Sk {near}", points=2)
    assert steps("k", "sd6", "sd6=Sk", points=2) is alone
    assert crowded is not alone


def test_the_same_cells_taken_by_others_make_another_list():
    """A friend stands in the way, an enemy can be taken, an own carrier can be boarded."""
    lists = [steps("s", "sd6", f"sd6=Ss {beside}", points=1) for beside in ("sd7=Ss", "sd7=Ws", "sd7=Se")]
    assert [INDEX["sd7"] in ends(found) for found in lists] == [False, True, True]
    assert len({id(found) for found in lists}) == 3
