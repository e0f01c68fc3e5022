"""What everybody may know: all of it, for nothing is hidden. The plain facts for reports, pages and bots."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Any

from engine import Seat, View
from games.yut.board import BEFORE, CENTRE, CORNERS, DATA, RIGHT, RIM, Space
from games.yut.ending import RULES, named, steps_left
from games.yut.legal import steps
from games.yut.position import write
from games.yut.standing import NOBODY, side_on
from games.yut.state import SEATS, SIDE_OF, SIDES, Group, State
from games.yut.tracks import IN_STABLE, Step, behind

LETTERS = {"orange": "O", "blue": "B", "green": "G"}


def _lines() -> list[list[Space]]:
    """Every drawn segment between two spaces."""
    rim = [list(pair) for pair in pairwise((RIM[-1], *RIM))]
    arms = [(corner, f"{letter}1", f"{letter}2", CENTRE) for letter, corner in CORNERS.items()]
    return rim + [list(pair) for arm in arms for pair in pairwise(arm)]


def _rows() -> list[list[list[Any]]]:
    """The picture of the data: for each row the columns and names of its spaces."""
    picture = DATA["board"]["picture"].splitlines()
    edge = min(len(line) - len(line.lstrip()) for line in picture)
    return [[[space.start() - edge, space[0]] for space in re.finditer(r"\S+", line)] for line in picture]


BOARD: Mapping[str, Any] = {
    "xy": {space: list(xy) for space, xy in DATA["drawing"]["xy"].items()},
    "size": DATA["drawing"]["size"],
    "lines": _lines(),
    "rows": _rows(),
    "corners": {space: letter.upper() for letter, space in CORNERS.items()},
    "centre": CENTRE,
}
"""What never changes. All views share it."""


def view(state: State, seat: Seat | None) -> View:
    """The same facts for every seat and for the public."""
    return View(seat, pending(state), decision(state), write(state), facts_of(state))


def pending(state: State) -> tuple[Seat, ...]:
    return state.role.pending if state.end is None else ()


def decision(state: State) -> str:
    if state.end is not None:
        return "over"
    return "hurdle" if state.placing else "move"


@lru_cache(maxsize=4)
def facts_of(state: State) -> dict[str, Any]:
    terms, over = state.terms, state.end
    names = SIDES[terms.players]
    return {
        "board": BOARD,
        "players": terms.players,
        "favourite": terms.favourite,
        "seats": {seat: names[SIDE_OF[terms.players][at]] for at, seat in enumerate(SEATS[terms.players], 1)},
        "seat": None if over else state.name,
        "side": None if over else names[state.side],
        "throws": list(state.throws),
        "rethrows": state.rethrows,
        "turns": state.turns,
        "sides": {name: the_side(state, at) for at, name in enumerate(names)},
        "at": the_track(state),
        "hurdles": list(state.hurdles),
        "jump": None if over or state.placing or not state.hurdles else 1 + behind(state.stable, state.side),
        "wild": the_wild_horse(state),
        "menu": [] if over or state.placing else [an_option(state, step) for step in steps(state)],
        "over": None
        if over is None
        else {
            "reason": over.reason,
            "rule": RULES[over.reason],
            "ranking": named(state, over.ranking),
        },
    }


def the_side(state: State, at: int) -> dict[str, Any]:
    """One side: where its horses are, and how far the hindmost has to go."""
    side, runner = state.sides[at], state.terms.runner(at)
    name = SIDES[state.terms.players][at]
    return {
        "letter": LETTERS[name],
        "post": runner.post,
        "first_corner": runner.first_corner,
        "waiting": side.waiting,
        "stable": side.stable,
        "horses": side.horses,
        "track": [a_group(state, at, group) for group in side.groups],
        "left": steps_left(state, at),
    }


def a_group(state: State, at: int, group: Group) -> dict[str, Any]:
    return {
        "space": group.space,
        "horses": group.horses,
        "mark": mark(group),
        "left": state.terms.runner(at).legs[group.node].left,
    }


def mark(group: Group) -> str:
    """What the node says beyond its space: `*` a right (YUT-10.3), `i` inward, `b` or `d` the arm it came along."""
    return group.node.removeprefix(group.space)


def the_track(state: State) -> dict[str, dict[str, Any]]:
    """Who stands where, by space."""
    found = {
        group.space: {"side": name, "letter": LETTERS[name], "horses": group.horses, "mark": mark(group)}
        for name, side in zip(SIDES[state.terms.players], state.sides, strict=True)
        for group in side.groups
    }
    return {space: found[space] for space in BOARD["xy"] if space in found}


def the_wild_horse(state: State) -> dict[str, Any] | None:
    if not state.wild:
        return None
    to = BEFORE[state.wild]
    while to in state.hurdles:
        to = BEFORE[to]
    return {"space": state.wild, "start": state.terms.wild_start, "circles": state.circles, "next": to}


def an_option(state: State, step: Step) -> dict[str, Any]:
    """One legal action and what it would do."""
    own = {group.place: group.horses for group in state.groups[state.side]}
    rival = side_on(state.groups, state.role.rivals, step.place)
    return {
        "text": step.move.text,
        "to": step.space,
        "home": step.space == IN_STABLE,
        "joins": own.get(step.place, 0),
        "catches": None if rival == NOBODY else SIDES[state.terms.players][rival],
        "jumps": [jump.hurdle for jump in step.jumps],
        "right": step.node.endswith(RIGHT),
    }
