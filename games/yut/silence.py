"""What silence means at the deadline: the default action, repeated until the turn ends (section 6)."""

from __future__ import annotations

from games.yut.board import DATA
from games.yut.legal import hurdle_spaces, steps
from games.yut.moves import HURDLES, NEW, Move
from games.yut.standing import NOBODY, own_on, side_on
from games.yut.state import State
from games.yut.tracks import IN_STABLE, Step


def default(state: State) -> Move:
    """`max` keeps the first of equals, which is the listing order."""
    if state.placing:
        return default_hurdle(state)
    return max(steps(state), key=lambda step: gain(state, step)).move


def default_hurdle(state: State) -> Move:
    """r8, else r18 (YUT-12.1)."""
    free = hurdle_spaces(state)
    return next(HURDLES[space] for space in DATA["hurdles"]["default"] if HURDLES[space] in free)


def gain(state: State, step: Step) -> tuple[int, int, int]:
    """Own horses brought home, rival horses caught, and by how much the steps left to the stable become fewer."""
    home = horses_moved(state, step) if step.space == IN_STABLE else 0
    return home, horses_caught(state, step), step.fall


def horses_moved(state: State, step: Step) -> int:
    horse = step.move.horse
    return 1 if horse == NEW else own_on(state.groups[state.side], horse).horses


def horses_caught(state: State, step: Step) -> int:
    rival = side_on(state.groups, state.role.rivals, step.place)
    if rival == NOBODY:
        return 0
    return sum(group.horses for group in state.groups[rival] if group.place == step.place)
