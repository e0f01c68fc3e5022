"""Searches that are kept: what they found serves as far as nothing that they met has changed."""

from __future__ import annotations

from random import Random

import pytest

from engine import Dice
from games.conquest import GAME
from games.conquest.geography import INDEX, names_in
from games.conquest.legal import eyes
from games.conquest.steps import Search, search
from games.conquest.units import LIMIT
from games.conquest.ways import reach
from tests.games.conquest.builders import position


def steps(letter, cell, units, points=6):
    board = position(units).board
    seen = eyes(board, board.held[0], 0)[letter]
    return search(letter, INDEX[cell], False).steps(points, seen)


def ends(found):
    return {step.to for step in found}


def test_what_happens_far_away_changes_no_list():
    """The very same list, and not one that is made anew."""
    alone = steps("k", "sd6", "sd6=Sk")
    assert steps("k", "sd6", "sd6=Sk nd6=Nk nc4=Ns") is alone
    assert steps("k", "sd6", "sd6=Sk", points=2) is not alone
    assert steps("k", "sd6", "sd6=Sk") is alone


def test_what_lies_further_than_the_points_changes_no_shorter_list():
    """Three cells away matters to three points and not to two; the cell that is reached last does not look beyond."""
    two, three = (steps("k", "sd6", "sd6=Sk", points=points) for points in (2, 3))
    assert steps("k", "sd6", "sd6=Sk sd9=Ws", points=2) is two
    assert steps("k", "sd6", "sd6=Sk sd9=Ss", points=3) != three


@pytest.mark.parametrize("near", ["sd7=Ss", "sd7=Ws", "sd8=We"])
def test_what_comes_near_changes_it(near):
    alone = steps("k", "sd6", "sd6=Sk", points=2)
    crowded = steps("k", "sd6", f"sd6=Sk {near}", points=2)
    assert crowded is steps("k", "sd6", f"sd6=Sk {near}", points=2)
    assert steps("k", "sd6", "sd6=Sk", points=2) == alone
    assert crowded != alone or near == "sd8=We"
    assert crowded is not alone


def test_the_same_cells_taken_by_others_make_another_list():
    """A friend stands in the way, an enemy can be taken, an own carrier can be boarded."""
    lists = [steps("s", "sd6", f"sd6=Ss {beside}", points=1) for beside in ("sd7=Ss", "sd7=Ws", "sd7=Se")]
    assert [INDEX["sd7"] in ends(found) for found in lists] == [False, True, True]
    assert len({id(found) for found in lists}) == 3


@pytest.mark.parametrize("mode", ["free", "alliance"])
def test_a_search_gone_on_with_finds_what_a_new_one_finds(mode):
    """Over a game by chance, with all points that pieces have, in any order."""
    luck, state = Random(mode), GAME.setup(GAME.Options(mode=mode, opening_limit=99), Dice(b"search")).state
    kept = {}
    for _ in range(150):
        for at, unit in state.board.units():
            seen = eyes(state.board, state.friends(unit.colour), unit.colour)
            for letter, carried, _ in unit.able:
                key = letter, at, carried
                points = luck.randrange(LIMIT[letter]) + 1
                found = kept.setdefault(key, Search(*key)).steps(points, seen[letter])
                wanted = reach(letter, at, carried, points, seen[letter])
                assert [step.to for step in found] == [INDEX[name] for name in names_in(wanted)]
        (seat,) = GAME.pending(state)
        state = GAME.resolve(state, {seat: luck.choice(list(GAME.moves(state, seat)))}, Dice()).state
        if state.over:
            break
