"""Step 7, upkeep: volcanoes explode, armies are trimmed, levels are recorded (YUAN-13)."""

from __future__ import annotations

from engine import Event
from games.yuan.bits import members
from games.yuan.box import VOLCANO_TURNS
from games.yuan.costs import levels
from games.yuan.course import Course, Stepped, told
from games.yuan.pieces import Clan, bereft


def upkeep(course: Course) -> Stepped:
    course, explosions = explode(course)
    course, trimmed = trim(course)
    return course, [*explosions, *trimmed, *record_levels(course)]


def explode(course: Course) -> Stepped:
    """Turns 5, 9, 13: what touches a volcano loses all pieces and becomes free; temples stay (YUAN-13.1)."""
    if not course.volcanoes or course.turn not in VOLCANO_TURNS:  # YUAN-15.2
        return course, ()
    burning = course.land.beside_volcano
    names = course.land.names
    story = [
        told("volcano_cleared", "YUAN-13.1", province=names[province], owner=clan.id)
        for clan in course.clans
        for province in members(clan.lands & burning)
    ]
    # No collapse and no urbanisation follows.
    return course._replace(clans=tuple([bereft(clan, burning) for clan in course.clans])), story


def trim(course: Course) -> Stepped:
    """Then every province keeps at most its cap of armies; the rest return to stock (YUAN-13.2)."""
    caps = [power.army_cap for power in course.powers]  # YUAN-16.7: Linhai 4
    over: list[tuple[int, int]] = []
    clans: list[Clan] = []
    for clan, cap in zip(course.clans, caps, strict=True):
        crowded = [(province, count - cap) for province, count in clan.armies if count > cap]
        over += crowded
        clans.append(clan if not crowded else clan._replace(armies=capped(clan, cap)))
    if not over:
        return course, ()
    names = course.land.names
    story = [
        told("armies_trimmed", "YUAN-13.2", province=names[province], lost=lost) for province, lost in sorted(over)
    ]
    return course._replace(clans=tuple(clans)), story


def capped(clan: Clan, cap: int) -> tuple[tuple[int, int], ...]:
    return tuple([(province, min(count, cap)) for province, count in clan.armies])


def record_levels(course: Course) -> list[Event]:
    """Then the levels of every clan are recorded (YUAN-13.3)."""
    story = []
    for clan in course.clans:
        T, R, F, M = levels(clan, course.land, course.temples, course.volcanoes)
        story.append(Event("levels", "YUAN-13.3", {"clan": clan.id, "T": T, "R": R, "F": F, "M": M}))
    return story
