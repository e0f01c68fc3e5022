"""All vectors of the rules document, to the letter: positions, refusals, lists, defaults, counts, playouts."""

from pathlib import Path

import pytest
import yaml

from engine import BadOption, BadPosition, Dice, Refusal
from games.jarmo import GAME
from tests.games.jarmo.table import NO_LUCK, counted, legal, seat

VECTORS = yaml.safe_load(Path(__file__).with_name("vectors.yaml").read_text(encoding="utf-8"))
KEYS = {
    *("name", "rules", "position", "setup", "refused", "actions", "chance"),
    *("expect", "outcome", "error", "legal", "default", "counts", "playout"),
}
ANSWERS = {"refused", "expect", "error", "legal", "default", "counts"}


def test_no_vector_asks_something_that_is_not_looked_at():
    assert len(VECTORS) == 136
    assert {key for vector in VECTORS for key in vector} == KEYS
    assert all(ANSWERS & set(vector) for vector in VECTORS)
    assert not any(vector.get("chance") for vector in VECTORS)  # Jarmo has none


def begun(vector):
    if "setup" in vector:
        return GAME.setup(GAME.Options(**vector["setup"]), NO_LUCK).state
    state = GAME.from_position(vector["position"])
    assert GAME.position(state) == vector["position"]
    return state


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_vector(vector):
    if vector.get("refused"):
        with pytest.raises((BadOption, BadPosition)):
            begun(vector)
        return
    state, refusal = played(vector, begun(vector))
    if "playout" in vector:
        state = played_out(state, vector["playout"])
    if "error" in vector:
        assert (refusal.code, refusal.rule) == (vector["error"]["code"], vector["error"]["rule"])
        assert refusal.legal or refusal.code in ("over", "not-your-turn")
    else:
        assert refusal is None
    if "expect" in vector:
        assert GAME.position(state) == vector["expect"]
    answers(vector, state)


def played(vector, state):
    """The state after all actions, and the refusal of the last one if it is refused."""
    actions = vector.get("actions", [])
    for number, (side, text) in enumerate(actions, 1):
        move = GAME.read(state, side, text)
        if isinstance(move, Refusal):
            assert number == len(actions), f"{text}: {move}"
            return state, move
        assert move in list(GAME.moves(state, side)), "read gave an action that is not listed"
        state = GAME.resolve(state, {side: move}, NO_LUCK).state
        GAME.check(state)
    return state, None


def played_out(state, seed):
    """To the end, each choice by the little generator of the vectors' head."""
    number = seed
    while GAME.pending(state):
        number = (1103515245 * number + 12345) % 2**31
        menu = list(GAME.moves(state, seat(state)))
        move = menu[number // 65536 % len(menu)]
        state = GAME.resolve(state, {seat(state): move}, Dice()).state
    return state


def answers(vector, state):
    if "legal" in vector:
        assert legal(state) == vector["legal"]
    if "default" in vector:
        assert str(GAME.default(state, seat(state))) == vector["default"]
    if "counts" in vector:
        assert [counted(state, depth) for depth in range(1, len(vector["counts"]) + 1)] == vector["counts"]
    if "outcome" in vector:
        outcome = GAME.outcome(state)
        assert {side: [outcome.scores[side], outcome.details["in_camp"][side]] for side in ("green", "blue")} == vector[
            "outcome"
        ]
