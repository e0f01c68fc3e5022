"""Vectors with events, as the rules documents of Bagh Chal and Hasami Shogi write them: read, played, compared."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from engine import BadPosition, Dice, Event, Refusal
from engine.registry import AnyGame

Vector = dict[str, Any]
KEYS = {
    *("name", "rules", "position", "options", "actions", "chance"),
    *("expect", "error", "error_at", "events", "legal", "default", "counts"),
}


def vectors(beside: str) -> list[Vector]:
    """All vectors of the game whose tests stand in that file's folder; none asks something that is not looked at."""
    found: list[Vector] = yaml.safe_load(Path(beside).with_name("vectors.yaml").read_text(encoding="utf-8"))
    assert {key for vector in found for key in vector} <= KEYS
    return found


def holds(game: AnyGame, vector: Vector, lines: Callable[[Sequence[Event]], list[str]]) -> None:
    """Everything the vector says of the game; `lines` writes events as the rules document does."""
    if vector.get("error") == "bad_position":
        with pytest.raises(BadPosition):
            game.from_position(vector["position"])
        return
    chance = [(draw["pick"], draw["value"]) for draw in vector.get("chance", [])]
    dice = Dice.script(chance)
    state, story, refused = _played(game, vector, dice)
    if "expect" in vector:
        assert game.position(state) == vector["expect"]
    if "events" in vector:
        assert lines(story) == vector["events"]
    assert refused == ((vector["error_at"], vector["error"]) if "error" in vector else None)
    assert [(draw.n, draw.value) for draw in dice.draws] == chance
    _answers(game, vector, state)


def _played(game: AnyGame, vector: Vector, dice: Dice) -> tuple[Any, tuple[Event, ...], tuple[int, str] | None]:
    """The state after the last accepted action, all events, and the refusal that stopped it if one did."""
    state, story = _begun(game, vector, dice)
    for index, action in enumerate(vector.get("actions", [])):
        seat = str(action["seat"])
        move = game.read(state, seat, action["do"])
        if isinstance(move, Refusal):
            return state, story, (index, move.code)
        assert move in list(game.moves(state, seat)), "read gave an action that is not listed"
        state, events = game.resolve(state, {seat: move}, dice)
        story += events
        game.check(state)
    return state, story, None


def _begun(game: AnyGame, vector: Vector, dice: Dice) -> tuple[Any, tuple[Event, ...]]:
    if vector["position"] == "new":
        return game.setup(game.Options(**vector["options"]), dice)
    state = game.from_position(vector["position"])
    assert game.position(state) == vector["position"]
    return state, ()


def _answers(game: AnyGame, vector: Vector, state: Any) -> None:
    seats = game.pending(state)
    if "legal" in vector:
        assert [str(move) for seat in seats for move in game.moves(state, seat)] == vector["legal"]
    if "default" in vector:
        assert [str(game.default(state, seat)) for seat in seats] == [vector["default"]]
    if "counts" in vector:
        found = [sequences(game, state, depth) for depth in range(1, len(vector["counts"]) + 1)]
        assert found == vector["counts"]


def sequences(game: AnyGame, state: Any, depth: int) -> int:
    """How many sequences of exactly that many actions there are; a game or match that ends sooner gives none."""
    moves = [(seat, move) for seat in game.pending(state) for move in game.moves(state, seat)]
    if depth == 1:
        return len(moves)
    return sum(sequences(game, game.resolve(state, {seat: move}, Dice()).state, depth - 1) for seat, move in moves)
