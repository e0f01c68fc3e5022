"""A piece changes its cell: what that does to the board, and what is lost by it (CONQ-6, 7, 8).

Steps of a turn and answers in an exchange are carried out alike; only what they cost differs.
"""

from __future__ import annotations

from typing import NamedTuple

from games.conquest.board import Board
from games.conquest.units import Unit, loaded, parted, taken_over, tired


class Moved(NamedTuple):
    """The board afterwards, and what happened on the cell that was entered."""

    board: Board
    piece: Unit
    """The piece as it arrived, with what it carries."""
    left: Unit | None
    """The carrier it left, if it was carried."""
    boarded: Unit | None
    """The own carrier it stepped onto, as that was before."""
    prey: Unit | None
    """The enemy unit that stood there."""

    @property
    def ship_taken(self) -> bool:
        """CONQ-8.4, CONQ-8.5: a land piece takes a vessel over."""
        return self.prey is not None and self.prey.vessel and not self.piece.vessel

    @property
    def lost(self) -> list[str]:
        """The letters of the pieces eliminated (CONQ-7.7, CONQ-8.1): of a vessel taken over only its cargo."""
        if self.prey is None:
            return []
        return self.prey.pieces[1:] if self.ship_taken else self.prey.pieces


def carried_out(board: Board, letter: str, start: int, to: int, cost: int) -> Moved:
    """The piece leaves its cell or carrier, pays, and enters, boards or captures (CONQ-6.7: the carried no less)."""
    rest, piece = parted(board.unit(start), letter)
    if cost:
        piece = tired(piece, cost)  # CONQ-4.3, CONQ-6.5, CONQ-6.8
    there = board.cells[to]
    if there is None:
        return Moved(board.put(((start, rest), (to, piece))), piece, rest, None, None)
    if there.colour == piece.colour:
        full = loaded(there, piece)
        assert full is not None
        return Moved(board.put(((start, rest), (to, full))), piece, rest, there, None)  # CONQ-6.1, CONQ-7.2
    arrived = piece
    if there.vessel and not piece.vessel:
        arrived = taken_over(there, piece)  # CONQ-8.4, CONQ-8.5
    return Moved(board.put(((start, rest), (to, arrived))), piece, rest, None, there)  # CONQ-8.1
