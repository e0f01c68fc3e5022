"""How a game of Conquest stands, for players that are programs: pieces, prized cells, and how near they are."""

from __future__ import annotations

from functools import cache

from games.conquest.ending import victory_points
from games.conquest.geography import BIT, CAPITAL, GRAIL, NAMES, back
from games.conquest.options import seats
from games.conquest.state import ALL, Colour, State, partner

POINT, PIECE, NAILED, FAR = 100, 60, 250, 12
AWAY = 24  # as far as anything can be that is far, or cannot get there


def appraise(state: State, seat: str) -> int:
    """What the seat and its ally have, less what the best of the others has; allied, less what both others have."""
    ours = set(seats(state.table.players)[seat])
    if state.table.allied:
        ours |= {partner(colour) for colour in ours}
    worth = [_worth(state, colour, points) for colour, points in enumerate(victory_points(state))]
    theirs = [worth[colour] for colour in ALL if colour not in ours]
    best = sum(theirs) if state.table.allied else max(theirs)
    # Free for all, a blow to any of the three others is welcome, but one to the strongest most.
    spread = 0 if state.table.allied else sum(theirs) // (2 * len(theirs))
    return sum(worth[colour] for colour in ours) - best - spread


def _worth(state: State, colour: Colour, points: int) -> int:
    """Points as they would count at the end (CONQ-12.1), the pieces once more, and the way to the cells that count."""
    if not state.alive(colour):
        return POINT * points
    near = _near(colour)
    way = sum(FAR - min(FAR, near[found.letter][at]) for at, found in state.board.units_of(colour) if not found.vessel)
    nailed = NAILED if state.nailed(colour) else 0  # CONQ-10.5
    return POINT * points + PIECE * state.board.pieces(colour) + way - nailed


@cache
def _near(colour: Colour) -> dict[str, tuple[int, ...]]:
    """For each kind of land piece, how many steps every cell is away from a prized one, were the map empty."""
    prized = GRAIL | sum(CAPITAL[other] for other in ALL if other != colour)
    return {letter: _steps_to(prized, letter) for letter in "skce"}


def _steps_to(goals: int, letter: str) -> tuple[int, ...]:
    steps = [AWAY] * len(NAMES)
    seen = edge = goals
    for count in range(AWAY):
        for at, bit in enumerate(BIT):
            if edge & bit:
                steps[at] = count
        edge = back(letter).around(edge) & ~seen
        seen |= edge
    return tuple(steps)
