"""Square boards: names, directions, sets of cells, groups, and figures turned and laid."""

import pytest

from engine.boards.squares import COMPASS, orientations, settled, squares

BOARD = squares("ABCD", ["#...", "....", "..#."])
I3, L4, O4, T4, F5 = (
    [(0, 0), (1, 0), (2, 0)],
    [(0, 0), (1, 0), (2, 0), (0, 1)],
    [(0, 0), (1, 0), (0, 1), (1, 1)],
    [(0, 0), (1, 0), (2, 0), (1, 1)],
    [(1, 0), (2, 0), (0, 1), (1, 1), (1, 2)],
)


def number(name):
    return BOARD.numbers[name]


def test_cells_are_named_by_column_and_row_and_stand_in_reading_order():
    assert [BOARD.names[cell] for cell in BOARD.cells] == ["B1", "C1", "D1", "A2", "B2", "C2", "D2", "A3", "B3", "D3"]
    assert BOARD.names_of(BOARD.whole) == tuple(BOARD.names[cell] for cell in BOARD.cells)
    assert BOARD.names_of(BOARD.mask(["D3", "B1", "A2"])) == ("B1", "A2", "D3")
    assert BOARD.names_of(0) == ()


def test_where_a_cell_is():
    assert BOARD.xy(number("D2")) == (3, 1)
    assert BOARD.at(3, 1) == number("D2")
    for x, y in ((0, 0), (2, 2), (4, 1), (-1, 1), (1, -1), (1, 3)):
        assert BOARD.at(x, y) is None


@pytest.mark.parametrize(
    ("start", "direction", "seen"),
    [
        ("A2", "E", "B2 C2 D2"),
        ("D1", "E", ""),
        ("B1", "SE", "C2 D3"),
        ("A3", "N", "A2"),  # A1 is void
        ("D3", "W", ""),  # C3 is void
        ("D3", "NW", "C2 B1"),
        ("D3", "N", "D2 D1"),
        ("C1", "SW", "B2 A3"),
        ("C2", "S", ""),
    ],
)
def test_a_ray_ends_where_the_board_does(start, direction, seen):
    assert [BOARD.names[cell] for cell in BOARD.ray(number(start), COMPASS[direction], 3)] == seen.split()


def test_a_ray_is_as_long_as_wanted():
    assert [BOARD.names[cell] for cell in BOARD.ray(number("A2"), COMPASS["E"], 2)] == ["B2", "C2"]


@pytest.mark.parametrize(
    ("cells", "beside", "around"),
    [
        ("D1", "C1 D2", "C1 D1 C2 D2"),
        ("A2", "B2 A3", "B1 A2 B2 A3 B3"),  # D1 ends the row above, but does not touch A2
        ("B2 C2", "B1 C1 A2 B2 C2 D2 B3", "B1 C1 D1 A2 B2 C2 D2 A3 B3 D3"),
    ],
)
def test_neighbours(cells, beside, around):
    mask = BOARD.mask(cells.split())
    assert BOARD.names_of(BOARD.beside(mask)) == tuple(beside.split())
    assert BOARD.names_of(BOARD.around(mask)) == tuple(around.split())


def test_groups_hang_together_by_sides_and_not_by_corners():
    mask = BOARD.mask(["B1", "A2", "A3", "D1", "D2", "D3"])
    assert [BOARD.names_of(group) for group in BOARD.groups(mask)] == [("B1",), ("D1", "D2", "D3"), ("A2", "A3")]


@pytest.mark.parametrize(("coords", "count"), [(I3, 2), (L4, 8), (O4, 1), (T4, 4), (F5, 8)])
def test_turned_and_turned_over(coords, count):
    forms = orientations(coords)
    assert len(forms) == len(set(forms)) == count
    assert all(form == settled(form) for form in forms)
    assert settled(coords) in forms


def test_positions_of_a_figure_as_it_lies():
    flat, tall = orientations(I3)
    assert [BOARD.names_of(mask) for mask in BOARD.positions(flat)] == [
        ("B1", "C1", "D1"),
        ("A2", "B2", "C2"),
        ("B2", "C2", "D2"),
    ]
    assert [BOARD.names_of(mask) for mask in BOARD.positions(tall)] == [("B1", "B2", "B3"), ("D1", "D2", "D3")]
    plain = squares("ABC", ["...", "...", "..."])
    assert sum(len(list(plain.positions(form))) for form in orientations(O4)) == 4
    assert sum(len(list(plain.positions(form))) for form in orientations(L4)) == 16


def test_fixed_polyominoes_are_as_many_as_everybody_counts():
    """Grown cell by cell: 1, 2, 6, 19 and 63 fixed, 1, 1, 2, 5 and 12 free polyominoes."""
    free = {frozenset(orientations([(0, 0)]))}
    counts = []
    for _ in range(5):
        counts.append((sum(len(forms) for forms in free), len(free)))
        free = {
            frozenset(orientations([*form, (x + dx, y + dy)]))
            for forms in free
            for form in [min(forms)]
            for x, y in form
            for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0))
            if (x + dx, y + dy) not in form
        }
    assert counts == [(1, 1), (2, 1), (6, 2), (19, 5), (63, 12)]


def test_rows_may_be_counted_from_the_south():
    chess = squares("ABC", ["..", "..", ".."], from_south=True)
    assert list(chess.numbers) == ["A3", "B3", "A2", "B2", "A1", "B1"]
    assert chess.xy(chess.numbers["A3"]) == (0, 0)
