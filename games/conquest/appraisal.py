"""How a game of Conquest stands, for players that are programs: victory points, and how near more of them are."""

from __future__ import annotations

from functools import cache

from games.conquest.board import Board
from games.conquest.ending import victory_points
from games.conquest.geography import BIT, CAPITAL, GRAIL, NAMES, back
from games.conquest.options import seats
from games.conquest.state import ALL, Colour, State, partner

POINT, NAILED, FAR = 150, 250, 12


def appraise(state: State, seat: str) -> int:
    """What the seat and its ally have, less what the others have: allied of both, else of the best and the average."""
    ours = set(seats(state.table.players)[seat])
    if state.table.allied:
        ours |= {partner(colour) for colour in ours}
    ways = _on_the_way(state.board)
    worth = [_worth(state, colour, points, ways[colour]) for colour, points in enumerate(victory_points(state))]
    own, theirs = sum(worth[colour] for colour in ours), [worth[colour] for colour in ALL if colour not in ours]
    if state.table.allied:
        return own - sum(theirs)
    # Free for all, a blow to any of the three is welcome, but one to the strongest most.
    return 2 * own - max(theirs) - sum(theirs) // len(theirs)


def _worth(state: State, colour: Colour, points: int, way: int) -> int:
    """Points as they would count at the end (CONQ-12.1), and how far the pieces are on the way to prized cells."""
    nailed = NAILED if state.nailed(colour) else 0  # CONQ-10.5
    return POINT * points + way - nailed


def _on_the_way(board: Board) -> list[int]:
    """For each colour how many of the last steps to prized cells are behind its pieces, were the map empty; ships have
    none to go."""
    gone = [0] * len(ALL)
    for at, found in board.units():
        if not found.vessel:
            gone[found.colour] += _ways(found.colour, found.letter)[at]
    return gone


@cache
def _ways(colour: Colour, letter: str) -> tuple[int, ...]:
    ways = [0] * len(NAMES)
    seen = edge = GRAIL | sum(CAPITAL[other] for other in ALL if other != colour)
    for left in range(FAR, 0, -1):
        for at, bit in enumerate(BIT):
            if edge & bit:
                ways[at] = left
        edge = back(letter).around(edge) & ~seen
        seen |= edge
    return tuple(ways)
