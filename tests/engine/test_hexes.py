"""Hexagons: neighbours, turns, distances, and whole-number drawing."""

import pytest

from engine.boards.hexes import (
    DIRECTIONS,
    HALF,
    QUARTER,
    RING,
    Hex,
    centre,
    corners,
    distance,
    edge,
    frame,
    neighbours,
    touch,
    turned,
)

SOME = [Hex(q, r) for q in range(-3, 4) for r in range(-3, 4)]


def test_six_neighbours_counter_clockwise_from_the_east():
    assert list(neighbours(Hex(2, -1))) == [Hex(3, -1), Hex(3, -2), Hex(2, -2), Hex(1, -1), Hex(1, 0), Hex(2, 0)]
    assert tuple(DIRECTIONS.values()) == RING
    assert sum(way.q for way in RING) == sum(way.r for way in RING) == 0


@pytest.mark.parametrize("cell", SOME)
def test_touching_is_distance_one(cell):
    for other in SOME:
        assert touch(cell, other) == touch(other, cell) == (distance(cell, other) == 1)


@pytest.mark.parametrize("way", [*RING, Hex(2, 1), Hex(0, 0)])
def test_six_sixths_are_a_whole_turn(way):
    assert turned(way, 6) == way
    assert turned(turned(way, 2), 3) == turned(way, 5)
    assert turned(way, 3) == way.times(-1)
    assert distance(Hex(0, 0), turned(way, 1)) == distance(Hex(0, 0), way)


def test_a_sixth_leads_to_the_next_direction():
    assert [turned(way, 1) for way in RING] == [*RING[1:], RING[0]]


def test_touching_cells_are_drawn_edge_to_edge():
    for way in RING:
        mine, theirs = edge(Hex(0, 0), way), edge(way, way.times(-1))
        assert set(mine) == set(theirs)
        assert set(mine) <= set(corners(Hex(0, 0)))
        middle = [sum(part) for part in zip(*mine, strict=True)]
        assert middle == list(centre(way))  # the middle of the edge is half way between the centres


def test_cells_are_nearly_regular():
    (x, y) = corners(Hex(0, 0))[0]
    assert abs(x * x + y * y - (2 * QUARTER) ** 2) <= 2  # all corners as far from the centre, to a thousandth
    assert (x, y) == (HALF, -QUARTER)


def test_the_frame_holds_every_corner():
    left, top, width, height = frame(SOME)
    points = [point for cell in SOME for point in corners(cell)]
    assert all(left <= x <= left + width and top <= y <= top + height for x, y in points)
    assert {left, left + width} <= {x for x, _ in points}
    assert frame([]) == (0, 0, 0, 0)
