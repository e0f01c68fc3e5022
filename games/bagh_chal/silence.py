"""What silence means at the deadline: the default action of each side (BAGH-6.6)."""

from __future__ import annotations

from collections.abc import Sequence

from games.bagh_chal.legal import can_move, legal, tiger_moves
from games.bagh_chal.moves import CAPTURE, DECLINE, ENTER, Move
from games.bagh_chal.state import EXTRA, GOATS, State
from games.bagh_chal.turn import ACTIONS
from games.bagh_chal.variants import GOATS_TO_CATCH


def default(state: State) -> Move:
    """The action of a side that says nothing. `min` and `max` keep the first of equals: ties go by listing order."""
    if state.turn == GOATS:
        return least_dangerous(state)
    if state.turn == EXTRA:
        return freest(state, captures(state)) if captures(state) else DECLINE
    return freest(state, winning(state) or captures(state) or legal(state))


def least_dangerous(state: State) -> Move:
    menu = legal(state)
    candidates = [move for move in menu if move.kind != ENTER] or menu
    return min(candidates, key=lambda move: danger(after(state, move)))


def danger(state: State) -> int:
    """-1 when all tigers are trapped, else what they could capture: 10 for the Bouc, 1 for a goat."""
    if not can_move(state, state.tigers):
        return -1
    jumps = (move for move in tiger_moves(state, state.tigers) if move.kind == CAPTURE)
    return sum(10 if move.over == state.bouc else 1 for move in jumps)


def captures(state: State) -> list[Move]:
    return [move for move in legal(state) if move.kind == CAPTURE]


def winning(state: State) -> list[Move]:
    """The captures that win at once: the fifth goat, or the Bouc."""
    last_goat = state.captured == GOATS_TO_CATCH - 1
    return [move for move in captures(state) if last_goat or move.over == state.bouc]


def freest(state: State, candidates: Sequence[Move]) -> Move:
    """The action after which the tigers have the most walks and jumps; BAGH-5.4 and whose turn it is do not matter."""
    return max(candidates, key=lambda move: freedom(after(state, move)))


def freedom(state: State) -> int:
    return len(tiger_moves(state, state.tigers))


def after(state: State, move: Move) -> State:
    """The board as this action leaves it; the story is not wanted here."""
    return ACTIONS[move.kind](state, move, [])
