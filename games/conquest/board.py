"""The pieces on the map: which unit stands where, and the sets of cells that the rules ask about (CONQ-2.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import compress

from games.conquest.geography import BIT, COLOURS, DATA, INDEX, NAMES, cells_in
from games.conquest.units import PIECE, Unit, has_room, unit

Change = tuple[int, Unit | None]


@dataclass(frozen=True, slots=True)
class Board:
    """At most one unit on a cell (CONQ-2.1). The sets of cells follow from the units; they are kept for speed."""

    cells: tuple[Unit | None, ...]
    held: tuple[int, ...] = field(compare=False, repr=False)
    """Where each colour stands."""
    pieces: tuple[int, ...] = field(compare=False, repr=False)
    """How many single pieces each colour has (CONQ-2.4)."""
    elephants: int = field(compare=False, repr=False)
    """Where a unit has an elephant in it, on land or aboard."""
    roomy: int = field(compare=False, repr=False)
    """Where a carrier has room for one more soldier."""
    hollow: int = field(compare=False, repr=False)
    """Where a vessel carries nothing."""

    def put(self, changes: Iterable[Change]) -> Board:
        """The board after these units have come and gone."""
        cells, held, pieces = list(self.cells), list(self.held), list(self.pieces)
        elephants, roomy, hollow = self.elephants, self.roomy, self.hollow
        for at, new in changes:
            bit, before = BIT[at], cells[at]
            if before is not None:
                held[before.colour] &= ~bit
                pieces[before.colour] -= before.count
                elephants, roomy, hollow = elephants & ~bit, roomy & ~bit, hollow & ~bit
            cells[at] = new
            if new is not None:
                held[new.colour] |= bit
                pieces[new.colour] += new.count
                if new.elephant:
                    elephants |= bit
                if has_room(new):
                    roomy |= bit
                if new.hollow:
                    hollow |= bit
        return Board(tuple(cells), tuple(held), tuple(pieces), elephants, roomy, hollow)

    @property
    def occupied(self) -> int:
        south, west, north, east = self.held
        return south | west | north | east

    def units_of(self, colour: int) -> Iterator[tuple[int, Unit]]:
        """The units of a colour in canonical cell order."""
        for at in cells_in(self.held[colour]):
            yield at, self.unit(at)

    def units(self) -> Iterator[tuple[int, Unit]]:
        """All units in canonical cell order."""
        return compress(enumerate(self.cells), self.cells)  # type: ignore[arg-type]

    def unit(self, at: int) -> Unit:
        """The unit on a cell that has one."""
        found = self.cells[at]
        assert found is not None
        return found


EMPTY = Board((None,) * len(NAMES), (0,) * len(COLOURS), (0,) * len(COLOURS), 0, 0, 0)


def start() -> Board:
    """The 26 pieces of each colour around its capital and in its home ports (CONQ-2.3, CONQ-3.1)."""
    letters = {name: letter for letter, name in PIECE.items() if letter != "t"}
    return EMPTY.put(
        (INDEX[cell], unit(COLOURS.index(colour), letters[name]))
        for colour, pieces in DATA["start"].items()
        for name, cells in pieces.items()
        for cell in cells
    )
