"""How the game ends (HASAMI-7). HASAMI-7.7: resigning, agreed draws and lateness are the host's, and no end here."""

from __future__ import annotations

from typing import NamedTuple

from engine.boards.squares import Mask
from games.hasami_shogi.board import BOARDS, Board
from games.hasami_shogi.state import FOE, GREEN, NAMES, RED, State, Trail
from games.hasami_shogi.variants import LINE, SAME_POSITION, SQUARES


class Ending(NamedTuple):
    """Which side won (`g`, `r`, or empty for nobody), by which paragraph, and with which five squares."""

    winner: str
    reason: str
    rule: str
    five: tuple[str, ...] = ()


THIRD_REPETITION = Ending("", "third_repetition", "HASAMI-7.4")
QUIET_LIMIT = Ending("", "quiet_limit", "HASAMI-7.5")


def five_of(board: Board, own: Mask) -> Mask:
    """HASAMI-7.1: the first five neighbouring squares in a straight line of the battlefield that these pieces hold."""
    return next((five for five in board.fives if own & five == five), 0)


def by_five(side: str, five: Mask) -> Ending:
    return Ending(side, "five_in_a_row", "HASAMI-7.1", SQUARES.names_of(five))


def by_captures(board: Board, side: str) -> Ending:
    """HASAMI-7.2 where five in a row wins; HASAMI-8.4 where the whole army must go."""
    if board.variant.five_wins:
        return Ending(side, "fourteen_taken", "HASAMI-7.2")
    return Ending(side, "army_destroyed", "HASAMI-8.4")


def won(board: Board, side: str, own: Mask, foe: Mask, lines: tuple[Mask, ...], taken: Mask) -> Ending | None:
    """Whether the side that has just moved has won: HASAMI-7.1 before HASAMI-7.2, in the order of HASAMI-7.3.

    Only a line through the square moved to can be new, and only captures make the enemy fewer.
    """
    for line in lines:
        if (own & line).bit_count() >= LINE and (five := five_of(board, own)):
            return by_five(side, five)
    if taken and foe.bit_count() <= board.variant.loses_with:
        return by_captures(board, side)
    return None


def drawn(memory: tuple[str, ...], trail: Trail, quiet_limit: int) -> Ending | None:
    """The tests of the memory, in the order of HASAMI-7.3."""
    # The same position comes back after four entries at the earliest: both sides have to go somewhere and return.
    if len(memory) >= 4 * (SAME_POSITION - 1) and trail.count(trail[-1]) >= SAME_POSITION:
        return THIRD_REPETITION  # HASAMI-7.4
    if len(memory) >= quiet_limit:
        return QUIET_LIMIT  # HASAMI-7.5
    return None


def winners(state: State) -> list[Ending]:
    """Every win that stands on the board, whoever moved: at most one, of one side, in a game that can have been."""
    board = BOARDS[state.terms.variant]
    pieces = {GREEN: state.green, RED: state.red}
    found = []
    for side in (GREEN, RED):
        if five := five_of(board, pieces[side]):
            found.append(by_five(side, five))  # HASAMI-R7: the line is named, though there be captures enough
        elif pieces[FOE[side]].bit_count() <= board.variant.loses_with:
            found.append(by_captures(board, side))
    return found


def how_it_ended(state: State) -> Ending | None:
    """The first test of HASAMI-7.3 that applies to a position that is over (section 9)."""
    found = winners(state)
    return found[0] if found else drawn(state.memory, state.trail, state.terms.quiet_limit)


def said(ending: Ending) -> str:
    """The winner by name, for events."""
    return NAMES.get(ending.winner, "none")
