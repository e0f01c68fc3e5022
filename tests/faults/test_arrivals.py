"""G11: in which order the seats answered decides nothing: the same orders give the same draws, story and state."""

from __future__ import annotations

import itertools
import os
import random
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from engine import Turned, games, load
from pbem.ledger import journal
from tests.every_game.plain import bytes_of
from tests.every_game.playing import dice_of, sample, walks
from tests.every_game.wrapped import Wrapped
from tests.faults.figures import told
from tests.pbem.host.conftest import Host, make_host

__all__ = ["make_host"]
MOST = 2000 if "PBEM_LONG" in os.environ else 60  # decision points of a game


def differing(game: Any, game_id: str) -> int:
    """At how many of the sampled decision points where several seats move it matters who is named first."""
    luck, found, looked = random.Random(game_id), 0, 0
    for one, step in sample(walks(game_id), MOST):
        if len(step.moves) < 2:
            continue
        names = list(step.moves)
        said = set()
        for order in (names, names[::-1], luck.sample(names, len(names))):
            dice = dice_of(one.seed, step.number)
            turned = game.resolve(step.state, {seat: step.moves[seat] for seat in order}, dice)
            said.add((bytes_of(turned), bytes_of([list(draw) for draw in dice.draws])))
        looked += 1
        found += len(said) > 1
    if looked:
        told(f"{game_id}: {looked} decision points in 3 orders, {found} differ")
    return found


@pytest.mark.parametrize("game", games())
def test_g11_the_order_of_the_seats_decides_nothing(game: str) -> None:
    assert differing(load(game), game) == 0


class FirstCome(Wrapped):
    """The weakened rules: who is named first is told first."""

    def resolve(self, state: Any, moves: Mapping[str, Any], dice: Any) -> Turned:
        turned = self.inner.resolve(state, moves, dice)
        first = next(iter(moves))
        return Turned(turned.state, tuple(sorted(turned.events, key=lambda event: event.facts.get("seat") != first)))


class DrawsInTurn(Wrapped):
    """The weakened rules: each seat draws as it comes."""

    def resolve(self, state: Any, moves: Mapping[str, Any], dice: Any) -> Turned:
        for seat in moves:
            dice.pick(6, f"luck of {seat}")
        return self.inner.resolve(state, moves, dice)


@pytest.mark.parametrize("weakened", [FirstCome, DrawsInTurn])
def test_g11_weakened_rules_that_go_by_arrival_are_found(weakened: Callable[[Any], Any]) -> None:
    assert differing(weakened(load("vault")), "vault") > 0


def test_g11_a_host_that_is_answered_in_any_order_plays_the_same_turn(make_host: Callable[..., Host]) -> None:
    said = set()
    for number, order in enumerate(itertools.permutations(("red", "green", "blue"))):
        host = make_host(f"host-{number}")
        host.start("vault")
        for seat in order:
            assert host.order(seat, "pass").fate == "accepted"
        host.night()
        with host.ledger.read() as tx:
            facts = [row.facts() for row in journal.rows(tx, "game", kinds=("turn",))][-1]
        kept = {name: facts[name] for name in ("draws", "events", "state", "pending")}
        kept["moves"] = {seat: made["move"] for seat, made in facts["moves"].items()}
        said.add(bytes_of(kept))
    assert len(said) == 1
