"""The game against a second program written from the rules alone: the same actions, the same positions."""

import os
import random

import pytest

from engine import Dice
from games.hasami_shogi import GAME, legal
from tests.faults import figures
from tests.games.hasami_shogi.second import Table, count
from tests.games.hasami_shogi.test_random_games import SETTINGS, chosen
from tests.games.hasami_shogi.test_vectors import VECTORS
from tests.games.vectors import sequences

NUMBER = 20
LONG = "PBEM_LONG" in os.environ
COUNTED, DEPTH = (10, 3) if LONG else (5, 2)  # positions of each setting; a third move takes seventy times as long


def positions(setting, number, seed):
    """That many positions out of random games, spread over their length; some games stay in their camps."""
    luck = random.Random(f"{seed} {setting}")
    found = []
    while len(found) < number:
        limit = luck.choice((20, 100))  # a low limit now and then, so that games also end by it
        state = GAME.setup(GAME.Options(**setting, quiet_limit=limit), Dice(seed.encode())).state
        greed, game = luck.choice((0.0, 0.5)), []
        while GAME.pending(state):
            game.append(state)
            (seat,) = GAME.pending(state)
            move = chosen(state, list(GAME.moves(state, seat)), luck, greed)
            state = GAME.resolve(state, {seat: move}, Dice()).state
        found += [game[-1], *luck.sample(game, min(4, len(game)))]
    return found[:number]


def same_below(state, depth):
    """Both programs list the same actions in the same order, and each leads to the same position line."""
    table = Table(GAME.position(state))
    (seat,) = GAME.pending(state) or ("",)
    moves = list(GAME.moves(state, seat)) if seat else []
    assert [str(move) for move in moves] == table.actions(), GAME.position(state)
    compared = 1
    for move in moves:
        after = GAME.resolve(state, {seat: move}, Dice.script([])).state
        assert GAME.position(after) == table.after(str(move)).line(), f"{GAME.position(state)} then {move}"
        if depth > 1:
            compared += same_below(after, depth - 1)
    return compared


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_same_actions_and_same_positions(setting):
    """HASAMI-6.4, HASAMI-10.1: positions of each setting, and all that follow by one move."""
    compared = sum(same_below(state, 1) for state in positions(setting, NUMBER, "second program"))
    figures.counted(compared, "positions with the same actions in both programs")


@pytest.mark.timeout(0 if LONG else 300)
@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_same_counts(setting):
    """Counted positions of every setting: to depth 2, in the long form to depth 3."""
    for state in positions(setting, COUNTED, "counts"):
        line = GAME.position(state)
        assert sequences(GAME, state, DEPTH) == count(Table(line), DEPTH), line
        figures.counted(1, f"of Hasami Shogi counted to depth {DEPTH}, equal")


@pytest.mark.parametrize("line", sorted({vector["expect"] for vector in VECTORS if "expect" in vector}))
def test_same_from_the_vectors(line):
    same_below(GAME.from_position(line), 1)


@pytest.mark.parametrize("seed", range(4))
def test_the_same_game_of_few_pieces_that_go_to_and_fro(seed):
    """HASAMI-7.4, HASAMI-7.5: four moves are repeated at random, so that positions come back in many ways."""
    luck = random.Random(seed)
    state = GAME.from_position("base 4ppppp/9/9/9/9/9/9/9/PPPPP4 g - g1 40")
    while GAME.pending(state):
        table = Table(GAME.position(state))
        (seat,) = GAME.pending(state)
        near = [str(m) for m in GAME.moves(state, seat) if str(m) in FRO]
        order = luck.choice(near)
        state = GAME.resolve(state, {seat: GAME.read(state, seat, order)}, Dice()).state
        assert GAME.position(state) == table.after(order).line()
    assert GAME.outcome(state).reason == "third_repetition"


FRO = {"a1-a2", "a2-a1", "b1-b2", "b2-b1", "i9-i8", "i8-i9", "h9-h8", "h8-h9"}


def test_the_positions_compared_reach_everything():
    """Games near their end, long memories, Shoguns and both sides to move occur among them."""
    lines = [GAME.position(state) for setting in SETTINGS for state in positions(setting, NUMBER, "second program")]
    fields = [line.split() for line in lines]
    assert {field[2] for field in fields} == {"g", "r"}
    assert max(field[3].count(",") for field in fields) > 15
    assert any("s" in field[1] and "S" in field[1] for field in fields)
    assert any(sum(letter in "PSps" for letter in field[1]) < 18 for field in fields)


@pytest.mark.parametrize("seed", range(6))
def test_the_same_game_with_forced_passes(seed):
    """HASAMI-7.6: red is walled in; where it gets out again, and where not, both programs say the same."""
    luck = random.Random(seed)
    state = GAME.from_position("base 9/9/ppPP2PPp/ppPP4P/PP2P4/PP3P3/9/9/9 g - g1 30")
    passes = 0
    while GAME.pending(state):
        table = Table(GAME.position(state))
        (seat,) = GAME.pending(state)
        moves = [str(move) for move in GAME.moves(state, seat)]
        order = "e5-i5" if "e5-i5" in moves else luck.choice([m for m in moves if m[:2] in FREE] or moves)
        state, events = GAME.resolve(state, {seat: GAME.read(state, seat, order)}, Dice())
        passes += sum(event.kind == "blocked" for event in events)
        assert GAME.position(state) == table.after(order).line()
        assert GAME.from_position(GAME.position(state)) == state
    assert passes >= 2


FREE = {file + row for file in "defgh" for row in "34"}


def test_g21_weakened_a_changed_rule_is_found(monkeypatch):
    """Seen red: a build in which a shogun moves like a samurai."""
    real = legal.moves_of
    monkeypatch.setattr(legal, "moves_of", lambda variant, own, occupied, shoguns: real(variant, own, occupied, 0))
    with pytest.raises(AssertionError):
        list(map(test_same_actions_and_same_positions, SETTINGS))
