"""How steps and answers are put together: a piece, then where it goes, with its points and what it takes."""

from __future__ import annotations

from functools import cache
from typing import Any

from engine.composing import Composer, Part, Purse, Said, says
from games.conquest.actions import END, Counter, Step
from games.conquest.geography import BIT, COLOURS, NAMES, cells_in, graph
from games.conquest.legal import captures, eyes
from games.conquest.refusing import COLOUR_NAMES
from games.conquest.state import State
from games.conquest.units import LIMIT, Unit
from games.conquest.ways import layers, way

MOVER, TO, ANSWER, DROP = says("Piece"), says("To"), says("Answer"), says("Set down first")
TURN, RISK = "turn", "risk"  # what the end of a turn changes for all steps, and a capture that may be answered
PIECES = {
    "v": says("ship"),
    "g": says("galleon"),
    "e": says("elephant"),
    "c": says("chariot"),
    "k": says("knight"),
    "s": says("soldier"),
    "t": says("soldier that has moved"),
}


class Turn(Composer):
    """The steps of a turn are paid from its points, those of all orders together (CONQ-4.7)."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.purse = Purse(says("points"), state.points_left, shared=True)
        self.eyes = eyes(state.board, state.friends(state.mover), state.mover)
        self.costs, self.piece, self.there = cache(self._costs), cache(self._piece), cache(self._there)

    def parts(self, move: Any) -> tuple[Part, ...]:
        if not isinstance(move, Step):
            return (Part(str(move), MOVER, says("end of the turn") if move == END else None, changes=(TURN,)),)
        return (self.piece(move.piece, move.start), self.step(move))

    def step(self, move: Step) -> Part:
        """Where a piece goes. It needs its way as it is (CONQ-5.7); one capture at risk is all there is (CONQ-13.3)."""
        due = self.costs(move.piece, move.start)[move.to]
        carried = self.unit(move.start).letter != move.piece
        found = way(move.piece, move.start, move.to, carried, due, self.eyes[move.piece])
        risk = (RISK,) if self.state.vulnerable and captures(self.state, move) else ()
        needs = (*(NAMES[cell] for cell in found.cells[1:]), *risk)
        there = NAMES[move.to]
        return Part(f"-{there}", TO, None, due, self.there(move.to), needs, (there, *risk), places=(there,))

    def _piece(self, letter: str, at: int) -> Part:
        """A piece. Once its cell has changed, its carrier gone or somebody aboard, nothing is foretold of it."""
        left = min(LIMIT[letter] - self.spent(letter, at), self.state.points_left)
        label = says("{piece}, {cell}", piece=PIECES[letter], cell=NAMES[at])
        notes = (says("Points left to it: {left}.", "CONQ-4.4", left=left),)
        here = NAMES[at]
        return Part(f"{letter} {here}", MOVER, label, 0, notes, (here, TURN), (here,), places=(here,))

    def unit(self, at: int) -> Unit:
        return self.state.board.unit(at)

    def spent(self, letter: str, at: int) -> int:
        return min(spent for named, spent in self.unit(at).named if named == letter)

    def _costs(self, letter: str, at: int) -> dict[int, int]:
        """The points of the cheapest way to each cell (CONQ-5.1)."""
        carried = self.unit(at).letter != letter
        points = min(LIMIT[letter] - self.spent(letter, at), self.state.points_left)
        found: dict[int, int] = {}
        for cost, (stand, ride, _, prey) in enumerate(layers(graph(letter), at, carried, points, self.eyes[letter])):
            for cell in cells_in(stand | ride | prey):
                found.setdefault(cell, cost)
        return found

    def _there(self, cell: int) -> tuple[Said, ...]:
        """What a step there takes, or boards."""
        if not BIT[cell] & self.state.board.occupied:
            return ()
        unit = self.unit(cell)
        piece = PIECES[unit.letter]
        if not BIT[cell] & self.state.enemies(self.state.mover):
            return (says("It goes aboard: {piece}.", "CONQ-6.1", piece=piece),)
        owner = COLOUR_NAMES[COLOURS[unit.colour]]
        return (says("It captures: {piece} of {owner}.", "CONQ-8.1", piece=piece, owner=owner),)


class Answers(Composer):
    """An answer is a piece, and what it sets down before it strikes."""

    def parts(self, move: Any) -> tuple[Part, ...]:
        if not isinstance(move, Counter):
            return (Part(str(move), ANSWER, says("no answer")),)
        here = NAMES[move.start]
        first = Part(f"counter {move.piece} {here}", ANSWER, self.striker(move), places=(here,))
        dropped = str(move).removeprefix(first.text)
        cells = tuple(dict.fromkeys(NAMES[drop.cell] for drop in move.drops))
        label = None if dropped else says("nothing")
        return (first, Part(dropped, DROP, label, places=cells, any_order=bool(cells)))

    def striker(self, move: Counter) -> Said:
        return says("{piece}, {cell}", piece=PIECES[move.piece], cell=NAMES[move.start])


def composer(state: State) -> Composer:
    return Turn(state) if state.exchange is None else Answers()
