"""How well a seat stands in an open position: for players that are programs, no rule of the game."""

from __future__ import annotations

from typing import NamedTuple

from engine import Seat
from engine.boards.squares import Mask
from games.hasami_shogi.board import BOARDS, Board
from games.hasami_shogi.legal import moves_of
from games.hasami_shogi.state import GREEN, State
from games.hasami_shogi.turn import captured

PIECE = 100
AT_STAKE = 70  # a piece that the side to move can capture is nearly gone
ABOUT_TO_WIN = 5_000
THREAT = 60  # the other side has one way to win, and can still be stopped
PROGRESS = (0, 1, 4, 12, 40, 0)
"""What a possible five without enemies is worth, by the pieces already on it (HASAMI-7.1)."""


class Chances(NamedTuple):
    """What a side could do with one move, if it were its turn."""

    ways_to_win: int
    captures: int
    """The most pieces that one move takes."""


def appraise(state: State, seat: Seat) -> int:
    """Pieces, rows that may become five, and what either side could do at once; above 0 is better for the seat."""
    own, foe = (state.green, state.red) if state.turn == GREEN else (state.red, state.green)
    mine, theirs = chances(state, own, foe), chances(state, foe, own)
    ahead = PIECE * (own.bit_count() - foe.bit_count()) + rows(state, own, foe) - rows(state, foe, own)
    ahead += at_once(mine) - later(theirs)
    return ahead if seat == state.terms.seat(state.turn) else -ahead


def rows(state: State, own: Mask, foe: Mask) -> int:
    fives = BOARDS[state.terms.variant].fives
    return sum([PROGRESS[(own & five).bit_count()] for five in fives if own & five and not foe & five])


def at_once(mine: Chances) -> int:
    """What the side to move can count on."""
    return ABOUT_TO_WIN if mine.ways_to_win else AT_STAKE * mine.captures


def later(theirs: Chances) -> int:
    """What the other side would do if it were left to: one thing can be prevented, two hardly."""
    if theirs.ways_to_win:
        return THREAT if theirs.ways_to_win == 1 else ABOUT_TO_WIN // 2
    return AT_STAKE * theirs.captures // 2


def chances(state: State, own: Mask, foe: Mask) -> Chances:
    board = BOARDS[state.terms.variant]
    gaps, ways = four_of_five(board, own, foe), board.ways
    enough = foe.bit_count() - board.variant.loses_with  # HASAMI-7.2, HASAMI-8.4
    wins, most = set(), 0
    for move in moves_of(state.terms.variant, own, own | foe, state.shoguns):
        text, start, end = move
        if end in gaps and any(not start & five for five in gaps[end]):
            wins.add(end)
        way = ways[text]
        if way.near & foe:
            taken = captured(way, own ^ way.span, foe).bit_count()
            if taken > most:
                most = taken
            if taken >= enough:
                wins.add(end)
    return Chances(len(wins), most)


def four_of_five(board: Board, own: Mask, foe: Mask) -> dict[Mask, list[Mask]]:
    """The square that is missing -> the fives that it would complete."""
    found: dict[Mask, list[Mask]] = {}
    for five in board.fives:
        if not foe & five and (own & five).bit_count() == 4:
            found.setdefault(five & ~own, []).append(five)
    return found
