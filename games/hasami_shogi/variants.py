"""The 18-piece game and the war game, and what differs between them, read from data/hasami-shogi.yaml.

A rule asks its variant for a number or a switch, never for its name (HASAMI-8.1).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import yaml

from engine.boards.squares import Mask, Squares, squares
from games.hasami_shogi.state import GREEN, RED

# libyaml reads the file ten times faster; both loaders give the same values.
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
DATA: Mapping[str, Any] = yaml.load(files(__package__).joinpath("data/hasami-shogi.yaml").read_bytes(), _Loader)

FILES: str = DATA["board"]["files"]
ROWS: int = DATA["board"]["rows"]
# HASAMI-2.1: 81 squares without wrapping. HASAMI-2.3: board order is the reading order of row 9 to row 1.
SQUARES: Squares = squares(FILES, ["." * len(FILES)] * ROWS, from_south=True)
CORNERS: Mapping[str, tuple[str, str]] = {corner: (one, two) for corner, (one, two) in DATA["board"]["corners"].items()}

LINE: int = DATA["numbers"]["line"]  # HASAMI-7.1
SAME_POSITION: int = DATA["numbers"]["same_position"]  # HASAMI-7.4

SIDES = {"green": GREEN, "red": RED}


@dataclass(frozen=True, eq=False)
class Variant:
    """What a rule asks the variant for."""

    key: str
    camps: Mapping[str, Mask]
    camp_rows: Mapping[str, tuple[int, ...]]
    battlefield: Mask
    camps_closed: bool
    corner_capture: bool
    five_wins: bool
    pieces: int
    """Of each side at the start."""
    loses_with: int
    """A side with that many pieces or fewer has lost (HASAMI-7.2, HASAMI-8.4)."""
    shogun_start: Mapping[str, Mask]
    """Option `shogun` -> the squares where Shoguns start (HASAMI-9.1)."""


def in_rows(rows: tuple[int, ...]) -> Mask:
    return SQUARES.mask(f"{file}{row}" for row in rows for file in FILES)


def _variant(key: str, data: Mapping[str, Any]) -> Variant:
    rows = {SIDES[side]: tuple(camp) for side, camp in data["camps"].items()}
    return Variant(
        key=key,
        camps={side: in_rows(camp) for side, camp in rows.items()},  # HASAMI-2.2
        camp_rows=rows,
        battlefield=in_rows(tuple(data["battlefield"])),  # HASAMI-2.2
        camps_closed=data["camps_closed"],
        corner_capture=data["corner_capture"],
        five_wins=data["five_wins"],
        pieces=data["pieces_per_side"],
        loses_with=data["loses_with"],
        shogun_start={
            "none": 0,
            **{where: SQUARES.mask(at.values()) for where, at in DATA["shogun_start"][key].items()},
        },
    )


VARIANTS: Mapping[str, Variant] = {key: _variant(key, data) for key, data in DATA["variants"].items()}
