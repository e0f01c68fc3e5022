"""The map: its counts, who may use which edge, capitals, ports, bridges, where the pieces begin (CONQ-1, CONQ-2)."""

from __future__ import annotations

import pytest

from games.conquest.board import start
from games.conquest.geography import (
    BIT,
    CAPITAL,
    COLOURS,
    DATA,
    DRY,
    EDGES,
    GRAIL,
    HOME,
    INDEX,
    KIND,
    NAMES,
    PORTS,
    SEA,
    WATER,
    XY,
    back,
    ball,
    bits,
    cells_in,
    graph,
    joined,
    names_in,
)
from tests.games.conquest.builders import legal, position, refused


def test_there_are_as_many_cells_and_edges_as_the_document_says():  # CONQ-1.1
    assert len(NAMES) == len(set(NAMES)) == 425
    assert {kind: KIND.count(kind) for kind in set(KIND)} == {
        "land": 284,
        "capital": 20,
        "v": 12,
        "grail": 5,
        "sea": 76,
        "port": 28,
    }
    assert {kind: len(pairs) for kind, pairs in EDGES.items()} == {
        "road": 528,
        "ramp": 16,
        "bridge": 4,
        "bridge_x": 4,
        "quay": 32,
        "sea": 104,
        "sea_under": 8,
    }


@pytest.mark.parametrize(
    ("kind", "letters"),
    [
        ("road", "eckst"),
        ("bridge", "eckst"),
        ("bridge_x", "ckst"),
        ("quay", "eckst"),
        ("sea", "vg"),
        ("sea_under", "vg"),
    ],
)
def test_who_may_use_an_edge(kind, letters):  # CONQ-1.2
    for letter in "vgeckst":
        for one, other in EDGES[kind]:
            both = bool(graph(letter).next[one] & BIT[other]), bool(graph(letter).next[other] & BIT[one])
            assert both == (letter in letters,) * 2, (letter, NAMES[one], NAMES[other])


def test_ramps_lead_up_for_all_and_down_for_soldiers_and_knights():  # CONQ-1.2, CONQ-5.4, CONQ-5.6
    for low, high in EDGES["ramp"]:
        for letter in "ecks":
            up, down = bool(graph(letter).next[low] & BIT[high]), bool(graph(letter).next[high] & BIT[low])
            on_foot = letter in "ks"
            assert (up, down) == (on_foot or not BIT[high] & GRAIL, on_foot)


def test_many_cells_step_at_once_as_each_of_them_does():
    for letter in "vecks":
        for steps in (graph(letter), back(letter)):
            for at in range(0, len(NAMES), 7):
                crowd = [at, *range(at % 5, len(NAMES), 11)]
                together = 0
                for one in crowd:
                    together |= steps.next[one]
                    assert steps.around(BIT[one]) == steps.next[one]
                assert steps.around(sum(BIT[one] for one in set(crowd))) == together


def test_five_islands_one_land_by_bridges_and_one_sea():  # CONQ-1.3
    roads = graph("s")
    islands, left = [], DRY
    without_bridges = {pair for kind in ("bridge", "bridge_x") for pair in EDGES[kind]}
    while left:
        seen = edge = left & -left
        while edge:
            near = 0
            for at in cells_in(edge):
                for to in cells_in(roads.next[at] & DRY):
                    if not {(at, to), (to, at)} & without_bridges:
                        near |= BIT[to]
            edge = near & ~seen
            seen |= edge
        islands.append(seen.bit_count())
        left &= ~seen
    assert sorted(islands) == [29, 73, 73, 73, 73]
    assert ball("s", INDEX["sd6"], 99) & DRY == DRY
    assert ball("v", INDEX["si1"], 99) == WATER
    assert [(NAMES[one], NAMES[other]) for one, other in EDGES["bridge_x"]] == [
        ("sb11", "eb1"),
        ("wb11", "sb1"),
        ("nb11", "wb1"),
        ("eb11", "nb1"),
    ]


