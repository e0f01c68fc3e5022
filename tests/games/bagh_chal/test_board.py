"""The boards: their points, lines, neighbours and jumps (BAGH-2)."""

import pytest

from engine import load
from games.bagh_chal.board import BOARDS
from games.bagh_chal.variants import DATA, VARIANTS

GAME = load("bagh-chal")


@pytest.mark.parametrize(
    ("variant", "points", "segments", "jumps"), [("classic", 25, 56, 80), ("pulijudam", 23, 38, 56)]
)
def test_numbers_of_points_segments_and_jumps(variant, points, segments, jumps):  # BAGH-2.1, BAGH-2.2
    graph = VARIANTS[variant].graph
    assert len(graph.points) == points
    assert len(list(graph.segments())) == segments
    assert sum(len(landings) for landings in graph.jumps.values()) == jumps


@pytest.mark.parametrize("variant", VARIANTS)
def test_lines_say_the_same_as_the_lists_of_neighbours_and_jumps(variant):  # BAGH-2.1, BAGH-2.2
    graph, data = VARIANTS[variant].graph, DATA["boards"][variant]
    assert {point: list(others) for point, others in graph.adjacent.items()} == data["adjacent"]
    assert graph.jumps == data["jumps"]
    assert [list(landings) for landings in graph.jumps.values()] == [list(row) for row in data["jumps"].values()]


def test_board_order_is_reading_order():  # BAGH-2.3
    assert VARIANTS["classic"].graph.points[:6] == ("a5", "b5", "c5", "d5", "e5", "a4")
    assert VARIANTS["pulijudam"].graph.points[:3] == ("t5", "a4", "b4")
    assert VARIANTS["pulijudam"].graph.points[-5:] == ("f2", "b1", "c1", "d1", "e1")


@pytest.mark.parametrize(("variant", "start", "end"), [("classic", "a4", "c3"), ("pulijudam", "b4", "e4")])
def test_no_bent_jumps(variant, start, end):  # BAGH-2.2
    assert end not in VARIANTS[variant].graph.jumps[start]


@pytest.mark.parametrize(("one", "other"), [("a2", "b1"), ("f2", "e1"), ("t5", "a4"), ("t5", "f4")])
def test_lines_that_pulijudam_does_not_have(one, other):  # BAGH-2.1
    assert other not in VARIANTS["pulijudam"].graph.adjacent[one]


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_action_has_one_canonical_text(variant):  # BAGH-6.1
    board, graph = BOARDS[variant], VARIANTS[variant].graph
    walks = sum(len(others) for others in graph.adjacent.values())
    jumps = sum(len(landings) for landings in graph.jumps.values())
    kinds = [move.kind for move in board.moves.values()]
    assert {kind: kinds.count(kind) for kind in kinds} == {
        "stay": 1,
        "place": len(graph.points),
        "enter": len(graph.points),
        "walk": walks,
        "leap": jumps,
        "capture": jumps,
    }
    assert all(str(move) == text == text.lower() for text, move in board.moves.items())


@pytest.mark.parametrize("variant", VARIANTS)
def test_lines_are_drawn_straight(variant):
    """What the pictures are drawn from: three points that make a jump lie on one straight line."""
    xy, graph = VARIANTS[variant].xy, VARIANTS[variant].graph
    for start, landings in graph.jumps.items():
        for end, middle in landings.items():
            (x1, y1), (x2, y2), (x3, y3) = xy[start], xy[middle], xy[end]
            assert (x2 - x1) * (y3 - y1) == (x3 - x1) * (y2 - y1), (start, middle, end)
