"""The map and its words: cells, tiles, adjacency, water, reach, groups, rivers (YUAN-1, YUAN-17)."""

import pytest

from engine.boards.hexes import DIRECTIONS, Hex
from games.yuan.bits import flood, halo, members, parts
from games.yuan.box import BOXES, CLANS, TILES, Placed
from games.yuan.land import Cell, Land
from games.yuan.options import Options
from games.yuan.tiles import BESIDE, cells_of, centre_of, lay, open_slots
from tests.games.yuan.board import code, drawn, holding, play
from tests.games.yuan.vectors import PLACES


def test_cells_one_direction_apart_touch_and_nothing_wraps():  # YUAN-1.1
    land = drawn("S4: DD=c").land
    around = [PLACES["DD"].plus(way) for way in DIRECTIONS.values()]
    touching = {name for name, place in PLACES.items() if place in around}
    assert set(land.named(land.neighbours[land.number["DD"]])) == touching == {"CC", "CD", "DC", "DE", "EC", "ED"}
    assert land.named(land.neighbours[land.number["DA"]]) == ["CA", "DB", "EA"]  # nothing beyond the edge


@pytest.mark.parametrize("rot", range(6))
def test_a_turned_tile_keeps_its_cells_around_the_centre(rot):  # YUAN-1.2
    cells = cells_of(Placed("M-A", (1, -1), rot))
    assert cells[0].place == centre_of((1, -1)) == Hex(3, -2)
    assert cells[1 + (6 - rot) % 6].place == Hex(4, -2)  # the cell that has come to lie in the east
    assert {cell.place for cell in cells} == {cell.place for cell in cells_of(Placed("M-A", (1, -1), 0))}


def test_tiles_fill_the_lattice_without_gaps():  # YUAN-1.2
    tiles = [Placed(tile, slot, 0) for tile, slot in zip(TILES, ((0, 0), *BESIDE), strict=False)]
    places = [cell.place for placed in tiles for cell in cells_of(placed)]
    assert len(set(places)) == len(places) == 49
    middle = cells_of(tiles[0])
    assert all(cell.place.plus(way) in places for cell in middle for way in DIRECTIONS.values())
    assert open_slots([(0, 0)]) == tuple(sorted(BESIDE))


def test_provinces_water_and_mountains():  # YUAN-1.3
    land = drawn("S4: DD=c", terrain="AA=~ AB=X AC=V AD=R BA=M BB=F").land
    assert not {"AA", "AB", "AC"} & set(land.names)
    assert {"AD", "BA", "BB", "DD"} <= set(land.names)
    for tile in TILES.values():
        assert [bool(name) for name in tile.names] == [letter in "RMFH" for letter in tile.terrain]


def test_tile_borders_do_not_matter():  # YUAN-1.4
    land = lay((Placed("M-A", (0, 0), 0), Placed("M-G", (1, 0), 0)), False)
    across = [
        (one, other)
        for one in TILES["M-A"].names
        for other in TILES["M-G"].names
        if one and other and land.neighbours[land.number[one]] >> land.number[other] & 1
    ]
    assert across  # provinces of two tiles are adjacent


def test_connected_provinces_and_water_distance():  # YUAN-1.5
    land = drawn("S4: DA=c", terrain="DB=~ DC=~ DD=~").land
    distances = {land.names[i]: k for i, k in land.water_distances(land.number["DA"]).items()}
    assert distances["CA"] == distances["EA"] == 1
    assert distances["EC"] == 2
    assert distances["DE"] == 3
    assert "DF" not in distances
    assert land.overseas[land.number["DA"]] >> land.number["CA"] & 1  # adjacent and connected at once


def test_in_reach_is_adjacent_or_connected():  # YUAN-1.6
    state = drawn("S4: DA=c", terrain="DB=~")
    assert code(state, "S CA D1") is None
    assert code(state, "S DC D1") is None
    assert code(state, "S DD D1") == "Y-NOREACH"


def test_free_own_enemy_and_temples():  # YUAN-1.7
    state = drawn("S4: DA=c\nX4: DG=v", temples="DA DB")
    assert state.owner_of(state.land.number["DA"]).id == "suhey"
    assert state.owner_of(state.land.number["DB"]) is None
    _, events = play(state, "S pass")
    assert [event.facts["T"] for event in events if event.kind == "levels"] == [1, 0]


def test_lakes_never_join_groups():  # YUAN-1.8
    state = drawn("S4: DA=c DC=v DD=v EA=v", terrain="DB=~")
    clan = state.clans[0]
    found = [state.land.named(part) for part in parts(clan.lands, state.land.neighbours)]
    assert found == [["DA", "EA"], ["DC", "DD"]]


