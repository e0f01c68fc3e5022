"""How a player is asked: it is given a state its seat cannot tell from the true one, and dice of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.dice import Dice
from engine.game import Move, Seat
from engine.registry import AnyGame

Player = Callable[[AnyGame, Any, Seat, Dice], Move]
"""`player(rules, known, seat, dice)`: a legal move of a pending seat."""


def choose(player: Player, rules: AnyGame, state: Any, seat: Seat, dice: Dice) -> Move:
    """The player's move. What it sees of the state is drawn anew wherever its seat must not look (DESIGN 3)."""
    return player(rules, rules.imagine(state, seat, dice.at("imagined")), seat, dice.at("chosen"))
