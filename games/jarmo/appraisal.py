"""How a game of Jarmo stands, for players that are programs: by points in base, as a race in the variants."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from games.jarmo.legal import steps
from games.jarmo.net import BITS, CAMPS, NAME, NETS, OUTSIDE
from games.jarmo.scoring import free_pieces, in_camp
from games.jarmo.silence import captures
from games.jarmo.state import SIDES, Points, Side, State

# Base: arrived, on the board, in hand, in the pool, a move of the way, and a guard while it can bring somebody back.
ARRIVED, SOLDIER, IN_HAND, IN_POOL, MOVE, GUARD = 100, 100, 70, 15, 15, 30
# The variants: each move that is still to be made, and the danger to lose the last piece that can be moved.
TO_GO, TO_PLACE, LAST_ONE = 20, 5, 400
FAR = 9  # from where no way leads to the camp any more


def appraise(state: State, seat: str) -> int:
    """What the side has, less what the other has."""
    side = SIDES.index(seat)
    count = stock if NETS[state.terms.variant].variant.points else race
    return count(state, side) - count(state, 1 - side)


def stock(state: State, side: Side) -> int:
    """JARMO-6.7: points as they would count now, and how near more are; what can be captured at once is half lost."""
    board = state.board
    outside = board.tops[side] & OUTSIDE[side]
    guards = (outside & board.guards).bit_count() if state.pools[side] else 0  # JARMO-4.3
    prey = [price(state, point, side) for point in in_danger(state, side)]
    return (
        SOLDIER * free_pieces(board, side, board.tops[side])
        + ARRIVED * in_camp(board, side)
        + IN_HAND * state.hands[side]
        + IN_POOL * state.pools[side]
        + GUARD * guards
        - MOVE * moves_to_go(state, side)
        - max(prey, default=0) // 2
    )


def race(state: State, side: Side) -> int:
    """JARMO-8.1: who has the fewest moves to make until his last piece is in; soldiers in the pool need none."""
    outside = (state.board.tops[side] & OUTSIDE[side]).bit_count()
    prey = len(in_danger(state, side) & set(BITS[state.board.tops[side] & OUTSIDE[side]]))
    alone = LAST_ONE if outside == 1 and prey and not state.hands[side] else 0  # JARMO-8.4
    return -TO_GO * (moves_to_go(state, side) + TO_PLACE * state.hands[side]) - alone


def in_danger(state: State, side: Side) -> set[Points]:
    """The points where the other side could capture, when it is to move."""
    if state.side == side:
        return set()
    return {move.end for move in steps(state) if captures(state, move)}


def price(state: State, point: Points, side: Side) -> int:
    """What a side loses with the piece on top of that point."""
    return SOLDIER - IN_POOL + (ARRIVED if point & CAMPS[1 - side] else 0)


def moves_to_go(state: State, side: Side) -> int:
    way = ways(state.terms.variant, side)
    return sum(way.get(point, FAR) for point in BITS[state.board.tops[side] & OUTSIDE[side]])


@cache
def ways(variant: str, side: Side) -> Mapping[Points, int]:
    """How many moves each point is from the enemy camp, on an empty board."""
    net = NETS[variant]
    found = dict.fromkeys(BITS[CAMPS[1 - side]], 0)
    for length in range(1, FAR):
        reached = [p for p in NAME if p not in found and any(e in found and net.allows(side, p, e) for e in NAME)]
        found |= dict.fromkeys(reached, length)
    return found
