"""The match of two games with the wild horse in the favourite variant, as the rules declare it (YUT-11.7).

Playing them one after another is the host's business; every other game is a match of one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine import Seat
from engine.series import Seating, Series, Side
from games.yut.options import Options
from games.yut.state import SEATS, SIDE_OF, seat_after


class TwoGames(Series):
    """YUT-11.7: more wins take the match, a shared first being none; then more horses in the stable over both games."""

    __slots__ = ()
    scored = True

    def __init__(self) -> None:
        super().__init__(2, "YUT-11.7")

    def seating(self, number: int, sides: Sequence[Side], teams: Sequence[tuple[Seat, ...]]) -> Seating:
        return dict(zip(sides, teams, strict=True))  # YUT-11.7: the same posts, so nobody changes his seat

    def options(self, number: int, options: Options) -> Options:
        """YUT-11.7: game 2 is begun by the seat after `first`, so by the other side."""
        if number == 1:
            return options
        return replace(options, game=2, first=seat_after(options.players, options.first))

    def merit(self, won: int, points: int) -> tuple[int, ...]:
        return won, points


def series(options: Options) -> Series | None:
    """The match that begins with such a game; its second game begins none."""
    return TwoGames() if options.favourite and options.wild and options.game == 1 else None


def teams(options: Options) -> tuple[tuple[Seat, ...], ...]:
    """YUT-9.2: the seats of each side, in the order of the sides; both seats of a team share its stable."""
    seats, side_of = SEATS[options.players], SIDE_OF[options.players]
    sides = sorted(set(side_of[1:]))
    return tuple(tuple(seat for number, seat in enumerate(seats, 1) if side_of[number] == side) for side in sides)
