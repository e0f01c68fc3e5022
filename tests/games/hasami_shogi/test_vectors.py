"""All vectors of the rules document: positions, events, refusals, legal actions, defaults and counts, to the letter."""

from pathlib import Path

import pytest
import yaml

from engine import BadPosition, Dice, Refusal
from games.hasami_shogi import GAME
from tests.games.hasami_shogi.story import lines

VECTORS = yaml.safe_load(Path(__file__).with_name("vectors.yaml").read_text(encoding="utf-8"))
KEYS = {
    *("name", "rules", "position", "options", "actions", "chance"),
    *("expect", "error", "error_at", "events", "legal", "default", "counts"),
}


def test_no_vector_asks_something_that_is_not_looked_at():
    assert len(VECTORS) == 107
    assert {key for vector in VECTORS for key in vector} <= KEYS


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_vector(vector):
    if vector.get("error") == "bad_position":
        with pytest.raises(BadPosition):
            GAME.from_position(vector["position"])
        return
    dice = Dice.script([(draw["pick"], draw["value"]) for draw in vector.get("chance", [])])
    state, story, refused = played(vector, dice)
    if "expect" in vector:
        assert GAME.position(state) == vector["expect"]
    if "events" in vector:
        assert lines(story) == vector["events"]
    assert refused == ((vector["error_at"], vector["error"]) if "error" in vector else None)
    assert [(draw.n, draw.value) for draw in dice.draws] == [
        (draw["pick"], draw["value"]) for draw in vector.get("chance", [])
    ]
    answers(vector, state)


def played(vector, dice):
    """The state after the last accepted action, all events, and the refusal that stopped it if one did."""
    if vector["position"] == "new":
        state, story = GAME.setup(GAME.Options(**vector["options"]), dice)
    else:
        state, story = GAME.from_position(vector["position"]), ()
        assert GAME.position(state) == vector["position"]
    for index, action in enumerate(vector.get("actions", [])):
        seat = str(action["seat"])
        move = GAME.read(state, seat, action["do"])
        if isinstance(move, Refusal):
            return state, story, (index, move.code)
        assert move in list(GAME.moves(state, seat)), "read gave an action that is not listed"
        state, events = GAME.resolve(state, {seat: move}, dice)
        story += events
        GAME.check(state)
    return state, story, None


def answers(vector, state):
    (seat,) = GAME.pending(state) or (None,)
    if "legal" in vector:
        assert [str(move) for move in GAME.moves(state, seat)] == vector["legal"]
    if "default" in vector:
        assert str(GAME.default(state, seat)) == vector["default"]
    if "counts" in vector:
        assert [count(state, depth) for depth in range(1, len(vector["counts"]) + 1)] == vector["counts"]


def count(state, depth):
    """How many sequences of exactly that many actions there are; a game that ends sooner gives none."""
    moves = [(seat, move) for seat in GAME.pending(state) for move in GAME.moves(state, seat)]
    if depth == 1:
        return len(moves)
    return sum(count(GAME.resolve(state, {seat: move}, Dice()).state, depth - 1) for seat, move in moves)
