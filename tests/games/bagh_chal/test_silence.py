"""The default action at a missed deadline (BAGH-6.6)."""

import pytest

from engine import Dice
from engine.advance import advance
from engine.queue import NO_ORDERS
from tests.games.bagh_chal.drawing import GAME, drawn

S = "single:1:0-0-0:t1 100"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        # goats: where the tigers could capture least; c5 is the first point next to no tiger with a free point behind
        (f"classic T3T/5/5/5/T3T g 20 0 off - {S}", "place c5"),
        # goats: closing the trap is better than no danger at all, which c4, listed before it, would be
        (f"classic TgggT/gg1gg/g1g1g/gg1gg/Tgg1T g 4 0 off - {S}", "place d1"),
        # goats: never the Bouc while there is anything else
        (f"classic T3T/1g3/5/5/A3T g 17 2 wait@a1 - {S}", "place c3"),
        # goats: a Bouc in danger weighs ten goats, so c3 behind it is filled, not c5 behind the goat on b5
        (f"classic Tg2T/1b3/5/5/A3T g 16 2 used@a1 - {S}", "place c3"),
        # tigers: the Bouc before a goat, for it wins at once
        (f"classic Tg2T/3b1/5/5/A3T t 16 2 used@a1 - {S}", "e5xc3"),
        # tigers: the Bouc at the rim, though taking the goat would leave them freer
        (f"classic Tb2T/3g1/5/5/A3T t 16 2 used@a1 - {S}", "a5xc5"),
        # tigers: the fifth goat wins as well as the Bouc does, so the freer of the two
        (f"classic Tb2T/3g1/5/5/A3T t 14 4 used@a1 - {S}", "e5xc3"),
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


@pytest.mark.parametrize(
    ("line", "moves"),
    [
        # the goats pass by themselves, and the tigers have a new turn
        (f"classic ggggT/ggggg/ggggg/T1ggg/TTggg t 0 0 off - {S}", ["a1-b2"]),
        # the tigers win game 1, and their seat has the goats of game 2
        ("classic Tg2T/5/5/5/T3T t 15 4 off - three:1:0-0-0:t1 100", ["a5xc5"]),
        # the extra move belongs to the same turn
        (f"classic T3T/5/2g2/5/A3T t 19 0 wait@a1 - {S}", ["a5-b4", "stay"]),
    ],
)
def test_silence_speaks_for_one_turn(line, moves):  # BAGH-6.6, BAGH-5.6, BAGH-10.2, BAGH-9.2
    orders = dict.fromkeys("12", NO_ORDERS)
    went = advance(GAME, GAME.from_position(line), orders, Dice(b"seed").at, turn=1, late=["1"])
    assert [str(made.move) for step in went.steps for made in step.moves.values()] == moves
    assert went.asked == GAME.pending(went.state)
