"""The board as data: spaces in canonical order, corners, and the ways of the runners as nodes (section 2, YUT-4).

A node is a space, and where the heading matters the space with a mark: `ob` is the centre reached along arm b, `d1i`
is d1 heading for the centre. `r5*` is r5 with the right to the first shortcut (YUT-10.3).
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from typing import Any, NamedTuple

import yaml

# libyaml reads the file ten times faster; both loaders give the same values.
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
DATA: Mapping[str, Any] = yaml.load(files(__package__).joinpath("data/yut.yaml").read_bytes(), _Loader)

Space = str
Node = str

SPACES: tuple[Space, ...] = tuple(DATA["board"]["spaces"])
PLACE: Mapping[Space, int] = {space: place for place, space in enumerate(SPACES)}
"""A space's number in canonical order."""
RIM: tuple[Space, ...] = SPACES[:20]
CORNERS: Mapping[str, Space] = {name.lower(): space for name, space in DATA["board"]["corners"].items()}
CENTRE: Space = DATA["board"]["centre"]

START, HOME = "start", "stable"  # beside the board, before and after the way
RIGHT = "*"
OFF_BOARD = -1
"""The place of all that is not on the track: waiting, home, no wild horse."""


class Leg(NamedTuple):
    """What a way says of one node: its space, where a move goes on to, the shortcut's first step, steps to go."""

    space: Space
    next: Node
    short: Node | None
    left: int


class Runner(NamedTuple):
    """The way of one kind of runner. All that differs between sides stands here."""

    key: str
    post: Space
    legs: Mapping[Node, Leg]
    first_corner: Node | None
    """YUT-10.3: where the first shortcut needs a right; in the base game nowhere."""
    max_pile: int


def _legs(post: str) -> dict[Node, Leg]:
    return {
        node: Leg(leg["cell"] or "", leg["next"], leg.get("short"), leg["left"])
        for node, leg in DATA["ways"][post].items()
    }


def _favourite(post: str) -> Runner:
    """YUT-10.3: the first shortcut leads on from a node of its own, which only an entering 5 reaches."""
    legs, corner = _legs(post), DATA["favourite"]["first_shortcut"][post]
    legs[corner + RIGHT] = legs[corner]
    legs[corner] = legs[corner]._replace(short=None)
    return Runner(f"favourite {post}", CORNERS[post.lower()], legs, corner, DATA["favourite"]["max_pile"])


BASE = Runner("base", CORNERS["a"], _legs("A"), None, DATA["max_pile"])
FAVOURITE: tuple[Runner, Runner] = (_favourite("A"), _favourite("C"))  # YUT-10.1, YUT-10.2: post A and C

RUNNERS: Mapping[bool, tuple[Runner, ...]] = {False: (BASE, BASE, BASE), True: FAVOURITE}
"""By the option `favourite`: the runner of each side."""

EXACT_FIVE: int = DATA["favourite"]["exact_throw"]  # YUT-10.3

BEFORE: Mapping[Space, Space] = {space: RIM[place - 1] for place, space in enumerate(RIM)}
"""YUT-11.2: the next space clockwise on the rim: r10, r9, ... r1, r20."""
