"""Leaders: where they flee to, when they leave the board, what the fifth removal brings (KHAN-5, KHAN-12.1)."""

from __future__ import annotations

from typing import Any

from engine.boards.squares import Cell
from games.khan.material import CARDS, DIRECTIONS, LEADERS, NAMES, RAYS
from games.khan.piles import flip
from games.khan.state import NOWHERE, State
from games.khan.telling import Telling, changed

COURT, RESERVE = "court", "reserve"


def a_leader_flees(telling: Telling) -> None:
    """KHAN-5.1: step 1 of a turn. KHAN-5.2: cards of leaders that are gone are flipped past."""
    while True:
        card = CARDS[flip(telling)]
        void = telling.state.leaders[card.leader] == NOWHERE
        telling.tell("flip", "KHAN-5.1", card=card.id, void=void)
        if not void:
            return flee(telling, card.leader, card.direction, COURT)


def target(state: State, start: Cell, asked: int) -> tuple[Cell, int, int] | None:
    """KHAN-5.3 step 2: the first free cell within three steps, in the asked direction or the next ones clockwise."""
    free = state.free  # KHAN-5.4: the cell of the leader itself is not among them
    rays = RAYS[start]
    for turn in range(len(DIRECTIONS)):
        direction = (asked + turn) % len(DIRECTIONS)  # KHAN-1.6
        for steps, cell in enumerate(rays[direction], 1):
            if free >> cell & 1:
                return cell, direction, steps
    return None


def flee(telling: Telling, leader: int, asked: int, source: str) -> None:
    """KHAN-5.3: the leader moves and leaves a black yurt behind, or leaves the board."""
    state = telling.state
    start = state.leaders[leader]
    if state.courts[leader] == 1:
        return _remove(telling, leader, "KHAN-5.5", "last_yurt")  # KHAN-5.3 step 1, KHAN-5.5
    found = target(state, start, asked)
    if found is None:
        return _remove(telling, leader, "KHAN-5.6", "no_cell")  # KHAN-5.3 step 4, KHAN-5.6
    cell, taken, distance = found
    left = state.courts[leader] - (source == COURT)  # KHAN-6.3: the reserve never reduces a court
    telling.change(leaders=changed(state.leaders, leader, cell), courts=changed(state.courts, leader, left))
    telling.put(-1, 1 << start)  # KHAN-5.3 step 3
    way: dict[str, Any] = {"leader": LEADERS[leader].id, "from": NAMES[start], "to": NAMES[cell]}
    telling.tell(
        "flight",
        "KHAN-5.3",
        **way,
        asked=DIRECTIONS[asked],
        taken=DIRECTIONS[taken],
        distance=distance,
        source=source,
        court=left,
    )


def _remove(telling: Telling, leader: int, rule: str, cause: str) -> None:
    """A leader leaves the board for good; one yurt of its court stays where it stood, the court is empty."""
    state = telling.state
    start = state.leaders[leader]
    telling.change(
        leaders=changed(state.leaders, leader, NOWHERE),
        courts=changed(state.courts, leader, 0),
        removed=(*state.removed, leader),
    )
    telling.put(-1, 1 << start)
    count = len(telling.state.removed)
    telling.tell("leader_removed", rule, leader=LEADERS[leader].id, cell=NAMES[start], cause=cause, count=count)
    if telling.state.final_prepared:
        _prepare_final(telling)  # KHAN-5.7


def _prepare_final(telling: Telling) -> None:
    """KHAN-12.1: black yurts take the place of the leaders that are left."""
    state = telling.state
    replaced = {LEADERS[n].id: NAMES[cell] for n, cell in enumerate(state.leaders) if cell != NOWHERE}
    telling.put(-1, state.led)
    telling.change(leaders=(NOWHERE,) * len(LEADERS), courts=(0,) * len(LEADERS))
    telling.tell("final_prepared", "KHAN-12.1", replaced=replaced)
