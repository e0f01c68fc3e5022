"""The stored games, replayed to the letter from their own text."""

from __future__ import annotations

import ast
import re

import pytest

from engine import Dice, Refusal
from games.conquest import GAME
from tests.games.conquest.playthrough import GAMES, HERE, told


@pytest.mark.parametrize("name", GAMES)
def test_a_stored_game_is_replayed(name):
    stored = (HERE / f"{name}.txt").read_text("utf-8").splitlines()
    choices, draws = (ast.literal_eval(line.split(" ", 1)[1]) for line in stored[:2])
    state, events = GAME.setup(GAME.Options(**choices), Dice.script(draws))
    lines = [*stored[:2], *told(events)]
    for line in stored:
        found = re.fullmatch(r" +(\w+): (.+)", line)
        if found is None:
            continue
        seat, text = found.groups()
        assert GAME.pending(state) == (seat,)
        move = GAME.read(state, seat, text)
        assert not isinstance(move, Refusal), f"{line}: {move}"
        state, events = GAME.resolve(state, {seat: move}, Dice.script(()))
        lines += [line, *told(events)]
    outcome = GAME.outcome(state)
    ranking = " ".join(f"{seat}={rank}" for seat, rank in outcome.details["ranking"].items())
    assert [*lines, f"outcome {outcome.rule} {ranking}", GAME.position(state)] == stored
