"""What silence means at the deadline: the default action (HASAMI-6.6)."""

from __future__ import annotations

from engine.boards.squares import Mask
from games.hasami_shogi.board import BOARDS
from games.hasami_shogi.ending import won
from games.hasami_shogi.judging import captures, distance, own
from games.hasami_shogi.legal import legal, moves_of
from games.hasami_shogi.moves import Move
from games.hasami_shogi.state import FOE, GREEN, State
from games.hasami_shogi.turn import captured


def default(state: State) -> Move:
    """The action of a side that says nothing. `max` and `sorted` keep the first of equals: ties go by listing order."""
    menu = legal(state)
    winning = next((move for move in menu if wins(state, move)), None)
    if winning is not None:
        return winning
    most = max(menu, key=lambda move: captures(state, move).bit_count())
    if captures(state, most):
        return most
    near_first = sorted(menu, key=lambda move: distance(move.text[:2], move.text[3:]))
    return next((move for move in near_first if takes_it(state, move) is None), near_first[0])


def wins(state: State, move: Move) -> bool:
    """HASAMI-7.1, HASAMI-7.2 and HASAMI-8.4; a draw is not a win."""
    board = BOARDS[state.terms.variant]
    way = board.ways[move.text]
    taken = captures(state, move)
    mine, foe = own(state) ^ way.span, (state.red if state.turn == GREEN else state.green) ^ taken
    return won(board, state.turn, mine, foe, way.lines, taken) is not None


def takes_it(state: State, move: Move) -> Move | None:
    """The enemy's first move on the board this move leaves that captures the piece moved; None when it is safe there.

    HASAMI-6.6: draws and forced passes are ignored.
    """
    after = board_after(state, move)
    mine, foe = (after.green, after.red) if state.turn == GREEN else (after.red, after.green)
    board = BOARDS[state.terms.variant]
    for reply in moves_of(state.terms.variant, foe, mine | foe, after.shoguns):
        way = board.ways[reply.text]
        if way.near & mine and captured(way, foe ^ way.span, mine) & move.end:
            return reply
    return None


def board_after(state: State, move: Move) -> State:
    """The pieces as this move leaves them, with the other side to move; the memory is not kept."""
    way = BOARDS[state.terms.variant].ways[move.text]
    taken = captures(state, move)

    def left(pieces: Mask) -> Mask:
        return (pieces ^ way.span if pieces & way.start else pieces) & ~taken

    return state._replace(
        turn=FOE[state.turn], green=left(state.green), red=left(state.red), shoguns=left(state.shoguns)
    )
