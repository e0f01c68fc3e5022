"""Point graphs: what lines make of points, and drawings that make no board."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.boards.points import BadGraph, point_graph

# a - b - c
#     |   |
#     d   e
#     |
#     f
ROWS = [["a", "b", "c"], ["d", "e"], ["f"]]
LINES = [["a", "b", "c"], ["f", "d", "b"], ["c", "e"]]


def test_points_are_in_reading_order():
    assert point_graph(ROWS, LINES).points == ("a", "b", "c", "d", "e", "f")


def test_neighbours_follow_each_other_on_a_line():
    assert point_graph(ROWS, LINES).adjacent == {
        "a": ("b",),
        "b": ("a", "c", "d"),
        "c": ("b", "e"),
        "d": ("b", "f"),
        "e": ("c",),
        "f": ("d",),
    }


def test_jumps_go_straight_on_along_one_line_both_ways():
    assert point_graph(ROWS, LINES).jumps == {
        "a": {"c": "b"},
        "b": {"f": "d"},
        "c": {"a": "b"},
        "d": {},
        "e": {},
        "f": {"b": "d"},
    }


def test_segments_come_once_along_their_lines():
    assert list(point_graph(ROWS, LINES).segments()) == [("a", "b"), ("b", "c"), ("f", "d"), ("d", "b"), ("c", "e")]


@pytest.mark.parametrize(
    ("rows", "lines", "said"),
    [
        ([["a", "b"], ["a"]], [], "point a is drawn twice"),
        ([["a", "b"]], [["a", "x"]], "line a-x: x is not a point"),
        ([["a", "b"]], [["a", "b", "a"]], "point a is drawn twice"),
        ([["a", "b"]], [["a", "b"], ["b", "a"]], "segment a-b is drawn twice"),
        ([["a", "b", "c", "d"]], [["a", "b", "c"], ["a", "d", "c"]], "two jumps lead from a to c: over b and over d"),
    ],
)
def test_drawings_that_make_no_board(rows, lines, said):
    with pytest.raises(BadGraph, match=said):
        point_graph(rows, lines)


@given(st.permutations("abcdefgh"), st.integers(1, 8))
def test_a_graph_reads_the_same_from_both_ends(order, cut):
    """Turning the lines round changes nothing; neighbours and jumps are mutual."""
    lines = [line for line in (order[:cut], order[cut - 1 :]) if len(line) > 1]
    graph = point_graph([sorted(order)], lines)
    turned = point_graph([sorted(order)], [line[::-1] for line in lines])
    assert (turned.adjacent, turned.jumps) == (graph.adjacent, graph.jumps)
    for point, others in graph.adjacent.items():
        assert list(others) == sorted(others)
        assert all(point in graph.adjacent[other] for other in others)
    for point, landings in graph.jumps.items():
        assert list(landings) == sorted(landings)
        assert all(graph.jumps[end][point] == middle for end, middle in landings.items())
