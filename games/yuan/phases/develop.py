"""Step 1, development: claims, awards, temples, villages, and the automatic city (YUAN-7)."""

from __future__ import annotations

from collections.abc import Sequence

from engine import Event
from games.yuan.bits import flood, halo, members
from games.yuan.course import Course, Stepped, told
from games.yuan.phases.rob import rob
from games.yuan.pieces import Clan, settled


def develop(course: Course) -> Stepped:
    """Everything reads the position before the step (YUAN-7.1)."""
    if not any(aim is not None and aim.dev for aim in course.aims):
        return course, ()
    story = announce(course)
    awarded, disputes = award(course)
    course, temples = build(course)
    course, villages = settle(course, awarded)
    course, cities = urbanise_colonies(course)
    return course, [*story, *disputes, *temples, *villages, *cities]


def announce(course: Course) -> list[Event]:
    """The colonisations, then the expansions."""
    names = course.land.names
    aims = [(clan, aim) for clan, aim in zip(course.clans, course.aims, strict=True) if aim is not None and aim.dev]
    return [
        told(kind, rule, clan=clan.id, target=names[aim.target], level=aim.dev)
        for kind, rule, where in (("colonise", "YUAN-7.2", "free"), ("expand", "YUAN-7.3", "own"))
        for clan, aim in aims
        if aim.kind == where
    ]


def claims(course: Course) -> tuple[list[int], list[int]]:
    """For each clan its target claim and its side claims, as sets of provinces."""
    neighbours, free = course.land.neighbours, course.land.all & ~course.owned
    targets, sides = [], []
    for clan, aim in zip(course.clans, course.aims, strict=True):
        target = side = 0
        if aim is not None and aim.dev:
            if aim.kind == "free":  # YUAN-7.2: the target, and every free province adjacent to it
                target, side = 1 << aim.target, neighbours[aim.target] & free
            elif aim.dev < 3:  # YUAN-7.3: around the whole group of the target; expansion III claims nothing
                side = halo(flood(1 << aim.target, clan.lands, neighbours), neighbours) & free
        targets.append(target)
        sides.append(side)
    return targets, sides


def award(course: Course) -> tuple[list[int], list[Event]]:
    """Who gets which claimed province, whatever the stocks (YUAN-7.4)."""
    targets, sides = claims(course)
    targeted = once = twice = 0
    for target, side in zip(targets, sides, strict=True):
        targeted |= target
        twice |= once & side
        once |= side
    disputed = twice & ~targeted  # YUAN-7.4: a target claim wins
    awarded = [target | (side & ~targeted & ~twice) for target, side in zip(targets, sides, strict=True)]
    if not disputed:
        return awarded, []
    favoured = [place for place, power in enumerate(course.powers) if power.takes_disputes]
    taken = 0
    for place in favoured:
        taken = sides[place] & disputed  # YUAN-16.2: one of several side claims, and no target claim
        awarded[place] |= taken
    return awarded, tell_disputes(course, disputed, taken, sides)


def tell_disputes(course: Course, disputed: int, taken: int, sides: list[int]) -> list[Event]:
    """The provinces several clans claimed: they stay free unless Suhey is among the claimants (YUAN-7.4)."""
    story = []
    for province in members(disputed):
        rivals = [clan.id for clan, side in zip(course.clans, sides, strict=True) if side >> province & 1]
        kind, rule = ("suhey_takes", "YUAN-16.2") if taken >> province & 1 else ("contested", "YUAN-7.4")
        story.append(told(kind, rule, province=course.land.names[province], clans=rivals))
    return story


def build(course: Course) -> Stepped:
    """Expansion III: every builder puts a temple on its target, or none does (YUAN-7.5); then they rob (7.6)."""
    builders = [i for i, aim in enumerate(course.aims) if aim is not None and aim.dev == 3 and aim.kind == "own"]
    if not builders:
        return course, ()
    enough = course.temple_limit - course.temples.bit_count() >= len(builders)
    kind = "temple_built" if enough else "temple_short"  # YUAN-2.7, YUAN-7.5: none builds, nothing is refunded
    temples, story = course.temples, []
    for place in builders:
        aim = course.aims[place]
        assert aim is not None
        temples |= 1 << aim.target
        story.append(told(kind, "YUAN-7.5", clan=course.clans[place].id, province=course.land.names[aim.target]))
    if not enough:
        return course, story
    course, robberies = rob(course._replace(temples=temples), builders)
    return course, [*story, *robberies]


def settle(course: Course, awarded: list[int]) -> Stepped:
    """Each clan puts a village on each province awarded to it (YUAN-7.8), as far as its stock goes (YUAN-2.3)."""
    clans, story = list(course.clans), []
    for place, provinces in enumerate(awarded):
        if not provinces:
            continue
        aim = course.aims[place]
        assert aim is not None
        clan, placed = settled(clans[place], provinces, 1 << aim.target)
        clans[place] = clan
        story += tell_villages(course, clan, provinces, placed)
    return course._replace(clans=tuple(clans)), story


def tell_villages(course: Course, clan: Clan, provinces: int, placed: int) -> list[Event]:
    names, story = course.land.names, []
    for province in members(provinces):
        if placed >> province & 1:
            facts = {"clan": clan.id, "province": names[province], "from": None}
            story.append(Event("village_placed", "YUAN-7.8", facts))
        else:
            story.append(village_short(clan, names[province]))
    return story


def village_short(clan: Clan, province: str) -> Event:
    """It stands where village_placed would stand."""
    return told("village_short", "YUAN-2.3", clan=clan.id, province=province, missing=1)


def urbanise_colonies(course: Course) -> Stepped:
    """After all placements: a colonised target whose group has no city becomes one; expansions never do (YUAN-7.9)."""
    places = [i for i, aim in enumerate(course.aims) if aim is not None and aim.dev and aim.kind == "free"]
    return urbanise_lonely(course, places, "YUAN-7.9")


def urbanise_lonely(course: Course, places: Sequence[int], rule: str) -> Stepped:
    """Each of these clans' targets, if its group has no city, becomes a city as far as the stock goes."""
    clans, story = list(course.clans), []
    for place in places:
        clan, aim = clans[place], course.aims[place]
        assert aim is not None
        if not is_lonely(clan, aim.target, course.land.neighbours):
            continue
        name = course.land.names[aim.target]
        if clan.city_stock:
            clans[place] = clan._replace(cities=clan.cities | 1 << aim.target)
            story.append(told("auto_city", rule, clan=clan.id, province=name))
        else:  # YUAN-2.4: the village stays a village
            story.append(told("city_short", "YUAN-2.4", clan=clan.id, province=name, missing=1))
    return course._replace(clans=tuple(clans)), story


def is_lonely(clan: Clan, target: int, neighbours: Sequence[int]) -> bool:
    """Whether the clan owns the target, and its group there has no city."""
    group = flood(1 << target, clan.lands, neighbours)
    return bool(group) and not group & clan.cities
