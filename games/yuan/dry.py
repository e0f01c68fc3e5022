"""The dry run: a plan tried alone on a copy of the position (YUAN-5.6), and what it warns of."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from engine import Event, Notice, Seat
from games.yuan.course import Course, begun
from games.yuan.moves import Move, Plan
from games.yuan.phases.develop import develop
from games.yuan.phases.fortify import fortify
from games.yuan.phases.recruit import recruit
from games.yuan.state import State
from games.yuan.turn import RESOLUTION, Phase, run

DRY_RUN = (Phase("development", develop, rule="YUAN-7"), Phase("fortification", fortify, rule="YUAN-8"))  # YUAN-5.6
WARNED = (*DRY_RUN, Phase("recruitment", recruit, rule="YUAN-9"))  # chapter 5: continued through YUAN-9
ACTIONS = (("dev", "development"), ("fort", "fortification"), ("mil", "militarisation"))


def alone(state: State, seat: Seat, plan: Plan) -> Course:
    """The position with this plan as the only plan."""
    return begun(state, {seat: plan})


def preview(state: State, seat: Seat, move: Move) -> tuple[Event, ...]:
    """What a plan would do if everyone else passed: the steps up to the income, without that of those who pass."""
    if not isinstance(move, Plan):
        return ()
    _, story = run(alone(state, seat, move), tuple(phase for phase in RESOLUTION if phase.name != "upkeep"))
    return tuple(event for event in story if event.kind != "income_pass")


def notices(state: State, seat: Seat, move: Move) -> tuple[Notice, ...]:
    """Warnings about a legal plan: actions that change nothing, pieces that run short (chapter 5)."""
    if not isinstance(move, Plan):
        return ()
    course, story = run(alone(state, seat, move), WARNED)
    place = state.place_of(seat)
    assert place is not None
    aim = course.aims[place]
    assert aim is not None
    if aim.kind == "enemy":
        empty = aim.mil > 1 and not course.clans[place].army_stock
        return (short("army"),) if empty else ()  # no W-NOEFFECT for an attack
    idle = tuple(no_effect(word, level) for word, level in without_effect(state, seat, move, course))
    pieces = dict.fromkeys(event.kind.removesuffix("_short") for event in story if event.kind.endswith("_short"))
    return idle + tuple(short(piece) for piece in pieces)


def without_effect(state: State, seat: Seat, plan: Plan, done: Course) -> Iterator[tuple[str, int]]:
    """The actions without which the dry run gives the same position, chao and income."""
    for name, word in ACTIONS:
        level = getattr(plan, name)
        if not level or (name == "dev" and level == 2):  # YUAN-7.10: development II always earns
            continue
        dev, fort, mil = [0 if other == name else getattr(plan, other) for other, _ in ACTIONS]
        other, _ = run(alone(state, seat, Plan(plan.target, dev, fort, mil)), WARNED)
        if (other.clans, other.temples) == (done.clans, done.temples):
            yield word, level


def no_effect(action: str, level: int) -> Notice:
    text = "{action} {level} changes nothing here."
    return Notice("YUAN-5.5", "W-NOEFFECT", text, {"action": action, "level": "I" * level})


STOCK_RULES = {
    "village": "YUAN-2.3",
    "city": "YUAN-2.4",
    "rampart": "YUAN-2.5",
    "army": "YUAN-2.6",
    "temple": "YUAN-2.7",
}


@cache
def short(piece: str) -> Notice:
    return Notice(STOCK_RULES[piece], "W-STOCK", "Not enough left in stock: {piece}.", {"piece": piece})
