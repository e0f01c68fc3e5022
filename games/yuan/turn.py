"""A turn, in the order of the booklet: reveal, seven steps, victory (YUAN-5.1)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import NamedTuple

from engine import Event, Seat, Turned
from games.yuan import ending
from games.yuan.course import Course, Stepped, begun, told
from games.yuan.moves import Move, Pass, Plan, Resign
from games.yuan.phases.attack import attack
from games.yuan.phases.develop import develop
from games.yuan.phases.fortify import fortify, fortify_conquest
from games.yuan.phases.income import collect_income
from games.yuan.phases.pay import pay
from games.yuan.phases.recruit import recruit
from games.yuan.phases.upkeep import upkeep
from games.yuan.state import State


class Phase(NamedTuple):
    """One step of the resolution."""

    name: str
    step: Callable[[Course], Stepped]
    rule: str


RESOLUTION = (
    Phase("cancellation and payment", pay, rule="YUAN-6"),
    Phase("development", develop, rule="YUAN-7"),
    Phase("fortification", fortify, rule="YUAN-8"),
    Phase("recruitment", recruit, rule="YUAN-9"),  # armies raised here already stand in the next line
    Phase("attack", attack, rule="YUAN-10"),
    Phase("fortification after attack", fortify_conquest, rule="YUAN-11"),
    Phase("income", collect_income, rule="YUAN-12"),
    Phase("upkeep", upkeep, rule="YUAN-13"),
)


def resolve_turn(state: State, moves: Mapping[Seat, Move]) -> Turned:
    """Every plan goes in at once; one new state and its story come out."""
    state, story = reveal(state, moves)
    if state.winners is not None:
        return Turned(state, tuple(story))  # YUAN-14.6: the turn is not resolved
    course, events = run(begun(state, moves), RESOLUTION)
    story += events
    state, last = close(after(state, course))
    return Turned(state, (*story, last))


def run(course: Course, phases: tuple[Phase, ...]) -> tuple[Course, list[Event]]:
    """Step after step; the plans are not checked again (YUAN-5.8)."""
    story: list[Event] = []
    for phase in phases:
        course, events = phase.step(course)
        story += events
    return course, story


def reveal(state: State, moves: Mapping[Seat, Move]) -> tuple[State, list[Event]]:
    """All plans become public together (YUAN-5.9), then resignations take effect (YUAN-14.6)."""
    silent: list[Event] = []
    plans: list[Event] = []
    for clan in state.clans:
        move = moves.get(clan.seat)
        if clan.seat not in state.gone and (move is None or (isinstance(move, Pass) and move.silent)):
            silent.append(told("plan_defaulted", "YUAN-5.7", clan=clan.id))
        plans.append(Event("plan_revealed", "YUAN-5.9", revealed(clan.id, move)))
    story = silent + plans
    resigning = [seat for seat in state.remaining if isinstance(moves.get(seat), Resign)]
    if not resigning:
        return state, story
    return resigned(state, resigning, story)


def revealed(clan: str, move: Move | None) -> dict[str, object]:
    """The plan as everybody learns it; a pass has no target."""
    if isinstance(move, Plan):
        return {"clan": clan, "target": move.target, "d": move.dev, "f": move.fort, "m": move.mil, "cross": move.cross}
    return {"clan": clan, "target": None, "d": 0, "f": 0, "m": 0, "cross": False}


def resigned(state: State, seats: list[Seat], story: list[Event]) -> tuple[State, list[Event]]:
    """From here on these seats have no decisions (YUAN-14.6)."""
    story = story + [told("resigned", "YUAN-14.6", seat=seat) for seat in seats]
    state = replace(state, gone=tuple(sorted((*state.gone, *seats))))
    found = ending.by_resignation(state)
    if found is None:
        return state, story
    return replace(state, phase="over", winners=found.seats), [*story, ending.tell(state, found)]


def after(state: State, course: Course) -> State:
    """The position the steps have left."""
    return replace(state, clans=course.clans, temples=course.temples)


def close(state: State) -> tuple[State, Event]:
    """Phase IV: somebody has won, or the next turn starts (YUAN-14.4)."""
    found = ending.verdict(state)
    if found is not None:
        return replace(state, phase="over", winners=found.seats), ending.tell(state, found)
    state = replace(state, turn=state.turn + 1)  # YUAN-5.2
    return state, turn_started(state)


def turn_started(state: State) -> Event:
    """Phase I, told every turn, turn 1 too (YUAN-5.2)."""
    return told("turn_started", "YUAN-5.2", turn=state.turn, need=state.need)
