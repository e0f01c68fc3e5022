"""A turn: one throw used, what that brings, and when nothing is left the next seat's throws (YUT-3, YUT-5 to YUT-8)."""

from __future__ import annotations

from engine import Dice, Event
from games.yut.board import HOME, START
from games.yut.ending import CIRCLES, FINISH, WILD, ended
from games.yut.legal import can_act
from games.yut.moves import NEW, Move
from games.yut.roles import Role
from games.yut.standing import NOBODY, sent_back, side_on
from games.yut.state import Group, State, changed, made
from games.yut.sticks import CATCH, MAX_RETHROWS, TURN, largest_first, throw
from games.yut.tracks import Step, track_to_act
from games.yut.wild import ride

Story = list[Event]


def play(state: State, move: Move, story: Story, dice: Dice) -> State:
    """A legal use of a throw, and everything until a seat must be asked again.

    YUT-3.1: one horse or pile moves by one throw; each stop is a landing (YUT-3.2).
    """
    role, throws, rethrows, waiting, stable, groups, wild, circles, hurdles, turns, end = state
    at = role.side
    own = [*groups[at]]
    if move.horse == NEW:
        node, horses = START, 1  # YUT-3.4: only one horse enters
        waiting = changed(waiting, at, waiting[at] - 1)
    else:
        for index, mover in enumerate(own):
            if mover.space == move.horse:
                node, horses = mover.node, mover.horses  # YUT-5.2: a pile moves as one
                del own[index]
                break
    throws = without(throws, move.throw) if len(throws) > 1 else ()
    step = (track_to_act(state) if hurdles else role.track)[node][move.throw][move.short]
    story.append(step.told[role.voice + horses] or tell(role, step, horses))
    if step.jumps:
        tell_jumps(role, step, horses, story)
    if step.node == HOME:  # YUT-7.1: beyond the post
        stable = changed(stable, at, stable[at] + horses)  # YUT-7.2
        story.append(Event("home", "YUT-7.1", {"side": role.side_name, "horses": horses, "stable": stable[at]}))
        if stable[at] == role.horses:  # YUT-8.1
            groups = changed(groups, at, ())
            last = (role, throws, rethrows, waiting, stable, groups, wild, circles, hurdles, turns, end)
            return ended(made(last), FINISH, story)
        prey = NOBODY
    else:
        land(own, step, horses, role, story)
        prey = side_on(groups, role.rivals, step.place)
    tracks = [*groups]
    tracks[at] = tuple(own)
    groups = tuple(tracks)
    if prey != NOBODY:  # YUT-6.1: all rival horses on the space wait again
        waiting, groups, horses = sent_back(waiting, groups, prey, step.place)
        facts = {"side": role.side_name, "rival": role.sides[prey], "space": step.space, "horses": horses}
        story.append(Event("caught", "YUT-6.1", facts))
        throws, rethrows = extra_throw(role, throws, rethrows, story, dice)
    if not (throws or wild):  # nothing is forfeited, and no wild horse moves: the next seat's turn (YUT-1.5)
        role, turns = role.next, turns + 1
        throws, rethrows = throw(dice, role, TURN, 0, story)
    after = made((role, throws, rethrows, waiting, stable, groups, wild, circles, hurdles, turns, end))
    if not (wild or role.narrow) or can_act(after):  # YUT-3.3: with neither, any horse can use any throw
        return after
    return until_asked(after, story, dice)


def without(throws: tuple[int, ...], value: int) -> tuple[int, ...]:
    """YUT-3.1: the throw is spent."""
    at = throws.index(value)
    return throws[:at] + throws[at + 1 :]


def tell(role: Role, step: Step, horses: int) -> Event:
    """Entering or moving; what happens on the way does not matter (YUT-3.5).

    There are few such sentences and they come again and again, so each is made once and kept with its step.
    """
    move = step.move
    kind, rule, start = ("entered", "YUT-3.4", None) if move.horse == NEW else ("moved", "YUT-3.1", move.horse)
    facts = {
        "seat": role.name,
        "side": role.side_name,
        "horses": horses,
        "throw": move.throw,
        "from": start,
        "to": step.first,
        "shortcut": move.short,
    }
    told = step.told[role.voice + horses] = Event(kind, "YUT-4.2" if move.short else rule, facts)
    return told


def tell_jumps(role: Role, step: Step, horses: int, story: Story) -> None:
    """YUT-12.2: each hurdle is jumped from."""
    for hurdle, spaces, to in step.jumps:
        facts = {"side": role.side_name, "horses": horses, "hurdle": hurdle, "spaces": spaces, "to": to}
        story.append(Event("jumped", "YUT-12.3", facts))


def land(own: list[Group], step: Step, horses: int, role: Role, story: Story) -> None:
    """Those that land take their place among the own groups, in canonical order, or join the one that is there.

    YUT-5.3: a pile has the node of the part that moved last, and its right to the first shortcut or none.
    """
    place, index = step.place, 0
    for group in own:
        if group.place == place:
            horses += group.horses
            own[index] = step.stops[horses]  # YUT-5.1
            story.append(Event("piled", "YUT-5.1", {"side": role.side_name, "space": step.space, "horses": horses}))
            return
        if group.place > place:
            break
        index += 1
    own.insert(index, step.stops[horses])


def extra_throw(
    role: Role, throws: tuple[int, ...], rethrows: int, story: Story, dice: Dice
) -> tuple[tuple[int, ...], int]:
    """YUT-6.2: one throw for a catch, if the turn has not had two re-throws (YUT-2.5). It joins those still unused."""
    if rethrows >= MAX_RETHROWS:
        story.append(Event("no_extra_throw", "YUT-2.5", {"seat": role.name}))
        return throws, rethrows
    values, rethrows = throw(dice, role, CATCH, rethrows + 1, story)
    return largest_first(throws + values), rethrows


def until_asked(state: State, story: Story, dice: Dice) -> State:
    """YUT-13.1: the turn is over, and so are all turns after it that are forfeited whole, until a seat can act."""
    role, throws, rethrows, waiting, stable, groups, wild, circles, hurdles, turns, end = state
    while True:
        if throws:  # YUT-3.3: those without a use are forfeited, by themselves
            story.append(Event("forfeited", "YUT-3.3", {"seat": role.name, "throws": list(throws)}))
        turns += 1
        if wild:  # YUT-11.2
            waiting, groups, wild, circles = ride(role.terms, waiting, groups, wild, circles, hurdles, story)
            if circles >= CIRCLES:  # YUT-11.5
                last = (role, (), rethrows, waiting, stable, groups, wild, circles, hurdles, turns, end)
                return ended(made(last), WILD, story)
        role = role.next  # YUT-1.5: the next seat in order, a partner too (YUT-9.2)
        throws, rethrows = throw(dice, role, TURN, 0, story)  # YUT-2.3: a turn begins with one throw
        state = made((role, throws, rethrows, waiting, stable, groups, wild, circles, hurdles, turns, end))
        if can_act(state):
            return state
