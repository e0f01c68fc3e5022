"""The wild horse (YUT-11); the match of two games is in test_match."""

import pytest

from games.yut import GAME
from tests.games.yut.table import after, at, kinds, menu, new, play, refused


@pytest.mark.parametrize(
    ("choices", "start"),
    [({}, "r10"), ({"favourite": True}, "r5"), ({"favourite": True, "game": 2}, "r15"), ({"players": 3}, "r10")],
)
def test_its_start(choices, start):  # YUT-11.1
    assert new(wild=True, **choices).wild == start


def test_it_goes_clockwise_round_the_rim_at_the_end_of_every_turn():  # YUT-11.2
    line, seen = "2 1 1 0 3/0/r6;3/0/r13 r3/r10/0 - 7 -", []
    for _ in range(5):
        state = at(line)
        line = after(line, f"1 {state.sides[state.side].groups[0].space}", then=(1,))
        seen.append(at(line).wild)
    assert seen == ["r2", "r1", "r20", "r19", "r18"]


def test_it_does_not_move_while_a_turn_goes_on():  # YUT-11.2
    assert "r3/r10/0" in after("2 1 2,1 1 4/0/-;4/0/- r3/r10/0 - 7 -", "2 new")


def test_no_move_ends_on_its_space():  # YUT-11.3
    before = "2 1 2 0 3/0/r5;4/0/- r7/r10/0 - 3 -"
    assert refused(before, "2 r5").code == "wild-horse"
    assert menu(before) == ["2 new", "2 r5 short"]
    assert "r8" in after(before.replace(" 2 0 ", " 3 0 "), "3 r5", then=(1,))  # passing is free


def test_horses_of_any_side_wait_again_and_nobody_throws_for_it():  # YUT-11.4
    line, story = play("2 1 1 0 3/0/r2;2/0/r6x2 r7/r10/0 - 3 -", "1 r2", then=(2,))
    assert line == "2 2 2 0 3/0/r3;4/0/- r6/r10/0 - 4 -"
    assert kinds(story) == ["moved", "wild_moved", "wild_struck", "thrown"]
    assert story[2].facts == {"side": "blue", "space": "r6", "horses": 2}
    assert [event.facts["why"] for event in story if event.kind == "thrown"] == ["turn"]


def test_the_second_landing_on_its_start_ends_the_game():  # YUT-11.5
    first = play("2 1 1 0 4/0/-;4/0/- r11/r10/0 - 19 -", "1 new", then=(1,))
    assert kinds(first[1])[-2:] == ["wild_circle", "thrown"]
    line, story = play("2 1 1 0 4/0/-;4/0/- r11/r10/1 - 39 -", "1 new")
    assert line == "2 1 - 0 3/0/r1;4/0/- r10/r10/2 - 40 wild:1>2"
    assert kinds(story) == ["entered", "wild_moved", "wild_circle", "ended"]


def test_the_first_alone_wins_and_several_share():  # YUT-11.6
    assert GAME.outcome(at("2 2 - 0 2/1/r3;3/0/r1 r10/r10/2 - 40 wild:1>2")).places == (("orange",), ("blue",))
    shared = at("2f 2 - 0 3/0/r4;3/0/r14 r5/r5/2 - 40 wild:1=2")
    assert GAME.outcome(shared).places == (("orange", "blue"),)
    assert GAME.outcome(shared).rule == "YUT-11.6"
