"""Whole games by chance: they end, keep every piece, and every state goes to its line and JSON and back."""

from __future__ import annotations

import json
import random

import pytest

from engine import Dice
from games.conquest import GAME
from games.conquest.line import pieces
from tests.games.conquest.builders import NO_DICE

MOST = 40_000  # decisions: far more than any game by chance has needed
CHOICES = (
    {},
    {"first": "w", "empty_ship": "quiet", "opening_limit": 3},
    {"mode": "alliance"},
    {"players": 3, "alliance_win": "land"},
    {"players": 2, "opening_limit": 2},
)


def decisions(choices, seed, eager):
    """Every state of a game by chance and what led on from it; an eager player captures when he can."""
    luck = random.Random(seed)
    state = GAME.setup(GAME.Options(**choices), Dice(b"%d" % seed)).state
    for _ in range(MOST):
        pending = GAME.pending(state)
        if not pending:
            yield state, None, ()
            return
        (seat,) = pending
        menu = list(GAME.moves(state, seat))
        move = luck.choice(menu)
        if eager and state.exchange is None:
            enemies = state.enemies(state.mover)
            move = luck.choice([step for step in menu[:-1] if enemies >> step.to & 1] or menu)
        turned = GAME.resolve(state, {seat: move}, NO_DICE)
        yield state, move, turned.events
        state = turned.state
    raise AssertionError("this game does not end")


@pytest.mark.parametrize("eager", [False, True], ids=["idle", "eager"])
@pytest.mark.parametrize("choices", CHOICES, ids=str)
def test_games_end_and_keep_their_pieces(choices, eager):  # CONQ-8.7, CONQ-11.5, CONQ-14.8
    for seed in range(2):
        for state, move, _ in decisions(choices, seed, eager):
            assert pieces(state) == 104
            assert 0 <= state.points_left <= state.base
            assert (move is None) == (state.over is not None)
        assert GAME.outcome(state).details["winners"]


@pytest.mark.parametrize("choices", CHOICES[:1] + CHOICES[3:4], ids=str)
def test_states_go_to_their_line_and_json_and_back(choices):
    for number, (state, _, _) in enumerate(decisions(choices, 7, True)):
        if number % 3 == 0 or state.exchange or state.over:
            line, data = GAME.position(state), GAME.dump(state)
            assert GAME.from_position(line) == state == GAME.restore(json.loads(json.dumps(data)))
            assert GAME.dump(GAME.from_position(line)) == data


@pytest.mark.parametrize("choices", CHOICES[:3], ids=str)
def test_the_story_adds_up(choices):  # CONQ-4.7, CONQ-10.1, CONQ-12.1
    """Points told are points left, and what falls in the story is what is missing on the map."""
    fallen = 0
    story = list(decisions(choices, 11, True))
    for _, _, events in story:
        for event in events:
            if event.kind in ("captured", "answered"):
                fallen += len(event.facts["lost"])
            if event.kind == "turn_began":
                lost = event.facts["capital_cells"] + event.facts["grail_cells"]
                assert event.facts["points"] == max(0, event.facts["base"] - 4 * lost)
    assert fallen == sum(story[-1][0].kills)


def test_what_the_menu_says_can_be_read():  # CONQ-18.1
    luck = random.Random("read")
    for number, (state, _, _) in enumerate(decisions({}, 5, True)):
        if number % 25 == 0 and state.over is None:
            (seat,) = GAME.pending(state)
            menu = list(GAME.moves(state, seat))
            for move in luck.sample(menu, min(8, len(menu))):
                assert GAME.read(state, seat, str(move)) == move
                assert GAME.read(state, seat, str(move).upper().replace("-", " → ")) == move
