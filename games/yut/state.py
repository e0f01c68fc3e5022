"""One position: everything the rules may ask about, and nothing else. Sides and seats stand here too (YUT-1, YUT-9)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from engine import Seat
from games.yut.board import BASE, DATA, FAVOURITE, PLACE, RUNNERS, Node, Runner, Space

if TYPE_CHECKING:
    from games.yut.roles import Role

T = TypeVar("T")

SEATS: Mapping[int, tuple[Seat, ...]] = {players: tuple(names) for players, names in DATA["seats"].items()}
NAMES: tuple[Seat, ...] = tuple(dict.fromkeys(seat for seats in SEATS.values() for seat in seats))
SIDES: Mapping[int, tuple[str, ...]] = {players: tuple(names) for players, names in DATA["sides"].items()}
HORSES: Mapping[int, int] = DATA["horses_per_side"]  # YUT-1.2, YUT-9.1

# YUT-9.2: with four players seats 1 and 3 are one side, seats 2 and 4 the other. The first entry is for no seat.
SIDE_OF: Mapping[int, tuple[int, ...]] = {
    players: (-1, *((seat % len(SIDES[players])) for seat in range(players))) for players in SEATS
}
SIZES = 1 + max(HORSES.values())
"""How many numbers of horses there are, none being one of them."""


@dataclass(frozen=True, eq=False, slots=True)
class Group:
    """A horse or a pile on the track (YUT-1.3, YUT-5.2). All there can be stand in `GROUPS`: equal ones are one."""

    node: Node
    horses: int
    space: Space
    place: int

    def __reduce__(self) -> tuple[Callable[[Node, int], Group], tuple[Node, int]]:
        return group_of, (self.node, self.horses)


Groups = tuple[Group, ...]
"""Of one side, in canonical order."""


class Side(NamedTuple):
    """The horses of one side: waiting, in the stable, and on the track. Horses are alike."""

    waiting: int
    stable: int
    groups: Groups

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

    role: Role
    """That of the seat to act; after the end of the seat whose turn it was."""
    throws: tuple[int, ...]
    """Unused throws, largest first. None only while hurdles are placed, and after the end."""
    rethrows: int
    waiting: tuple[int, ...]
    """Of each side, like the two that follow: what changes at different times stands apart."""
    stable: tuple[int, ...]
    groups: tuple[Groups, ...]
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
    def terms(self) -> Terms:
        return self.role.terms

    @property
    def seat(self) -> int:
        """The number of the seat to act."""
        return self.role.number

    @property
    def sides(self) -> tuple[Side, ...]:
        """Side by side, for who looks at all of them."""
        return tuple(map(Side, self.waiting, self.stable, self.groups))

    @property
    def name(self) -> Seat:
        """The name of the seat to act."""
        return self.role.name

    @property
    def side(self) -> int:
        """The side that acts."""
        return self.role.side


Numbers = tuple[int, ...]
Spaces = tuple[Space, ...]
Values = tuple["Role", Numbers, int, Numbers, Numbers, tuple[Groups, ...], Space, int, Spaces, int, End | None]
made: Callable[[Values], State] = partial(tuple.__new__, State)
"""What `State(...)` does with the same values, in a third of the time."""


def in_columns(sides: Iterable[Side]) -> dict[str, Any]:
    """The sides as a state holds them."""
    waiting, stable, groups = zip(*sides, strict=True)
    return {"waiting": waiting, "stable": stable, "groups": groups}


def changed(row: tuple[T, ...], side: int, value: T) -> tuple[T, ...]:
    """The row with the entry of one side exchanged."""
    entries = [*row]
    entries[side] = value
    return tuple(entries)


def _groups() -> dict[Node, tuple[Group, ...]]:
    """Every group there can be, made once: by node, then by number of horses."""
    spaces = {node: leg.space for runner in (BASE, *FAVOURITE) for node, leg in runner.legs.items() if leg.space}
    return {
        node: tuple(Group(node, horses, space, PLACE[space]) for horses in range(SIZES))
        for node, space in spaces.items()
    }


GROUPS = _groups()


def group_of(node: Node, horses: int) -> Group:
    return GROUPS[node][horses]


def seat_before(players: int, seat: int) -> int:
    return (seat - 2) % players + 1


def seat_after(players: int, seat: int) -> int:
    return seat % players + 1  # YUT-1.5
