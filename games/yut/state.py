"""One position: everything the rules may ask about, and nothing else. Sides and seats stand here too (YUT-1, YUT-9)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

from engine import Seat
from games.yut.board import BASE, DATA, FAVOURITE, PLACE, RUNNERS, Node, Runner, Space

SEATS: Mapping[int, tuple[Seat, ...]] = {players: tuple(names) for players, names in DATA["seats"].items()}
SIDES: Mapping[int, tuple[str, ...]] = {players: tuple(names) for players, names in DATA["sides"].items()}
HORSES: Mapping[int, int] = DATA["horses_per_side"]  # YUT-1.2, YUT-9.1

# YUT-9.2: with four players seats 1 and 3 are one side, seats 2 and 4 the other. The first entry is for no seat.
SIDE_OF: Mapping[int, tuple[int, ...]] = {
    players: (-1, *((seat % len(SIDES[players])) for seat in range(players))) for players in SEATS
}
PENDING: Mapping[int, tuple[tuple[Seat, ...], ...]] = {
    players: ((), *((name,) for name in names)) for players, names in SEATS.items()
}


class Group(NamedTuple):
    """A horse or a pile on the track (YUT-1.3, YUT-5.2). `place` comes first, so that groups sort by it."""

    place: int
    node: Node
    horses: int
    space: Space


class Side(NamedTuple):
    """The horses of one side: waiting, in the stable, and on the track in canonical order. Horses are alike."""

    waiting: int
    stable: int
    groups: tuple[Group, ...]

    @property
    def on_track(self) -> int:
        return sum(group.horses for group in self.groups)

    @property
    def horses(self) -> int:
        return self.waiting + self.stable + self.on_track


class Terms(NamedTuple):
    """What was agreed before the game and shows in a position."""

    players: int
    favourite: bool
    wild_start: Space
    """Where the wild horse starts, empty without one."""

    def runner(self, side: int) -> Runner:
        return RUNNERS[self.favourite][side]  # YUT-10.1


class End(NamedTuple):
    """How it ended: `finish` or `wild`, and the sides by rank, equal ones together in side order (YUT-8.3)."""

    reason: str
    ranking: tuple[tuple[int, ...], ...]


class State(NamedTuple):
    """A named tuple, because nothing else in Python is made, compared and hashed as fast."""

    terms: Terms
    seat: int
    """The seat to act, from 1; after the end the seat whose turn it was."""
    throws: tuple[int, ...]
    """Unused throws, largest first. None only while hurdles are placed, and after the end."""
    rethrows: int
    sides: tuple[Side, ...]
    wild: Space
    circles: int
    """How often the wild horse has landed on its start (YUT-11.5)."""
    hurdles: tuple[Space, ...]
    turns: int
    end: End | None

    @property
    def placing(self) -> bool:
        """YUT-12.1: hurdles are placed before the first throw."""
        return not self.throws and self.end is None

    @property
    def name(self) -> Seat:
        """The name of the seat to act."""
        return SEATS[self.terms.players][self.seat - 1]

    @property
    def side(self) -> int:
        """The side that acts."""
        return SIDE_OF[self.terms.players][self.seat]


Values = tuple[Terms, int, tuple[int, ...], int, tuple[Side, ...], Space, int, tuple[Space, ...], int, End | None]
made: Callable[[Values], State] = partial(tuple.__new__, State)
"""What `State(...)` does with the same ten values, in a third of the time: three are made at every move."""
made_side: Callable[[tuple[int, int, tuple[Group, ...]]], Side] = partial(tuple.__new__, Side)


def _groups() -> dict[Node, tuple[Group, ...]]:
    """Every group there can be, made once: by node, then by number of horses."""
    spaces = {node: leg.space for runner in (BASE, *FAVOURITE) for node, leg in runner.legs.items() if leg.space}
    return {
        node: tuple(Group(PLACE[space], node, horses, space) for horses in range(5)) for node, space in spaces.items()
    }


GROUPS = _groups()


def seat_before(players: int, seat: int) -> int:
    return (seat - 2) % players + 1


def seat_after(players: int, seat: int) -> int:
    return seat % players + 1  # YUT-1.5
