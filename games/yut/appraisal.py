"""How a game of Yut stands, for players that are programs: steps gone, horses home, throws in hand, danger."""

from __future__ import annotations

from games.yut.board import BASE, START
from games.yut.moves import VALUES
from games.yut.state import State
from games.yut.tracks import track_of

WHOLE_WAY = BASE.legs[START].left  # 21 steps from the stable of those who wait
HOME, STEP = 300, 10
HIT_BY = {1: 4, 2: 6, 3: 4, 4: 1, 5: 1}
"""How many of sixteen throws are worth that much (YUT-2.2)."""


def appraise(state: State, side: int) -> int:
    """Above 0 when the side stands better than the best of its rivals."""
    standing = [of_side(state, at) for at in range(len(state.stable))]
    if state.end is None:
        standing[state.side] += STEP * sum(state.throws)
    own = standing.pop(side)
    return own - max(standing)


def of_side(state: State, side: int) -> int:
    """Horses home, and what those on the track have gone, less what they may lose to a rival's single throw."""
    legs = state.terms.runner(side).legs
    found = HOME * state.stable[side]
    danger = threatened(state, side)
    for group in state.groups[side]:
        gone = STEP * (WHOLE_WAY - legs[group.node].left) * group.horses
        found += gone - gone * danger.get(group.place, 0) // 32  # YUT-6.1: half of it, for the horse may move on
    return found


def threatened(state: State, side: int) -> dict[int, int]:
    """Place -> how many of a rival's sixteen throws lead there; the likeliest rival counts."""
    found: dict[int, int] = {}
    for rival, (waiting, _, groups) in enumerate(state.sides):
        if rival == side:
            continue
        track, reach = track_of(state, rival), dict[int, int]()
        for node in [START] * (waiting > 0) + [group.node for group in groups]:
            for value in VALUES:
                for step in track[node][value]:
                    reach[step.place] = min(16, reach.get(step.place, 0) + HIT_BY[value])
        for place, throws in reach.items():
            found[place] = max(found.get(place, 0), throws)
    return found
