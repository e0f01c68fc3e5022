"""Menus cut to size: some of many moves, evenly drawn, and none of the rare kinds lost among the common ones."""

from __future__ import annotations

from collections.abc import Iterable

from engine.dice import Dice
from engine.game import Move


def sampled(menu: Iterable[Move], most: int, dice: Dice) -> list[Move]:
    """At most so many of the moves, in the order in which the dice drew them.

    Kinds (the classes of the moves) take turns, since a menu of two thousand placements and five captures would else
    hardly ever show a capture.
    """
    kinds: dict[type, list[Move]] = {}
    for move in menu:
        kinds.setdefault(type(move), []).append(move)
    drawn: list[Move] = []
    left = list(kinds.values())
    while left and len(drawn) < most:
        for moves in left[: most - len(drawn)]:
            at = dice.pick(len(moves), "look") if len(moves) > 1 else 0
            moves[at], moves[-1] = moves[-1], moves[at]
            drawn.append(moves.pop())
        left = [moves for moves in left if moves]
    return drawn
