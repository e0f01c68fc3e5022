"""How a game of Khan stands, for players that are programs: points, yurts that may still bring some, cards."""

from __future__ import annotations

from games.khan.conquest import claims, points_each, sharers
from games.khan.material import BOARD
from games.khan.placements import placements_of
from games.khan.scoring import scores
from games.khan.state import State

POINT, YURT, BESIDE_OTHERS, SPECIAL, HOPE = 20, 8, 2, 6, 10


def appraise(state: State, seat: int) -> int:
    """The seat's standing less that of the best of the others."""
    points = scores(state)
    stands = [POINT * points[other].total + material(state, other) for other in state.seats]
    hope = HOPE * best_claim(state, seat) if seat not in state.gone else 0
    return stands[seat] + hope - max(stands[other] for other in state.seats if other != seat)


def material(state: State, seat: int) -> int:
    """Yurts on the board, more where they stand side by side with others that count together (KHAN-7.6)."""
    own = state.yurts[seat]
    together = own | state.black
    east, south = 1, BOARD.width
    shifted = (together << east, together >> east, together << south, together >> south)
    beside = sum([(own & neighbours).bit_count() for neighbours in shifted])
    return YURT * own.bit_count() + BESIDE_OTHERS * beside + SPECIAL * sum(state.specials[seat])


def best_claim(state: State, seat: int) -> int:
    """The most points that one conquest would bring as the board lies."""
    best = 0
    for placement in placements_of(claims(state, seat)):
        best = max(best, points_each(placement.shape, len(sharers(state, placement.mask))))
    return best
