"""The position line (section 7): what is written, and what no game would write."""

import pickle

import pytest

from engine import BadPosition
from engine.game import BrokenInvariant
from games.yut import GAME
from games.yut.state import GROUPS
from tests.games.yut.table import at, line_of

GOOD = (
    "2 1 4,3 1 4/0/-;4/0/- - - 0 -",
    "2f 1 5,4,1 2 0/1/r5*x2,o;1/0/r13x2,b1i r9/r5/1 r8+r18 30 -",
    "3 2 4 1 0/1/r1,r4;1/1/ob;0/0/r12x2,d1i - - 12 -",
    "4f 4 1 0 4/0/-;2/0/r15*,od r1/r15/0 r20+c1 7 -",
    "2 1 hurdle 0 4/0/-;4/0/- r10/r10/0 r4 0 -",
    "2 2 - 0 2/1/r3;3/0/r1 r10/r10/2 - 40 wild:1>2",
    "3 1 - 0 0/3/-;1/1/r3;1/1/r9 - - 50 finish:1>3>2",
)
BAD = (
    "",
    "2 1 3 0 4/0/-;4/0/- - - 0",  # nine fields
    "5 1 3 0 4/0/-;4/0/- - - 0 -",
    "3f 1 3 0 3/0/-;3/0/-;3/0/- - - 0 -",  # YUT-10.5
    "2 3 3 0 4/0/-;4/0/- - - 0 -",  # there is no third seat
    "2 1 3 0 4/0/- - - 0 -",  # one side
    "2 1 3 0 4/0/-;4/0/-;4/0/- - - 0 -",
    "2 1 3 0 04/0/-;4/0/- - - 0 -",
    "2 1 3 0 4/0/;4/0/- - - 0 -",
    "2 1 3 0 4/0/-;4/0/- - - 00 -",
    "2 1 3 0 4/0/-;4/0/- - - 0 - ",
    "2 1 6 0 4/0/-;4/0/- - - 0 -",
    "2 1 3,4 1 4/0/-;4/0/- - - 0 -",  # not the largest first
    "2 1 4,3 0 4/0/-;4/0/- - - 0 -",  # YUT-2.5
    "2 1 3 3 4/0/-;4/0/- - - 0 -",
    "2 1 3 0 3/0/-;4/0/- - - 0 -",  # YUT-1.2
    "2 1 3 0 5/0/-;4/0/- - - 0 -",
    "2 1 3 0 2/0/r1,r1;4/0/- - - 4 -",  # two groups on one space
    "2 1 3 0 2/0/o,ob;4/0/- - - 4 -",
    "2 1 3 0 3/0/r1;3/0/r1 - - 4 -",
    "2 1 3 0 2/0/r2,r1;4/0/- - - 4 -",  # canonical order
    "2 1 3 0 3/0/r1x1;4/0/- - - 4 -",
    "2 1 3 0 3/0/r21;4/0/- - - 4 -",
    "2 1 3 0 3/0/r5*;4/0/- - - 4 -",  # the right is of the favourite variant (YUT-10.3)
    "2f 1 3 0 3/0/r15*;4/0/- - - 4 -",
    "2f 1 3 0 3/0/od;4/0/- - - 4 -",
    "2f 1 3 0 4/0/-;3/0/d1i - - 4 -",
    "2f 1 3 0 1/0/r4x3;4/0/- - - 4 -",  # YUT-10.4
    "2 1 3 0 3/0/r8;4/0/- - r8+r18 4 -",  # YUT-12.2
    "2 1 3 0 3/0/r9;4/0/- r9/r10/0 - 4 -",  # YUT-11.3
    "2 1 3 0 4/0/-;4/0/- a1/r10/0 - 4 -",  # YUT-11.2
    "2 1 3 0 4/0/-;4/0/- r8/r10/0 r8+r18 4 -",  # YUT-12.6
    "2 1 3 0 4/0/-;4/0/- r9/r8/0 - 4 -",  # YUT-11.1
    "2f 1 3 0 4/0/-;4/0/- r9/r10/0 - 4 -",
    "2 1 3 0 4/0/-;4/0/- r9/r10/0 r10+r18 4 -",  # YUT-12.1
    "2 1 3 0 4/0/-;4/0/- - r8+r8 4 -",
    "2 1 3 0 4/0/-;4/0/- - r18+r8 4 -",
    "2 1 3 0 4/0/-;4/0/- - r8 4 -",
    "2 1 hurdle 0 4/0/-;4/0/- - r8+r18 0 -",
    "2 1 hurdle 0 3/0/r4;4/0/- - r8 0 -",
    "2 1 hurdle 0 4/0/-;4/0/- - r8 3 -",
    "2 1 3 0 0/3/r2;4/0/- r5/r10/0 - 10 -",  # YUT-3.3: nothing to do
    "2 1 - 0 4/0/-;4/0/- - - 0 -",
    "2 1 3 0 0/4/-;3/0/r2 - - 40 finish:1>2",  # YUT-8.4: throws after the end
    "2 1 - 1 0/4/-;3/0/r2 - - 40 finish:1>2",
    "2 1 3 0 4/0/-;0/4/- - - 40 -",  # YUT-8.1: it would be over
    "2 1 3 0 4/0/-;3/0/r2 r10/r10/2 - 40 -",  # YUT-11.5
    "2 1 - 0 4/0/-;4/0/- r9/r10/2 - 40 wild:1=2",
    "2 1 - 0 0/3/r1;3/0/r2 - - 40 finish:1>2",
    "2 2 - 0 0/4/-;3/0/r2 - - 40 finish:1>2",  # orange finished in blue's turn
    "2 1 - 0 0/4/-;3/0/r2 - - 40 wild:1>2",
    "2 1 - 0 0/4/-;3/0/r2 - - 40 finish:2>1",  # YUT-8.3
    "2 2 - 0 4/0/-;4/0/- r10/r10/2 - 40 wild:2=1",
    "3 1 - 0 0/3/-;1/1/r3;1/1/r9 - - 50 finish:1>3",
)


