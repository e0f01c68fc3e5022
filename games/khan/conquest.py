"""Conquest: who shares in it, whom it touches, and which ones are legal (KHAN-7, KHAN-9.4 to KHAN-9.7, KHAN-10.1)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from engine.boards.squares import Mask
from games.khan.material import GODS, PROTECTION, REGION, SHAPES
from games.khan.placements import (
    EVERY,
    OF_SHAPE,
    Layings,
    Placement,
    differing,
    greater,
    placements_of,
    tally,
    touching,
    within,
)
from games.khan.state import State


class Guard(NamedTuple):
    """Cells that another seat's active special card protects."""

    seat: int
    card: int
    mask: Mask


class Conquest(NamedTuple):
    """A legal conquest: the placement, its sharers, and the seats whose consent it needs (all in seat order)."""

    placement: Placement
    sharers: tuple[int, ...]
    need: tuple[int, ...]


def counts(state: State, mask: Mask) -> tuple[int, ...]:
    """KHAN-7.6: yurts under a placement by seat; black ones are left out."""
    return tuple([(yurts & mask).bit_count() for yurts in state.yurts[:-1]])


def sharers(state: State, mask: Mask) -> tuple[int, ...]:
    """KHAN-7.6: the seats with the highest count, if that is not nothing."""
    held = counts(state, mask)
    most = max(held)
    return tuple([seat for seat, count in enumerate(held) if count == most]) if most else ()


def guards(state: State, seat: int) -> tuple[Guard, ...]:
    """What the other seats' active cards protect from this seat; KHAN-9.7: its own never bind it."""
    found = []
    for other, active in enumerate(state.active):
        if active is None or other == seat:
            continue
        if active.card == PROTECTION:
            found.append(Guard(other, PROTECTION, state.yurts[other]))  # KHAN-9.4
        elif active.card == GODS:
            black = state.black  # KHAN-9.5: those that came later too
            found.append(Guard(other, GODS, black & REGION[active.region] if active.region else black))
    return tuple(found)


def touched(state: State, seat: int, mask: Mask) -> tuple[int, ...]:
    """KHAN-10.1: the seats whose protection the placement touches."""
    return tuple([guard.seat for guard in guards(state, seat) if guard.mask & mask])


def blocker(state: State, seat: int, shape: int) -> int | None:
    """KHAN-9.6: the seat whose reservation keeps a shape of the supply from this seat, if one does."""
    others = [other for other, held in enumerate(state.reserved) if held == shape and other != seat]
    blocked = len(others) if state.players == 4 else state.supply[shape] if others else 0
    return others[0] if others and state.supply[shape] <= blocked else None


def is_available(state: State, seat: int, shape: int) -> bool:
    """KHAN-7.1, KHAN-9.6."""
    return state.supply[shape] > 0 and blocker(state, seat, shape) is None


def _unavailable(state: State, seat: int) -> Layings:
    """The placements of shapes that are used up or kept for others."""
    shapes = [shape for shape, left in enumerate(state.supply) if not left]
    shapes += [shape for shape in state.reserved if shape is not None and blocker(state, seat, shape) is not None]
    found = 0
    for shape in shapes:
        found |= OF_SHAPE[shape]
    return found


@lru_cache(maxsize=256)
def _led(ready: Mask, own: Mask, others: tuple[Mask, ...]) -> Layings:
    """KHAN-7.6: the placements on these cells under which a seat has yurts, and nobody has more."""
    mine = tally(own)
    found = within(ready) & (mine.ones | mine.twos | mine.fours)
    for theirs in others:
        found &= EVERY ^ greater(tally(theirs), mine)
    return found


def claims(state: State, seat: int) -> Layings:
    """Every placement that an available shape could take and in which the seat shares, protections left aside."""
    own, others = state.yurts[seat], state.yurts[:seat] + state.yurts[seat + 1 : -1]
    found = _led(state.ready, own, others) if own else 0
    return found & (EVERY ^ _unavailable(state, seat)) if found else 0


def free_conquests(state: State, seat: int) -> Layings:
    """KHAN-7.7: the legal conquests of a seat that touch no protection, so that nobody is asked."""
    found = claims(state, seat)
    for guard in guards(state, seat):
        found &= EVERY ^ touching(guard.mask)
    return found


def legal_conquests(state: State, seat: int) -> Layings:
    """The legal conquests of a seat: what touches a protection needs consent, or is illegal (KHAN-7.7)."""
    found = claims(state, seat)
    for guard in guards(state, seat):
        touches = touching(guard.mask)
        if guard.seat not in state.refused:  # KHAN-10.4
            touches &= differing(tally(state.yurts[guard.seat]), tally(state.yurts[seat]))  # KHAN-10.1: it has to share
        found &= EVERY ^ touches
    return found


def conquests(state: State, seat: int) -> Iterator[Conquest]:
    """The legal conquests of a seat in canonical order, those that need consent among them."""
    guarded = guards(state, seat)
    for placement in placements_of(legal_conquests(state, seat)):
        need = tuple([guard.seat for guard in guarded if guard.mask & placement.mask])
        yield Conquest(placement, sharers(state, placement.mask), need)


def possible_in_principle(state: State) -> bool:
    """KHAN-13.5: whether any seat could conquer if no protection, gods card or reservation stood in the way.

    Every placement with a yurt of some seat has a sharer, so that one seat's majority need not be counted.
    """
    found = within(state.ready) & touching(state.all_yurts & ~state.black)
    return any(left and found & OF_SHAPE[shape] for shape, left in enumerate(state.supply))


def points_each(shape: int, owners: int) -> int:
    """KHAN-14.1: points divided by the owners, rounded up."""
    return -(-SHAPES[shape].points // owners)
