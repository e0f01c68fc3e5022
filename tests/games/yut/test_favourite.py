"""The favourite variant (YUT-10)."""

import pytest

from engine import BadOption
from games.yut import GAME
from games.yut.board import BASE, FAVOURITE
from tests.games.yut.table import after, menu, refused


def test_the_second_side_has_its_post_opposite():  # YUT-10.1
    assert [runner.post for runner in FAVOURITE] == ["r20", "r10"]
    assert BASE.post == "r20"


@pytest.mark.parametrize(("throw", "space"), [(1, "r11"), (2, "r12"), (3, "r13"), (4, "r14")])
def test_the_second_side_enters_behind_its_post(throw, space):  # YUT-10.2
    line = after(f"2f 2 {throw} 0 4/0/-;4/0/- - - 1 -", f"{throw} new", then=(1,))
    assert line == f"2f 1 1 0 4/0/-;3/0/{space} - - 2 -"


def test_only_an_entering_five_gives_the_right_to_the_first_shortcut():  # YUT-10.3
    assert after("2f 1 5 1 4/0/-;4/0/- - - 0 -", "5 new", then=(1,)) == "2f 2 1 0 3/0/r5*;4/0/- - - 1 -"
    assert after("2f 1 4,1 1 4/0/-;4/0/- - - 0 -", "4 new", "1 r4", then=(1,)).split()[4] == "3/0/r5;4/0/-"
    assert after("2f 1 5 1 3/0/r20;4/0/- - - 0 -", "5 new", then=(1,)).split()[4] == "2/0/r5*,r20;4/0/-"


def test_the_right_stays_while_they_stand_there():  # YUT-10.3
    assert menu("2f 1 2 0 2/0/r1,r5*;4/0/- - - 9 -") == ["2 new", "2 r1", "2 r5", "2 r5 short"]
    assert menu("2f 2 2 0 4/0/-;3/0/r15* - - 9 -") == ["2 new", "2 r15", "2 r15 short"]
    assert menu("2f 2 2 0 4/0/-;3/0/r15 - - 9 -") == ["2 new", "2 r15"]


def test_other_shortcuts_need_no_right():  # YUT-10.3
    assert menu("2f 2 1 0 4/0/-;0/2/r5,r20 - - 9 -") == ["1 r5", "1 r5 short", "1 r20", "1 r20 short"]


def test_at_most_two_horses_in_a_pile():  # YUT-10.4
    assert refused("2f 1 2 0 2/0/r2,r4;4/0/- - - 6 -".replace("r2,r4", "r4x2"), "2 r1").code == "no-horse"
    before = "2f 1 2 0 0/0/r2x2,r4x2;4/0/- - - 6 -"
    assert refused(before, "2 r2").code == "pile-full"
    assert menu(before) == ["2 r4"]
    assert menu(before.replace("r4x2", "r9x2")) == ["2 r2", "2 r9"]


def test_many_may_come_home_together():  # YUT-10.4, YUT-7.2
    assert menu("2f 1 5 1 0/2/r19x2;4/0/- - - 6 -") == ["5 r19"]


def test_it_is_for_two_players_or_two_teams():  # YUT-10.5
    for players in (2, 4):
        assert GAME.Options(players=players, favourite=True).favourite
    with pytest.raises(BadOption, match=r"YUT-10\.5"):
        GAME.Options(players=3, favourite=True)