@pytest.mark.parametrize("line", GOOD)
def test_a_line_is_written_as_it_is_read(line):
    assert line_of(at(line)) == line
    GAME.check(at(line))
    assert GAME.restore(GAME.dump(at(line))) == at(line)


@pytest.mark.parametrize("line", BAD)
def test_a_line_that_no_game_would_write(line):
    with pytest.raises(BadPosition):
        at(line)


def test_a_line_names_its_game():
    with pytest.raises(BadPosition):
        GAME.from_position("2 1 4,3 1 4/0/-;4/0/- - - 0 -")


def test_check_finds_what_cannot_be():
    state = at(GOOD[0])
    GAME.check(state)
    lost = state._replace(waiting=(3, state.waiting[1]))
    with pytest.raises(BrokenInvariant, match=r"YUT-1\.2"):
        GAME.check(lost)
    twice = state._replace(waiting=(2, 4), groups=((GROUPS["o"][1], GROUPS["ob"][1]), ()))
    with pytest.raises(BrokenInvariant, match="Two groups"):
        GAME.check(twice)
    with pytest.raises(BrokenInvariant, match=r"YUT-11\.1"):
        GAME.check(state._replace(wild="r4"))


NO_SEATS = (
    ((3, True, ""), 1, r"YUT-10\.5"),
    ((2, False, ""), 0, r"YUT-1\.5"),
    ((3, False, ""), 4, r"YUT-1\.5"),
)


@pytest.mark.parametrize(("terms", "seat", "rule"), NO_SEATS)
def test_a_stored_state_names_a_seat_that_there_is(terms, seat, rule):
    stored = GAME.dump(at(GOOD[0]))
    stored["terms"], stored["seat"] = dict(zip(("players", "favourite", "wild_start"), terms, strict=True)), seat
    with pytest.raises(BadPosition, match=rule):
        GAME.restore(stored)


@pytest.mark.parametrize("line", GOOD)
def test_a_state_comes_back_from_another_process(line):
    """What is one for all positions is the same one again; the worker processes hand states to and fro."""
    state = at(line)
    again = pickle.loads(pickle.dumps(state))
    assert again == state
    assert hash(again) == hash(state)
    assert again.role is state.role
    moves = list(GAME.moves(state, state.name))
    assert pickle.loads(pickle.dumps(moves)) == moves


def test_a_stored_group_that_stands_nowhere_is_refused():
    stored = GAME.dump(at(GOOD[1]))
    stored["sides"][0]["track"] = ["z9"]
    with pytest.raises(BadPosition, match=r"z9 .*YUT-1\.3"):
        GAME.restore(stored)
