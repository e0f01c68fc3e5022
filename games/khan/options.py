"""Options: how many play, where the leaders begin, and who does (KHAN-2.1)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from engine import BadOption, OptionSet, choice, text, whole
from engine.boards.squares import Cell
from games.khan.material import LAND, LEADERS, NUMBERS, SEATS


@dataclass(frozen=True)
class Options(OptionSet):
    """KHAN-2.1. A set that cannot be is refused with the code E80 (KHAN-19)."""

    players: int = whole(2, 2, 4, help="how many seats there are, clockwise red, yellow, blue, green")
    leader_setup: str = choice("printed", "custom", "random", help="where the leaders begin")
    leaders: str = text(values="eight land cells", help="only with custom: for RUS SEL HUN KIP PER TIB DAL SON")
    first_seat: str = choice("random", *SEATS, help="who begins; random draws")

    def __post_init__(self) -> None:
        try:
            super().__post_init__()
        except BadOption as bad:
            raise BadOption(bad.option, bad.value, bad.reason, "E80") from None

    def check(self) -> None:
        object.__setattr__(self, "leaders", " ".join(_cells(self.leaders)))
        if self.first_seat not in ("random", *SEATS[: self.players]):
            raise BadOption("first_seat", self.first_seat, f"with {self.players} players choose {self._seats()}")
        if self.leader_setup != "custom" and self.leaders:
            raise BadOption("leaders", self.leaders, "cells are named only with leader_setup custom")
        if self.leader_setup == "custom":
            self._check_leaders()

    def _check_leaders(self) -> None:  # KHAN-2.5
        names = self.leaders.split()
        if len(names) != len(LEADERS) or len(set(names)) != len(LEADERS):
            raise BadOption("leaders", self.leaders or "nothing", "name eight different land cells")
        for name in names:
            if name not in NUMBERS or not LAND >> NUMBERS[name] & 1:
                raise BadOption("leaders", self.leaders, f"{name} is not a land cell")

    def _seats(self) -> str:
        return ", ".join(("random", *SEATS[: self.players]))

    @property
    def seats(self) -> tuple[str, ...]:
        return SEATS[: self.players]

    @property
    def start_cells(self) -> tuple[Cell, ...]:
        """Where the leaders begin, unless that is left to chance."""
        if self.leader_setup == "custom":
            return tuple(NUMBERS[name] for name in self.leaders.split())
        return tuple(leader.start for leader in LEADERS)


def _cells(value: Any) -> tuple[str, ...]:
    """Cell names from a list, or from one text with blanks or commas between them."""
    words: Iterable[Any] = re.split(r"[\s,]+", value) if isinstance(value, str) else value if value else ()
    return tuple(str(word).strip().upper() for word in words if str(word).strip())
