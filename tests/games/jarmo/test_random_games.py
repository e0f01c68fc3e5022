"""Random games of every setting: they end, nothing is lost on the way, and every state goes there and back.

A longer run: `python -m tests.games.jarmo.test_random_games 10000` plays that many games of each setting.
"""

import json
import random
import re
import sys
from collections import Counter
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import BadOption
from engine.canon import canonical
from games.jarmo import GAME
from tests.games.jarmo.table import NO_LUCK, seat


def possible(setting):
    try:
        GAME.Options(**setting)
    except BadOption:
        return False
    return True


CHOICES = product(("base", "legendary", "jasyr"), (False, True), ("off", "default", "d2+b4"), ("move", "turn"))
SETTINGS = [
    setting
    for setting in (dict(zip(("variant", "golden", "camps", "late"), choice, strict=True)) for choice in CHOICES)
    if possible(setting)
]


def play(setting, seed, look=None, patience=0.6):
    """One game by chance alone; moves into the enemy camp are put off that often, so that games grow old."""
    luck = random.Random(seed)
    state = GAME.setup(GAME.Options(limit=luck.choice((50, 120, 300)), **setting), NO_LUCK).state
    while GAME.pending(state):
        moves = list(GAME.moves(state, seat(state)))
        far = "15"[seat(state) == "green"]
        patient = [move for move in moves if str(move)[4:5] != far]
        move = luck.choice(patient if patient and luck.random() < patience else moves)
        turned = GAME.resolve(state, {seat(state): move}, NO_LUCK)
        if look:
            look(state, moves, move, turned)
        state = turned.state
    return state


def all_is_well(state, moves, move, turned):
    assert moves
    assert len(set(moves)) == len(moves) == len({str(each) for each in moves})
    after = turned.state
    assert after.turn == state.turn + 1
    GAME.check(after)
    line = GAME.position(after)
    pieces_are_conserved(GAME.position(state), line, turned.events)
    assert GAME.from_position(line) == after
    assert hash(GAME.from_position(line)) == hash(after)
    data = json.loads(canonical(GAME.dump(after)))
    assert GAME.restore(data) == after
    assert canonical(GAME.dump(GAME.restore(data))) == canonical(GAME.dump(after))
    assert GAME.preview(state, seat(state), move) == turned.events == GAME.resolve(state, {"x": move}, NO_LUCK).events
    assert (GAME.outcome(after) is None) == bool(GAME.pending(after))
    assert GAME.default(state, seat(state)) in moves


def soldiers(line):
    """Counted on the line itself, not by the game's own check: how many soldiers each side has."""
    fields = line.split(" ")
    board = Counter(fields[2])
    return [
        sum(board[letter] for letter in letters) + sum(map(int, beside.split(".")))
        for letters, beside in (("AGDE", fields[4]), ("agde", fields[5]))
    ]


def pieces_are_conserved(before, after, events):
    """JARMO-1.1, JARMO-11.4: nobody appears, and only who is captured and out disappears."""
    gone = Counter(e.facts["side"] for e in events if e.kind == "captured" and e.facts["fate"] == "out")
    old, new = soldiers(before), soldiers(after)
    assert new[0] == old[0] - gone["blue"]
    assert new[1] == old[1] - gone["green"]
    board = after.split(" ")[2]
    assert len(re.findall("[AGDE]", board)) <= 5
    assert len(re.findall("[agde]", board)) <= 5


def every_action_reads(state, moves, move, turned):
    for each in moves:
        assert GAME.read(state, seat(state), str(each)) is each
        assert GAME.read(state, seat(state), str(each).upper().replace(" ", "  ")) is each
        assert GAME.why_never(state, seat(state), str(each)) is None
        assert GAME.same_move(str(each).upper(), str(each))


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_random_games_end_and_nothing_is_lost(setting):
    for seed in range(3):
        try:
            play(setting, seed, all_is_well)
        except AssertionError as fault:
            raise AssertionError(f"seed {seed}, {setting}") from fault


@settings(max_examples=12, deadline=None)
@given(setting=st.sampled_from(SETTINGS), seed=st.integers(0, 2**32), patience=st.sampled_from((0.0, 0.5, 0.9, 1.0)))
def test_games_of_any_temper_end(setting, seed, patience):
    state = play(setting, seed, all_is_well, patience)
    places = GAME.outcome(state).places
    assert sorted(who for place in places for who in place) == ["blue", "green"]


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_every_legal_action_is_read_from_its_text(setting):
    play(setting, 1, every_action_reads)


def test_random_games_end_in_different_ways():
    """The games above would be a poor test if they all ended alike."""
    reasons = Counter()
    for number, setting in enumerate(SETTINGS * 8):
        state = play(setting, number, patience=1.0 if number % 2 else 0.5)
        reasons[state.end.split(":")[0]] += 1
    assert set(reasons) >= {"camp", "capture", "limit", "blocked"}


def main(number):
    for setting in SETTINGS:
        ends = Counter(play(setting, seed, all_is_well).end for seed in range(number))
        sys.stdout.write(f"{setting}: {number} games, {dict(ends)}\n")


if __name__ == "__main__":
    main(int(sys.argv[1]))
