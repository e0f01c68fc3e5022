"""What programs that play think of a position: the right side is ahead, and looking one step ahead beats luck."""

import random

import pytest

from engine import Dice
from engine.players.greedy import greedy
from games.hasami_shogi import GAME


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        # a piece more
        ("base 4ppppp/9/9/9/9/9/9/9/PPPPPP3 g - g1 100", "base 4ppppp/9/9/9/9/9/9/9/PPPPP4 g - g1 100"),
        # four in a row that the enemy cannot stop at once, against four apart
        ("base 4ppppp/9/9/9/9/PPPP5/9/9/PPPP5 r - g1 100", "base 4ppppp/9/9/P8/2P6/4P4/6P2/9/PPPP5 r - g1 100"),
        # the same board, with the capture on one's own side
        ("base 4ppppp/9/9/9/1Pp6/9/9/3P5/PPPPP4 g - g1 100", "base 4ppppp/9/9/9/1Pp6/9/9/3P5/PPPPP4 r - g1 100"),
        # at war
        ("war 7pp/9/9/9/9/9/9/9/PPPPP4 g - g1 100", "war 4ppppp/9/9/9/9/9/9/9/PPPPP4 g - g1 100"),
    ],
)
def test_the_better_position_is_worth_more(better, worse):
    good, bad = (GAME.appraise(GAME.from_position(line), "1") for line in (better, worse))
    assert good > bad
    for line in (better, worse):
        state = GAME.from_position(line)
        assert GAME.appraise(state, "1") == -GAME.appraise(state, "2")


@pytest.mark.parametrize("variant", ["base", "war"])
def test_one_step_ahead_beats_luck(variant):
    """Six games, three with each colour."""
    won = 0
    for number in range(6):
        luck, dice = random.Random(number), Dice(bytes([number]))
        sharp = "12"[number % 2]
        state = GAME.setup(GAME.Options(variant=variant, green="1", quiet_limit=60), dice).state
        while pending := GAME.pending(state):
            (seat,) = pending
            menu = list(GAME.moves(state, seat))
            move = greedy(GAME, state, seat, dice.at(str(len(state.trail)))) if seat == sharp else luck.choice(menu)
            state = GAME.resolve(state, {seat: move}, dice).state
        won += GAME.outcome(state).places[0] == (sharp,)
    assert won >= 5
