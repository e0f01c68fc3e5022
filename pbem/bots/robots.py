"""Robots: what a program writes into an order file, and how much of it it sends ahead."""

from __future__ import annotations

from typing import Any

from engine import Dice, Move, Seat
from engine.players import PLAYERS, Player, choose
from engine.players.worth import answered
from engine.registry import AnyGame

AHEAD = 40  # orders in one file; a turn of many steps needs no more
WHIM = 12  # about one order in so many of a whimsical player is any legal move, whatever comes of it


def line(player: Player, rules: AnyGame, state: Any, seat: Seat, dice: Dice) -> list[str]:
    """The order for the open decision, and those for the decisions that the seat can foresee to have after it.

    Where others may answer in between, a robot hopes that they will not: if they do, it is asked again.
    """
    orders: list[str] = []
    while len(orders) < AHEAD and seat in rules.pending(state):
        move = choose(player, rules, state, seat, dice.at(str(len(orders))))
        orders.append(str(move))
        ahead = rules.foresee(state, seat, move)
        if ahead is None:
            break
        state = answered(rules, ahead, seat, dice)
    return orders


def whimsical(rules: AnyGame, known: Any, seat: Seat, dice: Dice) -> Move:
    """Mostly the move that looks best one step ahead, so that a game is sensible and comes to an end; else any."""
    return PLAYERS["random" if dice.pick(WHIM, "whim") == 0 else "greedy"](rules, known, seat, dice)
