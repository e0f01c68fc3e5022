"""How sides are ranked, and how a game ends (YUT-8, YUT-11.5)."""

from __future__ import annotations

from collections.abc import Sequence

from engine import Event
from games.yut.board import DATA
from games.yut.state import SIDES, End, State, made

FINISH, WILD = "finish", "wild"
CIRCLES: int = DATA["wild_horse"]["circles"]  # YUT-11.5
RULES = {FINISH: "YUT-8.1", WILD: "YUT-11.6"}
# YUT-8.2: there is no third way to end.


def ranking(state: State) -> tuple[tuple[int, ...], ...]:
    """YUT-8.3: the sides by rank, best first; those that are equal in everything share a rank, in side order."""
    merits = sorted((merit(state, side), side) for side in range(len(state.stable)))
    ranks: list[tuple[int, ...]] = []
    for place, (merit_of_side, side) in enumerate(merits):
        if place and merit_of_side == merits[place - 1][0]:
            ranks[-1] += (side,)
        else:
            ranks.append((side,))
    return tuple(ranks)


def merit(state: State, side: int) -> tuple[int, int, list[int]]:
    """The smaller, the better: horses in the stable, horses on the track, then the hindmost horse of all."""
    left = steps_left(state, side)
    return -state.stable[side], -len(left), left


def steps_left(state: State, side: int) -> list[int]:
    """What each horse on the track has still to go, the hindmost first; a pile counts once per horse (YUT-8.3)."""
    legs = state.terms.runner(side).legs
    return sorted([legs[group.node].left for group in state.groups[side] for _ in range(group.horses)], reverse=True)


def ended(state: State, reason: str, story: list[Event]) -> State:
    """YUT-8.1: unused throws are void. YUT-11.6: the wild horse's end is ranked in the same way."""
    ranks = ranking(state)
    story.append(Event("ended", RULES[reason], {"reason": reason, "ranking": named(state, ranks)}))
    return made((state.role, (), 0, *state[3:-1], End(reason, ranks)))


def named(state: State, ranks: Sequence[Sequence[int]]) -> list[list[str]]:
    """The ranks with the sides' colours."""
    names = SIDES[state.terms.players]
    return [[names[side] for side in rank] for rank in ranks]
