"""What silence means at the deadline: the default action (section 6 of the rules document)."""

from __future__ import annotations

from games.jarmo.legal import legal
from games.jarmo.moves import STEP, Move
from games.jarmo.scoring import winner
from games.jarmo.state import State
from games.jarmo.turn import play


def default(state: State) -> Move:
    """The first capture that does not lose at once; else the first action that brings a soldier in; else the first."""
    menu = legal(state)
    candidates = [move for move in menu if not loses(state, move)] or menu
    for move in candidates:
        if captures(state, move):
            return move
    return next((move for move in candidates if move.how), candidates[0])


def loses(state: State, move: Move) -> bool:
    """Whether the action would end the game with the other side as winner."""
    after = play(state, move).state
    return bool(after.end) and winner(after) == 1 - state.side


def captures(state: State, move: Move) -> bool:
    return move.kind == STEP and bool(move.end & state.board.tops[1 - state.side])
