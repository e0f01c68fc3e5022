"""The match in three games (BAGH-10)."""

import pytest

from engine import Dice
from tests.games.bagh_chal.drawing import GAME, drawn, ordered
from tests.games.bagh_chal.story import lines

# One move from a win of the tigers, and one from a win of the goats.
EATING = """T . . . T
            . g . . .
            . . . . .
            . . . . .
            T . . . T"""
CLOSING = """T g g g T
             g g . g g
             g . . . g
             g g . g g
             T g g g T"""


def tigers_win(match, **more):
    return drawn(EATING, "t", captured=4, match=match, **more), "a5xc3"


def goats_win(match, **more):
    return drawn(CLOSING, "g", match=match, **more), "place c3"


def test_one_game_decides():  # BAGH-10.1
    _, story = ordered(*tigers_win("single:1:0-0-0:t2"))
    assert story[-2:] == ["game_over tigers goats_eaten", "match_over 2 0-1-0"]


def test_game_two_has_the_roles_exchanged():  # BAGH-10.2
    state, story = ordered(*tigers_win("three:1:0-0-0:t2"))
    assert story[-3:] == ["game_over tigers goats_eaten", "roles 2 t1 swap", "game_started 2"]
    assert GAME.position(state) == "classic T3T/5/5/5/T3T g 20 0 off - three:2:0-1-0:t1 100"
    assert GAME.pending(state) == ("2",)


def test_two_games_to_one_seat_are_the_match():  # BAGH-10.3
    state, story = ordered(*goats_win("three:2:1-0-0:t2"))
    assert story[-1] == "match_over 1 2-0-0"
    outcome = GAME.outcome(state)
    assert outcome.scores == {"1": 2, "2": 0}
    assert outcome.details == {"wins": [2, 0], "draws": 0}
    assert (outcome.rule, outcome.reason) == ("BAGH-7.2", "tigers_trapped")


@pytest.mark.parametrize(("value", "tigers"), [(0, "1"), (1, "2")])
@pytest.mark.parametrize("before", ["0-1-0", "0-0-1"])
def test_else_a_third_game_with_roles_drawn(before, value, tigers):  # BAGH-10.4
    state, story = ordered(*tigers_win(f"three:2:{before}:t1"), dice=[(2, value)])
    assert story[-2:] == [f"roles 3 t{tigers} drawn", "game_started 3"]
    assert state.score.tigers == tigers


@pytest.mark.parametrize(
    ("match", "result"),
    [
        ("three:3:1-1-0:t1", "match_over 1 2-1-0"),
        ("three:3:0-1-1:t1", "match_over 0 1-1-1"),
        ("three:3:0-0-2:t2", "match_over 2 0-1-2"),
        ("three:3:1-0-1:t2", "match_over 0 1-1-1"),
    ],
)
def test_more_games_won_win_the_match(match, result):  # BAGH-10.5
    state, story = ordered(*tigers_win(match))
    assert story[-1] == result
    assert len(GAME.outcome(state).places) == (1 if " 0 " in result else 2)


def test_only_the_third_game_draws_dice():
    """BAGH-1.3, BAGH-10.4: chance draws roles and nothing else."""
    for match in ("three:1:0-0-0:t1", "three:2:1-0-0:t1", "three:3:1-1-0:t1"):
        ordered(*tigers_win(match), dice=[])


def test_a_preview_leaves_the_draw_out():  # BAGH-10.4
    state, order = tigers_win("three:2:0-1-0:t1")
    told = lines(GAME.preview(state, "1", GAME.read(state, "1", order)))
    assert told == ["captured tiger a5 b4 c3 goat 5", "game_over tigers goats_eaten"]
    state, order = tigers_win("three:1:0-0-0:t1")
    assert lines(GAME.preview(state, "1", GAME.read(state, "1", order)))[-1] == "game_started 2"
    assert GAME.preview(state, "2", GAME.read(state, "1", order)) == (), "it is not the other seat's turn"


def test_the_next_game_has_the_same_options():  # BAGH-10.1, BAGH-10.2
    before = GAME.from_position("pulijudam T/1gTA2/6/6/4 t 10 4 wait@d4 - three:1:0-0-0:t1 60")
    after, _ = ordered(before, "t5xb3")
    assert after.terms == before.terms
    assert after == GAME.setup(
        GAME.Options(variant="pulijudam", heroes=True, alpha="d4", match="three", quiet_limit=60, tigers="2"), Dice()
    ).state._replace(score=after.score)
