"""The turn of a colour: its steps, the exchanges between them, its end, and the next turn (CONQ-3, 4, 9, 11)."""

from __future__ import annotations

from dataclasses import replace

from engine import Dice, Event, Turned
from games.conquest.actions import DECLINE, END, Action, Counter, Step
from games.conquest.board import Board, start
from games.conquest.ending import after_round, after_turn
from games.conquest.geography import COLOURS
from games.conquest.legal import can_step
from games.conquest.options import Choices
from games.conquest.state import NOTHING, Exchange, State, Table
from games.conquest.steps import search
from games.conquest.story import (
    answered_story,
    began,
    exchange_story,
    game_over,
    loss_story,
    refund,
    step_story,
    turn_ended,
)
from games.conquest.striking import answered, fresh, struck
from games.conquest.units import LIMIT, parted, rested
from games.conquest.ways import sight, way_through


def setup(options: Choices, dice: Dice) -> Turned:
    """CONQ-2.3, CONQ-3.1: the pieces stand as printed; CONQ-3.2: the starter is named, or drawn by lot."""
    by_lot = options.first == "lot"
    starter = dice.pick(len(COLOURS), "starter") if by_lot else COLOURS.index(options.first)
    table = Table(options.mode, options.players, options.empty_ship, options.alliance_win, options.opening_limit)
    state = State(table=table, board=start(), starter=starter, mover=starter)
    first = Event("started", "CONQ-3.2", {"starter": COLOURS[starter], "by_lot": by_lot})
    return Turned(state, (first, began(state)))


def resolve(state: State, action: Action) -> Turned:
    """One action of the seat that was asked."""
    if isinstance(action, Step):
        return _step(state, action)
    if action == END:
        return Turned(*_ended(state, "silence" if action.silent else "order", []))  # CONQ-4.8
    assert state.exchange is not None
    if action == DECLINE:
        return _declined(state, state.exchange)
    assert isinstance(action, Counter)
    return _answer(state, state.exchange, action)


def _step(state: State, step: Step) -> Turned:
    whole = state.board.unit(step.start)
    _, piece = parted(whole, step.piece)
    seen, carried = sight(state.board, state.friends(state.mover), piece), whole.letter != step.piece
    own = min(LIMIT[step.piece] - piece.spent, state.points_left)
    found = search(step.piece, step.start, carried).layers(step.to, own, seen)
    route = way_through(step.piece, step.start, step.to, carried, found)
    done = struck(state, step, route.cost)
    story = step_story(state, step, route, done)
    story += loss_story(state, done.state)
    story += exchange_story(done, step.to)
    return Turned(*_going_on(done.state, story))


def _answer(state: State, exchange: Exchange, counter: Counter) -> Turned:
    """CONQ-9.12: the capturing unit is lost, or its vessel taken."""
    done = answered(state, exchange, counter)
    story = answered_story(state, exchange, counter, done)
    story += loss_story(state, done.state)
    return Turned(*_going_on(done.state, story))


def _declined(state: State, exchange: Exchange) -> Turned:
    """CONQ-9.12: the capturing piece has its limit again, and the mover goes on."""
    board = fresh(state.board, exchange.cell, exchange.letter)
    story = [
        Event("declined", "CONQ-9.1", {"colour": COLOURS[exchange.victim]}),
        refund(state.mover, exchange.letter, exchange.cell),
    ]
    return Turned(*_going_on(replace(state, board=board, exchange=None), story))


def _going_on(state: State, story: list[Event]) -> tuple[State, tuple[Event, ...]]:
    """Step 7: the mover goes on, unless the game is over, somebody is asked, or nothing but `end` is left to him."""
    if state.over is not None:
        return state, (*story, game_over(state, state.over))
    if state.exchange is not None or can_step(state):
        return state, tuple(story)
    return _ended(state, _why_no_step(state), story)


def _why_no_step(state: State) -> str:
    """CONQ-4.8: what ends a turn that nobody ended."""
    if not state.alive(state.mover):
        return "out"  # CONQ-11.6
    if state.nailed(state.mover):
        return "nailed"  # CONQ-10.5
    return "no_step" if state.points_left else "points"


def _ended(state: State, why: str, story: list[Event]) -> tuple[State, tuple[Event, ...]]:
    """The end of this turn and of all that pass by themselves, up to the next decision or the end of the game.

    CONQ-17.4: the next turn begins at once; when its seat is told is the host's matter.
    """
    while True:
        story.append(turn_ended(state, why))
        state = _calm_counted(_rested(state), story)
        over = after_turn(state)
        if over is None and _last_of_round(state):
            over = after_round(state)  # CONQ-3.4
        if over is not None:
            state = replace(state, over=over)
            return state, (*story, game_over(state, over))
        state = _next(state)
        if state.alive(state.mover):
            story.append(began(state))
            if can_step(state):
                return state, tuple(story)
        why = _why_no_step(state)  # CONQ-3.3: a colour without pieces has no turn, but its place is passed


def _rested(state: State) -> State:
    """(a) of the end of a turn. CONQ-4.6: points not used are lost."""
    return replace(state, board=_all_rested(state.board, state.mover), paid=0, risks=0, taken=NOTHING)


def _all_rested(board: Board, colour: int) -> Board:
    changes = [(at, rested(unit)) for at, unit in board.units_of(colour) if unit.tired]
    return board.put(changes) if changes else board


def _calm_counted(state: State, story: list[Event]) -> State:
    """(b) of the end of a turn. CONQ-11.4: a turn of the colour that owned the last eliminated piece has ended."""
    if state.calm is None or state.calm.owner != state.mover:
        return state
    calm = state.calm._replace(turns=state.calm.turns + 1)
    story.append(Event("calm_counted", "CONQ-11.4", {"owner": COLOURS[calm.owner], "n": calm.turns}))
    return replace(state, calm=calm)


def _last_of_round(state: State) -> bool:
    return (state.mover + 1) % len(COLOURS) == state.starter


def _next(state: State) -> State:
    """CONQ-3.3: clockwise; CONQ-3.4: a round ends when the place before the starter's has been passed."""
    mover = (state.mover + 1) % len(COLOURS)
    return replace(state, mover=mover, round=state.round + (mover == state.starter))
