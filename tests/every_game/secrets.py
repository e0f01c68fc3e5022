"""Non-interference: pairs of moments that one seat must not be able to tell apart (G25, G26)."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from dataclasses import replace

from engine.registry import AnyGame
from tests.every_game.hidden import TWO_SETUPS, twin
from tests.every_game.playing import Step, Walk, at, dice_of
from tests.every_game.probes import probes
from tests.every_game.witnesses import WITNESSES
from tests.every_game.witnesses_moment import Moment

LETTERS = 1 if "PBEM_LONG" in os.environ else 5  # whole letters are dear: the CI's share is every fifth pair
Pair = tuple[Moment, Moment]


def tell_apart(game: AnyGame, walks: tuple[Walk, ...], enough: int) -> int:
    """Asks every witness about so many pairs; the number of pairs, or an AssertionError that names a leak."""
    luck = random.Random("secrets")
    count = 0
    for one, pair in _all_pairs(game, walks, luck):
        with at(one):
            _same(pair, with_letters=count % LETTERS == 0)
        count += 1
        if count == enough:
            break
    return count


def _all_pairs(game: AnyGame, walks: tuple[Walk, ...], luck: random.Random) -> Iterator[tuple[Walk, Pair]]:
    """Set-ups first, then decision points of all games in mixed order."""
    for one in walks[:40]:
        yield from ((one, pair) for pair in _setups(game, one, luck))
    points = [(one, step) for one in walks for step in one.steps]
    luck.shuffle(points)
    for one, step in points:
        yield from ((one, pair) for pair in _pairs(game, one, step, luck))


def _pairs(game: AnyGame, one: Walk, step: Step, luck: random.Random) -> Iterator[Pair]:
    asked = tuple(probes(game, step.state, one.seats, luck))
    dice = dice_of(one.seed, step.number)
    for seat in (*one.seats, None):
        other = twin(game, step, seat, luck)
        if other is None:
            continue
        seen = game.resolve(step.state, step.moves, dice.at("")) if other.after else None
        also = game.resolve(other.state, other.moves, dice.at("")) if other.after else None
        moment = Moment(game, one.options, step.state, step.moves, seen, seat, asked)
        yield moment, replace(moment, state=other.state, moves=other.moves, turned=also)


def _setups(game: AnyGame, one: Walk, luck: random.Random) -> Iterator[Pair]:
    """Two set-ups that give a seat the same, for games whose set-up has secrets."""
    if game.id not in TWO_SETUPS:
        return
    for seat in (*one.seats, None):
        first, second = (game.setup(one.options, dice) for dice in TWO_SETUPS[game.id](game, one.options, seat, luck))
        moment = Moment(game, one.options, first.state, {}, first, seat, ())
        yield moment, replace(moment, state=second.state, turned=second)


def _same(pair: Pair, with_letters: bool) -> None:
    for name, witness in WITNESSES.items():
        if name in ("report", "receipts", "page") and not with_letters:
            continue
        seen, also = (witness(moment) for moment in pair)
        told = f"{name} tells seat {pair[0].seat} what it may not know"
        assert seen == also, f"{told}:\n{pair[0].position}\n{pair[1].position}\n{seen!r}\n{also!r}"
