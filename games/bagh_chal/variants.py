"""The two boards and what differs between them, read from data/bagh-chal.yaml (BAGH-2.1, BAGH-8.1).

BAGH-8.2: everything else is the same on both, so no rule asks which of them is played.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import yaml

from engine.boards.points import Point, PointGraph, point_graph

# libyaml reads the file ten times faster; both loaders give the same values.
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
DATA: Mapping[str, Any] = yaml.load(files(__package__).joinpath("data/bagh-chal.yaml").read_bytes(), _Loader)

GOATS_TO_CATCH: int = DATA["numbers"]["goats_to_catch"]  # BAGH-7.1
CAPTURES_BEFORE_BOUC: int = DATA["numbers"]["captures_before_bouc"]  # BAGH-9.5
SAME_MOVES: int = DATA["numbers"]["same_moves"]  # BAGH-7.3
GAMES_IN_MATCH: int = DATA["numbers"]["games_in_match"]  # BAGH-10.5


@dataclass(frozen=True, eq=False)
class Variant:
    """One side of the cloth: its board, who starts where, and how many goats there are."""

    key: str
    graph: PointGraph
    tigers: tuple[Point, ...]
    alpha_default: Point
    goats: int
    xy: Mapping[Point, tuple[int, int]]
    """Where points are drawn, in half steps of the data so that all are whole numbers; x to the right, y downwards."""


def _variant(key: str, data: Mapping[str, Any]) -> Variant:
    graph = point_graph(data["rows"], data["lines"])  # BAGH-2.3: `rows` is the board order
    return Variant(
        key=key,
        graph=graph,
        tigers=tuple(point for point in graph.points if point in data["tigers"]),
        alpha_default=data["alpha_default"],
        goats=data["goats"],
        xy={point: (round(2 * x), round(2 * y)) for point, (x, y) in data["xy"].items()},
    )


VARIANTS: Mapping[str, Variant] = {key: _variant(key, data) for key, data in DATA["boards"].items()}