def test_each_bridge_is_crossed_by_one_lane_that_dives_under_it():  # CONQ-1.4
    def crosses(one, other):
        (ax, ay), (bx, by) = (XY[at] for at in one)
        (cx, cy), (dx, dy) = (XY[at] for at in other)

        def side(px, py, qx, qy, rx, ry):
            return (qx - px) * (ry - py) - (qy - py) * (rx - px)

        return (
            side(ax, ay, bx, by, cx, cy) * side(ax, ay, bx, by, dx, dy) < 0
            and side(cx, cy, dx, dy, ax, ay) * side(cx, cy, dx, dy, bx, by) < 0
        )

    lanes = EDGES["sea"] + EDGES["sea_under"]
    for bridge in EDGES["bridge"] + EDGES["bridge_x"]:
        assert [lane for lane in lanes if crosses(bridge, lane)] == [
            lane for lane in EDGES["sea_under"] if crosses(bridge, lane)
        ]
        assert sum(crosses(bridge, lane) for lane in lanes) == 1


def test_ports_are_water_with_a_quay_to_one_cell_or_two():  # CONQ-1.5
    for port in cells_in(PORTS):
        quays = sum(port in pair for pair in EDGES["quay"])
        assert quays == (2 if NAMES[port][1] == "k" else 1)
    assert WATER == SEA | PORTS


def test_the_map_is_unchanged_by_a_quarter_turn():  # CONQ-3.1
    turned = {name: name if name == "g1" else turn_name(name) for name in NAMES}
    for name in NAMES:
        x, y = XY[INDEX[name]]
        assert XY[INDEX[turned[name]]] == (-y, x), name
        assert KIND[INDEX[turned[name]]] == KIND[INDEX[name]]
    for kind, pairs in EDGES.items():
        for one, other in pairs:
            assert joined(kind, INDEX[turned[NAMES[one]]], INDEX[turned[NAMES[other]]])


def turn_name(name):
    if name[0] == "g" and len(name) == 2:
        return {"g2": "g3", "g3": "g4", "g4": "g5", "g5": "g2"}[name]
    return COLOURS[(COLOURS.index(name[0]) + 1) % 4] + name[1:]


def test_capitals_and_the_grail_have_five_cells_each():  # CONQ-1.6
    for colour, letter in enumerate(COLOURS):
        cells = [f"{letter}{cell}" for cell in ("c4", "c8", "d6", "e4", "e8")]
        assert names_in(CAPITAL[colour]) == cells
        assert not any(graph("s").next[INDEX[cell]] & bits(cells) for cell in cells)
        assert HOME[colour].bit_count() == 73 + 6
    assert names_in(GRAIL) == ["g1", "g2", "g3", "g4", "g5"]


def test_each_colour_begins_with_its_26_pieces_on_26_cells():  # CONQ-2.3
    board = start()
    for colour in range(4):
        assert board.held[colour].bit_count() == board.pieces[colour] == 26
        letters = sorted(unit.letter for _, unit in board.units_of(colour))
        assert letters == sorted("v" * 4 + "g" * 2 + "e" * 4 + "c" * 2 + "k" * 4 + "s" * 10)
    assert DATA["start"]["n"]["galleon"] == ["np5", "np6"]


def test_cells_that_do_not_exist_are_named_with_their_row():  # CONQ-1.1
    state = position("sd6=Sk")
    assert str(refused(state, "k sd6-sd12")) == "There is no cell sd12; row sd runs from sd1 to sd11."
    assert str(refused(state, "k sd6-sa1")) == "There is no cell sa1; row sa runs from sa2 to sa10."
    assert str(refused(state, "k sd6-zz9")) == "There is no cell zz9."


def test_a_bridge_is_no_cell_and_a_lane_passes_under_it():  # CONQ-1.4
    assert "v si2-si3" in legal(position("sr0=Wk sa6=Wk si2=Sv"))
    assert "k sa6-sr0" in legal(position("sa6=Sk si2=Wv si3=Wv"))
