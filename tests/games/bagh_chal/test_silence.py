"""The default action at a missed deadline (BAGH-6.6)."""

import random

import pytest

from engine import Dice
from tests.games.bagh_chal.drawing import GAME, drawn

S = "single:1:0-0-0:t1 100"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        # goats: where the tigers could capture least; c5 is the first point next to no tiger with a free point behind
        (f"classic T3T/5/5/5/T3T g 20 0 off - {S}", "place c5"),
        # goats: closing the trap is better than no danger at all
        (f"classic TgggT/gg1gg/g3g/gg1gg/TgggT g 4 0 off - {S}", "place c3"),
        # goats: never the Bouc while there is anything else
        (f"classic T3T/1g3/5/5/A3T g 17 2 wait@a1 - {S}", "place c3"),
        # goats: a Bouc in danger weighs ten goats, so its way out is blocked first
        (f"classic T3T/1b3/5/5/A3T g 17 2 used@a1 - {S}", "place c3"),
        # tigers: the Bouc before a goat, for it wins at once
        (f"classic Tg2T/3b1/5/5/A3T t 16 2 used@a1 - {S}", "e5xc3"),
        # tigers: the fifth goat
        (f"classic T3T/1g3/5/5/T3T t 15 4 off - {S}", "a5xc3"),
        # tigers: nothing to take, so the most freedom
        (f"classic T3T/5/2g2/5/T3T t 19 0 off - {S}", "a5-b4"),
        # extra move: a capture, else the Alpha stays
        (f"classic A4/g3T/5/5/T3T a 19 0 wait@a5 - {S}", "a5xa3"),
        (f"classic A4/4T/2g2/5/T3T a 19 0 wait@a5 - {S}", "stay"),
    ],
)
def test_default(line, expected):  # BAGH-6.6
    state = GAME.from_position(line)
    (seat,) = GAME.pending(state)
    assert str(GAME.default(state, seat)) == expected


def test_of_two_captures_the_freer_one():  # BAGH-6.6
    """a5xa3 is listed first and ends on a point with five lines; e5xc3 ends in the middle, where eight lines meet."""
    state = drawn(
        """T . . . T
           g . . g .
           . . . . .
           . . . . .
           T . . . T""",
        "t",
    )
    assert [str(move) for move in GAME.moves(state, "1") if move.kind == "capture"] == ["a5xa3", "e5xc3"]
    assert str(GAME.default(state, "1")) == "e5xc3"


def test_of_equal_actions_the_first_listed():  # BAGH-6.6
    state = drawn(
        """T . . . T
           . g . g .
           . . . . .
           . . . . .
           T . . . T""",
        "t",
    )
    assert [str(move) for move in GAME.moves(state, "1") if move.kind == "capture"] == ["a5xc3", "e5xc3"]
    assert str(GAME.default(state, "1")) == "a5xc3"


@pytest.mark.parametrize("variant", ["classic", "pulijudam"])
@pytest.mark.parametrize("heroes", [False, True])
def test_a_match_of_two_silent_seats_ends(variant, heroes):
    """Defaults are legal moves, and a game played by nobody comes to an end."""
    state = GAME.setup(GAME.Options(variant=variant, heroes=heroes, tigers="1"), Dice()).state
    for _ in range(3000):
        if not GAME.pending(state):
            break
        (seat,) = GAME.pending(state)
        move = GAME.default(state, seat)
        assert move in list(GAME.moves(state, seat))
        state = GAME.resolve(state, {seat: move}, Dice()).state
    assert GAME.outcome(state) is not None


def test_the_goats_choose_the_least_danger():  # BAGH-6.6
    """Against the rule said plainly: play the action, count the captures the tigers then have."""
    luck = random.Random(5)
    state = GAME.setup(GAME.Options(heroes=True, tigers="1"), Dice()).state
    looked = 0
    while GAME.pending(state) and looked < 60:
        (seat,) = GAME.pending(state)
        if state.turn == "g":
            looked += 1
            assert danger(state, GAME.default(state, seat)) == min(
                danger(state, move) for move in GAME.moves(state, seat) if move.kind != "enter"
            )
        state = GAME.resolve(state, {seat: luck.choice(list(GAME.moves(state, seat)))}, Dice()).state
    assert looked > 10


def danger(state, move):
    after = GAME.resolve(state, {GAME.pending(state)[0]: move}, Dice()).state
    outcome = GAME.outcome(after)
    if outcome:
        return -1 if outcome.reason == "tigers_trapped" else 0
    facts = GAME.view(after, None).facts
    return sum(10 if facts["pieces"][threat["over"]] == "bouc" else 1 for threat in facts["threats"])
