"""Robots that record stored games: how many orders they send ahead, and how they choose in games that go on for ever
when everybody wanders about."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, NamedTuple

from engine import Dice

Choose = Callable[[Any, list[Any], Dice], Any]


def any_move(state: Any, menu: list[Any], dice: Dice) -> Any:
    return dice.choice(menu, "move")


def captures_first(state: Any, menu: list[Any], dice: Dice) -> Any:
    """As the robots of Conquest's own stored games: mostly a capture, else towards the cells that win."""
    from tests.games.conquest.playthrough import chosen

    return chosen(state, menu, random.Random(dice.pick(1 << 30, "chosen")))


class Style(NamedTuple):
    """How a robot orders: of twelve lots so many mean one order only, the rest so many ahead."""

    short: int = 6
    most: int = 4
    choose: Choose = any_move
    extra: dict[str, Any] = {}

    def takes_extra(self, rules: Any, state: Any, seat: str) -> bool:
        """Keys that the rules add belong to the file of a turn, not to an answer within another's."""
        return bool(self.extra) and not rules.interrupts(state, seat)


PLAIN = Style()
STYLES = {"conquest": Style(1, 30, captures_first, {"on_illegal": "skip", "at_end": "end"})}
STANDING: dict[str, dict[str, Any]] = {
    "conquest": {"counter": {"rules": [{"when": {"at": ["capital", "grail"]}, "answer": "always"}], "else": "never"}}
}
