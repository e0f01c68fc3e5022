"""The greedy player: one step ahead, and then whatever stands best."""

from __future__ import annotations

from typing import Any

from engine.dice import Dice
from engine.game import Move, Seat
from engine.players.menu import sampled
from engine.players.worth import after, worth
from engine.registry import AnyGame

MOST = 64  # moves looked at; of a longer menu a sample


def greedy(rules: AnyGame, known: Any, seat: Seat, dice: Dice) -> Move:
    return best(rules, known, seat, sampled(rules.moves(known, seat), MOST, dice), dice)


def best(rules: AnyGame, known: Any, seat: Seat, moves: list[Move], dice: Dice) -> Move:
    """The move that leads to the best position, the first of equals; luck falls the same for all of them."""
    if len(moves) == 1:
        return moves[0]
    return max(moves, key=lambda move: worth(rules, after(rules, known, seat, move, dice.at("luck")), seat))
