"""Legal actions, in listing order (HASAMI-6.4): the one place that knows what each side may do."""

from __future__ import annotations

from bisect import bisect
from operator import attrgetter

from engine.boards.squares import Mask
from games.hasami_shogi.board import BOARDS
from games.hasami_shogi.menus import MENUS
from games.hasami_shogi.moves import Move
from games.hasami_shogi.state import GREEN, State
from games.hasami_shogi.variants import SQUARES

SOUTH = SQUARES.width
START = attrgetter("start")


def legal(state: State) -> list[Move]:
    """What the side to move may do: one move of one own piece, and no pass (HASAMI-4.1). The game is not over."""
    terms, turn, green, red, shoguns, _, _ = state
    return moves_of(terms.variant, green if turn == GREEN else red, green | red, shoguns)


def legal_from(state: State, start: Mask) -> list[Move]:
    """The legal actions of the piece on that square; none unless it is one of the side to move."""
    terms, turn, green, red, shoguns, _, _ = state
    own = green if turn == GREEN else red
    return moves_of(terms.variant, own & start, green | red, shoguns)


def moves_of(variant: str, own: Mask, occupied: Mask, shoguns: Mask) -> list[Move]:
    """Slides and jumps of these pieces of one side, whoever is to move."""
    menu, shogun = MENUS[variant], own & shoguns
    found = menu.samurai(own ^ shogun, occupied)
    if shogun:
        place = bisect(found, shogun, key=START)  # HASAMI-6.4: by the square they start from
        found[place:place] = menu.shogun(shogun, occupied)
    return found


def can_move(state: State, side: str) -> bool:
    """Whether that side has a legal move."""
    terms, _, green, red, shoguns, _, _ = state
    own, occupied = (green if side == GREEN else red), green | red
    # A single step to an open square is nearly always there, and quickly found.
    free = BOARDS[terms.variant].always_open & ~occupied
    if free & (own << SOUTH | own >> SOUTH) or free & (own << 1 | own >> 1):
        return True
    return bool(moves_of(terms.variant, own, occupied, shoguns))
