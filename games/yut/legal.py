"""Legal actions, in listing order (section 6): the one place that knows what a seat may do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.yut.board import OFF_BOARD, START
from games.yut.moves import HURDLES, Move
from games.yut.state import Group, State
from games.yut.tracks import Menus, Step, behind, menus_beside, track_to_act

NEWCOMER = Group(START, 1, "", OFF_BOARD)
"""A waiting horse, as one of those that can move."""


def legal(state: State) -> Sequence[Move]:
    """Throws from 5 to 1, each value once; for each a new horse, then own groups in canonical order, bare before short.

    After the end there is nothing (YUT-8.4).
    """
    role, throws, _, waiting, _, groups, wild, _, _, _, end = state
    if not throws:
        return hurdle_spaces(state) if end is None else ()
    newcomer, own = waiting[role.side], groups[role.side]
    if role.narrow and may_overfill(own):
        return [step.move for step in steps(state)]
    menus = menus_beside_the_wild_horse(state) if wild else role.menus
    found: list[Move] = []
    for throw in throws if len(throws) == 1 else dict.fromkeys(throws):
        menu = menus[throw]
        if newcomer:
            found += menu[START]  # YUT-3.4
        for group in own:
            found += menu[group.node]  # YUT-3.1, YUT-5.2
    return found


def may_overfill(groups: Sequence[Group]) -> bool:
    """YUT-10.4: whether a move might make a pile of three. Single horses cannot, wherever they end."""
    for group in groups:  # noqa: SIM110 - asked twice a move, and `any` takes four times as long
        if group.horses > 1:
            return True
    return False


def menus_beside_the_wild_horse(state: State) -> Menus:
    """What each throw can do from each node (YUT-11.3); too large a pile is not looked at here."""
    role, hurdles = state.role, state.hurdles
    return menus_beside(role.runner.key, hurdles, behind(state.stable, role.side) if hurdles else 0, state.wild)


def hurdle_spaces(state: State) -> list[Move]:
    """YUT-12.1: any space but that of the other hurdle and the start of the wild horse."""
    closed = {*state.hurdles, state.terms.wild_start}
    return [move for space, move in HURDLES.items() if space not in closed]


def steps(state: State) -> Iterator[Step]:
    """The legal uses of the throws with what each does, in listing order."""
    role, throws, _, waiting, _, groups, wild, _, _, _, _ = state
    own = groups[role.side]
    track, most = track_to_act(state), role.runner.max_pile
    taken = {group.place: group.horses for group in own}
    movers = [NEWCOMER, *own] if waiting[role.side] else own  # YUT-3.4
    for throw in throws if len(throws) == 1 else dict.fromkeys(throws):
        for group in movers:
            room = most - group.horses
            for step in track[group.node][throw]:
                # YUT-11.3, YUT-12.5: not on the wild horse. YUT-10.4, YUT-12.5: no pile that is too large.
                if step.space != wild and taken.get(step.place, 0) <= room:
                    yield step


def can_act(state: State) -> bool:
    """YUT-3.3: whether any unused throw has a legal use."""
    role, throws, _, waiting, _, groups, wild, _, _, _, _ = state
    if not throws:
        return False
    newcomer, own = waiting[role.side], groups[role.side]
    if role.narrow and may_overfill(own):
        return next(steps(state), None) is not None
    if not wild:
        return newcomer > 0 or bool(own)
    menus = menus_beside_the_wild_horse(state)
    for throw in throws:
        menu = menus[throw]
        if newcomer and menu[START]:
            return True
        for group in own:
            if menu[group.node]:
                return True
    return False
