"""A role: a seat whose turn it is, with all that was settled before the first throw (YUT-1, YUT-9, YUT-10)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache

from engine import BadPosition, Coins, Seat
from games.yut.board import Runner
from games.yut.state import HORSES, NAMES, SEATS, SIDE_OF, SIDES, SIZES, Terms, seat_after
from games.yut.sticks import FALLS, STICKS, Fall
from games.yut.tracks import MENUS, NO_HURDLES, Menus, Track


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Role:
    """There is one for each seat under the same terms, made once: equal ones are one."""

    terms: Terms
    number: int
    """Of the seat, from 1."""
    name: Seat
    pending: tuple[Seat, ...]
    """Who is asked while it is its turn: the seat alone (YUT-1.5)."""
    sides: tuple[str, ...]
    """All sides by name."""
    side: int
    """The side that acts (YUT-9.2)."""
    side_name: str
    rivals: tuple[int, ...]
    """YUT-9.1: every other side."""
    horses: int
    """YUT-1.2: of each side."""
    sticks: Coins
    falls: Mapping[str, tuple[Fall, ...]]
    """Its throws, by why there is one."""
    voice: int
    """Where those of its own stand among all that is told of a step."""
    runner: Runner
    track: Track
    """Where throws lead while there are no hurdles."""
    menus: Menus
    """What throws can do while there is no wild horse."""
    narrow: bool
    """YUT-10.4: whether a pile can be too large."""
    next: Role = field(init=False)
    """YUT-1.5: of the seat after it."""

    def __repr__(self) -> str:
        return f"role_of({self.terms}, {self.number})"

    def __reduce__(self) -> tuple[Callable[[Terms, int], Role], tuple[Terms, int]]:
        return role_of, (self.terms, self.number)


def role_of(terms: Terms, number: int) -> Role:
    """The role of that seat; BadPosition where no game has one."""
    if terms.favourite and terms.players == 3:
        raise BadPosition("The favourite variant is for two players or two teams (YUT-10.5).")
    if not 1 <= number <= terms.players:
        raise BadPosition(f"There are seats 1 to {terms.players} (YUT-1.5).")
    return _roles(terms)[number - 1]


@cache
def _roles(terms: Terms) -> tuple[Role, ...]:
    roles = tuple(_role(terms, number) for number in range(1, terms.players + 1))
    for role in roles:
        object.__setattr__(role, "next", roles[seat_after(terms.players, role.number) - 1])  # a circle, closed once
    return roles


def _role(terms: Terms, number: int) -> Role:
    players = terms.players
    name, side, sides = SEATS[players][number - 1], SIDE_OF[players][number], SIDES[players]
    runner = terms.runner(side)
    return Role(
        terms=terms,
        number=number,
        name=name,
        pending=(name,),
        sides=sides,
        side=side,
        side_name=sides[side],
        rivals=tuple(rival for rival in range(len(sides)) if rival != side),
        horses=HORSES[players],
        sticks=STICKS[name],
        falls=FALLS[name],
        voice=NAMES.index(name) * SIZES,
        runner=runner,
        track=NO_HURDLES[runner.key],
        menus=MENUS[runner.key],
        narrow=runner.max_pile < HORSES[players],
    )
