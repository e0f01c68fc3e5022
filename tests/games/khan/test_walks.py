"""Random play: it ends, nothing is lost, every position goes to its line and to JSON and back (KHAN-29.1)."""

from __future__ import annotations

import json

import pytest

from engine.canon import canonical
from games.khan import GAME
from games.khan.material import LAST_LEADER
from tests.games.khan.walking import dice_of, options_of, states, walk

GAMES = 72
LONGEST = 37  # KHAN-22: turns before the final phase: 8 courts x 4 moves and 5 removals


@pytest.mark.parametrize("seed", range(GAMES))
def test_a_game_ends_and_every_position_is_sound(seed):
    for state in walk(seed, wild=(0.1, 0.5, 1.0)[seed // 3 % 3], quitting=seed % 5 == 4):
        GAME.check(state)
        line, text = GAME.position(state), canonical(GAME.dump(state))
        assert GAME.from_position(line) == state == GAME.restore(json.loads(text))
        assert hash(GAME.from_position(line)) == hash(state)
        assert bool(GAME.pending(state)) == (GAME.outcome(state) is None)
        assert state.phase != "play" or state.turn <= LONGEST
        for seat in GAME.pending(state):
            default = GAME.default(state, seat)
            assert GAME.read(state, seat, str(default)) == default
    assert state.phase == "over"
    assert len(state.removed) == LAST_LEADER or len(state.remaining) == 1


@pytest.mark.parametrize("seed", range(12))
def test_a_game_of_silence_ends_too(seed):
    """KHAN-18.1 to the end: defaults alone find no dead end and use no special card."""
    dice, told = dice_of(seed), []
    turned = GAME.setup(options_of(seed), dice.at("0"))
    while asked := GAME.pending(turned.state):
        moves = {seat: GAME.default(turned.state, seat) for seat in asked}
        turned = GAME.resolve(turned.state, moves, dice.at(str(len(told))))
        told += turned.events
    assert GAME.outcome(turned.state) is not None
    assert not any(event.kind == "special" and event.facts["card"] != "none" for event in told)
    assert not any(event.kind == "proposal" for event in told)


def test_walks_come_to_every_kind_of_decision():
    points = {state.point for state in states()}
    assert points == {"place", "action 1", "action 2", "special", "third", "consent", "conquer 1", "conquer 2"}


def test_never_two_full_rounds_without_a_conquest():
    """KHAN-22: in the final phase protections lapse within a round, so somebody conquers in the next."""
    longest = 0
    for seed in range(12):
        told, idle = [], 0
        last = list(walk(seed, wild=0.3, told=told))[-1]
        for event in (event for turned in told for event in turned.events):
            idle = 0 if event.kind in ("conquest", "final_start") else idle + (event.kind == "final_pass")
            assert idle <= 2 * last.players
            longest = max(longest, idle)
    assert longest > 0


def test_a_replay_gives_the_same_bytes():
    """KHAN-16.1, KHAN-16.4: the same dice and orders, the same story; the results of chance stand in it."""
    first, second = [], []
    assert [GAME.position(state) for state in walk(7, told=first)] == [
        GAME.position(state) for state in walk(7, told=second)
    ]
    stories = [[event.to_json() for turned in told for event in turned.events] for told in (first, second)]
    assert canonical(stories[0]) == canonical(stories[1])
    (shuffle,) = [event for event in stories[0] if event["kind"] == "shuffle"]
    assert len(set(shuffle["hidden"]["referee"]["order"])) == 72
