"""How a game of Bagh Chal stands, for players that are programs: goats taken and in danger, tigers shut in."""

from __future__ import annotations

from engine import Seat
from games.bagh_chal.board import BOARDS
from games.bagh_chal.legal import can_move, tiger_actions
from games.bagh_chal.moves import CAPTURE
from games.bagh_chal.state import OTHER, TIGERS, State

GAME, GOAT, THREAT, WAY, SHUT_IN = 10_000, 100, 60, 2, 30


def appraise(state: State, seat: Seat) -> int:
    """Above 0 when the seat stands better than the other."""
    before = state.score.wins(seat) - state.score.wins(OTHER[seat])  # BAGH-10: games of the match already won
    return GAME * before + for_tigers(state) * (1 if state.score.tigers == seat else -1)


def for_tigers(state: State) -> int:
    """A goat that can be taken at once counts for more when the tigers are to act."""
    ways = tiger_actions(state)
    prey = sum(move.kind == CAPTURE for move in ways)
    danger = THREAT if state.turn == TIGERS else THREAT // 3
    alone = BOARDS[state.terms.variant].points_of(state.tigers)
    shut_in = sum(not can_move(state, tiger) for tiger in alone)
    return GOAT * state.captured + danger * min(prey, 2) + WAY * len(ways) - SHUT_IN * shut_in
