"""Legal actions, in listing order (section 6): the one place that knows what a seat may do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.yut.board import OFF_BOARD, PLACE, RUNNERS, START
from games.yut.moves import HURDLES, Move
from games.yut.state import SIDE_OF, State
from games.yut.tracks import MENUS, Menus, Step, behind, menus_beside, track_of


def legal(state: State) -> Sequence[Move]:
    """Throws from 5 to 1, each value once; for each a new horse, then own groups in canonical order, bare before short.

    After the end there is nothing (YUT-8.4).
    """
    terms, seat, throws, _, sides, _, _, _, _, end = state
    if end is not None:
        return ()
    if not throws:
        return hurdle_spaces(state)
    if terms.favourite and may_overfill(state):
        return [step.move for step in steps(state)]
    menus, (waiting, _, groups) = menus_to_act(state), sides[SIDE_OF[terms.players][seat]]
    found: list[Move] = []
    for throw in throws if len(throws) == 1 else dict.fromkeys(throws):
        menu = menus[throw]
        if waiting:
            found += menu[START]  # YUT-3.4
        for group in groups:
            found += menu[group[1]]  # YUT-3.1, YUT-5.2
    return found


def may_overfill(state: State) -> bool:
    """YUT-10.4: whether a move might make a pile of three. Single horses cannot, wherever they end."""
    return any(group.horses > 1 for group in state.sides[state.side].groups)


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
    track, most = track_of(state, at), terms.runner(at).max_pile
    wild_place = PLACE[wild] if wild else None
    taken = {group[0]: group[2] for group in groups}
    movable = [(group[1], group[2]) for group in groups]
    if waiting:
        movable.insert(0, (START, 1))  # YUT-3.4
    for throw in throws if len(throws) == 1 else dict.fromkeys(throws):
        for node, horses in movable:
            for step in track[node][throw]:
                place = step[2]
                if place == OFF_BOARD or (
                    place != wild_place  # YUT-11.3, YUT-12.5
                    and taken.get(place, 0) + horses <= most  # YUT-10.4, YUT-12.5
                ):
                    yield step


def can_act(state: State) -> bool:
    """YUT-3.3: whether any unused throw has a legal use."""
    if not state.throws:
        return False
    waiting, _, groups = state.sides[state.side]
    if not state.terms.favourite and not state.wild:
        return waiting > 0 or bool(groups)
    if state.terms.favourite and may_overfill(state):
        return any(True for _ in steps(state))
    menus = menus_to_act(state)
    for throw in state.throws:
        menu = menus[throw]
        if (waiting and menu[START]) or any(menu[group.node] for group in groups):
            return True
    return False
