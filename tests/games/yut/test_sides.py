"""Sides, seats, horses and the turn order (YUT-1, YUT-9)."""

import pytest

from games.yut import GAME
from games.yut.state import SIDE_OF, SIDES
from tests.games.yut.table import after, at, new, throws


def test_sides_are_players_or_teams_of_two():  # YUT-1.1
    assert SIDES[2] == SIDES[4] == ("orange", "blue")
    assert SIDES[3] == ("orange", "blue", "green")


@pytest.mark.parametrize(
    ("players", "seats"),
    [
        (2, ("orange", "blue")),
        (3, ("orange", "blue", "green")),
        (4, ("orange-1", "blue-1", "orange-2", "blue-2")),
    ],
)
def test_seats(players, seats):
    assert GAME.seats(GAME.Options(players=players)) == seats


@pytest.mark.parametrize(("players", "horses"), [(2, 4), (3, 3), (4, 4)])
def test_all_horses_wait_at_the_start(players, horses):  # YUT-1.2, YUT-1.4, YUT-9.1
    for side in new(players=players).sides:
        assert (side.waiting, side.stable, side.groups) == (horses, 0, ())


def test_a_horse_waits_is_on_the_track_or_in_the_stable():  # YUT-1.3
    side = at("2 1 3 0 1/1/r4,r9;4/0/- - - 4 -").sides[0]
    assert (side.waiting, side.stable, side.on_track, side.horses) == (1, 1, 2, 4)


def test_seats_take_turns_in_order_beginning_with_first():  # YUT-1.5
    state = new(throws(2), players=4, first=3)
    seats = []
    for value in (1, 3, 1, 1, 1):
        seats.extend(GAME.pending(state))
        (seat,) = GAME.pending(state)
        state = GAME.resolve(state, {seat: next(GAME.moves(state, seat))}, throws(value)).state
    assert seats == ["orange-2", "blue-2", "orange-1", "blue-1", "orange-2"]


def test_partners_move_the_same_horses():  # YUT-9.2
    assert SIDE_OF[4][1:] == (0, 1, 0, 1)
    line = after("4 1 3 0 4/0/-;4/0/- - - 0 -", "3 new", "2 new", "1 r3", then=(2, 1, 1))
    assert line == "4 4 1 0 3/0/r4;3/0/r2 - - 3 -"


def test_partners_win_together():  # YUT-9.2
    state = at("4 3 - 0 0/4/-;1/1/r2,r3 - - 40 finish:1>2")
    outcome = GAME.outcome(state)
    assert outcome.places == (("orange-1", "orange-2"), ("blue-1", "blue-2"))
    assert dict(outcome.scores) == {"orange-1": 4, "blue-1": 1, "orange-2": 4, "blue-2": 1}


def test_every_other_side_is_a_rival():  # YUT-9.1
    before = "3 1 2 0 2/0/r4;3/0/-;2/0/r6 - - 6 -"
    assert after(before, "2 r4", then=(1,)) == "3 1 1 1 2/0/r6;3/0/-;3/0/- - - 6 -"
