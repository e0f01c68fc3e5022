"""Dice that follow the `picks` of a game vector: numbers, [m, number], `highest`, and repeats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from engine import Dice


class Picks:
    """A source of draws that answers as the script says and knows when it is used up."""

    def __init__(self, script: Sequence[Any]) -> None:
        self.left = list(_unrolled(script))[::-1]

    def below(self, n: int, why: str, index: int) -> int:
        assert self.left, f"nothing left for pick({n}) for {why}"
        pick = self.left.pop()
        if isinstance(pick, list):
            assert pick[0] == n, f"pick({n}) for {why} does not fit {pick}"
            return pick[1]
        return n - 1 if pick == "highest" else pick


def _unrolled(script: Sequence[Any]) -> Iterator[Any]:
    for item in script:
        if isinstance(item, dict):
            yield from [item["pick"]] * item["times"]
        else:
            yield item


def dice(picks: Picks) -> Dice:
    return Dice(source=picks)
