"""All vectors of the rules document, with all their keys: set-ups, plays, texts, counts, standing answers, lines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from engine import BadPosition, Dice, Refusal
from games.conquest import GAME
from games.conquest.ending import victory_points
from games.conquest.exchange import answers
from games.conquest.standing import cheapest

VECTORS = yaml.load(
    Path(__file__).with_name("vectors.yaml").read_text("utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader)
)
NO_DICE = Dice.script(())
PLAY_KEYS = {"name", "rules", "position", "actions", "chance", "expect", "error", "points", "legal", "legal_has"}
PLAY_KEYS |= {"legal_has_not", "legal_count", "pending", "victory_points", "cheapest", "ranking"}


def of(kind: str) -> list[Any]:
    return [pytest.param(case, id=f"{i}: {case.get('name', '')}") for i, case in enumerate(VECTORS[kind])]


def test_there_are_as_many_as_the_document_says():
    found = {kind: len(VECTORS[kind]) for kind in VECTORS if kind not in ("version", "game")}
    assert found == {
        "setup": 4,
        "play": 170,
        "texts": 33,
        "counts": 2,
        "standing": 11,
        "defaults": 2,
        "orders": 11,
        "positions": 23,
    }
    assert {key for case in VECTORS["play"] for key in case} <= PLAY_KEYS


@pytest.mark.parametrize("case", of("setup"))
def test_setup(case):
    dice = Dice.script([(4, value) for value in case["chance"]])
    state = GAME.setup(GAME.Options(**case["options"]), dice).state
    assert [draw.value for draw in dice.draws] == case["chance"]
    assert GAME.position(state) == case["expect"]
    holds(state, case)


@pytest.mark.parametrize("case", of("play"))
def test_play(case):
    state = GAME.from_position(case["position"])
    error = case.get("error")
    for number, action in enumerate(case["actions"], 1):
        seat, text = action.split(": ", 1)
        move = GAME.read(state, seat, text)
        if error and number == error["at"]:
            assert isinstance(move, Refusal), f"{text} was taken"
            assert (move.rule, move.code) == (error["rule"], error["code"])
            assert "{" not in str(move)
            assert all(not isinstance(GAME.read(state, seat, legal), Refusal) for legal in move.legal)
            if move.code not in ("unreadable", "not_yours"):
                assert text not in {str(legal) for legal in GAME.moves(state, seat)}
            return
        assert not isinstance(move, Refusal), f"{text}: {move}"
        assert str(move) == text
        assert move in set(GAME.moves(state, seat))
        state = GAME.resolve(state, {seat: move}, NO_DICE).state
    assert error is None
    assert GAME.position(state) == case["expect"]
    holds(state, case)


def holds(state, case):
    """All further keys of a vector, in the final position."""
    pending = GAME.pending(state)
    legal = [str(move) for seat in pending for move in GAME.moves(state, seat)]
    if "points" in case:
        assert state.points_left == case["points"]
    if "legal" in case:
        assert legal == case["legal"]
    if "legal_count" in case:
        assert len(legal) == case["legal_count"]
    assert set(case.get("legal_has", ())) <= set(legal)
    assert not set(case.get("legal_has_not", ())) & set(legal)
    if "pending" in case:
        assert list(pending) == case["pending"]
    if "victory_points" in case:
        assert "/".join(map(str, victory_points(state))) == case["victory_points"]
    if "cheapest" in case:
        found = answers(state, state.exchange.victim, state.exchange.cell)
        assert str(cheapest(state, found)) == case["cheapest"]
    if "ranking" in case:
        assert GAME.outcome(state).details["ranking"] == case["ranking"]


@pytest.mark.parametrize("case", of("texts"))
def test_text(case):  # CONQ-18.1
    state = GAME.from_position(case["position"])
    (seat,) = GAME.pending(state)
    read = GAME.read(state, seat, case["text"])
    if "error" in case:
        assert isinstance(read, Refusal)
        assert (read.rule, read.code) == (case["error"]["rule"], case["error"]["code"])
    else:
        assert str(read) == case["reads_as"]


@pytest.mark.parametrize("case", of("counts"))
def test_count(case):  # CONQ-18.4
    assert sequences(GAME.from_position(case["position"]), case["depth"]) == case["sequences"]


def sequences(state, depth):
    (seat,) = GAME.pending(state)
    if depth == 1:
        return sum(1 for _ in GAME.moves(state, seat))
    return sum(
        sequences(GAME.resolve(state, {seat: move}, NO_DICE).state, depth - 1) for move in GAME.moves(state, seat)
    )


@pytest.mark.parametrize("case", of("standing"))
def test_standing(case):  # CONQ-18.6
    state = GAME.from_position(case["position"])
    (seat,) = GAME.pending(state)
    standing = {"counter": case["standing"]}
    assert GAME.why_not_standing(state, seat, standing) is None
    given = GAME.answer(state, seat, standing)
    assert ("ask" if given is None else str(given)) == case["gives"]


@pytest.mark.parametrize("case", of("defaults"))
def test_default(case):  # CONQ-17.3
    state = GAME.from_position(case["position"])
    (seat,) = GAME.pending(state)
    assert str(GAME.default(state, seat)) == case["default"]


@pytest.mark.parametrize("case", of("positions"))
def test_position_line(case):
    if case["accepted"]:
        assert GAME.position(GAME.from_position(case["position"])) == case["position"]
    else:
        with pytest.raises(BadPosition):
            GAME.from_position(case["position"])


def test_what_is_stored_is_what_it_was():
    """Every position of the document, with its exchange, its calm or its end."""
    lines = {
        case[key]
        for cases in ("setup", "play")
        for case in VECTORS[cases]
        for key in ("position", "expect")
        if key in case
    }
    states = [GAME.from_position(line) for line in sorted(lines)]
    for state in states:
        assert GAME.restore(json.loads(json.dumps(GAME.dump(state)))) == state
    assert all(any(getattr(state, name) for state in states) for name in ("exchange", "calm", "over", "risks", "paid"))
