"""One position of Conquest, and what follows from it at a glance: friends, points left, who is nailed (CONQ-4, 10)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from games.conquest.board import Board
from games.conquest.geography import CAPITAL, COLOURS, DATA, GRAIL
from games.conquest.options import seats

Colour = int
Four = tuple[int, int, int, int]
NOTHING: Four = (0, 0, 0, 0)
ALL: tuple[Colour, ...] = tuple(range(len(COLOURS)))
FULL: int = DATA["points"]["turn"]
LADDER: tuple[int, ...] = tuple(DATA["points"]["first_round"])
TOLL: int = DATA["points"]["per_enemy_cell"]
NAILED_AT: int = DATA["points"]["nailed_at_cells"]
CALM: int = DATA["calm_rounds"]
VULNERABLE = 2  # CONQ-13.1


@dataclass(frozen=True, slots=True)
class Table:
    """What was agreed when the game was set up and still matters in play."""

    mode: str = "free"
    players: int = 4
    empty_ship: str = "exchange"
    alliance_win: str = "all"
    opening_limit: int = 12

    @property
    def allied(self) -> bool:
        return self.mode == "alliance"


class Calm(NamedTuple):
    """Who owned the last eliminated piece, and how many turns of his have ended since (CONQ-11.4)."""

    owner: Colour
    turns: int


class Exchange(NamedTuple):
    """A capture whose victim is being asked for his answer (CONQ-9.1); `letter` is the capturing piece."""

    victim: Colour
    cell: int
    letter: str


class Over(NamedTuple):
    """The paragraph that ended the game, and the winning colours."""

    rule: str
    winners: tuple[Colour, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """One position: all that the rules may ask about, and nothing else."""

    table: Table
    board: Board
    round: int = 1
    starter: Colour = 0
    mover: Colour = 0
    paid: int = 0
    risks: int = 0
    taken: Four = NOTHING
    """Pieces each colour has lost to the mover in this turn, taken ships included."""
    kills: Four = NOTHING
    calm: Calm | None = None
    exchange: Exchange | None = None
    over: Over | None = None

    # --- friends and enemies ---------------------------------------------------------------------------------------

    def friends(self, colour: Colour) -> int:
        """The cells where friendly units stand: own, and in alliance mode the partner's (CONQ-14.2)."""
        held = self.board.held
        return held[colour] | held[partner(colour)] if self.table.allied else held[colour]

    def enemies(self, colour: Colour) -> int:
        return self.board.occupied & ~self.friends(colour)

    # --- points ----------------------------------------------------------------------------------------------------

    def hostile(self, colour: Colour) -> int:
        """Cells of its capital and of the Grail that cost this colour points (CONQ-10.1, CONQ-10.3, CONQ-14.3)."""
        return (CAPITAL[colour] | GRAIL) & self.enemies(colour)

    def nailed(self, colour: Colour) -> bool:
        return self.hostile(colour).bit_count() >= NAILED_AT  # CONQ-10.5

    @property
    def base(self) -> int:
        """CONQ-4.1: twenty points a turn; CONQ-4.2: five, ten, fifteen, twenty in the first round."""
        return LADDER[(self.mover - self.starter) % len(COLOURS)] if self.round == 1 else FULL

    @property
    def points_left(self) -> int:
        return max(0, self.base - TOLL * self.hostile(self.mover).bit_count() - self.paid)  # CONQ-4.7

    # --- seats and order -------------------------------------------------------------------------------------------

    def seat_of(self, colour: Colour) -> str:
        return _seat_of(self.table.players)[colour]

    def alive(self, colour: Colour) -> bool:
        return self.board.held[colour] != 0

    @property
    def left_neighbour(self) -> Colour:
        """The next colour in order that has pieces (CONQ-9.8); the mover himself when there is none."""
        for step in range(1, len(COLOURS)):
            colour = (self.mover + step) % len(COLOURS)
            if self.alive(colour):
                return colour
        return self.mover

    @property
    def vulnerable(self) -> bool:
        """Whether the mover has at most two pieces, in free mode (CONQ-13.1)."""
        return not self.table.allied and self.board.pieces[self.mover] <= VULNERABLE


@cache
def _seat_of(players: int) -> dict[Colour, str]:
    return {colour: seat for seat, colours in seats(players).items() for colour in colours}


def partner(colour: Colour) -> Colour:
    """The ally: the opposite island (CONQ-14.1)."""
    return (colour + 2) % len(COLOURS)


def alliance(colour: Colour) -> tuple[Colour, Colour]:
    """A colour and its partner, in order."""
    one, other = sorted((colour, partner(colour)))
    return one, other


def plus(four: Four, colour: Colour, number: int) -> Four:
    """The four numbers with one of them raised."""
    raised = list(four)
    raised[colour] += number
    south, west, north, east = raised
    return south, west, north, east
