"""Which plans are legal, and the first fault of one that is not (YUAN-5.5, chapter 5)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, cached_property, lru_cache
from itertools import product
from typing import NamedTuple

from engine import Seat
from games.yuan.bits import halo
from games.yuan.costs import Levels, levels, parts
from games.yuan.moves import PASS, Pass, Plan
from games.yuan.phases.develop import is_lonely
from games.yuan.pieces import settled
from games.yuan.powers import power_of
from games.yuan.reach import crossers, origins, reach
from games.yuan.state import State

Actions = tuple[int, int, int]  # the levels of development, fortification and militarisation
LEVELS = range(4)  # 0: not planned
NEVER = len(LEVELS)
ACTIONS: tuple[Actions, ...] = tuple(product(LEVELS, LEVELS, LEVELS))[1:]  # in canonical order; at least one is planned


class Choices(NamedTuple):
    """Actions that a clan can pay, in canonical order: those that fit a kind of target (YUAN-5.5)."""

    near: tuple[Actions, ...]  # a free province in reach
    far: tuple[Actions, ...]  # a free one that is not
    own: tuple[Actions, ...]
    templeless: tuple[Actions, ...]  # an own one where no temple can be built
    enemy: tuple[Actions, ...]


@lru_cache(maxsize=1024)  # clans are often as rich and as far as others
def choices(levels: Levels, chao: int) -> Choices:
    """What there is to choose from, whatever the map."""
    devs, forts, mils = zip(*(parts((level, level, level), levels) for level in LEVELS), strict=True)
    own = [(dev, fort, mil) for dev, fort, mil in ACTIONS if devs[dev] + forts[fort] + mils[mil] <= chao]  # YUAN-5.5.6
    return Choices(
        near=tuple([actions for actions in own if actions[0]]),  # YUAN-5.5.2
        far=tuple([actions for actions in own if actions[0] == 3]),
        own=tuple(own),
        templeless=tuple([actions for actions in own if actions[0] < 3]),  # YUAN-5.5.3
        enemy=tuple([actions for actions in own if not actions[0] and actions[2]]),  # YUAN-5.5.4
    )


class Planner:
    """One seat at planning: what it owns, reaches and can pay, found out once for all its plans."""

    def __init__(self, state: State, seat: Seat) -> None:
        clan = state.clan_of(seat)
        assert clan is not None
        self.state, self.seat, self.clan, self.land = state, seat, clan, state.land
        self.power = power_of(clan.id, state.options.powers)
        self.free = state.land.all & ~state.owned
        self.cities: dict[int, int] = {}

    @cached_property
    def levels(self) -> Levels:
        return levels(self.clan, self.land, self.state.temples, self.state.options.volcanoes)

    @cached_property
    def reached(self) -> int:
        """The provinces in reach of an own province (YUAN-1.6)."""
        return halo(self.clan.lands, reach(self.land, self.power))

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
        return None if plan.fort >= self.city_from(target) else "Y-NOTCITY"

    def city_from(self, target: int) -> int:
        """The least fortification with which a target, colonised or own, is a city after steps 1 and 2."""
        if target not in self.cities:
            self.cities[target] = self.least_for_city(target)
        return self.cities[target]

    def least_for_city(self, target: int) -> int:
        if self.clan.cities >> target & 1:
            return 0
        if not self.clan.city_stock:
            return NEVER  # YUAN-2.4: without a piece no village becomes one
        if self.free >> target & 1 and self.founds_city(target):
            return 0
        return 2  # YUAN-8.2: II and III urbanise; an expansion never does (YUAN-7.9)

    def founds_city(self, target: int) -> bool:
        """Whether a colony there is a city by itself (YUAN-7.9), which is the same for all levels (YUAN-7.2). Of the
        dry run (YUAN-5.6) no more than this bears on it."""
        bit, near = 1 << target, self.land.neighbours
        colony, _ = settled(self.clan, bit | near[target] & self.free, bit)  # YUAN-7.2, YUAN-7.8
        return is_lonely(colony, target, near)

    def price_fault(self, plan: Plan) -> str | None:
        return "Y-NOCHAO" if self.price(plan) > self.clan.chao else None  # YUAN-5.5.6, YUAN-4.4

    @cached_property
    def choices(self) -> Choices:
        return choices(self.levels, self.clan.chao)

    @cached_property
    def targets(self) -> int:
        """The provinces with which some plan might be legal."""
        free = 0
        if self.clan.village_stock:
            free = self.free if self.choices.far else self.free & self.reached  # YUAN-5.5.2
        enemies = self.state.owned & ~self.clan.lands if self.clan.armies else 0  # YUAN-5.5.4
        return free | self.clan.lands | enemies

    def plans_on(self, name: str) -> Iterator[Plan]:
        """The legal plans on one target: by development, fortification, militarisation, crossing."""
        target = self.land.number[name]
        enemy = not (self.free | self.clan.lands) >> target & 1
        crossing = self.crossing(target) if enemy else (False,)
        if not crossing:
            return
        least = 0 if enemy else self.city_from(target)  # YUAN-5.5.5
        for dev, fort, mil in self.fitting(target, enemy):
            if not mil or fort >= least:
                for cross in crossing:
                    yield shared(name, dev, fort, mil, cross)

    def fitting(self, target: int, enemy: bool) -> tuple[Actions, ...]:
        """The actions within the clan's means that the kind of target does not rule out."""
        if enemy:
            return self.choices.enemy
        if self.free >> target & 1:
            if not self.clan.village_stock:
                return ()
            return self.choices.near if self.reached >> target & 1 else self.choices.far
        if self.state.temples >> target & 1 or not self.state.temple_stock:
            return self.choices.templeless
        return self.choices.own

    def crossing(self, target: int) -> tuple[bool, ...]:
        """How an attack could go: with armies that have the target in reach, with armies that cross (YUAN-16.3)."""
        ways = ((False, origins), (True, crossers))
        return tuple([cross for cross, armies in ways if armies(self.clan, self.power, target, self.land)])


@cache
def shared(name: str, dev: int, fort: int, mil: int, cross: bool) -> Plan:
    """A plan is a value: the same one serves every list that it is in."""
    return Plan(name, dev, fort, mil, cross)


def plans(state: State, seat: Seat) -> Iterator[Pass | Plan]:
    """All legal plans: pass first, then by target and actions (YUAN-5.3)."""
    yield PASS
    planner = Planner(state, seat)
    for name in state.land.named(planner.targets):
        yield from planner.plans_on(name)
