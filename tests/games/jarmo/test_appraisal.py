"""What players that are programs make of a position, and what is done for a seat without asking it."""

import pytest

from engine import Dice
from engine.players import PLAYERS
from games.jarmo import GAME
from games.jarmo.moves import PASS
from tests.games.jarmo.table import NO_LUCK, START, at, seat


def appraised(position, who="green"):
    return GAME.appraise(at(position), who)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        # Base: a piece more, a piece further on, a piece that is not in danger, a guard that can bring somebody back.
        ("base aaaa1/5/2A2/5/1AAAA g 0.0 1.0 - 8 - -", "base aaaaa/5/2A2/5/1AAAA g 0.0 0.0 - 8 - -"),
        ("base aaaaa/5/4A/5/1AAAA g 0.0 0.0 - 8 - -", "base aaaaa/5/5/2A2/1AAAA g 0.0 0.0 - 8 - -"),
        ("base aaaa1/2a2/4A/5/1AAAA b 0.0 0.0 - 8 - -", "base aaaa1/4a/2A2/5/1AAAA b 0.0 0.0 - 8 - -"),
        ("base aaaaa/5/2G2/5/1AA2 g 2.0 0.0 - 8 - -", "base aaaaa/5/2A2/5/1AA2 g 2.0 0.0 - 8 - -"),
        # The variants: fewer moves to go, nobody in hand, the last piece not in danger.
        ("jasyr aaaaa/4A/5/5/1AAAA g 0.0 0.0 - 8 - -", "jasyr aaaaa/5/5/2A2/1AAAA g 0.0 0.0 - 8 - -"),
        ("legendary 1A1aa/5/2A2/5/aa3 b 0.0 0.0 - 8 - -", "legendary 1A1aa/5/2A2/5/aa3 b 0.1 0.0 - 8 - -"),
        ("jasyr 1A3/5/2A2/5/aa3 g 0.0 0.0 - 8 - -", "jasyr 1A3/4a/2A2/5/aa3 b 0.0 0.0 - 8 - -"),
    ],
)
def test_better_positions_are_worth_more(better, worse):
    assert appraised(better) > appraised(worse)


def test_what_is_good_for_one_is_bad_for_the_other():
    assert appraised(START) == appraised(START, "blue") == 0
    assert (
        appraised("base aaaa1/5/2A2/5/1AAAA g 0.0 1.0 - 8 - -")
        > 0
        > appraised("base aaaa1/5/2A2/5/1AAAA g 0.0 1.0 - 8 - -", "blue")
    )


@pytest.mark.parametrize("choices", [{}, {"variant": "legendary"}, {"variant": "jasyr"}], ids=str)
def test_greedy_beats_random(choices):
    won = 0
    for number in range(16):
        sides = {"green": "greedy", "blue": "random"} if number % 2 else {"green": "random", "blue": "greedy"}
        state, turn = GAME.setup(GAME.Options(**choices), NO_LUCK).state, 0
        while GAME.pending(state):
            turn += 1
            dice = Dice(b"duel", str(number)).at(str(turn))
            move = PLAYERS[sides[seat(state)]](GAME, state, seat(state), dice)
            state = GAME.resolve(state, {seat(state): move}, NO_LUCK).state
        first = GAME.outcome(state).places[0]
        won += len(first) == 1 and sides[first[0]] == "greedy"
    assert won >= 10


def test_a_lone_pass_is_taken_without_asking():  # JARMO-2.4
    shut = at("jasyr AA2A/5/A4/a1a2/2a2 g 0.0 0.0 - 28 - -")
    assert GAME.answer(shut, "green", {}) is PASS
    assert GAME.answer(shut, "blue", {}) is None
    assert GAME.answer(at(START), "green", {}) is None
    assert GAME.answer(at("base 2A2/5/3G1/5/5 b 3.0 5.0 - 61 - capture:g"), "blue", {}) is None
