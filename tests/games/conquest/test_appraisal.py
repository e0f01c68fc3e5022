"""What programs that play think of a position: points, the way to more of them, and pieces that lie under the nail."""

import pytest

from games.conquest import GAME
from tests.games.conquest.builders import PARKED, line

ALLIED = "alliance4:exchange:all:12"


def at(units="", parked=PARKED, **fields):
    return GAME.from_position(line(units, parked, **fields))


def stands(units, seat="s", **fields):
    return GAME.appraise(at(units, **fields), seat)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("sg3=Se", ""),  # a piece more
        ("wc6=Ss", "sc6=Ss"),  # in another's capital
        ("sc7=Sk", "sg3=Sk"),  # on the way
    ],
)
def test_what_is_better(better, worse):
    assert stands(better) > stands(worse)
    assert stands(better, "w") < stands(worse, "w")


def test_in_a_free_game_a_blow_to_the_strongest_counts_most():
    even = stands("")
    strong = stands("wg3=We wg4=We")
    weak = stands("wg3=We ng3=Ne")
    assert strong < weak < even


def test_allies_stand_together():
    """CONQ-14: what one has helps both."""
    state = at("ng3=Ne", opts=ALLIED)
    assert GAME.appraise(state, "s") == GAME.appraise(state, "n") > 0
    assert GAME.appraise(state, "w") == GAME.appraise(state, "e") == -GAME.appraise(state, "s")


def test_a_ship_has_no_way_to_go():
    assert stands("sp1=Sv") == stands("sp4=Sv")
