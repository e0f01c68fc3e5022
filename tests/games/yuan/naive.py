"""The resolution written once more, the slow and plain way: names, dictionaries and sets, one rule after the other.

It knows nothing of the game's own files but a position's names; `test_naive.py` asks both for the same turns.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from typing import Any

LIMITS = {"village": 18, "city": 14, "army": 9, "rampart": 6}
BASE = (0, 4, 7)


@dataclass
class Piece:
    owner: str
    city: bool = False
    doubled: bool = False
    ramparts: int = 0
    armies: int = 0


@dataclass
class World:
    """The position, the map as adjacency and reach, and the options."""

    terrain: Mapping[str, str]
    adjacent: Mapping[str, Set[str]]
    reach: Mapping[str, Mapping[str, Set[str]]]  # by clan
    cross: Mapping[str, Set[str]]
    between: Set[str]  # provinces between mountains
    burning: Set[str]  # provinces beside a volcano
    powers: bool
    volcanoes: bool
    turn: int
    temple_limit: int
    clans: list[str]
    chao: dict[str, int]
    land: dict[str, Piece]
    temples: set[str]
    earned: dict[str, int] = field(default_factory=dict)

    def has(self, clan: str, power: str) -> bool:
        return self.powers and clan == power

    def stock(self, clan: str, piece: str) -> int:
        own = [p for p in self.land.values() if p.owner == clan]
        used = {
            "village": sum(not p.city for p in own),
            "city": sum(p.city + p.doubled for p in own),
            "army": sum(p.armies for p in own),
            "rampart": sum(p.ramparts for p in own),
        }
        return LIMITS[piece] - used[piece]

    def level(self, clan: str, letter: str) -> int:
        total = 0
        for name, p in self.land.items():
            if p.owner == clan and self.terrain[name] == letter:
                total += (1 + p.doubled) * (2 if self.volcanoes and name in self.burning else 1)
        return total

    def part(self, start: str, within: Set[str]) -> set[str]:
        found, edge = set(), [start]
        while edge:
            name = edge.pop()
            if name not in found:
                found.add(name)
                edge += [near for near in self.adjacent[name] if near in within]
        return found

    def own(self, clan: str) -> set[str]:
        return {name for name, p in self.land.items() if p.owner == clan}

    def settle(self, clan: str, names: list[str]) -> None:
        for name in names:
            if self.stock(clan, "village") > 0:
                self.land[name] = Piece(clan)

    def urbanise_if_lonely(self, clan: str, target: str) -> None:
        group = self.part(target, self.own(clan))
        if not any(self.land[name].city for name in group) and self.stock(clan, "city") > 0:
            self.land[target].city = True

    def defence(self, name: str) -> int:
        p = self.land[name]
        if p.ramparts:
            return 3 if self.has(p.owner, "shanyin") else 2
        near = [self.land[other] for other in self.adjacent[name] if other in self.land]
        return int(any(other.owner == p.owner and other.ramparts == 2 for other in near))


def resolve(w: World, plans: Mapping[str, Any]) -> World:
    """`plans`: clan -> (target, dev, fort, mil, cross), clans that pass left out. Changes and returns the world."""
    kind = {
        clan: "free" if plan[0] not in w.land else "own" if w.land[plan[0]].owner == clan else "enemy"
        for clan, plan in plans.items()
    }
    free_targets = [plan[0] for clan, plan in plans.items() if kind[clan] == "free"]
    plans = {clan: plan for clan, plan in plans.items() if kind[clan] != "free" or free_targets.count(plan[0]) == 1}
    fee = {}
    for clan, (_, dev, fort, mil, _) in plans.items():
        costs = [
            max(0, BASE[level - 1] - w.level(clan, letter)) if level else 0
            for level, letter in ((dev, "R"), (fort, "F"), (mil, "M"))
        ]
        w.chao[clan] -= sum(costs)
        fee[clan] = costs[1]
    develop(w, plans, kind)
    for clan, (target, _, fort, _, _) in plans.items():
        if fort and kind[clan] != "enemy":
            fortify(w, clan, target, fort)
    for clan, (target, _, _, mil, _) in plans.items():
        if mil and kind[clan] != "enemy" and w.land[target].city:
            w.land[target].armies += min((0, 1, 3)[mil - 1], w.stock(clan, "army"))
    held = attack(w, {clan: plan for clan, plan in plans.items() if kind[clan] == "enemy"})
    for clan, (target, _, fort, _, _) in plans.items():
        if fort and kind[clan] == "enemy":
            if clan in held:
                fortify(w, clan, target, fort)
            else:
                w.chao[clan] += fee[clan]
    for clan in w.clans:
        if clan not in plans:
            w.chao[clan] += 8 if w.has(clan, "jinhe") else 6
        elif plans[clan][1] == 2:
            w.chao[clan] += 2
    if w.volcanoes and w.turn in (5, 9, 13):
        w.land = {name: p for name, p in w.land.items() if name not in w.burning}
    for p in w.land.values():
        p.armies = min(p.armies, 4 if w.has(p.owner, "linhai") else 3)
    return w


def develop(w: World, plans: Mapping[str, Any], kind: Mapping[str, str]) -> None:
    targets = {plan[0]: clan for clan, plan in plans.items() if plan[1] and kind[clan] == "free"}
    sides: dict[str, set[str]] = {}
    for clan, (target, dev, *_) in plans.items():
        if not dev or (kind[clan] == "own" and dev == 3):
            continue
        around = [target] if kind[clan] == "free" else w.part(target, w.own(clan))
        for name in {near for start in around for near in w.adjacent[start]}:
            if name not in w.land and name not in targets:
                sides.setdefault(name, set()).add(clan)
    award: dict[str, list[str]] = {clan: [] for clan in w.clans}
    for name, clans in sorted(sides.items()):
        if len(clans) == 1:
            award[next(iter(clans))].append(name)
        elif w.powers and "suhey" in clans:
            award["suhey"].append(name)
    builders = [clan for clan, plan in plans.items() if plan[1] == 3 and kind[clan] == "own"]
    if builders and w.temple_limit - len(w.temples) >= len(builders):
        w.temples |= {plans[clan][0] for clan in builders}
        rob(w, plans, builders)
    for target, clan in targets.items():
        award[clan].insert(0, target)
    for clan, names in award.items():
        w.settle(clan, names)
    for target, clan in targets.items():
        w.urbanise_if_lonely(clan, target)


def rob(w: World, plans: Mapping[str, Any], builders: list[str]) -> None:
    def would(one: str, other: str) -> bool:
        near = w.adjacent[plans[one][0]]
        return one != other and any(name in w.land and w.land[name].owner == other for name in near)

    before = dict(w.chao)
    for victim in w.clans:
        robbers = [
            clan for clan in builders if would(clan, victim) and not (victim in builders and would(victim, clan))
        ]
        purse = before[victim]
        for turn in (1, 2, 3):
            entitled = [clan for clan in robbers if turn <= 2 or w.has(clan, "yunmen")]
            if not entitled or purse < len(entitled):
                break
            for clan in entitled:
                purse -= 1
                w.chao[clan] += 1
                w.chao[victim] -= 1


def fortify(w: World, clan: str, name: str, level: int) -> None:
    p = w.land[name]
    if not p.city:
        if level == 1:
            return
        p.city = w.stock(clan, "city") > 0
        if level == 3:
            if p.city:
                p.ramparts += min(1, w.stock(clan, "rampart"))
            p.armies += min(1, w.stock(clan, "army"))
        return
    if level > 1:
        p.ramparts += max(0, min(level - 1 - p.ramparts, w.stock(clan, "rampart")))
    if level == 3:
        p.armies += min(1, w.stock(clan, "army"))
    elif not p.doubled:
        p.doubled = w.stock(clan, "city") > 0


def attack(w: World, plans: Mapping[str, Any]) -> set[str]:
    """The clans that hold their targets afterwards."""
    snapshot = {clan: w.own(clan) for clan in w.clans}
    cities = {name for name, p in w.land.items() if p.city}
    force: dict[str, int] = {}
    leaving: dict[str, str] = {}
    for clan, (target, _, _, mil, cross) in plans.items():
        camps = {name for name in snapshot[clan] if w.land[name].armies}
        near = camps & w.reach[clan][target]
        going = near | ((camps - near) & w.cross[target] if cross else set())
        extra = 1 if mil > 1 and w.stock(clan, "army") > 0 else 0
        force[clan] = sum(w.land[name].armies for name in going) + extra
        leaving |= dict.fromkeys(going, clan)
    for name in leaving:
        w.land[name].armies = 0
    for target in {plan[0] for plan in plans.values()}:
        rivals = [clan for clan, plan in plans.items() if plan[0] == target]
        while len([clan for clan in rivals if force[clan]]) > 1:
            least = min(force[clan] for clan in rivals if force[clan])
            for clan in rivals:
                force[clan] = max(0, force[clan] - least)
    taken: dict[str, str] = {}  # province -> clan
    for clan, (target, *_) in plans.items():
        if not force[clan]:
            continue
        p = w.land[target]
        guard, p.armies = p.armies, max(0, p.armies - force[clan])
        if force[clan] <= guard:
            continue
        force[clan] -= guard
        mountain = 2 if w.has(p.owner, "xiangi") and target in w.between and guard else 0
        if p.ramparts < 2 and force[clan] > w.defence(target) + mountain:
            taken[target] = clan
    main = dict(taken)
    raids: dict[str, list[str]] = {}
    for target, clan in main.items():
        if plans[clan][3] == 3:
            for name in w.adjacent[target]:
                if name in w.land and w.land[name].owner != clan and name not in main:
                    raids.setdefault(name, []).append(clan)
    for name, clans in raids.items():
        if len(clans) > 1:
            continue
        if w.land[name].armies:
            w.land[name].armies -= 1
        elif w.land[name].ramparts < 2 and not w.defence(name):
            taken[name] = clans[0]
    fallen: set[str] = set()
    claims: dict[str, str] = {}
    for owner in w.clans:
        for name in sorted(snapshot[owner] - set(taken)):
            group = w.part(name, snapshot[owner])
            lost = {each: clan for each, clan in taken.items() if each in group}
            if not lost or w.part(name, group - set(lost)) & cities:
                continue
            fallen.add(name)
            alone = []
            for clan in set(lost.values()):
                left = group - {each for each, by in lost.items() if by == clan}
                if not w.part(name, left) & cities:
                    alone.append(clan)
            if len(alone) == 1:
                claims[name] = alone[0]
    w.land = {name: p for name, p in w.land.items() if name not in taken and name not in fallen}
    held = set()
    for clan in plans:
        won = [target for target, by in main.items() if by == clan]
        bonus = sorted(name for name, by in taken.items() if by == clan and name not in main)
        w.settle(clan, [*won, *bonus, *sorted(name for name, by in claims.items() if by == clan)])
        for target in won:
            if target in w.land:
                w.land[target].armies = force[clan]
                held.add(clan)
    for clan in held:
        w.urbanise_if_lonely(clan, plans[clan][0])
    return held
