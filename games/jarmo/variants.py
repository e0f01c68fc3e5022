"""The three variants as data: what a rule asks them for, read from data/jarmo.yaml (JARMO-8, JARMO-9)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import yaml

# libyaml reads the file ten times faster; both loaders give the same values.
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
DATA: Mapping[str, Any] = yaml.load(files(__package__).joinpath("data/jarmo.yaml").read_bytes(), _Loader)

SOLDIERS: int = DATA["setup"]["soldiers_per_player"]  # JARMO-1.1
REPEATED: int = DATA["limits"]["repetition"]  # JARMO-6.3
QUIET_TURNS: int = DATA["limits"]["quiet_turns"]  # JARMO-6.5
LIMIT: int = DATA["limits"]["turns_default"]  # JARMO-6.6
LIMITS: tuple[int, int] = (DATA["limits"]["turns_min"], DATA["limits"]["turns_max"])
IN_CAMP: int = DATA["points"]["in_enemy_camp"]  # JARMO-6.7
ELSEWHERE: int = DATA["points"]["elsewhere"]  # JARMO-6.7

CAMP, CAPTURE, REPEAT, BLOCKED, QUIET, TURNS = "camp", "capture", "repeat", "blocked", "quiet", "limit"
REASONS = (CAMP, CAPTURE, REPEAT, BLOCKED, QUIET, TURNS)


@dataclass(frozen=True, eq=False)
class Variant:
    """How one variant is played."""

    key: str
    points: bool
    """Whether points decide (JARMO-6.7); in the others there are none (JARMO-8.1)."""
    dotted: bool
    """Whether the dotted lines may be used (JARMO-9.2)."""
    backward: bool
    """Whether pieces may go back towards their camp (JARMO-9.3)."""
    safe_in_camp: bool
    """Whether a piece in the enemy camp is safe from capture (JARMO-8.2).

    Not in Jasyr: its sentence 4, which says the same, is struck through (JARMO-9.4).
    """
    demotion: str
    """When a guard in the enemy camp is turned over: `on_entering` (JARMO-4.2) or in an `own_turn` (JARMO-8.3)."""
    captured_archer: str
    captured_guard: str
    """Where captured soldiers go: `pool` (JARMO-3.1), `out` (JARMO-9.5) or `hand` (JARMO-9.6)."""
    hand_delays_end: bool
    """Whether soldiers in hand are still to be brought in (JARMO-8.1); in base they do not matter (JARMO-6.1)."""

    @property
    def ends(self) -> Mapping[str, str]:
        """The paragraph by which each reason ends a game."""
        return ENDS[self.key]

    @property
    def late(self) -> str:
        """JARMO-9.6: in Jasyr a kept soldier is always a whole turn; elsewhere it is placed with a move (JARMO-5.3)."""
        return "turn" if self.captured_guard == "hand" else "move"

    @property
    def recalls(self) -> bool:
        """JARMO-9.5: where captured archers are gone for good, nobody could be recalled."""
        return self.captured_archer == "pool"


VARIANTS: Mapping[str, Variant] = {key: Variant(key, **data) for key, data in DATA["variants"].items()}

ENDS: Mapping[str, Mapping[str, str]] = {
    "base": {
        CAMP: "JARMO-6.1",
        CAPTURE: "JARMO-6.2",
        REPEAT: "JARMO-6.3",
        BLOCKED: "JARMO-6.4",
        QUIET: "JARMO-6.5",
        TURNS: "JARMO-6.6",
    },
    "legendary": {CAMP: "JARMO-8.1", CAPTURE: "JARMO-8.4", **dict.fromkeys(REASONS[2:], "JARMO-8.5")},
    "jasyr": dict.fromkeys(REASONS, "JARMO-9.1"),
}
