"""The random player: any legal move, each as likely as another."""

from __future__ import annotations

from typing import Any

from engine.dice import Dice
from engine.game import Move, Seat
from engine.registry import AnyGame


def random_player(rules: AnyGame, known: Any, seat: Seat, dice: Dice) -> Move:
    menu: list[Move] = list(rules.moves(known, seat))
    return dice.choice(menu, "move")
