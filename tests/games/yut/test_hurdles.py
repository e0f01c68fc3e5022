"""Hurdles (YUT-12)."""

import pytest

from engine import BadOption
from games.yut import GAME
from tests.games.yut.table import after, at, kinds, line_of, menu, new, play, refused, throws


def test_two_hurdles_stand_on_two_spaces():  # YUT-12.1
    assert new(hurdles="default").hurdles == ("r8", "r18")
    assert new(hurdles="o+r20").hurdles == ("r20", "o")
    assert new(hurdles="off").hurdles == ()


@pytest.mark.parametrize("named", ["r8+r8", "r8", "r8+x1", "r8+r9+r10", "r10+r18", "maybe"])
def test_hurdles_that_cannot_be_named(named):  # YUT-12.1
    with pytest.raises(BadOption):
        GAME.Options(wild=True, hurdles=named)


def test_hurdles_are_placed_by_the_last_seats_first():  # YUT-12.1
    state = new(throws(), players=3, hurdles="choose", first=2)
    assert GAME.pending(state) == ("orange",)
    assert GAME.decision(state) == "hurdle"
    state, story = GAME.resolve(state, {"orange": GAME.read(state, "orange", "hurdle c1")}, throws())
    assert [event.facts for event in story] == [{"seat": "orange", "space": "c1"}]
    assert GAME.pending(state) == ("green",)
    state, story = GAME.resolve(state, {"green": GAME.read(state, "green", "hurdle r3")}, throws(2))
    assert line_of(state) == "3 2 2 0 3/0/-;3/0/-;3/0/- - r3+c1 0 -"
    assert kinds(story) == ["hurdle_placed", "thrown"]


def test_hurdles_to_choose_from():  # YUT-12.1
    found = menu("2 1 hurdle 0 4/0/-;4/0/- r10/r10/0 r4 0 -")
    assert found[:4] == ["hurdle r1", "hurdle r2", "hurdle r3", "hurdle r5"]
    assert len(found) == 27
    assert "hurdle r10" not in found


def test_whoever_would_end_on_a_hurdle_jumps_on():  # YUT-12.2
    line, story = play("2 1 3 0 2/0/r5x2;4/0/- - r8+r18 5 -", "3 r5", then=(1,))
    assert line == "2 2 1 0 2/0/r9x2;4/0/- - r8+r18 6 -"
    assert story[0].facts["to"] == "r8"
    assert story[1].facts == {"side": "orange", "horses": 2, "hurdle": "r8", "spaces": 1, "to": "r9"}


@pytest.mark.parametrize(("own", "rival", "to"), [(0, 0, "r9"), (0, 1, "r10"), (1, 3, "r11"), (2, 1, "r9")])
def test_how_far_the_jump_goes(own, rival, to):  # YUT-12.3
    before = f"2 1 3 0 {3 - own}/{own}/r5;{4 - rival}/{rival}/- - r8+r18 5 -"
    line, story = play(before, "3 r5", then=(1,))
    assert f"/{to};" in line
    assert story[1].facts["spaces"] == int(to[1:]) - 8


def test_where_the_jump_ends_all_rules_hold():  # YUT-12.4
    assert kinds(play("2 1 3 0 3/0/r5;3/0/r9 - r8+r18 5 -", "3 r5", then=(1,))[1]) == [
        "moved",
        "jumped",
        "caught",
        "thrown",
    ]
    assert kinds(play("2 1 3 0 2/0/r5,r9;4/0/- - r8+r18 5 -", "3 r5", then=(1,))[1])[:3] == [
        "moved",
        "jumped",
        "piled",
    ]
    assert kinds(play("2 1 1 0 2/0/r19;4/0/- - r20+o 5 -".replace("2/0", "3/0"), "1 r19", then=(1,))[1])[:3] == [
        "moved",
        "jumped",
        "home",
    ]
    assert after("2 1 3 0 3/0/r5;4/0/- - r8+r9 5 -", "3 r5", then=(1,)) == "2 2 1 0 3/0/r10;4/0/- - r8+r9 6 -"


def test_a_jump_into_the_forbidden_forbids_the_move():  # YUT-12.5
    assert refused("2 1 3 0 3/0/r5;4/0/- r9/r10/0 r8+r18 5 -", "3 r5").code == "wild-horse"
    assert refused("2f 1 3 0 1/0/r5,r9x2;4/0/- - r8+r18 5 -", "3 r5").code == "pile-full"


def test_the_wild_horse_jumps_one_space():  # YUT-12.6
    line, story = play("2 1 2 0 4/0/-;3/0/r15 r19/r10/0 r17+r18 1 -", "2 new", then=(1,))
    assert at(line).wild == "r16"
    assert [(event.kind, event.facts) for event in story[1:4]] == [
        ("wild_jumped", {"hurdle": "r18"}),
        ("wild_jumped", {"hurdle": "r17"}),
        ("wild_moved", {"from": "r19", "to": "r16"}),
    ]
