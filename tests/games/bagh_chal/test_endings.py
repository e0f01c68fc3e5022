"""How a game ends, in which order the tests are made, and the outcome that is told (BAGH-7)."""

import random

import pytest

from engine import Dice
from games.bagh_chal.ending import repeats
from tests.games.bagh_chal.drawing import FENCED, GAME, GOING_ROUND, LAP, OPEN, drawn, ordered

ONCE = tuple(LAP.split(","))

CLOSING = """T g g g T
             g g . g g
             g . . . g
             g g . g g
             T g g g T"""


def test_five_goats_captured():  # BAGH-7.1, BAGH-1.2
    state, story = ordered(
        drawn(
            """T . . . T
               . g . . .
               . . . . .
               . . . . .
               T . . . T""",
            "t",
            captured=4,
        ),
        "a5xc3",
    )
    assert story[-2:] == ["game_over tigers goats_eaten", "match_over 1 1-0-0"]
    outcome = GAME.outcome(state)
    assert (outcome.places, outcome.scores) == ((("1",), ("2",)), {"1": 1, "2": 0})
    assert (outcome.rule, outcome.reason) == ("BAGH-7.1", "goats_eaten")


def test_all_tigers_trapped():  # BAGH-7.2, BAGH-1.2
    state, story = ordered(drawn(CLOSING, "g"), "place c3")
    assert story[1:] == ["game_over goats tigers_trapped", "match_over 2 0-1-0"]
    outcome = GAME.outcome(state)
    assert (outcome.places, outcome.scores) == ((("2",), ("1",)), {"1": 0, "2": 1})
    assert (outcome.rule, outcome.reason) == ("BAGH-7.2", "tigers_trapped")


def test_a_way_back_that_is_closed_does_not_trap():  # BAGH-7.2, BAGH-5.4
    state = drawn(
        """T g g g T
           g g . g g
           g . g . g
           T g g g g
           . g . g T""",
        "g",
        captured=4,
        memory="a1-a2",
    )
    state, story = ordered(state, "b1-c1")
    assert story == ["walked goat b1 c1"]


@pytest.mark.parametrize(
    ("memory", "drawn_game"),
    [
        (ONCE * 3, True),
        ((ONCE * 3)[1:], False),
        (("a1-a2", "b3-b4") * 3, True),
        (("a1-a2", "b3-b4") * 2, False),
        (("a1-a2",) * 3, False),  # L is even, so three equal entries are no three blocks
        (("x",) + ONCE * 3, True),  # whatever went before
        (ONCE * 3 + ("x",), False),  # only the end counts
        ((ONCE[:-1] + ("x",)) + ONCE * 2, False),
        (("a1-a2", ".") * 3, True),  # a forced pass is an entry like any other
    ],
)
def test_three_times_the_same_moves(memory, drawn_game):  # BAGH-7.3
    assert repeats(memory) is drawn_game


def test_the_quiet_limit_draws():  # BAGH-7.4
    """Quiet turns only, 20 of them, without three equal blocks: drawn with the 20th and not before."""
    state = drawn(OPEN, "g", captured=4, limit=20)
    luck = random.Random(7)
    while GAME.pending(state):
        assert len(state.memory) < 20
        (seat,) = GAME.pending(state)
        quiet = [move for move in GAME.moves(state, seat) if move.kind != "capture"]
        state = GAME.resolve(state, {seat: luck.choice(quiet)}, Dice.script([])).state
    outcome = GAME.outcome(state)
    assert (outcome.rule, outcome.reason) == ("BAGH-7.4", "quiet_limit")
    assert len(state.memory) == 20
    assert outcome.places == (("1", "2"),)
    assert outcome.scores == {"1": 0, "2": 0}


def test_a_forced_pass_alone_can_reach_the_limit():  # BAGH-7.5, BAGH-7.4
    """After a forced pass the two tests of the memory are made again, and only they."""
    state, story = ordered(drawn(FENCED, "t", memory=GOING_ROUND, limit=20), "a1-b2")
    assert story[1:] == ["goats_blocked", "game_over none quiet_limit", "match_over 0 0-0-1"]
    assert GAME.outcome(state).rule == "BAGH-7.4"


def test_the_first_test_that_applies_ends_the_game():  # BAGH-7.5
    """The fifth goat is captured with the memory about to be full: the capture counts, not the limit."""
    state = drawn(OPEN, "t", captured=4, limit=20)
    _, story = ordered(state, "a5xc5")
    assert story == ["captured tiger a5 b5 c5 goat 5", "game_over tigers goats_eaten", "match_over 1 1-0-0"]


def test_nothing_else_ends_a_game():  # BAGH-7.6
    state = drawn(OPEN, "g", captured=4)
    assert GAME.resignation(state, "2") is None
    assert GAME.outcome(state) is None
    for word in ("resign", "draw", "give up"):
        assert GAME.read(state, "2", word).code == "unreadable"
