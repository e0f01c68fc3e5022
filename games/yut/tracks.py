"""Where every throw leads, as tables: the steps along a way, and the jumps from hurdles (YUT-3.1, YUT-4, YUT-12)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from engine import Event
from games.yut.board import (
    BASE,
    EXACT_FIVE,
    FAVOURITE,
    HOME,
    OFF_BOARD,
    PLACE,
    RIGHT,
    START,
    Node,
    Runner,
    Space,
)
from games.yut.moves import BARE, NEW, SHORT, VALUES, Move
from games.yut.state import GROUPS, NAMES, SIZES, Group, State


class Jump(NamedTuple):
    """From a hurdle so many spaces on (YUT-12.3)."""

    hurdle: Space
    spaces: int
    to: Space


@dataclass(frozen=True, eq=False, slots=True)
class Step:
    """What one throw does from one node. Steps stand in tables, made once."""

    move: Move
    node: Node
    """Where it stops, after jumps."""
    place: int
    """Of that node, in canonical order."""
    space: Space
    """The space of that node, or `home`."""
    first: Space
    """Where the steps of the throw end, before any jump."""
    jumps: tuple[Jump, ...]
    stops: tuple[Group, ...]
    """What stands there then, by the number of horses that came."""
    fall: int
    """By how much the steps left to the stable become fewer."""
    told: list[Event | None]
    """What is told of it, by who tells it (`Role.voice`) and the number of horses; made when it is first told."""


IN_STABLE = "home"
Fork = tuple[Step, ...]
"""Going on, and behind it the shortcut if the node offers one (YUT-4.2)."""
Menus = Mapping[int, Mapping[Node, tuple[Move, ...]]]
"""Throw -> node -> the moves from there, bare before short."""
Track = Mapping[Node, tuple[Fork, ...]]
"""Node -> throw -> the ways that are open; throw 0 is none."""


def walk(runner: Runner, node: Node, steps: int) -> Node:
    """YUT-4.1, YUT-4.3: on along the way; no shortcut is taken in passing. YUT-7.1: steps too many are lost."""
    for _ in range(steps):
        if node == HOME:
            break
        node = runner.legs[node].next
    return node


def make_track(runner: Runner, hurdles: tuple[Space, ...], behind: int) -> Track:
    """All steps of a runner whose side is that many horses behind in the stable."""
    return {node: ((), *(fork(runner, node, throw, hurdles, behind) for throw in range(1, 6))) for node in runner.legs}


def fork(runner: Runner, node: Node, throw: int, hurdles: tuple[Space, ...], behind: int) -> Fork:
    leg = runner.legs[node]
    horse = leg.space or NEW
    first_steps = [(BARE[throw, horse], leg.next)]
    if leg.short is not None:
        first_steps.append((SHORT[throw, horse], leg.short))  # YUT-4.2: only for a move that starts here
    return tuple(landing(runner, move, node, walk(runner, on, throw - 1), hurdles, behind) for move, on in first_steps)


def landing(runner: Runner, move: Move, start: Node, end: Node, hurdles: tuple[Space, ...], behind: int) -> Step:
    """YUT-12.2: whoever ends on a hurdle jumps on; YUT-12.4: on along the way, and again from another hurdle."""
    first, jumps = space_of(runner, end), []
    while space_of(runner, end) in hurdles:
        hurdle = space_of(runner, end)
        end = walk(runner, end, 1 + behind)  # YUT-12.3
        jumps.append(Jump(hurdle, 1 + behind, space_of(runner, end)))
    if start == START and move.throw == EXACT_FIVE and end == runner.first_corner and not jumps:
        end += RIGHT  # YUT-10.3: entered there with one 5; a jump gives no right
    space = space_of(runner, end)
    left = 0 if end == HOME else runner.legs[end].left
    return Step(
        move=move,
        node=end,
        place=PLACE.get(space, OFF_BOARD),
        space=space,
        first=first,
        jumps=tuple(jumps),
        stops=GROUPS.get(end, ()),
        fall=runner.legs[start].left - left,
        told=[None] * (len(NAMES) * SIZES),
    )


def space_of(runner: Runner, node: Node) -> Space:
    return IN_STABLE if node == HOME else runner.legs[node].space


BY_KEY: Mapping[str, Runner] = {runner.key: runner for runner in (BASE, *FAVOURITE)}
NO_HURDLES: Mapping[str, Track] = {key: make_track(runner, (), 0) for key, runner in BY_KEY.items()}


@lru_cache(maxsize=256)
def with_hurdles(key: str, hurdles: tuple[Space, ...], behind: int) -> Track:
    """Made once for the few hurdles and differences that games at hand have."""
    return make_track(BY_KEY[key], hurdles, behind)


def menus_of(track: Track, wild: Space) -> Menus:
    """The moves that may be made as far as the wild horse is concerned (YUT-11.3, YUT-12.5)."""
    return {
        throw: {node: tuple(step.move for step in forks[throw] if step.space != wild) for node, forks in track.items()}
        for throw in VALUES
    }


MENUS: Mapping[str, Menus] = {key: menus_of(track, "") for key, track in NO_HURDLES.items()}
"""Without a wild horse hurdles do not matter here, for they only change where a move stops."""


@lru_cache(maxsize=256)
def menus_beside(key: str, hurdles: tuple[Space, ...], behind: int, wild: Space) -> Menus:
    return menus_of(with_hurdles(key, hurdles, behind), wild)


def track_of(state: State, side: int) -> Track:
    """The steps of that side in this position."""
    key = state.terms.runner(side).key
    return with_hurdles(key, state.hurdles, behind(state.stable, side)) if state.hurdles else NO_HURDLES[key]


def behind(stable: Sequence[int], side: int) -> int:
    """YUT-12.3: horses in the stable of the best rival minus those of the own side, at least 0."""
    return max(stable) - stable[side]


def track_to_act(state: State) -> Track:
    return track_of(state, state.role.side)
