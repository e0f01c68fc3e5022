"""Random play through the public interface, kept step by step so that many questions can be put to the same games."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from engine import Dice, Move, Seat, Turned, load
from engine.dice import Draw
from engine.players import choose, greedy
from engine.registry import AnyGame
from tests.every_game.option_sets import option_sets, words

BOUND = 20_000  # decision points; a game that needs more by chance alone does not end
ENOUGH = 1500  # decision points that the questions look at, when the games are short

Chooser = Callable[[Any, Seat], Move]


@dataclass(frozen=True)
class Step:
    """One decision point: the state before, what was chosen, what came of it."""

    number: int
    state: Any
    moves: Mapping[Seat, Move]
    turned: Turned
    draws: tuple[Draw, ...]


@dataclass(frozen=True)
class Walk:
    """One game from the set-up to its end."""

    game: AnyGame
    options: Any
    seed: int
    how: str
    setup: Turned
    steps: tuple[Step, ...]

    @property
    def seats(self) -> tuple[Seat, ...]:
        return self.game.seats(self.options)

    @property
    def states(self) -> Iterator[Any]:
        yield self.setup.state
        yield from (step.turned.state for step in self.steps)

    @property
    def last(self) -> Any:
        return self.steps[-1].turned.state if self.steps else self.setup.state


def dice_of(seed: int, turn: int) -> Dice:
    return Dice(seed.to_bytes(32, "big"), "every-game").at(str(turn))


def walk(
    game: AnyGame, options: Any, seed: int, *, resigning: bool = False, silent: bool = False, greedily: bool = False
) -> Walk:
    """Plays a game to its end: moves by chance, with `silent` nothing but defaults, `greedily` what looks best."""
    luck = random.Random(seed)
    setup = game.setup(options, dice_of(seed, 0))
    steps: list[Step] = []
    state = setup.state
    how = " --silent" * silent + " --resigning" * resigning + " --greedily" * greedily
    chooser = game.default if silent else _chooser(game, luck, greedily)
    with repeatable(game, options, seed, how):
        while pending := game.pending(state):
            assert len(steps) < BOUND, f"no end after {BOUND} decision points"
            moves = _choose(game, options, state, pending, luck, chooser, resigning)
            dice = dice_of(seed, len(steps) + 1)
            turned = game.resolve(state, moves, dice)
            steps.append(Step(len(steps) + 1, state, moves, turned, tuple(dice.draws)))
            state = turned.state
    return Walk(game, options, seed, how, setup, tuple(steps))


def _choose(
    game: AnyGame,
    options: Any,
    state: Any,
    pending: tuple[Seat, ...],
    luck: random.Random,
    chooser: Chooser,
    quits: bool,
) -> dict[Seat, Move]:
    moves = {seat: chooser(state, seat) for seat in pending}
    if quits and luck.random() < 0.02:
        seat = luck.choice(game.seats(options))
        resignation = game.resignation(state, seat)
        if resignation is not None and game.at_once(state, seat, resignation):
            return {seat: resignation}
        if resignation is not None and seat in pending:
            return moves | {seat: resignation}
    return moves


def _chooser(game: AnyGame, luck: random.Random, greedily: bool) -> Chooser:
    return partial(_best if greedily else _any, game, luck)


def _best(game: AnyGame, luck: random.Random, state: Any, seat: Seat) -> Move:
    """What the greedy player takes, by what its seat may know."""
    assert any(True for _ in game.moves(state, seat)), f"seat {seat} has no legal move in {game.position(state)}"
    return choose(greedy, game, state, seat, Dice(luck.randbytes(32), "every-game").at("greedy"))


def _any(game: AnyGame, luck: random.Random, state: Any, seat: Seat) -> Move:
    menu = list(game.moves(state, seat))
    assert menu, f"seat {seat} has no legal move in {game.position(state)}"
    return luck.choice(menu)


@cache
def walks(game_id: str) -> tuple[Walk, ...]:
    """The games that questions are asked about: every option set in turn, until there is enough; some are resigned."""
    game, sets = load(game_id), option_sets(game_id)
    played: list[Walk] = []
    while len(played) < len(sets) or (len(played) < 20 * len(sets) and sum(len(one.steps) for one in played) < ENOUGH):
        seed = len(played)
        played.append(walk(game, sets[seed % len(sets)], seed, resigning=seed % 3 == 2))
    return tuple(played)


def sample(walks: tuple[Walk, ...], most: int) -> list[tuple[Walk, Step]]:
    """Steps of these games, evenly spread; first and last ones of each game among them."""
    steps = [(one, step) for one in walks for step in one.steps]
    stride = max(1, len(steps) // most)
    ends = [(one, step) for one in walks for step in one.steps if step.number in (1, len(one.steps))]
    chosen = {(id(one), step.number): (one, step) for one, step in [*steps[::stride], *ends]}
    return list(chosen.values())


def turns(walks: tuple[Walk, ...], most: int) -> Iterator[tuple[Walk, Step, Seat]]:
    """Sampled steps, each with one of the seats that are asked there."""
    luck = random.Random("turns")
    for one, step in sample(walks, most):
        yield one, step, luck.choice(one.game.pending(step.state))


@contextmanager
def repeatable(game: AnyGame, options: Any, seed: int, how: str = "", step: Step | None = None) -> Iterator[None]:
    """Adds to whatever goes wrong the command that plays the same game again, and where it went wrong."""
    try:
        yield
    except BaseException as wrong:
        wrong.add_note(f"repeat with: python -m tests.every_game play {game.id} {words(options)} --seed {seed}{how}")
        if step is not None:
            wrong.add_note(f"decision point {step.number}: {game.position(step.state)}")
        raise


@contextmanager
def at(one: Walk, step: Step | None = None) -> Iterator[None]:
    with repeatable(one.game, one.options, one.seed, one.how, step):
        yield
