"""What is in the box: map, leaders, cards, shapes and special cards, all read from data/khan.yaml (KHAN-1)."""

from __future__ import annotations

from importlib.resources import files
from typing import Any, NamedTuple

import yaml

from engine.boards.squares import COMPASS, Cell, Form, Mask, PerCell, orientations, squares

DATA: dict[str, Any] = yaml.load(  # the C loader reads the same, ten times as fast, where there is one
    files("games.khan").joinpath("data/khan.yaml").read_text("utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader)
)
VERSION: int = DATA["version"]

# --- the map ------------------------------------------------------------------------------------------------------

_GRID: list[str] = DATA["board"]["grid"]
COLUMNS: str = DATA["board"]["columns"]
ROWS: int = DATA["board"]["rows"]
BOARD = squares(COLUMNS, _GRID, DATA["board"]["void"])  # KHAN-1.1: named by column and row, in order row by row
NAMES = BOARD.names
NUMBERS = BOARD.numbers

REGIONS = ("mountain", "ice", "tundra", "rock_desert", "sand_desert", "rainforest")  # KHAN-1.13
_LETTERS: dict[str, str] = {**DATA["board"]["regions"], DATA["board"]["river"]: "river"}
GROUND: dict[Cell, str] = {cell: _LETTERS[_GRID[BOARD.xy(cell)[1]][BOARD.xy(cell)[0]]] for cell in BOARD.cells}


def _of(ground: str) -> Mask:
    return sum(1 << cell for cell in BOARD.cells if GROUND[cell] == ground)


REGION: dict[str, Mask] = {region: _of(region) for region in REGIONS}
RIVER: Mask = _of("river")
LAND: Mask = BOARD.whole & ~RIVER  # KHAN-1.2: voids are in neither, they are no cells
RIVERSIDE: Mask = BOARD.beside(RIVER) & LAND  # KHAN-1.4: printed, whatever bridges come
BORDER: Mask = BOARD.mask(DATA["board"]["border_cells"])  # KHAN-1.5: printed as well
BESIDE: dict[Cell, Mask] = {cell: BOARD.beside(1 << cell) for cell in BOARD.cells}  # KHAN-1.3

DIRECTIONS: tuple[str, ...] = tuple(COMPASS)  # KHAN-1.6: clockwise from the north
RAYS: dict[Cell, tuple[tuple[Cell, ...], ...]] = {
    cell: tuple(BOARD.ray(cell, COMPASS[direction], DATA["setup"]["flight_distance"]) for direction in DIRECTIONS)
    for cell in BOARD.cells
}


_NUMBERS_OF = PerCell({cell: (cell,) for cell in BOARD.cells})


def cells_of(mask: Mask) -> tuple[Cell, ...]:
    """The numbers of a set's cells, in canonical order."""
    return tuple(_NUMBERS_OF.of(mask))


# --- seats --------------------------------------------------------------------------------------------------------

SEATS: tuple[str, ...] = tuple(DATA["seats"]["colours"])  # KHAN-1.8: in clockwise order
BLACK: str = DATA["seats"]["neutral"]
SEAT_NUMBER: dict[str, int] = {name: number for number, name in enumerate(SEATS)}

# --- leaders and cards --------------------------------------------------------------------------------------------


class Leader(NamedTuple):
    id: str
    key: str
    colour: str
    start: Cell


class Card(NamedTuple):
    """KHAN-1.11: a leader, a direction, and a face that allows cells."""

    id: str
    leader: int
    direction: int
    face: str
    allowed: Mask


LEADERS = tuple(Leader(row["id"], row["key"], row["colour"], NUMBERS[row["start"]]) for row in DATA["leaders"])
LEADER_NUMBER: dict[str, int] = {leader.id: number for number, leader in enumerate(LEADERS)}
FACES: dict[str, str] = {row["id"]: row["name"] for row in DATA["faces"]}
JOKER = "joker"
ALLOWED: dict[str, Mask] = {**REGION, "river": RIVERSIDE, "neighbours": BORDER, JOKER: LAND}  # KHAN-6.2
CARDS = tuple(
    Card(
        row["id"],
        LEADER_NUMBER[row["leader"]],
        DIRECTIONS.index(row["direction"]),
        FACES[row["face"]],
        ALLOWED[FACES[row["face"]]],
    )
    for row in DATA["cards"]
)
CARD_IDS = tuple(card.id for card in CARDS)
CARD_NUMBER: dict[str, int] = {card.id: number for number, card in enumerate(CARDS)}
COURT: int = DATA["setup"]["court_yurts"]
HAND: int = DATA["setup"]["hand_size"]
LAST_LEADER: int = DATA["setup"]["leaders_removed_to_start_final"]  # KHAN-5.7: the fifth that leaves

# --- shapes -------------------------------------------------------------------------------------------------------


class Shape(NamedTuple):
    """KHAN-1.9: a tile or a bridge, and every way it may lie."""

    id: str
    kind: str
    size: int
    copies: int
    points: int
    forms: tuple[Form, ...]

    @property
    def is_bridge(self) -> bool:
        return self.kind == "bridge"


SHAPES = tuple(
    Shape(row["id"], row["kind"], row["size"], row["copies"], row["points"], orientations(map(tuple, row["coords"])))
    for row in DATA["shapes"]
)
SHAPE_NUMBER: dict[str, int] = {shape.id: number for number, shape in enumerate(SHAPES)}
RIVER_CELLS: dict[str, tuple[int, ...]] = {
    shape: tuple(counts) for shape, counts in DATA["bridges"]["river_cells"].items()
}

# --- special cards, rounds, bonuses -------------------------------------------------------------------------------

SPECIALS = ("morale", "protection", "gods", "explore")  # KHAN-1.12
MORALE, PROTECTION, GODS, EXPLORE = range(4)
ROUNDS: dict[int, int] = DATA["setup"]["placement_rounds"]
BONUSES: tuple[int, ...] = tuple(DATA["setup"]["bonuses"])


def dealt_specials(players: int) -> tuple[int, int, int, int]:
    """KHAN-2.4: how many of each kind a seat gets."""
    morale, protection, gods, explore = (DATA["setup"]["specials"][kind][players] for kind in SPECIALS)
    return morale, protection, gods, explore
