"""What a resolution carries from step to step: the pieces, the plans as aims, and what later steps must remember."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from engine import Event, Seat
from games.yuan.land import Land
from games.yuan.moves import Plan
from games.yuan.pieces import Clan
from games.yuan.powers import Power, power_of
from games.yuan.state import State

Kind = Literal["free", "own", "enemy"]
Stepped = tuple["Course", Sequence[Event]]


class Aim(NamedTuple):
    """A plan on its way: the target by number, and whose it was when the plan was made (YUAN-5.4)."""

    kind: Kind
    target: int
    dev: int
    fort: int
    mil: int
    cross: bool


class Course(NamedTuple):
    """One turn under way. `clans`, `powers`, `aims`, `fees` and `holds` run in parallel, a place for each clan."""

    land: Land
    turn: int
    volcanoes: bool
    temple_limit: int
    powers: tuple[Power, ...]
    clans: tuple[Clan, ...]
    temples: int
    aims: tuple[Aim | None, ...]  # None: passed, or cancelled (YUAN-6.1: exactly as a clan that passed)
    fees: tuple[int, ...]  # chao paid for fortification, remembered for YUAN-11.2
    holds: tuple[bool, ...]  # whether the attacker holds its target (YUAN-11.1)

    @property
    def owned(self) -> int:
        owned = 0
        for clan in self.clans:
            owned |= clan.lands
        return owned


def aim_of(plan: Plan, place: int, state: State) -> Aim:
    """What the plan is, which follows from its target (YUAN-5.4)."""
    target = state.land.number[plan.target]
    kind: Kind = "own" if state.clans[place].lands >> target & 1 else "enemy" if state.owned >> target & 1 else "free"
    return Aim(kind, target, plan.dev, plan.fort, plan.mil, plan.cross)


def begun(state: State, plans: Mapping[Seat, object]) -> Course:
    """The turn before its first step; every clan whose seat has no plan passes."""
    aims: list[Aim | None] = []
    for place, clan in enumerate(state.clans):
        plan = plans.get(clan.seat)
        aims.append(aim_of(plan, place, state) if isinstance(plan, Plan) else None)
    powers_on, count = state.options.powers, len(state.clans)
    return Course(
        state.land,
        state.turn,
        state.options.volcanoes,
        state.temple_limit,
        tuple([power_of(clan.id, powers_on) for clan in state.clans]),
        state.clans,
        state.temples,
        tuple(aims),
        (0,) * count,
        (False,) * count,
    )


def told(kind: str, rule: str, **facts: Any) -> Event:
    """An event with the paragraph behind it."""
    return Event(kind, rule, facts)
