"""Conquest: who shares in it, whom it touches, and which ones are legal (KHAN-7, KHAN-9.4 to KHAN-9.7, KHAN-10.1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.boards.squares import Mask
from games.khan.material import GODS, PROTECTION, REGION, SHAPES
from games.khan.placements import Placement, covering
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


def _open_shapes(state: State, seat: int) -> Sequence[int | bool]:
    """For each shape, whether it is available: the supply itself says so where nothing is reserved."""
    if not any(shape is not None for shape in state.reserved):
        return state.supply
    return [is_available(state, seat, shape) for shape in range(len(SHAPES))]


def claims(state: State, seat: int) -> Iterator[Placement]:
    """Every placement that an available shape could take and in which the seat shares, protections left aside."""
    own = state.yurts[seat]
    found = covering(state.ready) if own else ()
    if not found:
        return
    open_shapes = _open_shapes(state, seat)
    others = [yurts for other, yurts in enumerate(state.yurts[:-1]) if other != seat]
    for placement in found:
        mask = placement.mask
        mine = (mask & own).bit_count()
        if not mine or not open_shapes[placement.shape]:
            continue
        for theirs in others:
            if (mask & theirs).bit_count() > mine:
                break  # KHAN-7.6: somebody has more
        else:
            yield placement


def conquests(state: State, seat: int) -> Iterator[Conquest]:
    """The legal conquests of a seat in canonical order, those that need consent among them."""
    guarded = guards(state, seat)
    for placement in claims(state, seat):
        sharing = sharers(state, placement.mask)
        # KHAN-7.7: what touches a protection needs consent, or is illegal.
        need = tuple([guard.seat for guard in guarded if guard.mask & placement.mask])
        if all(other in sharing and other not in state.refused for other in need):  # KHAN-10.1, KHAN-10.4
            yield Conquest(placement, sharing, need)


def legal_placements(state: State, seat: int) -> Iterator[Placement]:
    """The same as placements alone, which is quicker where nothing is protected."""
    if not guards(state, seat):
        return claims(state, seat)
    return (conquest.placement for conquest in conquests(state, seat))


def possible_in_principle(state: State) -> bool:
    """KHAN-13.5: whether any seat could conquer if no protection, gods card or reservation stood in the way.

    Every placement with a yurt of some seat has a sharer, so that one seat's majority need not be counted.
    """
    owned = state.all_yurts & ~state.black
    return any(placement.mask & owned and state.supply[placement.shape] for placement in covering(state.ready))


def points_each(shape: int, owners: int) -> int:
    """KHAN-14.1: points divided by the owners, rounded up."""
    return -(-SHAPES[shape].points // owners)
