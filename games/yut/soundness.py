"""What must hold of every position (section 7), so that the game it belongs to can have been played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from operator import attrgetter

from games.yut.board import PLACE, RIM
from games.yut.ending import CIRCLES, FINISH, WILD, ranking
from games.yut.legal import can_act
from games.yut.opening import HOW_MANY
from games.yut.state import HORSES, SIDES, State
from games.yut.sticks import MAX_RETHROWS
from games.yut.wild import STARTS


def faults(state: State) -> Iterator[str]:
    """Everything that is wrong with a position. The later tests rely on the earlier ones: the first fault is told."""
    yield from wrong_wild_horse(state)
    yield from wrong_hurdles(state)
    yield from wrong_horses(state)
    yield from wrong_throws(state)
    yield from wrong_placing(state)
    yield from wrong_end(state)


def wrong_wild_horse(state: State) -> Iterator[str]:
    start = state.terms.wild_start
    if bool(start) != bool(state.wild):
        yield "A wild horse has a start (YUT-11.1)."
    if not start:
        return
    if state.wild not in RIM:
        yield f"The wild horse never takes an arm, so it cannot stand on {state.wild} (YUT-11.2)."
    starts = {space for (favourite, _), space in STARTS.items() if favourite == state.terms.favourite}
    if start not in starts:
        yield f"The wild horse starts on {' or '.join(sorted(starts))}, not on {start} (YUT-11.1)."
    if state.wild in state.hurdles:
        yield f"The wild horse jumps on from hurdles, so it cannot stand on {state.wild} (YUT-12.6)."


def wrong_hurdles(state: State) -> Iterator[str]:
    hurdles = state.hurdles
    if len(set(hurdles)) != len(hurdles):
        yield "Two hurdles stand on two different spaces (YUT-12.1)."
    if state.terms.wild_start in hurdles:
        yield "No hurdle stands on the start of the wild horse (YUT-12.1)."
    if (len(hurdles) == 1 and not state.placing) or len(hurdles) > HOW_MANY:
        yield "There are no hurdles, or two; one only while they are placed (YUT-12.1)."
    if list(hurdles) != sorted(hurdles, key=PLACE.__getitem__):
        yield "Hurdles are written in canonical order (YUT-12.1)."


def wrong_horses(state: State) -> Iterator[str]:
    """YUT-1.2, and who cannot stand where."""
    names = SIDES[state.terms.players]
    for at, (name, side) in enumerate(zip(names, state.sides, strict=True)):
        if side.horses != HORSES[state.terms.players]:
            yield f"Side {name} must have {HORSES[state.terms.players]} horses in all (YUT-1.2)."
        runner = state.terms.runner(at)
        for group in side.groups:
            if group.node not in runner.legs:
                yield f"A horse of side {name} cannot stand on {group.node} (YUT-4.3, YUT-10.3)."
            if group.horses > runner.max_pile:
                yield f"The pile of side {name} on {group.space} is too large (YUT-5.1, YUT-10.4)."
            if group.space in state.hurdles:
                yield f"Nobody ever stands on the hurdle on {group.space} (YUT-12.2)."
            if group.space == state.wild:
                yield f"Nobody stands on the space of the wild horse, {group.space} (YUT-11.3)."
        if list(side.groups) != sorted(side.groups, key=attrgetter("place")):
            yield f"The horses of side {name} are not in canonical order."
    for space, groups in Counter(group.space for side in state.sides for group in side.groups).items():
        if groups > 1:
            yield f"Two groups stand on {space} (YUT-5.1, YUT-6.1)."


def wrong_throws(state: State) -> Iterator[str]:
    throws = state.throws
    if not 0 <= state.rethrows <= MAX_RETHROWS or len(throws) > state.rethrows + 1:
        yield "There are more throws than the re-throws allow (YUT-2.5)."
    if list(throws) != sorted(throws, reverse=True) or not {1, 2, 3, 4, 5}.issuperset(throws):
        yield "Unused throws are 1 to 5, the largest first (YUT-2.2)."
    if state.end is not None and (throws or state.rethrows):
        yield "After the end there are no throws (YUT-8.1, YUT-8.4)."
    if throws and not can_act(state):
        yield "The seat to act has no legal action, so its turn would be over (YUT-3.3)."


def wrong_placing(state: State) -> Iterator[str]:
    """YUT-12.1: before the first throw nothing else has happened, and a hurdle is still to come."""
    if not state.placing:
        return
    if len(state.hurdles) == HOW_MANY:
        yield "Both hurdles stand, so the game has begun (YUT-12.1)."
    begun = state.turns or state.rethrows or state.circles or state.wild != state.terms.wild_start
    if begun or any(side.waiting != side.horses for side in state.sides):
        yield "Hurdles are placed before the first throw (YUT-12.1)."


def wrong_end(state: State) -> Iterator[str]:
    """A game is over exactly when YUT-8.1 or YUT-11.5 ended it, and ranked as YUT-8.3 ranks it."""
    finished = [at for at, side in enumerate(state.sides) if side.stable == HORSES[state.terms.players]]
    circled = state.circles >= CIRCLES
    if state.circles > CIRCLES or (circled and state.wild != state.terms.wild_start):
        yield "The second landing of the wild horse on its start ends the game (YUT-11.5)."
    if state.end is None:
        if finished or circled:
            yield "This game would be over (YUT-8.1, YUT-11.5)."
        return
    if state.end.reason == FINISH and (finished != [state.side] or circled):
        yield "Nobody's last horse has just come home (YUT-8.1)."
    if state.end.reason == WILD and (finished or not circled):
        yield "The wild horse has not ended this game (YUT-11.5)."
    if state.end.ranking != ranking(state):
        yield "The sides are not ranked as they stand (YUT-8.3)."
