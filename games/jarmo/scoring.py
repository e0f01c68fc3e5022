"""Free pieces, points, and who has more of them (JARMO-6.7)."""

from __future__ import annotations

from games.jarmo.columns import free_below
from games.jarmo.net import CAMPS, OUTSIDE
from games.jarmo.state import BLUE, GREEN, LETTERS, SIDES, Board, Points, Side, State
from games.jarmo.variants import ELSEWHERE, IN_CAMP, SOLDIERS, VARIANTS

DRAWN = "="


def free_pieces(board: Board, side: Side, where: Points) -> int:
    """The side's soldiers on these points, except hostages (JARMO-10.7)."""
    return (board.tops[side] & where).bit_count() + sum(1 for at, _ in free_below(board, side) if at & where)


def in_camp(board: Board, side: Side) -> int:
    return free_pieces(board, side, CAMPS[1 - side])


def points(board: Board, side: Side) -> int:
    """JARMO-6.7: two for each free piece in the enemy camp, one for each other; nothing for hand, pool and hostages."""
    return IN_CAMP * in_camp(board, side) + ELSEWHERE * free_pieces(board, side, OUTSIDE[side])


def ahead(board: Board) -> str:
    """JARMO-6.7: who has more points, with equal points more pieces in the enemy camp; `=` when still equal."""
    green, blue = ((points(board, side), in_camp(board, side)) for side in (GREEN, BLUE))
    if green == blue:
        return DRAWN
    return LETTERS[GREEN] if green > blue else LETTERS[BLUE]


def winner(state: State) -> Side | None:
    """Who has won a game that is over; None when it is drawn."""
    who = state.end.partition(":")[2]
    return None if who == DRAWN else LETTERS.index(who)


def scores(state: State) -> dict[str, int]:
    """What each side adds to its series (JARMO-7.2): its points, or in the variants without points 1 for the winner."""
    if VARIANTS[state.terms.variant].points:
        return {seat: points(state.board, side) for side, seat in enumerate(SIDES)}
    return {seat: int(winner(state) == side) for side, seat in enumerate(SIDES)}  # JARMO-8.1


def lost(state: State, side: Side) -> int:
    """Soldiers that are captured, hostages among them, or gone for good (JARMO-1.3, JARMO-10.7)."""
    own = state.board.tops[side]
    return SOLDIERS - free_pieces(state.board, side, own) - state.hands[side]
