"""A turn: one throw used, what that brings, and when nothing is left the next seat's throws (YUT-3, YUT-5 to YUT-8)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from engine import Dice, Event
from games.yut.board import HOME, START, Space
from games.yut.ending import CIRCLES, FINISH, WILD, ended
from games.yut.legal import can_act
from games.yut.moves import NEW, Move
from games.yut.state import GROUPS, HORSES, SEATS, SIDE_OF, SIDES, Group, Side, State, made, made_side, seat_after
from games.yut.sticks import CATCH, MAX_RETHROWS, TURN, throw
from games.yut.tracks import Step, track_of
from games.yut.wild import ride

Story = list[Event]


Used = tuple[State, bool]
"""The position after one throw was used, and whether it caught a rival; what follows from that is still to come."""


def play(state: State, move: Move, story: Story, dice: Dice) -> State:
    """A legal use of a throw, and everything until a seat must be asked again."""
    state, caught = use(state, move, story)
    if state.end is not None:
        return state
    if caught:
        state = extra_throw(state, story, dice)
    return state if can_act(state) else until_asked(state, story, dice)  # YUT-3.3


def use(state: State, move: Move, story: Story) -> Used:
    """YUT-3.1: one horse or pile moves by one throw. The throw is spent; each stop is a landing (YUT-3.2)."""
    terms, seat, throws, rethrows, sides, wild, circles, hurdles, turns, end = state
    players = terms.players
    at = SIDE_OF[players][seat]
    waiting, stable, groups = sides[at]
    _, value, horse, short = move
    if horse == NEW:
        node, horses, kept, waiting = START, 1, [*groups], waiting - 1  # YUT-3.4: only one horse enters
    else:
        mover = moving(groups, horse)
        node, horses = mover.node, mover.horses  # YUT-5.2: a pile moves as one
        kept = [*groups]
        kept.remove(mover)
    step = track_of(state, at)[node][value][short]
    name = SIDES[players][at]
    story.append(told(SEATS[players][seat - 1], name, horses, move, step.first))
    if step.jumps:
        tell_jumps(story, name, horses, step)
    if step.node == HOME:  # YUT-7.1: beyond the post
        stable += horses  # YUT-7.2
        story.append(Event("home", "YUT-7.1", {"side": name, "horses": horses, "stable": stable}))
        prey = -1
    else:
        horses = join(kept, step, horses)
        if horses > 0:
            story.append(Event("piled", "YUT-5.1", {"side": name, "space": step.space, "horses": horses}))
        prey = find_prey(sides, at, step.place)
    if len(throws) == 1:
        throws = ()
    else:
        rest = [*throws]
        rest.remove(value)
        throws = tuple(rest)
    sides = (*sides[:at], made_side((waiting, stable, tuple(kept))), *sides[at + 1 :])
    if prey >= 0:
        sides = caught(sides, prey, step, name, SIDES[players][prey], story)
    after = made((terms, seat, throws, rethrows, sides, wild, circles, hurdles, turns, end))
    if stable == HORSES[players]:
        return ended(after, FINISH, story), False  # YUT-8.1
    return after, prey >= 0


def moving(groups: Sequence[Group], space: Space) -> Group:
    """The own horse or pile there: never two groups of a side stand on one space."""
    return next(group for group in groups if group.space == space)


@lru_cache(maxsize=4096)
def told(seat: str, side: str, horses: int, move: Move, first: Space) -> Event:
    """Entering or moving; what happens on the way does not matter (YUT-3.5).

    There are few such sentences and they come again and again, so each is made once.
    """
    _, value, horse, short = move
    kind, rule, start = ("entered", "YUT-3.4", None) if horse == NEW else ("moved", "YUT-3.1", horse)
    facts = {
        "seat": seat,
        "side": side,
        "horses": horses,
        "throw": value,
        "from": start,
        "to": first,
        "shortcut": short,
    }
    return Event(kind, "YUT-4.2" if short else rule, facts)


def tell_jumps(story: Story, side: str, horses: int, step: Step) -> None:
    """YUT-12.2: each hurdle is jumped from."""
    for hurdle, spaces, to in step.jumps:
        facts = {"side": side, "horses": horses, "hurdle": hurdle, "spaces": spaces, "to": to}
        story.append(Event("jumped", "YUT-12.3", facts))


def join(kept: list[Group], step: Step, horses: int) -> int:
    """The own groups with the one that has just landed; gives the size of the pile, 0 when it stands alone.

    YUT-5.3: a pile has the node of the part that moved last, and its right to the first shortcut or none.
    """
    for index, group in enumerate(kept):
        if group[0] == step.place:
            kept[index] = GROUPS[step.node][horses + group.horses]  # YUT-5.1
            return horses + group.horses
    kept.append(GROUPS[step[1]][horses])
    if len(kept) > 1:
        kept.sort()
    return 0


def find_prey(sides: tuple[Side, ...], at: int, place: int) -> int:
    """The rival side with horses on that space, or -1. YUT-9.1: every other side is a rival."""
    for rival, side in enumerate(sides):
        if rival != at:
            for group in side[2]:
                if group[0] == place:
                    return rival
    return -1


def caught(sides: tuple[Side, ...], prey: int, step: Step, name: str, rival: str, story: Story) -> tuple[Side, ...]:
    """YUT-6.1: all rival horses on the space wait again."""
    waiting, stable, groups = sides[prey]
    horses = sum(group.horses for group in groups if group.place == step.place)
    kept = tuple([group for group in groups if group.place != step.place])
    story.append(Event("caught", "YUT-6.1", {"side": name, "rival": rival, "space": step.space, "horses": horses}))
    return (*sides[:prey], Side(waiting + horses, stable, kept), *sides[prey + 1 :])


def extra_throw(state: State, story: Story, dice: Dice) -> State:
    """YUT-6.2: one throw for a catch, if the turn has not had two re-throws (YUT-2.5). It joins those still unused."""
    if not has_extra_throw(state):
        story.append(Event("no_extra_throw", "YUT-2.5", {"seat": state.name}))
        return state
    terms, seat, throws, rethrows, sides, wild, circles, hurdles, turns, end = state
    values, rethrows = throw(dice, state.name, CATCH, rethrows + 1, story)
    throws = largest_first([*throws, *values])
    return made((terms, seat, throws, rethrows, sides, wild, circles, hurdles, turns, end))


def has_extra_throw(state: State) -> bool:
    return state.rethrows < MAX_RETHROWS


def until_asked(state: State, story: Story, dice: Dice) -> State:
    """YUT-13.1: the turn is over, and so are all turns after it that are forfeited whole, until a seat can act."""
    while True:
        state = turn_over(state, story)
        if state.end is not None:
            return state
        # YUT-1.5: the next seat in order, a partner too (YUT-9.2).
        state = turn_of(state, seat_after(state.terms.players, state.seat), story, dice)
        if can_act(state):
            return state


def turn_over(state: State, story: Story) -> State:
    """YUT-3.3: throws without a use are forfeited, by themselves. Then the wild horse moves (YUT-11.2)."""
    terms, seat, throws, rethrows, sides, wild, circles, hurdles, turns, end = state
    if throws:
        story.append(Event("forfeited", "YUT-3.3", {"seat": state.name, "throws": list(throws)}))
    if wild:
        sides, wild, circles = ride(state, story)
    after = made((terms, seat, (), rethrows, sides, wild, circles, hurdles, turns + 1, end))
    return ended(after, WILD, story) if circles >= CIRCLES else after  # YUT-11.5


def turn_of(state: State, seat: int, story: Story, dice: Dice) -> State:
    """YUT-2.3: a turn begins with one throw."""
    terms, _, _, _, sides, wild, circles, hurdles, turns, end = state
    values, rethrows = throw(dice, SEATS[terms.players][seat - 1], TURN, 0, story)
    throws = (values[0],) if len(values) == 1 else largest_first(values)
    return made((terms, seat, throws, rethrows, sides, wild, circles, hurdles, turns, end))


def largest_first(values: Sequence[int]) -> tuple[int, ...]:
    return tuple(sorted(values, reverse=True))
