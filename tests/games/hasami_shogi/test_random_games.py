"""Random games of every setting: they end, nothing is lost on the way, and every state goes there and back.

A longer run: `python -m tests.games.hasami_shogi.test_random_games 10000` plays that many games of each setting.
"""

import random
import sys
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Dice, Refusal
from engine.canon import canonical
from games.hasami_shogi import GAME

SETTINGS = [
    {"variant": variant, "shogun": shogun} for variant in ("base", "war") for shogun in ("none", "front", "back")
]
PIECES = {"base": 18, "war": 9}


def play(setting, seed, look=None, greed=0.0, limit=None):
    """One game by chance; with `greed` captures are preferred that often, else a war would hardly ever be won."""
    luck, dice = random.Random(seed), Dice(str(seed).encode())
    options = GAME.Options(**setting, quiet_limit=limit or luck.choice((20, 40, 100)))
    state = GAME.setup(options, dice.at("0")).state
    turn = 0
    while GAME.pending(state):
        turn += 1
        assert turn < 65 * 400, "this game does not end"
        (seat,) = GAME.pending(state)
        moves = list(GAME.moves(state, seat))
        move = chosen(state, moves, luck, greed)
        turned = GAME.resolve(state, {seat: move}, dice.at(str(turn)))
        if look:
            look(state, seat, moves, move, turned)
        state = turned.state
    return state


def chosen(state, moves, luck, greed):
    if luck.random() < greed:
        (seat,) = GAME.pending(state)
        sharp = [move for move in moves if any(e.kind == "captured" for e in GAME.preview(state, seat, move))]
        if sharp:
            return luck.choice(sharp)
    return luck.choice(moves)


def all_is_well(state, seat, moves, move, turned):
    assert moves
    assert len(set(moves)) == len(moves)
    after = turned.state
    GAME.check(after)
    line = GAME.position(after)
    pieces_are_all_there(GAME.position(state), line, turned.events)
    assert GAME.from_position(line) == after
    assert hash(GAME.from_position(line)) == hash(after)
    assert GAME.restore(GAME.dump(after)) == after
    assert canonical(GAME.dump(GAME.restore(GAME.dump(after)))) == canonical(GAME.dump(after))
    assert GAME.preview(state, seat, move) == turned.events
    assert all(event.rule.startswith("HASAMI-") for event in turned.events)
    assert (GAME.outcome(after) is None) == bool(GAME.pending(after))


def pieces_are_all_there(before, after, events):
    """Counted on the lines themselves: only captured pieces are missing, and the total told is right."""
    had, has = (Counter(line.split()[1]) for line in (before, after))
    gone = [square for event in events if event.kind == "captured" for square in event.facts["squares"]]
    assert sum(had[letter] - has[letter] for letter in "PSps") == len(gone)
    variant, _, turn, *_ = before.split()
    own, enemy = ("PS", "ps") if turn == "g" else ("ps", "PS")
    assert [had[letter] for letter in own] == [has[letter] for letter in own]
    told = [event.facts["captured"] for event in events if event.kind == "captured"]
    assert told == [PIECES[variant] - sum(has[letter] for letter in enemy)] * bool(gone)


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_random_games_end_and_nothing_is_lost(setting):
    """HASAMI-5.6: pieces are conserved, and states go there and back at every step."""
    for seed in range(2):
        try:
            play(setting, seed, all_is_well, greed=0.3 * seed, limit=20 + 10 * seed)
        except AssertionError as fault:
            raise AssertionError(f"seed {seed}, {setting}") from fault


@settings(max_examples=15, deadline=None)
@given(setting=st.sampled_from(SETTINGS), seed=st.integers(0, 2**32), greed=st.sampled_from((0.0, 0.5, 1.0)))
def test_games_of_any_temper_end(setting, seed, greed):  # HASAMI-7.5
    state = play(setting, seed, greed=greed)
    places = GAME.outcome(state).places
    assert sorted(seat for place in places for seat in place) == ["1", "2"]
    GAME.check(state)


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_every_legal_action_is_read_from_its_text(setting):  # HASAMI-6.1
    def every_move_reads(state, seat, moves, move, turned):
        for each in moves:
            assert GAME.read(state, seat, str(each)) == each
            assert GAME.why_never(state, seat, str(each)) is None

    play(setting, 3, every_move_reads, limit=20)


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_what_is_not_listed_is_refused(setting):
    """HASAMI-6.3: of all pairs of squares exactly the listed ones are taken."""
    squares = [file + row for row in "987654321" for file in "abcdefghi"]
    luck = random.Random(7)

    def no_other_reads(state, seat, moves, move, turned):
        if luck.random() > 0.02:
            return
        listed = {str(each) for each in moves}
        for start in luck.sample(squares, 12):
            for end in squares:
                taken = not isinstance(GAME.read(state, seat, f"{start}-{end}"), Refusal)
                assert taken == (f"{start}-{end}" in listed)

    play(setting, 11, no_other_reads, limit=40)


def test_random_games_end_in_different_ways():
    """The games above would be a poor test if they all ended alike."""
    tempers = ((0, 0.0, 100), (0, 0.9, 100), (3, 1.0, 100), (3, 0.0, 20))
    reasons = {
        GAME.outcome(play(SETTINGS[place], seed, greed=greed, limit=limit)).reason
        for place, greed, limit in tempers
        for seed in range(6)
    }
    assert reasons >= {"five_in_a_row", "fourteen_taken", "army_destroyed", "quiet_limit"}


def main(number):
    for setting in SETTINGS:
        reasons = Counter(GAME.outcome(play(setting, seed, all_is_well)).reason for seed in range(number))
        sys.stdout.write(f"{setting}: {number} games, {dict(reasons)}\n")


if __name__ == "__main__":
    main(int(sys.argv[1]))
