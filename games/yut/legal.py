"""Legal actions, in listing order (section 6): the one place that knows what a seat may do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.yut.board import OFF_BOARD, RUNNERS, START
from games.yut.moves import HURDLES, Move
from games.yut.state import SIDE_OF, Group, State
from games.yut.tracks import MENUS, Menus, Step, behind, menus_beside, track_of

NEWCOMER = Group(OFF_BOARD, START, 1, "")
"""A waiting horse, as one of those that can move."""


def legal(state: State) -> Sequence[Move]:
    """Throws from 5 to 1, each value once; for each a new horse, then own groups in canonical order, bare before short.

    After the end there is nothing (YUT-8.4).
    """
    terms, seat, throws, _, sides, _, _, _, _, end = state
    if end is not None:
        return ()
    if not throws:
        return hurdle_spaces(state)
    waiting, _, groups = sides[SIDE_OF[terms.players][seat]]
    if terms.favourite and may_overfill(groups):
        return [step[0] for step in steps(state)]
    menus = menus_to_act(state)
    found: list[Move] = []
    for throw in throws if len(throws) == 1 else dict.fromkeys(throws):
        menu = menus[throw]
        if waiting:
            found += menu[START]  # YUT-3.4
        for group in groups:
            found += menu[group[1]]  # YUT-3.1, YUT-5.2
    return found


def may_overfill(groups: Sequence[Group]) -> bool:
    """YUT-10.4: whether a move might make a pile of three. Single horses cannot, wherever they end."""
    for group in groups:  # noqa: SIM110 - asked twice a move, and `any` takes four times as long
        if group[2] > 1:
            return True
    return False


def menus_to_act(state: State) -> Menus:
    """What each throw can do from each node; too large a pile is not looked at here."""
    terms, seat, _, _, sides, wild, _, hurdles, _, _ = state
    at = SIDE_OF[terms.players][seat]
    key = RUNNERS[terms.favourite][at].key
    if not wild:
        return MENUS[key]
    return menus_beside(key, hurdles, behind(sides, at) if hurdles else 0, wild)


def hurdle_spaces(state: State) -> list[Move]:
    """YUT-12.1: any space but that of the other hurdle and the start of the wild horse."""
    closed = {*state.hurdles, state.terms.wild_start}
    return [move for space, move in HURDLES.items() if space not in closed]


def steps(state: State) -> Iterator[Step]:
    """The legal uses of the throws with what each does, in listing order."""
    terms, seat, throws, _, sides, wild, _, _, _, _ = state
    at = SIDE_OF[terms.players][seat]
    waiting, _, groups = sides[at]
    track, most = track_of(state, at), RUNNERS[terms.favourite][at].max_pile
    taken = {group[0]: group[2] for group in groups}
    movers = [NEWCOMER, *groups] if waiting else groups  # YUT-3.4
    for throw in throws if len(throws) == 1 else dict.fromkeys(throws):
        for _, node, horses, _ in movers:
            room = most - horses
            for step in track[node][throw]:
                # YUT-11.3, YUT-12.5: not on the wild horse. YUT-10.4, YUT-12.5: no pile that is too large.
                if step[3] != wild and taken.get(step[2], 0) <= room:
                    yield step


def can_act(state: State) -> bool:
    """YUT-3.3: whether any unused throw has a legal use."""
    terms, seat, throws, _, sides, wild, _, _, _, _ = state
    if not throws:
        return False
    waiting, _, groups = sides[SIDE_OF[terms.players][seat]]
    if terms.favourite and may_overfill(groups):
        return next(steps(state), None) is not None
    if not wild:
        return waiting > 0 or bool(groups)
    menus = menus_to_act(state)
    for throw in throws:
        menu = menus[throw]
        if waiting and menu[START]:
            return True
        for group in groups:
            if menu[group[1]]:
                return True
    return False
