"""Set-up: all horses wait, hurdles are placed if they are chosen in play, and the first turn's throws are made."""

from __future__ import annotations

from engine import Dice, Event, Turned
from games.yut.board import DATA, PLACE
from games.yut.legal import can_act
from games.yut.moves import Move
from games.yut.options import CHOOSE, Options
from games.yut.roles import Role, role_of
from games.yut.state import HORSES, SIDES, State, made, seat_before
from games.yut.sticks import TURN, throw
from games.yut.turn import Story, until_asked

HOW_MANY: int = DATA["hurdles"]["count"]  # YUT-12.1


def new_game(options: Options, dice: Dice) -> Turned:
    """YUT-1.4: all horses wait. YUT-1.5: seat `first` begins."""
    terms = options.terms
    sides = len(SIDES[terms.players])
    state = State(
        role=role_of(terms, options.first),
        throws=(),
        rethrows=0,
        waiting=(HORSES[terms.players],) * sides,
        stable=(0,) * sides,
        groups=((),) * sides,
        wild=terms.wild_start,
        circles=0,
        hurdles=options.spaces_of_hurdles,
        turns=0,
        end=None,
    )
    story: Story = []
    if options.hurdles == CHOOSE:  # YUT-12.1: the seat before `first` places one, then the seat before that one
        return Turned(state._replace(role=role_before(state.role)))
    state = first_turn(state, story, dice)
    return Turned(state, tuple(story))


def place_hurdle(state: State, move: Move, story: Story, dice: Dice) -> State:
    """YUT-12.1: both are seen by all."""
    story.append(Event("hurdle_placed", "YUT-12.1", {"seat": state.name, "space": move.horse}))
    hurdles = (*state.hurdles, move.horse)
    if len(hurdles) < HOW_MANY:
        return state._replace(role=role_before(state.role), hurdles=hurdles)
    return first_turn(state._replace(role=state.role.next.next, hurdles=in_order(hurdles)), story, dice)


def role_before(role: Role) -> Role:
    return role_of(role.terms, seat_before(role.terms.players, role.number))


def in_order(hurdles: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(hurdles, key=PLACE.__getitem__))


def first_turn(state: State, story: Story, dice: Dice) -> State:
    """YUT-13.1: the throws of the first turn are made at once. YUT-3.3: it may be forfeited like any other."""
    throws, rethrows = throw(dice, state.role, TURN, 0, story)
    state = made((state.role, throws, rethrows, *state[3:]))
    return state if can_act(state) else until_asked(state, story, dice)
