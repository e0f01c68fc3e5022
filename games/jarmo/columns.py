"""Golden soldiers: what stands below a top piece, who is a hostage, and who comes free (JARMO-10).

Only golden archers are ever covered: a golden guard that is captured is turned over and stays (JARMO-10.3), and a
golden soldier below another one is already turned over (JARMO-10.6). So a column is a list of whose they are.
"""

from __future__ import annotations

from games.jarmo.state import BLUE, Board, Covered, Points, Side

Under = tuple[Covered, ...]


def covers(under: Under, point: Points) -> bool:
    """Whether something stands below the top piece of that point."""
    return any(at == point for at, _ in under)


def put_under(under: Under, point: Points, side: Side) -> Under:
    """JARMO-10.3: the golden guard just captured stays on its point, turned to archer, above what was below it."""
    # Sorting keeps the order within a column, so equal boards are equal values.
    return tuple(sorted((*under, (point, side)), key=lambda covered: covered[0]))


def uncovered(under: Under, point: Points) -> tuple[Under, Side]:
    """JARMO-10.4: the top piece leaves; what is left below, and the side of the golden soldier that is on top now."""
    place = max(place for place, (at, _) in enumerate(under) if at == point)
    return under[:place] + under[place + 1 :], under[place][1]


def free_below(board: Board, side: Side) -> Under:
    """JARMO-10.7: the side's covered golden soldier when the top piece is its own; under an enemy it is a hostage."""
    return tuple((at, whose) for at, whose in board.under if whose == side and at & board.tops[side])


def column(board: Board, point: Points) -> str:
    """The pieces of a point from bottom to top, as the position line writes them."""
    below = "".join("Ee"[whose] for at, whose in board.under if at == point)
    if not point & board.taken:
        return below
    return below + letter(1 if point & board.tops[BLUE] else 0, bool(point & board.guards), bool(point & board.gold))


def letter(side: Side, guard: bool, golden: bool) -> str:
    """A archer, G guard, D golden guard, E golden archer; green upper case, blue lower case."""
    return ("AaGgEeDd")[4 * golden + 2 * guard + side]
