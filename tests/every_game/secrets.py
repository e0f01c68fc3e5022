"""Non-interference: pairs of moments that one seat must not be able to tell apart (G25, G26)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from engine.registry import AnyGame
from tests.every_game.hidden import TWO_SETUPS, twin
from tests.every_game.playing import Step, Walk, at, dice_of, sample
from tests.every_game.probes import probes
from tests.every_game.witnesses import WITNESSES, Moment

Pair = tuple[Moment, Moment]


def tell_apart(game: AnyGame, walks: tuple[Walk, ...], steps: int) -> int:
    """Asks every witness about every pair; the number of pairs, or an AssertionError that names a leak."""
    luck = random.Random("secrets")
    count = 0
    for one in walks[:40]:
        for pair in _setups(game, one, luck):
            count += _same(one, pair)
    for one, step in sample(walks, steps):
        for pair in _pairs(game, one, step, luck):
            with at(one, step):
                count += _same(one, pair)
    return count


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


def _same(one: Walk, pair: Pair) -> int:
    for name, witness in WITNESSES.items():
        seen, also = (witness(moment) for moment in pair)
        assert seen == also, f"{name} tells seat {pair[0].seat} what it may not know:\n{seen!r}\n{also!r}"
    return 1
