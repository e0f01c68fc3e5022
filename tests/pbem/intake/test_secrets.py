"""A verdict tells a seat nothing that it may not know (G26): equal to the byte for positions it cannot tell apart."""

from __future__ import annotations

import json
import random

import pytest

from engine import games, load
from engine.game import Notice
from engine.queue import SeatOrders
from pbem.intake.fields import read_form
from pbem.intake.judge import judge
from pbem.intake.plain import told
from tests.every_game.hidden import TWINS, twin
from tests.every_game.playing import walks
from tests.every_game.probes import probes
from tests.faults import figures
from tests.faults.figures import counted, so_many

PAIRS = so_many(60, 500)  # of positions for each game that has secrets, with 50 orders each


def bytes_of(rules, state, seat, seats, orders):
    """All that a player is told of a form, and all that a program is."""
    data = {"game": "g", "seat": seat, "turn": "5", "orders": orders}
    reading = read_form(json.dumps(data).encode())
    if reading.form is None:  # not even YAML: no position has been looked at
        return b""
    settings = {"turns": range(5, 6), "seats": seats, "stands": SeatOrders(), "problems": reading.problems}
    verdict = judge(rules, state, reading.form, **settings)
    return json.dumps([verdict.to_json(), *told(verdict, "f"), str(verdict.stands.to_json())]).encode()


def pairs(rules, enough=PAIRS):
    """Two states that a seat cannot tell apart, with the seat and orders that might."""
    luck, count = random.Random("verdicts"), 0
    points = [(one, step) for one in walks(rules.id) for step in one.steps]
    luck.shuffle(points)
    for one, step in points:
        for seat in one.seats:
            other = twin(rules, step, seat, luck)
            if other is not None:
                yield step.state, other.state, seat, one.seats, probes(rules, step.state, one.seats, luck)
                count += 1
        if count >= enough:
            return


def told_apart(rules, found):
    state, other, seat, seats, orders = found
    alone = [[order] for order in orders]
    return any(
        bytes_of(rules, state, seat, seats, given) != bytes_of(rules, other, seat, seats, given)
        for given in [*alone, orders[:5], orders[5:25]]
    )


@pytest.mark.parametrize("name", [name for name in games() if name in TWINS])
def test_a_verdict_keeps_secrets(name):
    rules = load(name)
    found = list(pairs(rules))
    assert len(found) >= PAIRS
    apart = sum(told_apart(rules, pair) for pair in found)
    assert apart == 0
    figures.told(f"{name}: {len(found)} pairs")
    counted(sum(len(orders) for *_, orders in found), "orders judged in both positions of a pair")
    counted(apart, "pairs told apart")


class Chatty(type(load("vault"))):
    """Vault weakened: a bid is commented on with a look at what the others hold."""

    def notices(self, state, seat, move):
        held = sorted(card for player in state.players for card in player.hand)
        return (Notice("VAULT-2.1", "leak", "{held}", {"held": held}),)


def test_a_planted_leak_is_found():
    rules = Chatty()
    assert any(told_apart(rules, found) for found in pairs(rules, 10))
