"""Set-up: all horses wait, hurdles are placed if they are chosen in play, and the first turn's throws are made."""

from __future__ import annotations

from engine import Dice, Event, Turned
from games.yut.board import DATA, PLACE
from games.yut.legal import can_act
from games.yut.moves import Move
from games.yut.options import CHOOSE, Options
from games.yut.state import HORSES, SIDES, Side, State, seat_after, seat_before
from games.yut.turn import Story, turn_of, until_asked

HOW_MANY: int = DATA["hurdles"]["count"]  # YUT-12.1


def new_game(options: Options, dice: Dice) -> Turned:
    """YUT-1.4: all horses wait. YUT-1.5: seat `first` begins."""
    terms = options.terms
    state = State(
        terms=terms,
        seat=options.first,
        throws=(),
        rethrows=0,
        sides=tuple(Side(HORSES[terms.players], 0, ()) for _ in SIDES[terms.players]),
        wild=terms.wild_start,
        circles=0,
        hurdles=options.spaces_of_hurdles,
        turns=0,
        end=None,
    )
    story: Story = []
    if options.hurdles == CHOOSE:  # YUT-12.1: the seat before `first` places one, then the seat before that one
        return Turned(state._replace(seat=seat_before(terms.players, options.first)))
    state = first_turn(state, options.first, story, dice)
    return Turned(state, tuple(story))


def place_hurdle(state: State, move: Move, story: Story, dice: Dice) -> State:
    """YUT-12.1: both are seen by all."""
    story.append(Event("hurdle_placed", "YUT-12.1", {"seat": state.name, "space": move.horse}))
    players, hurdles = state.terms.players, (*state.hurdles, move.horse)
    if len(hurdles) < HOW_MANY:
        return state._replace(seat=seat_before(players, state.seat), hurdles=hurdles)
    first = seat_after(players, seat_after(players, state.seat))
    return first_turn(state._replace(hurdles=in_order(hurdles)), first, story, dice)


def in_order(hurdles: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(hurdles, key=PLACE.__getitem__))


def first_turn(state: State, seat: int, story: Story, dice: Dice) -> State:
    """YUT-13.1: the throws of the first turn are made at once. YUT-3.3: it may be forfeited like any other."""
    state = turn_of(state, seat, story, dice)
    return state if can_act(state) else until_asked(state, story, dice)
