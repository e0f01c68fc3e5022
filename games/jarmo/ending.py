"""How a game ends: the checks after each turn, in the order of the rules (JARMO-6, JARMO-8.5, JARMO-9.1)."""

from __future__ import annotations

from games.jarmo.moves import PASS
from games.jarmo.net import NETS, OUTSIDE
from games.jarmo.scoring import DRAWN, ahead
from games.jarmo.state import LETTERS, Board, Side, State
from games.jarmo.variants import BLOCKED, CAMP, CAPTURE, QUIET, QUIET_TURNS, REPEAT, REPEATED, TURNS


def ended(state: State, mover: Side, moved: bool, entered: bool) -> str:
    """The end this turn has brought, as END of the position line says it; empty when the game goes on.

    `state.side` is already the other side. `moved`: the turn was a move; `entered`: into the enemy camp.
    """
    if NETS[state.terms.variant].variant.points:
        return by_pieces(state, mover) or stalled(state)
    return (by_last_piece(state, mover, entered) if moved else "") or stalled(state)


def by_pieces(state: State, mover: Side) -> str:
    """Base: nobody left, or everybody in the enemy camp. A capture that does both ends the game by 6.2."""
    board = state.board
    other = 1 - mover
    if not board.tops[other] and not state.hands[other]:
        return f"{CAPTURE}:{LETTERS[mover]}"  # JARMO-6.2: the mover wins, whatever the points
    if is_all_in(board, mover) or is_all_in(board, other):
        return f"{CAMP}:{ahead(board)}"  # JARMO-6.1: the mover or the other side; hand and pool do not matter
    return ""


def by_last_piece(state: State, mover: Side, entered: bool) -> str:
    """The variants: the one who moves his last piece in wins, or who leaves the other side nothing to act with."""
    board = state.board
    if entered and not board.tops[mover] & OUTSIDE[mover] and not state.hands[mover]:
        return f"{CAMP}:{LETTERS[mover]}"  # JARMO-8.1, JARMO-9.1
    other = 1 - mover
    if not board.tops[other] & OUTSIDE[other] and not state.hands[other] and not may_turn_over(state, other):
        return f"{CAPTURE}:{LETTERS[mover]}"  # JARMO-8.4
    return ""


def is_all_in(board: Board, side: Side) -> bool:
    """JARMO-6.1: at least one free piece, all in the enemy camp. A free golden soldier below shares its top's point."""
    own = board.tops[side]
    return own != 0 and not own & OUTSIDE[side]


def may_turn_over(state: State, side: Side) -> bool:
    """JARMO-8.3: a guard on top in the enemy camp, and somebody to recover."""
    if NETS[state.terms.variant].demotes:
        return False  # JARMO-9.1: no turning-over as a turn of its own
    return state.pools[side] > 0 and bool(state.board.tops[side] & state.board.guards & ~OUTSIDE[side])


def stalled(state: State) -> str:
    """The ends of a game that gets nowhere: by points in base, drawn in the variants (JARMO-8.5)."""
    reason = why_stalled(state)
    if not reason:
        return ""
    points = NETS[state.terms.variant].variant.points
    return f"{reason}:{ahead(state.board) if points else DRAWN}"


def why_stalled(state: State) -> str:
    tail = state.tail
    if len(tail) > 1:
        if tail[-1][1] == tail[-2][1] == PASS.text:
            return BLOCKED  # JARMO-6.4: both sides passed
        if stands_again(state) >= REPEATED:
            return REPEAT  # JARMO-6.3
        if len(tail) >= QUIET_TURNS:
            return QUIET  # JARMO-6.5
    return TURNS if state.turn >= state.terms.limit else ""  # JARMO-6.6


def stands_again(state: State) -> int:
    """JARMO-6.3: how often the position has stood, same side to move, since the last turn that was not quiet."""
    board, tail = state.board, state.tail
    # Every second quiet turn had the same side to move.
    return 1 + sum([was == board for was, _ in tail[len(tail) & 1 :: 2]])
