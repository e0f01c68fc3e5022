"""What is asked of all seats: to take the game back, to call it a draw. It comes about when each of them has agreed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine import Seat

TAKE_BACK, DRAW = "take-back", "draw"


@dataclass(frozen=True, slots=True)
class Asked:
    """One question to all seats, and who has agreed so far. `by` None: the referee asks."""

    by: Seat | None
    turn: int | None = None  # to which the game would go back
    yes: frozenset[Seat] = frozenset()
    reason: str = ""

    def agreed(self, seat: Seat) -> Asked:
        return replace(self, yes=self.yes | {seat})

    def to_json(self) -> dict[str, Any]:
        return {"by": self.by, "turn": self.turn, "yes": sorted(self.yes), "reason": self.reason}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Asked:
        return cls(data["by"], data["turn"], frozenset(data["yes"]), data["reason"])
