"""All vectors of the rules document: positions, refusals, legal actions, defaults and playouts, to the letter."""

from pathlib import Path

import pytest
import yaml

from engine import BadOption, BadPosition, Dice, Refusal
from games.yut import GAME

VECTORS = yaml.safe_load(Path(__file__).with_name("vectors.yaml").read_text(encoding="utf-8"))
KEYS = {
    *("name", "rules", "position", "setup", "refused", "actions", "chance"),
    *("expect", "error", "legal", "default", "playout", "decisions"),
}


def test_no_vector_asks_something_that_is_not_looked_at():
    assert len(VECTORS) == 123
    assert {key for vector in VECTORS for key in vector} <= KEYS


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_vector(vector):
    if vector.get("refused"):
        is_refused(vector)
    elif "playout" in vector:
        assert playout(vector["setup"], vector["playout"]) == (vector["decisions"], vector["expect"])
    else:
        is_played(vector)


def is_refused(vector):
    if "setup" in vector:
        with pytest.raises(BadOption):
            GAME.Options(**vector["setup"])
    else:
        with pytest.raises(BadPosition):
            GAME.from_position(vector["position"])


def is_played(vector):
    chance = vector.get("chance", [])
    dice = Dice.script([(2, stick) for stick in chance])
    state = begun(vector, dice)
    refused = None
    for number, text in vector.get("actions", []):
        assert refused is None, "only the last action is refused"
        seat = seat_of(state, number)
        move = GAME.read(state, seat, text)
        if isinstance(move, Refusal):
            refused = {"code": move.code, "rule": move.rule}
            continue
        assert move in list(GAME.moves(state, seat)), "read gave an action that is not listed"
        state, _ = GAME.resolve(state, {seat: move}, dice)
        GAME.check(state)
    assert refused == vector.get("error")
    assert [draw.value for draw in dice.draws] == chance
    answers(vector, state)


def begun(vector, dice):
    if "setup" in vector:
        return GAME.setup(GAME.Options(**vector["setup"]), dice).state
    state = GAME.from_position(vector["position"])
    assert GAME.position(state) == vector["position"]
    return state


def answers(vector, state):
    if "expect" in vector:
        assert GAME.position(state) == vector["expect"]
    if "legal" in vector:
        assert [str(move) for move in GAME.moves(state, *GAME.pending(state))] == vector["legal"]
    if "default" in vector:
        assert str(GAME.default(state, *GAME.pending(state))) == vector["default"]


def seat_of(state, number):
    """The vectors name seats by their number."""
    names = {2: ("orange", "blue"), 3: ("orange", "blue", "green"), 4: ("orange-1", "blue-1", "orange-2", "blue-2")}
    return names[state.terms.players][number - 1]


class Generator:
    """The generator of the playouts, as a source of dice and of choices."""

    def __init__(self, seed):
        self.x = seed

    def draw(self, n):
        self.x = (1103515245 * self.x + 12345) % 2**31
        return (self.x // 65536) % n

    def below(self, n, why, index):
        return self.draw(n)


def playout(setup, seed):
    luck = Generator(seed)
    dice = Dice(source=luck)
    state = GAME.setup(GAME.Options(**setup), dice).state
    decisions = 0
    while pending := GAME.pending(state):
        menu = list(GAME.moves(state, *pending))
        state = GAME.resolve(state, {pending[0]: menu[luck.draw(len(menu))]}, dice).state
        decisions += 1
    return decisions, GAME.position(state)
