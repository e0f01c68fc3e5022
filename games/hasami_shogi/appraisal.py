"""How well a seat stands in an open position: for players that are programs, no rule of the game."""

from __future__ import annotations

from engine import Seat
from engine.boards.squares import Mask
from games.hasami_shogi.board import BOARDS
from games.hasami_shogi.judging import captures
from games.hasami_shogi.legal import legal
from games.hasami_shogi.silence import wins
from games.hasami_shogi.state import FOE, GREEN, State

PIECE = 100
AT_STAKE = 70  # a piece that the side to move can capture is nearly gone
ABOUT_TO_WIN = 5_000
PROGRESS = (0, 1, 4, 12, 40, 0)
"""What a possible five without enemies is worth, by the pieces already on it (HASAMI-7.1)."""


def appraise(state: State, seat: Seat) -> int:
    """Pieces, rows that may become five, and what the side to move could do at once; above 0 is better for the seat."""
    ahead = balance(state) + at_once(state)
    return ahead if seat == state.terms.seat(state.turn) else -ahead


def balance(state: State) -> int:
    """Pieces and rows of the side to move, less those of the other."""
    own, foe = (state.green, state.red) if state.turn == GREEN else (state.red, state.green)
    pieces = PIECE * (own.bit_count() - foe.bit_count())
    return pieces + rows(state, own, foe) - rows(state, foe, own)


def rows(state: State, own: Mask, foe: Mask) -> int:
    fives = BOARDS[state.terms.variant].fives
    return sum([PROGRESS[(own & five).bit_count()] for five in fives if own & five and not foe & five])


def at_once(state: State) -> int:
    """The best that the side to move can do with one move; and half of what the other could do if it were to move."""
    return best_of(state) - best_of(state._replace(turn=FOE[state.turn])) // 2


def best_of(state: State) -> int:
    most = 0
    for move in legal(state):
        if wins(state, move):
            return ABOUT_TO_WIN
        most = max(most, AT_STAKE * captures(state, move).bit_count())
    return most
