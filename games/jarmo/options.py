"""What a host may choose for a game of Jarmo (section 3 of the rules document)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from engine import BadOption, OptionSet, choice, flag, whole
from engine.options import FALSE, TRUE, Spec
from games.jarmo.net import FIELD, POINTS, names_of
from games.jarmo.variants import DATA, LIMIT, LIMITS, VARIANTS

FIELD_POINTS = names_of(FIELD)
DEFAULT_CAMPS = "+".join(DATA["setup"]["camps_default"])
SERIES: tuple[int, ...] = tuple(DATA["series"])
LATE = ("move", "turn")


def read_camps(name: str, value: Any) -> str:
    """`off`, or two points as `a3+e3` in canonical order; what YAML makes of `off` and `on` is understood."""
    word = str(value).strip().lower()
    if word in FALSE:
        return "off"
    if word in TRUE | {"default"}:
        return DEFAULT_CAMPS
    points = re.split(r"\s*\+\s*", word)
    if len(points) != 2 or points[0] == points[1] or not set(points) <= set(FIELD_POINTS):
        # JARMO-11.1: the markers lie on two different points of the field.
        raise BadOption(name, value, "choose off, default, or two different points of ranks 2 to 4, as in b2+d4")
    return "+".join(sorted(points, key=POINTS.index))


def read_late(name: str, value: Any) -> str:
    """Empty means the variant's own way."""
    word = str(value).strip().lower()
    if word not in ("", *LATE):
        raise BadOption(name, value, f"choose one of {', '.join(LATE)}")
    return word


def read_series(name: str, value: Any) -> int:
    """JARMO-7.1: the numbers of games a match can have."""
    if str(value).strip() not in map(str, SERIES) or isinstance(value, bool):
        raise BadOption(name, value, f"choose one of {', '.join(map(str, SERIES))}")
    return int(value)


def _option(default: Any, read: Callable[[str, Any], Any], values: str, help: str) -> Any:
    return field(default=default, metadata={"spec": Spec(read, values, help)})


@dataclass(frozen=True)
class Options(OptionSet):
    variant: str = choice(*VARIANTS, help="the base game, the legendary or the Jasyr variant")
    golden: bool = flag(help="one golden soldier on each side")
    camps: str = _option(
        "off",
        read_camps,
        "off | default",
        f"retired camps: none, the points {DEFAULT_CAMPS}, or two points of ranks 2 to 4 as in b2+d4; not in jasyr",
    )
    late: str = _option(
        "",
        read_late,
        " | ".join(LATE),
        "a soldier kept in hand is placed together with a move, or as a whole turn; in jasyr always turn",
    )
    limit: int = whole(LIMIT, *LIMITS, help="turns of both sides together, after which the game ends")
    series: int = _option(1, read_series, " | ".join(map(str, SERIES)), "games of the match, kept by the host")

    def check(self) -> None:
        variant = VARIANTS[self.variant]
        if self.camps != "off" and not variant.recalls:
            reason = "in jasyr captured archers are gone, so nobody could ever be recalled"  # JARMO-9.5
            raise BadOption("camps", self.camps, reason)
        if self.late and self.late != "turn" and variant.late == "turn":
            raise BadOption("late", self.late, "in jasyr placing is always a whole turn")  # JARMO-9.6
        # The default is written out, so that the record of a game says how it is played.
        object.__setattr__(self, "late", self.late or variant.late)

    @property
    def camp_points(self) -> tuple[str, ...]:
        """JARMO-11.1: the two points of the markers, or none."""
        return () if self.camps == "off" else tuple(self.camps.split("+"))