def test_more_than_three_armies_until_the_end_of_the_turn():  # YUAN-1.9
    state = drawn("S7: DD=c+3\nX0: DE=c+3", turn=3)
    after, _ = play(state, "S DD M3")
    assert holding(after, "S") == "0: DD=c+3"
    attacked, _ = play(state, "S DD M3", "X DD M1")
    assert holding(attacked, "S") == "0: DD=c+3"  # six defenders met three attackers


def test_canonical_orders():  # YUAN-1.10
    assert list(CLANS) == ["mu", "suhey", "weyu", "xiangi", "shanyin", "jinhe", "linhai", "yunmen"]
    assert list(TILES) == [f"{box}-{letter}" for box in "CM" for letter in "ABCDEFGHIJKLMNO"]
    land = lay((Placed("M-A", (0, 0), 0),), False)
    assert list(land.names) == sorted(land.names)
    assert Options(players=2, clans="weyu,mu").clans == ("mu", "weyu")


# --- rivers -------------------------------------------------------------------------------------------------------

RIVER = {"options": ["rivers"], "rivers": ["DC-DD DD-EC DD-ED"]}


def test_two_boxes_have_twice_the_temples_and_act_with_their_own_options():  # YUAN-17.1, YUAN-17.2
    five = Options(players=5)
    assert five.boxes == BOXES
    assert drawn("M4: AA=c\nS4: AB=c\nW4: AC=c\nX4: AD=c").temple_limit == 18
    assert drawn("M4: AA=c\nS4: AB=c\nW4: AC=c\nX4: AD=c\nH4: BA=c").temple_limit == 36
    assert all("V" not in tile.terrain for tile in TILES.values() if tile.box == "china")
    assert all(not tile.river for tile in TILES.values() if tile.box == "mongolia")


def test_general_conflict_takes_nineteen_tiles_of_both_boxes():  # YUAN-17.3
    options = Options(players=5, scenario="general_conflict")
    assert options.base_box == "mongolia"
    assert len(options.tiles) == 19
    with pytest.raises(ValueError, match="base_box"):
        Options(players=5, scenario="general_conflict", base_box="china")


def test_a_river_connects_its_banks_and_the_lake_it_names():  # YUAN-17.4
    state = drawn("S4: DC=c", options=["rivers"], rivers=["DC-DD DD-DE"], terrain="DE=~")
    assert code(state, "S DF D1") is None  # over the river into the lake
    dry = drawn("S4: DC=c", rivers=["DC-DD DD-DE"], terrain="DE=~")
    assert code(dry, "S DF D1") == "Y-NOREACH"


def test_rivers_of_two_tiles_never_join():  # YUAN-17.4
    state = drawn("S4: AA=c", options=["rivers"], rivers=["AA-AB", "AB-AC"])
    assert code(state, "S AB D1") is None
    assert code(state, "S AC D1") == "Y-NOREACH"


def test_two_banks_are_not_adjacent_for_any_rule():  # YUAN-17.5
    state = drawn("S0: DC=c", **RIVER)
    after, _ = play(state, "S DC D1")
    assert "DD" not in holding(after, "S")  # no side claim over the river
    raid = drawn("S7: DC=c+1\nX0: DD=v ED=v CC=v", **RIVER)
    after, _ = play(raid, "S DD M3")
    assert holding(after, "X").startswith("6: ED=v")  # ED lies on the other bank of DD: no bonus attack, no group
    assert "ED" not in holding(after, "S")


def test_without_the_option_rivers_are_ignored():  # YUAN-17.6
    placed = (Placed("C-A", (0, 0), 0),)
    assert not lay(placed, False).rivers
    assert lay(placed, True).rivers
    dry, wet = lay(placed, False), lay(placed, True)
    assert dry.neighbours[dry.number["BEI"]] != wet.neighbours[wet.number["BEI"]]


# --- sets of provinces --------------------------------------------------------------------------------------------


def test_sets_agree_with_plain_python():
    neighbours = (0b0110, 0b0001, 0b1001, 0b0100)
    assert list(members(0b1011)) == [0, 1, 3]
    assert flood(0b0001, 0b1111, neighbours) == 0b1111
    assert flood(0b0001, 0b1011, neighbours) == 0b0011
    assert halo(0b0001, neighbours) == 0b0110
    assert list(parts(0b1011, neighbours)) == [0b0011, 0b1000]


def test_equal_lands_are_equal_whoever_made_them():
    cells = (Cell(Hex(0, 0), "R", "AA"), Cell(Hex(1, 0), "L", ""))
    assert Land(cells, ()) == Land(tuple(cells), ())
    assert hash(Land(cells, ())) == hash(Land(tuple(cells), ()))
    assert Land(cells, ()) != Land(cells[:1], ())
