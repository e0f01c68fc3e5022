"""Looking ahead in open games: no answer is overlooked, the budget is kept, and a guess is no match for it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import pytest

from engine import Dice, load
from engine.players import MonteCarlo, choose
from engine.players.foreseeing import Foresight
from engine.players.worth import DECIDED
from tests.every_game.playing import walk
from tests.players_match import match

THINKS = MonteCarlo(budget=700)
monte_carlo_room: Any = sys.modules["engine.players.monte_carlo"]


class Counted:
    """Hasami Shogi that counts how many moves are made in thought."""

    def __init__(self) -> None:
        self.inner = load("hasami-shogi")
        self.made = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def resolve(self, *asked: Any) -> Any:
        self.made += 1
        return self.inner.resolve(*asked)


def long_menus(game_id: str) -> Iterator[tuple[Any, Any, str]]:
    """Decision points of a random game at which there is much to choose from."""
    game = load(game_id)
    for step in walk(game, game.Options(), 5).steps[3:60:8]:
        (seat,) = game.pending(step.state)
        yield game, step.state, seat


def test_the_choice_is_legal_and_the_same_again() -> None:
    for game, state, seat in long_menus("hasami-shogi"):
        move = choose(THINKS, game, state, seat, Dice(b"x"))
        assert game.read(state, seat, str(move)) == move
        assert choose(THINKS, game, state, seat, Dice(b"x")) == move


def test_the_budget_is_kept() -> None:
    """But for the last menu that was begun, which is looked at whole."""
    for _, state, seat in long_menus("hasami-shogi"):
        game: Any = Counted()
        choose(THINKS, game, state, seat, Dice(b"x"))
        longest = max(len(list(game.moves(state, each))) for each in (seat, *game.pending(state)))
        assert 2 * longest < game.made <= THINKS.budget + 2 * longest


def ahead(game: Any, state: Any, seat: str, budget: int = 4000) -> Any:
    led_to = {move: game.resolve(state, {seat: move}, Dice()).state for move in game.moves(state, seat)}
    return Foresight(game, seat, Dice(b"x"), budget).best(led_to, 40)


def test_the_answer_that_refutes_a_move_is_seen() -> None:
    """In nim an appraisal says nothing before the end: only two equal heaps leave the other nothing to win with."""
    game = load("nim")
    state = game.from_position("nim1 0-1-2 1 normal 0 -")
    after = game.resolve(state, {"1": ahead(game, state, "1")}, Dice()).state
    assert game.position(after).split()[1] == "0-1-1"


def test_where_the_budget_ends_in_a_round_those_followed_to_its_depth_are_compared() -> None:
    game = load("nim")
    state = game.from_position("nim1 0-1-3 1 normal 0 -")
    led_to = {move: game.resolve(state, {"1": move}, Dice()).state for move in game.moves(state, "1")}
    thought = Foresight(game, "1", Dice(b"x"), 1)
    assert thought.compared(list(led_to), led_to, 3).keys() < led_to.keys()
    assert thought.spent
    assert Foresight(game, "1", Dice(b"x"), 0).best(led_to, 8) in led_to


def test_a_seat_chooses_what_is_best_for_itself() -> None:
    game = load("nim")
    state = game.from_position("nim1 0-0-2 2 normal 0 -")
    thought = Foresight(game, "1", Dice(b"x"), 100)
    assert thought.worth(thought.outlook(state, 1), "1") == -DECIDED  # the other takes both


def won_at(long: int, monkeypatch: pytest.MonkeyPatch) -> int:
    game = load("hasami-shogi")
    monkeypatch.setattr(monte_carlo_room, "LONG", long)
    return match(game, game.Options(quiet_limit="40"), ("monte-carlo", "greedy"), 8, budget=1200)["monte-carlo"]


def test_guessed_answers_lose_where_answers_looked_at_win(monkeypatch: pytest.MonkeyPatch) -> None:
    """The weakened build plays lines by guesses in every game (Hasami Shogi: 69 of 100 games against 11 of 40)."""
    assert won_at(monte_carlo_room.LONG, monkeypatch) > won_at(10**9, monkeypatch)
