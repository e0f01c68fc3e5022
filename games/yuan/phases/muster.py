"""Who attacks: origins, forces, and the departure before any fight (YUAN-10.1 to 10.3)."""

from __future__ import annotations

from typing import NamedTuple

from engine import Event
from games.yuan.bits import members
from games.yuan.course import Course, told
from games.yuan.phases.fortify import shortage
from games.yuan.pieces import Clan, without_armies
from games.yuan.reach import crossers, origins


class Assault(NamedTuple):
    """One clan on its way to one target: where its armies come from, and how many they are."""

    place: int
    target: int
    level: int
    origins: int
    crossers: int
    force: int


def muster(course: Course) -> tuple[list[Assault], list[Event]]:
    """Who attacks, from where, how strong: all armies of all origins take part (YUAN-10.2)."""
    assaults: list[Assault] = []
    story: list[Event] = []
    names = course.land.names
    for place, aim in enumerate(course.aims):
        if aim is None or not aim.mil or aim.kind != "enemy":
            continue
        clan, power = course.clans[place], course.powers[place]
        near = origins(clan, power, aim.target, course.land)
        over = crossers(clan, power, aim.target, course.land) if aim.cross else 0  # YUAN-16.3
        extra = 1 if aim.mil > 1 and clan.army_stock else 0  # YUAN-10.1, YUAN-10.2: from the reserve
        force = sum([count for camp, count in clan.armies if (near | over) >> camp & 1]) + extra
        assaults.append(Assault(place, aim.target, aim.mil, near | over, over, force))
        story.append(tell_attack(course, assaults[-1]))
        if aim.mil > 1 and not extra:
            story.append(shortage(clan, "army", names[aim.target]))
        story += [told("weyu_cross", "YUAN-16.3", origin=names[province]) for province in members(over)]
    return assaults, story


def tell_attack(course: Course, assault: Assault) -> Event:
    land, clan = course.land, course.clans[assault.place]
    return told(
        "attack",
        "YUAN-10.2",
        clan=clan.id,
        target=land.names[assault.target],
        level=assault.level,
        origins=land.named(assault.origins),
        force=assault.force,
    )


def depart(course: Course, assaults: list[Assault]) -> list[Clan]:
    """All participating armies leave before any fight; they defend nothing (YUAN-10.3)."""
    clans = list(course.clans)
    for assault in assaults:
        clans[assault.place] = without_armies(clans[assault.place], assault.origins)
    return clans
