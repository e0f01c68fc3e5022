"""Players that are programs: legal, the same from the same dice, and blind to what their seat may not know."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from engine import Dice, Outcome, Seat, load
from engine.players import PLAYERS, MonteCarlo, Player, choose
from engine.players.menu import sampled
from engine.players.worth import DECIDED, beaten, worth
from tests.every_game.hidden import twin
from tests.every_game.playing import Step, Walk, walk
from tests.players_match import match

SMALL: dict[str, Player] = {**PLAYERS, "monte-carlo": MonteCarlo(budget=40, width=3, depth=2, glance=2)}
GAMES = ("nim", "vault", "bagh-chal", "khan", "yuan", "conquest", "hasami-shogi", "jarmo", "yut")
HIDING = ("vault", "khan")


def steps(game_id: str, most: int, seed: int = 5) -> Iterator[tuple[Walk, Step]]:
    """Some decision points of a random game, spread over all of it."""
    game = load(game_id)
    one = walk(game, game.Options(), seed)
    yield from ((one, step) for step in islice(one.steps[:: max(1, len(one.steps) // most)], most))


@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.parametrize("name", SMALL)
def test_a_player_gives_a_legal_move_and_the_same_again(game_id: str, name: str) -> None:
    game = load(game_id)
    for one, step in steps(game_id, 6):
        for seat in game.pending(step.state):
            move = choose(SMALL[name], game, step.state, seat, Dice(b"x"))
            assert game.read(step.state, seat, str(move)) == move, one.seed
            assert choose(SMALL[name], game, step.state, seat, Dice(b"x")) == move


@pytest.mark.parametrize("game_id", HIDING)
@pytest.mark.parametrize("name", SMALL)
def test_a_player_cannot_tell_what_its_seat_cannot(game_id: str, name: str) -> None:
    """The twins of the every_game tests are made from the rules, not from what the game calls imaginable."""
    game, luck, pairs = load(game_id), random.Random(3), 0
    for seed in (1, 2, 3):
        for _, step in steps(game_id, 12, seed):
            for seat in game.pending(step.state):
                other = twin(game, step, seat, luck)
                if other is None or seat not in game.pending(other.state):
                    continue
                dice = Dice(f"{step.number}".encode())
                pairs += other.state != step.state
                chosen = choose(SMALL[name], game, step.state, seat, dice)
                assert chosen == choose(SMALL[name], game, other.state, seat, dice), game.position(step.state)
                assert game.appraise(step.state, seat) == game.appraise(other.state, seat)
    assert pairs > 10


@pytest.mark.parametrize("game_id", HIDING)
def test_what_a_seat_imagines_is_sound_and_looks_the_same_to_it(game_id: str) -> None:
    game, changed = load(game_id), 0
    for one, step in steps(game_id, 30):
        for seat in one.seats:
            imagined = game.imagine(step.state, seat, Dice(b"another world"))
            game.check(imagined)
            assert game.view(imagined, seat) == game.view(step.state, seat)
            if seat in game.pending(step.state):
                assert list(game.moves(imagined, seat)) == list(game.moves(step.state, seat))
            changed += imagined != step.state
    assert changed > 10


@pytest.mark.parametrize("game_id", [game for game in GAMES if game not in HIDING])
def test_where_nothing_is_hidden_the_state_itself_is_what_a_seat_knows(game_id: str) -> None:
    for one, step in steps(game_id, 3):
        assert one.game.imagine(step.state, one.seats[0], Dice(b"")) is step.state


def test_a_game_that_hides_must_say_what_may_be_imagined() -> None:
    class Silent(type(load("vault"))):  # type: ignore[misc]
        imagine = next(kind.imagine for kind in type(load("vault")).__mro__ if kind.__name__ == "Game")

    rules: Any = Silent()
    with pytest.raises(TypeError, match="vault hides something"):
        choose(PLAYERS["random"], rules, rules.setup(rules.Options(), Dice(b"")).state, "red", Dice(b""))


@pytest.mark.parametrize("game_id", ["bagh-chal", "yuan", "conquest", "hasami-shogi", "jarmo", "yut"])
def test_what_is_good_for_one_is_not_good_for_all(game_id: str) -> None:
    """An appraisal is a comparison: all seats together cannot be ahead."""
    apart = 0
    for one, step in steps(game_id, 20):
        told = [one.game.appraise(step.state, seat) for seat in one.seats]
        assert min(told) <= 0, one.game.position(step.state)
        apart += len(set(told)) > 1
    assert apart > 0


def test_the_end_counts_more_than_anything_before_it() -> None:
    game = load("nim")
    over = game.from_position("nim1 0-0-0 1 normal 0 -")
    assert worth(game, over, "2") == DECIDED == -worth(game, over, "1")


@pytest.mark.parametrize(
    ("seat", "ahead"),
    [("a", 3), ("b", 0), ("c", 0), ("d", -3)],  # b and c share the second place: one behind them, one before them
)
def test_places_are_seats_left_behind(seat: Seat, ahead: int) -> None:
    assert beaten(Outcome((("a",), ("b", "c"), ("d",)), {}, "X-1"), seat) == ahead


def test_a_rare_kind_of_move_is_looked_at() -> None:
    menu: list[Any] = [*range(2000), "conquer", "pass"]
    found = sampled(menu, 8, Dice(b"1"))
    assert {"conquer", "pass"} < set(found)
    assert len(set(found)) == 8
    assert sampled(menu, 8, Dice(b"1")) == found


def test_the_whole_menu_is_looked_at_when_it_is_short() -> None:
    assert sorted(sampled(range(5), 8, Dice(b"1"))) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    ("game_id", "pair", "number"),
    [
        ("vault", ("greedy", "random"), 20),
        ("bagh-chal", ("greedy", "random"), 10),
        ("nim", ("monte-carlo", "greedy"), 20),
    ],
)
def test_who_thinks_more_wins_more(game_id: str, pair: tuple[str, str], number: int) -> None:
    """The figures for all games stand in tests/players_match.md."""
    game = load(game_id)
    won = match(game, game.Options(), pair, number, budget=200)
    assert won[pair[0]] > won[pair[1]]
