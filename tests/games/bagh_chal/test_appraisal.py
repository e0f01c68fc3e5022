"""What programs that play think of a position: goats taken and in danger, tigers shut in, games won before."""

import pytest

from tests.games.bagh_chal.drawing import GAME

S = "single:1:0-0-0:t1 100"


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        # a goat taken
        (f"classic T3T/5/5/5/T3T g 19 1 off - {S}", f"classic T3T/5/5/5/T3T g 20 0 off - {S}"),
        # a goat in danger, and more so when the tigers are to act
        (f"classic T3T/1g3/5/5/T3T g 19 0 off - {S}", f"classic T3T/2g2/5/5/T3T g 19 0 off - {S}"),
        (f"classic T3T/1g3/5/5/T3T t 19 0 off - {S}", f"classic T3T/1g3/5/5/T3T g 19 0 off - {S}"),
        # a tiger that is not shut in
        (f"classic T3T/5/g1g2/gg3/T1g1T g 15 0 off - {S}", f"classic T3T/5/g1g2/gg3/Tgg1T g 14 0 off - {S}"),
        # a game of the match won before
        ("classic T3T/5/5/5/T3T g 20 0 off - three:2:1-0-0:t1 100", f"classic T3T/5/5/5/T3T g 16 4 off - {S}"),
    ],
)
def test_the_better_position_is_worth_more(better, worse):
    good, bad = (GAME.from_position(line) for line in (better, worse))
    assert GAME.appraise(good, "1") > GAME.appraise(bad, "1")
    for state in (good, bad):
        assert GAME.appraise(state, "1") == -GAME.appraise(state, "2")


def test_goats_are_the_other_side_of_it():
    line = "classic T3T/1g3/5/5/T3T t 19 0 off - single:1:0-0-0:t{} 100"
    ones, twos = (GAME.from_position(line.format(seat)) for seat in (1, 2))
    assert GAME.appraise(ones, "1") == GAME.appraise(twos, "2") > 0
