"""The box: what the rules document says of map, cards and shapes, checked by script (KHAN-1, part A)."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.boards.squares import orientations
from games.khan.leaders import target
from games.khan.material import (
    ALLOWED,
    BESIDE,
    BOARD,
    BORDER,
    CARDS,
    DATA,
    DIRECTIONS,
    GROUND,
    LAND,
    LEADERS,
    NAMES,
    NUMBERS,
    RAYS,
    REGION,
    REGIONS,
    RIVER,
    RIVERSIDE,
    ROUNDS,
    SEATS,
    SHAPES,
    SPECIALS,
    dealt_specials,
)
from games.khan.placements import PLACEMENTS
from tests.games.khan.table import drawn, kinds, mask


def test_cells_are_named_by_column_and_row_in_reading_order():
    """KHAN-1.1, KHAN-1.2: 154 cells; voids are none."""
    names = list(NAMES.values())
    assert (names[0], names[11], names[-1], len(names)) == ("B1", "A2", "H13", 154)
    assert not {"A1", "M1", "M7", "A13", "N1"} & set(names)
    assert (LAND.bit_count(), RIVER.bit_count(), LAND & RIVER) == (132, 22, 0)


def test_regions_have_the_sizes_of_the_seeds_and_hang_together():
    sizes = {region: REGION[region].bit_count() for region in REGIONS}
    assert {**sizes, "river": RIVER.bit_count()} == DATA["board"]["counts"]
    assert sum(REGION.values()) == LAND
    assert all(len(list(BOARD.groups(area))) == 1 for area in (*REGION.values(), RIVER))


def test_the_rim():
    """KHAN-1.5: printed border cells are the land cells in column A or M or row 1 or 13; others touch a void only."""
    rim = {name for name, cell in NUMBERS.items() if name[0] in "AM" or name[1:] in ("1", "13")}
    assert BOARD.names_of(BORDER) == tuple(DATA["board"]["border_cells"])
    assert {name for name in rim if GROUND[NUMBERS[name]] != "river"} == set(BOARD.names_of(BORDER))
    assert BORDER.bit_count() == 31
    other = [name for names in DATA["board"]["rim_not_border"].values() for name in names]
    assert len(other) == 11
    assert all(BESIDE[NUMBERS[name]].bit_count() < 4 and not BORDER >> NUMBERS[name] & 1 for name in other)


def test_adjacent_means_sharing_a_side():
    """KHAN-1.3, KHAN-1.4: corners do not count, for the river either."""
    assert BOARD.names_of(BESIDE[NUMBERS["D6"]]) == ("D5", "C6", "E6", "D7")
    assert RIVERSIDE.bit_count() == 36
    assert RIVERSIDE >> NUMBERS["E3"] & 1
    assert not RIVERSIDE >> NUMBERS["D3"] & 1  # D3 touches the river at E4 by a corner only


def test_directions_go_clockwise():
    """KHAN-1.6."""
    assert DIRECTIONS == ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
    ends = [NAMES[ray[0]] for ray in RAYS[NUMBERS["J8"]]]
    assert ends == ["J7", "K7", "K8", "K9", "J9", "I9", "I8", "I7"]


def test_leaders_start_apart_and_each_region_has_one():
    starts = [leader.start for leader in LEADERS]
    for place, one in enumerate(starts):
        for other in starts[:place]:
            (x, y), (a, b) = BOARD.xy(one), BOARD.xy(other)
            assert max(abs(x - a), abs(y - b)) >= 4
    assert {GROUND[cell] for cell in starts} == set(REGIONS)


def test_every_land_cell_can_be_reached_by_leaders():
    reached, edge = set(), {LEADERS[0].start}
    while edge:
        reached |= edge
        edge = {cell for start in edge for ray in RAYS[start] for cell in ray if LAND >> cell & 1} - reached
    assert len(reached) == 132


def test_the_deck():
    """KHAN-1.11, KHAN-1.13: each of eight leaders with each of nine faces once; directions evenly spread."""
    pairs = [(card.leader, card.face) for card in CARDS]
    faces = [row["name"] for row in DATA["faces"]]
    assert pairs == [(leader, face) for leader in range(8) for face in faces]
    assert set(Counter(card.direction for card in CARDS).values()) == {9}
    for group in ("leader", "face"):
        for value in {getattr(card, group) for card in CARDS}:
            assert {card.direction for card in CARDS if getattr(card, group) == value} == set(range(8))


def test_the_shapes():
    """KHAN-1.9: 29 tiles and 9 bridges; 1, 2, 5 and 12 free forms; every way they may lie is as in the data."""
    assert sum(shape.copies for shape in SHAPES if not shape.is_bridge) == 29
    assert sum(shape.copies for shape in SHAPES if shape.is_bridge) == 9
    assert Counter(shape.size for shape in SHAPES if not shape.is_bridge) == {2: 1, 3: 2, 4: 5, 5: 12}
    for row, shape in zip(DATA["shapes"], SHAPES, strict=True):
        assert len(shape.forms) == row["orientations"]
        listed = {frozenset(map(tuple, form)) for form in DATA["orientations"][shape.id]}
        assert {frozenset(form) for form in shape.forms} == listed
        assert shape.forms == orientations(map(tuple, row["coords"]))
    fixed = Counter(shape.size for shape in SHAPES if not shape.is_bridge for _ in shape.forms)
    assert (fixed[5], fixed[4]) == (63, 19)


def test_positions_of_bridges_on_the_empty_map():
    """KHAN-7.4, KHAN-7.5."""
    found = Counter(
        (SHAPES[one.shape].id, (one.mask & RIVER).bit_count()) for one in PLACEMENTS if SHAPES[one.shape].is_bridge
    )
    assert found == {("B3I", 1): 15, ("B4I", 1): 29, ("B4L", 1): 46, ("B4L", 2): 24}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_special_cards_fit_the_box(players):
    """KHAN-1.12, KHAN-2.4."""
    box = DATA["setup"]["special_cards_in_box"]
    dealt = dict(zip(SPECIALS, dealt_specials(players), strict=True))
    assert dealt == {kind: DATA["setup"]["specials"][kind][players] for kind in SPECIALS}
    assert all(count * players <= box[kind] for kind, count in dealt.items())
    assert ROUNDS[players] == 5 - players
    assert SEATS == ("red", "yellow", "blue", "green")  # KHAN-1.8


def test_a_court_of_one_and_a_reserve_without_end():
    """KHAN-1.10: only courts are counted; black yurts come from nowhere and go there."""
    table = drawn(yurts={"red": "B8", "black": " ".join(BOARD.names_of(LAND & ~mask("B8 H1")))}, draw="RUS-RI")
    table.do("B RUS")
    assert table.state.black.bit_count() == 131
    assert kinds(table) == ["chase", "flip", "leader_removed"]


def test_the_cell_a_leader_stands_on_is_not_free_for_it():
    """KHAN-5.4: with nothing free but its own cell there is no target."""
    table = drawn(yurts={"black": " ".join(BOARD.names_of(LAND & ~mask("C7")))}, leaders={"SEL": "C7"})
    assert table.state.free == 0
    assert target(table.state, NUMBERS["C7"], 0) is None


def test_what_faces_allow():
    """KHAN-6.2."""
    assert ALLOWED["joker"] == LAND
    assert ALLOWED["river"] == RIVERSIDE
    assert ALLOWED["neighbours"] == BORDER
    assert ALLOWED["ice"] == REGION["ice"]
