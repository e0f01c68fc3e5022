"""Questions about states: values that go to JSON and to a line of text and back, and add up."""

from __future__ import annotations

import json
import random
from typing import Any

from engine import BadPosition, Seat
from engine.canon import canonical
from engine.registry import AnyGame
from tests.every_game.playing import Walk, at, dice_of, sample


def a_state_goes_to_json_and_to_its_line_and_back(game: AnyGame, walks: tuple[Walk, ...]) -> None:
    """At every step of every game."""
    for one in walks:
        with at(one):
            for state in one.states:
                there_and_back(game, state)


def there_and_back(game: AnyGame, state: Any) -> None:
    data = game.dump(state)
    text = canonical(data)
    restored = game.restore(json.loads(text))
    line = game.position(state)
    read = game.from_position(line)
    assert state == restored == read, line
    assert hash(state) == hash(restored) == hash(read), line
    assert canonical(game.dump(restored)) == text == canonical(game.dump(read)), line
    assert line == game.position(restored) == game.position(read)
    assert line.isprintable(), repr(line)


def pieces_and_money_add_up(game: AnyGame, walks: tuple[Walk, ...]) -> None:
    for one in walks:
        with at(one):
            for state in one.states:
                game.check(state)


def a_game_is_over_when_nobody_is_asked(game: AnyGame, walks: tuple[Walk, ...]) -> None:
    for one in walks:
        with at(one):
            for state in one.states:
                over_when_nobody_is_asked(game, one.seats, state)


def over_when_nobody_is_asked(game: AnyGame, seats: tuple[Seat, ...], state: Any) -> None:
    pending = game.pending(state)
    assert set(pending) <= set(seats)
    assert len(set(pending)) == len(pending)
    assert (game.outcome(state) is None) == bool(pending)
    assert (game.decision(state) == "over") == (not pending)


def a_bent_line_is_no_position(game: AnyGame, walks: tuple[Walk, ...]) -> None:
    """Either it is refused as such, or it is the line of a position that the game itself would write."""
    luck = random.Random("lines")
    for one, step in sample(walks, 200):
        line = _bent(game.position(step.state), luck)
        with at(one, step):
            try:
                state = game.from_position(line)
            except BadPosition:
                continue
            assert game.position(state) == line
            game.check(state)


def _bent(line: str, luck: random.Random) -> str:
    """One piece of the line changed, cut out, doubled, or moved."""
    i, j = sorted((luck.randrange(len(line) + 1), luck.randrange(len(line) + 1)))
    j = min(j, i + 6)
    other = "".join(luck.choice(line + "09-+?x é") for _ in range(luck.randrange(3)))
    return luck.choice(
        (line[:i] + line[j:], line[:i] + other + line[j:], line[:j] + line[i:], line + " ", line.lower())
    )


def a_game_has_no_memory(game: AnyGame, walks: tuple[Walk, ...]) -> None:
    """The same state, moves and dice give the same turn again, in any order of asking and from a state made anew."""
    chosen = sample(walks, 150)
    random.Random("memory").shuffle(chosen)
    for one, step in chosen:
        with at(one, step):
            anew = game.from_position(game.position(step.state))
            again = game.resolve(anew, dict(reversed(step.moves.items())), dice_of(one.seed, step.number))
            assert again.state == step.turned.state
            assert [event.to_json() for event in again.events] == [event.to_json() for event in step.turned.events]


QUESTIONS = (
    a_state_goes_to_json_and_to_its_line_and_back,
    pieces_and_money_add_up,
    a_game_is_over_when_nobody_is_asked,
    a_bent_line_is_no_position,
    a_game_has_no_memory,
)
