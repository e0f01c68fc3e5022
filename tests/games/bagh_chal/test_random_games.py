"""Random games of every setting: they end, nothing is lost on the way, and every state goes there and back.

A longer run: `python -m tests.games.bagh_chal.test_random_games 10000` plays that many games of each setting.
"""

import random
import sys
from collections import Counter
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Dice, load
from engine.canon import canonical

GAME = load("bagh-chal")
SETTINGS = [
    {"variant": variant, "heroes": heroes, "match": match}
    for variant, heroes, match in product(("classic", "pulijudam"), (False, True), ("single", "three"))
]
GOATS = {"classic": 20, "pulijudam": 15}
TIGERS = {"classic": 4, "pulijudam": 3}


def play(setting, seed, look=None, peace=0.7):
    """One game by chance alone; captures are left aside that often, else few games would see phase II."""
    luck, dice = random.Random(seed), Dice(str(seed).encode())
    choices = {**setting, "quiet_limit": luck.choice((20, 40, 100))}
    state = GAME.setup(GAME.Options(**choices), dice.at("0")).state
    turn = 0
    while GAME.pending(state):
        turn += 1
        assert turn < 20_000, "this game does not end"
        (seat,) = GAME.pending(state)
        moves = list(GAME.moves(state, seat))
        quiet = [move for move in moves if move.kind != "capture"]
        move = luck.choice(quiet if quiet and luck.random() < peace else moves)
        turned = GAME.resolve(state, {seat: move}, dice.at(str(turn)))
        if look:
            look(state, seat, moves, move, turned)
        state = turned.state
    return state


def all_is_well(state, seat, moves, move, turned):
    assert moves
    assert len(set(moves)) == len(moves)
    after = turned.state
    GAME.check(after)
    line = GAME.position(after)
    pieces_are_all_there(line)
    assert GAME.from_position(line) == after
    assert hash(GAME.from_position(line)) == hash(after)
    kept = canonical(GAME.dump(after))
    assert GAME.restore(GAME.dump(after)) == after
    assert canonical(GAME.dump(GAME.restore(GAME.dump(after)))) == kept
    told = GAME.preview(state, seat, move)
    drawn = [at for at, event in enumerate(turned.events) if event.facts.get("how") == "drawn"]
    assert told == turned.events[: drawn[0] if drawn else None]
    assert all(event.rule.startswith("BAGH-") for event in turned.events)
    assert (GAME.outcome(after) is None) == bool(GAME.pending(after))


def pieces_are_all_there(line):
    """Counted on the line itself, not by the game's own check."""
    variant, board, _, hand, captured, heroes, *_ = line.split()
    count = Counter(board)
    entered = heroes.startswith("used")
    assert count["g"] + int(hand) + int(captured) + entered == GOATS[variant]
    assert count["T"] + count["A"] == TIGERS[variant]
    assert count["A"] == (heroes != "off")
    assert count["b"] <= entered


def every_move_reads(state, seat, moves, move, turned):
    for each in moves:
        assert GAME.read(state, seat, str(each)) == each
        assert GAME.why_never(state, seat, str(each)) is None


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_random_games_end_and_nothing_is_lost(setting):
    """G22: pieces are conserved and states go there and back at every step."""
    for seed in range(8):
        try:
            play(setting, seed, all_is_well)
        except AssertionError as fault:
            raise AssertionError(f"seed {seed}, {setting}") from fault


@settings(max_examples=20, deadline=None)
@given(setting=st.sampled_from(SETTINGS), seed=st.integers(0, 2**32), peace=st.sampled_from((0.0, 0.5, 0.9, 1.0)))
def test_games_of_any_temper_end(setting, seed, peace):
    state = play(setting, seed, all_is_well, peace)
    places = GAME.outcome(state).places
    assert sorted(seat for place in places for seat in place) == ["1", "2"]


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_every_legal_action_is_read_from_its_text(setting):  # BAGH-6.1
    for seed in range(3):
        play(setting, seed, every_move_reads)


def test_random_games_end_in_different_ways():
    """The games above would be a poor test if they all ended alike. Equal moves three times in a row are too rare."""
    heroes = [setting for setting in SETTINGS if setting["heroes"] and setting["match"] == "single"]
    reasons = {GAME.outcome(play(setting, seed, peace=0.95)).reason for setting in heroes for seed in range(150)}
    assert reasons >= {"goats_eaten", "bouc_eaten", "tigers_trapped", "quiet_limit"}


def main(number):
    for setting in SETTINGS:
        reasons = Counter(GAME.outcome(play(setting, seed, all_is_well)).reason for seed in range(number))
        sys.stdout.write(f"{setting}: {number} games, {dict(reasons)}\n")


if __name__ == "__main__":
    main(int(sys.argv[1]))
