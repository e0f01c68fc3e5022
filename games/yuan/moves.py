"""The moves of every decision; `str(move)` is the canonical short text (YUAN-18.4)."""

from __future__ import annotations

from dataclasses import dataclass, field

from games.yuan.box import Slot

# `silent` says that the deadline made the move and nobody wrote it. It colours the story (plan_defaulted,
# `defaulted` of tile_placed) and nothing else, so a silent move is equal to the same move when written.


@dataclass(frozen=True, slots=True)
class Plan:
    """A target and one to three actions; level 0 is an action not planned (YUAN-5.3)."""

    target: str
    dev: int = 0
    fort: int = 0
    mil: int = 0
    cross: bool = False

    def __str__(self) -> str:
        actions = [f"{letter}{level}" for letter, level in zip("DFM", self.levels, strict=True) if level]
        return " ".join(["PLAN", self.target, *actions, *["CROSS"] * self.cross])

    @property
    def levels(self) -> tuple[int, int, int]:
        return self.dev, self.fort, self.mil


@dataclass(frozen=True, slots=True)
class Pass:
    """Neither province nor action."""

    silent: bool = field(default=False, compare=False)

    def __str__(self) -> str:
        return "PASS"


@dataclass(frozen=True, slots=True)
class Resign:
    """YUAN-14.6."""

    def __str__(self) -> str:
        return "RESIGN"


@dataclass(frozen=True, slots=True)
class LayTile:
    """YUAN-3.6."""

    tile: str
    slot: Slot
    rot: int
    silent: bool = field(default=False, compare=False)

    def __str__(self) -> str:
        return f"TILE {self.tile} {self.slot[0]},{self.slot[1]} R{self.rot}"


@dataclass(frozen=True, slots=True)
class SetCity:
    """YUAN-3.9."""

    province: str

    def __str__(self) -> str:
        return f"CITY {self.province}"


@dataclass(frozen=True, slots=True)
class Bid:
    """YUAN-3.13."""

    chao: int

    def __str__(self) -> str:
        return f"BID {self.chao}"


@dataclass(frozen=True, slots=True)
class TakeCapital:
    """YUAN-3.13."""

    province: str

    def __str__(self) -> str:
        return f"CAPITAL {self.province}"


Move = Plan | Pass | Resign | LayTile | SetCity | Bid | TakeCapital
PASS, RESIGN = Pass(), Resign()
SILENCE = Pass(silent=True)
