"""Which plans are legal, and the first fault of one that is not (YUAN-5.5, chapter 5)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from engine import Seat
from games.yuan.costs import Levels, levels, parts
from games.yuan.dry import becomes_city
from games.yuan.moves import PASS, Pass, Plan
from games.yuan.powers import power_of
from games.yuan.reach import crossers, origins, reach
from games.yuan.state import State

LEVELS = range(4)  # 0: not planned


class Planner:
    """One seat at planning: what it owns, reaches and can pay, found out once for all its plans."""

    def __init__(self, state: State, seat: Seat) -> None:
        clan = state.clan_of(seat)
        assert clan is not None
        self.state, self.seat, self.clan, self.land = state, seat, clan, state.land
        self.power = power_of(clan.id, state.options.powers)
        self.free = state.land.all & ~state.owned
        self.cities: dict[tuple[str, bool, bool], bool] = {}

    @cached_property
    def levels(self) -> Levels:
        return levels(self.clan, self.land, self.state.temples, self.state.options.volcanoes)

    @cached_property
    def reached(self) -> int:
        """The provinces in reach of an own province (YUAN-1.6)."""
        ways = reach(self.land, self.power)
        return sum(1 << i for i in range(len(ways)) if ways[i] & self.clan.lands)

    def price(self, plan: Plan) -> int:
        return sum(parts(plan.levels, self.levels))

    def fault(self, plan: Plan) -> str | None:
        """The code of the first reason against a plan, in the order of chapter 5; None for a legal one."""
        target = self.land.number.get(plan.target)
        if target is None:
            return "Y-UNKNOWN"  # YUAN-5.5.1
        if not any(plan.levels):
            return "Y-NOACTION"  # YUAN-5.5.1
        return self.target_fault(plan, target) or self.city_fault(plan, target) or self.price_fault(plan)

    def target_fault(self, plan: Plan, target: int) -> str | None:
        if self.free >> target & 1:
            return self.free_fault(plan, target)
        if self.clan.lands >> target & 1:
            return self.own_fault(plan, target)
        return self.enemy_fault(plan, target)

    def free_fault(self, plan: Plan, target: int) -> str | None:
        """YUAN-5.5.2."""
        if not plan.dev:
            return "Y-FREE-NEEDS-DEV"
        if plan.cross:
            return "Y-CROSS"
        if not self.clan.village_stock:
            return "Y-NOVILLAGE"
        if plan.dev < 3 and not self.reached >> target & 1:  # level III: anywhere
            return "Y-NOREACH"
        return None

    def own_fault(self, plan: Plan, target: int) -> str | None:
        """YUAN-5.5.3."""
        if plan.cross:
            return "Y-CROSS"
        if plan.dev == 3 and self.state.temples >> target & 1:
            return "Y-TEMPLE-HERE"
        if plan.dev == 3 and not self.state.temple_stock:
            return "Y-NOTEMPLE"
        return None

    def enemy_fault(self, plan: Plan, target: int) -> str | None:
        """YUAN-5.5.4; with CROSS an attack may rest on crossing armies alone (YUAN-16.3)."""
        if plan.dev:
            return "Y-ENEMY-NODEV"
        if not plan.mil:
            return "Y-ENEMY-NEEDS-MIL"
        if plan.cross:
            return None if crossers(self.clan, self.power, target, self.land) else "Y-CROSS"
        return None if origins(self.clan, self.power, target, self.land) else "Y-NOARMY"

    def city_fault(self, plan: Plan, target: int) -> str | None:
        """Militarisation on a free or own target needs an own city there at step 3 (YUAN-5.5.5)."""
        if not plan.mil or not (self.free | self.clan.lands) >> target & 1:
            return None
        # Colonisation of any level claims the same (YUAN-7.2), fortification III urbanises as II does (YUAN-8.2).
        question = plan.target, plan.dev > 0, plan.fort > 1
        if question not in self.cities:
            self.cities[question] = becomes_city(self.state, self.seat, plan)
        return None if self.cities[question] else "Y-NOTCITY"

    def price_fault(self, plan: Plan) -> str | None:
        return "Y-NOCHAO" if self.price(plan) > self.clan.chao else None  # YUAN-5.5.6, YUAN-4.4

    @cached_property
    def affordable(self) -> tuple[tuple[int, int, int], ...]:
        """All choices of actions whose price the clan can pay, in canonical order."""
        return tuple(
            (dev, fort, mil)
            for dev in LEVELS
            for fort in LEVELS
            for mil in LEVELS
            if (dev or fort or mil) and sum(parts((dev, fort, mil), self.levels)) <= self.clan.chao
        )

    def plans_on(self, name: str) -> Iterator[Plan]:
        """The legal plans on one target: by development, fortification, militarisation, crossing."""
        target = self.land.number[name]
        enemy = not (self.free | self.clan.lands) >> target & 1
        if enemy and not self.can_attack(target):
            return
        crossing = (False, True) if enemy and self.power.crosses else (False,)
        for dev, fort, mil in self.fitting(target, enemy):
            for cross in crossing:
                plan = Plan(name, dev, fort, mil, cross)
                if self.target_fault(plan, target) is None and self.city_fault(plan, target) is None:
                    yield plan

    def fitting(self, target: int, enemy: bool) -> tuple[tuple[int, int, int], ...]:
        """The affordable actions without those that the kind of target rules out at a glance."""
        if enemy:
            return tuple(actions for actions in self.affordable if not actions[0] and actions[2])  # YUAN-5.5.4
        if self.free >> target & 1:
            least = 1 if self.reached >> target & 1 else 3  # YUAN-5.5.2
            return tuple(actions for actions in self.affordable if actions[0] >= least)
        return self.affordable

    def can_attack(self, target: int) -> bool:
        """Whether any army could go; most enemy provinces are settled by this alone."""
        near = origins(self.clan, self.power, target, self.land)
        return bool(near or crossers(self.clan, self.power, target, self.land))


def plans(state: State, seat: Seat) -> Iterator[Pass | Plan]:
    """All legal plans: pass first, then by target and actions (YUAN-5.3)."""
    yield PASS
    planner = Planner(state, seat)
    for name in state.land.names:
        yield from planner.plans_on(name)
