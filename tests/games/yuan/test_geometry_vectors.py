"""The geometry vectors: hands, slots, tiles, facts of the imposed maps, start chao, wheel (G1-G14)."""

import pytest

from engine import Dice
from engine.boards.hexes import Hex, neighbours
from games.yuan import GAME
from games.yuan.box import SCENARIOS, Placed
from games.yuan.land import MOUNTAINS
from games.yuan.opening import start_chao
from games.yuan.options import Options
from games.yuan.tiles import cells_of, lay, open_slots
from tests.games.yuan.vectors import of_kind, words

GEOMETRY = of_kind("geometry")
KEYS = words(
    "id kind name rules hands tiles used open tile provinces mountain lake scenario province cell terrain adjacent"
    " connected mountains water capitals water_between with_rivers start_chao need"
)


def having(*keys):
    chosen = [vector for vector in GEOMETRY if all(key in vector for key in keys)]
    return pytest.mark.parametrize("vector", chosen, ids=lambda vector: vector["id"])


def test_no_key_is_left_unread():
    assert not {key for vector in GEOMETRY for key in vector} - KEYS


@having("hands")
def test_hands(vector):
    for players, sizes in vector["hands"].items():
        state, _ = GAME.setup(Options(players=players), Dice(b"hands"))
        assert [len(state.setup.hand(seat)) for seat in state.setup.order] == sizes


@having("tiles")
def test_number_of_tiles(vector):
    assert {players: len(Options(players=players).tiles) for players in vector["tiles"]} == vector["tiles"]


@having("used")
def test_open_slots(vector):
    assert [list(slot) for slot in open_slots([tuple(slot) for slot in vector["used"]])] == vector["open"]


@having("tile")
def test_a_tile_in_its_slot(vector):
    name, a, b, rot = vector["tile"]
    cells = cells_of(Placed(name, (a, b), rot))
    assert {cell.name: list(cell.place) for cell in cells if cell.name} == vector["provinces"]
    assert [list(cell.place) for cell in cells if cell.terrain in MOUNTAINS] == vector["mountain"]
    assert [list(cell.place) for cell in cells if cell.terrain == "L"] == vector["lake"]


def facts_of(scenario, name, rivers):
    """Everything a vector may ask about a province."""
    land = lay(SCENARIOS[scenario].tiles, rivers)
    i = land.number[name]
    place = land.provinces[i].place
    return {
        "cell": list(place),
        "terrain": land.provinces[i].terrain,
        "adjacent": land.named(land.neighbours[i]),
        "connected": land.named(land.overseas[i]),
        "mountains": sum(land.terrain.get(near) in MOUNTAINS for near in neighbours(place)),
        "water": {land.names[j]: k for j, k in land.water_distances(i).items()},
    }


@having("scenario", "province")
def test_a_province_of_an_imposed_map(vector):
    for asked, rivers in ((vector, False), (vector.get("with_rivers", {}), True)):
        facts = facts_of(vector["scenario"], vector["province"], rivers)
        for key in facts.keys() & asked.keys():
            assert facts[key] == asked[key], key
    # The sets that the rules use agree with the distances.
    land = lay(SCENARIOS[vector["scenario"]].tiles, True)
    for i in range(len(land.names)):
        distances = land.water_distances(i)
        assert land.overseas[i] == sum(1 << j for j in distances)
        assert land.near_overseas[i] == sum(1 << j for j, k in distances.items() if k <= 2)


@having("capitals")
def test_capitals_on_one_lake(vector):
    land = lay(SCENARIOS[vector["scenario"]].tiles, False)
    assert set(SCENARIOS[vector["scenario"]].capitals) == set(vector["capitals"])
    for name, cell in vector["capitals"].items():
        assert land.provinces[land.number[name]].place == Hex(*cell)
    for pair, distance in vector["water_between"].items():
        one, other = pair.split()
        assert land.water_distances(land.number[one])[land.number[other]] == distance


@having("start_chao")
def test_start_chao(vector):
    clans = tuple(vector["start_chao"])
    assert start_chao(Options(powers=True), clans) == vector["start_chao"]
    assert set(start_chao(Options(), clans).values()) == {4}


@having("need")
def test_the_wheel(vector):
    for players in range(2, 9):
        wheel = Options(players=players).wheel
        assert {turn: wheel[turn - 1] for turn in vector["need"]} == vector["need"]
