"""Robots: how the players of the demonstration choose what they write, and how much of it they send ahead."""

from __future__ import annotations

from typing import Any

from engine import Dice, Move, Seat
from engine.players import PLAYERS, choose
from engine.players.worth import answered
from engine.registry import AnyGame

AHEAD = 40  # orders in one file; a turn of many steps needs no more
WHIM = 12  # about one order in so many is any legal move, whatever comes of it


def line(rules: AnyGame, state: Any, seat: Seat, dice: Dice) -> list[str]:
    """The order for the open decision, and those for the decisions that the seat can foresee to have after it.

    Where others may answer in between, a robot hopes that they will not: if they do, it is asked again.
    """
    orders: list[str] = []
    while len(orders) < AHEAD and seat in rules.pending(state):
        move = thought_of(rules, state, seat, dice.at(str(len(orders))))
        orders.append(str(move))
        ahead = rules.foresee(state, seat, move)
        if ahead is None:
            break
        state = answered(rules, ahead, seat, dice)
    return orders


def thought_of(rules: AnyGame, state: Any, seat: Seat, dice: Dice) -> Move:
    """Mostly the move that looks best one step ahead, so that games are sensible and come to an end."""
    player = PLAYERS["random" if dice.pick(WHIM, "whim") == 0 else "greedy"]
    return choose(player, rules, state, seat, dice)
