"""Collapse: what remains of a group without a city falls, to whoever alone cut it off (YUAN-10.10, YUAN-10.11)."""

from __future__ import annotations

from typing import NamedTuple

from games.yuan.bits import flood, parts
from games.yuan.course import Course
from games.yuan.phases.battle import Capture
from games.yuan.phases.raid import Raid


class Fallen(NamedTuple):
    """Sets of provinces, a place for each clan: what it lost by collapse, what it may claim, what nobody may."""

    lost: tuple[int, ...]
    claimed: tuple[int, ...]
    freed: tuple[int, ...]  # by former owner


def collapse(course: Course, captures: list[Capture], raids: list[Raid]) -> Fallen:
    """Snapshot groups only: provinces conquered this turn never help to join or save a group (YUAN-10.11)."""
    count = len(course.clans)
    taken_by = [0] * count
    for place, province in [(c.place, c.target) for c in captures] + [(r.place, r.province) for r in raids]:
        taken_by[place] |= 1 << province
    lost, claimed, freed = [0] * count, [0] * count, [0] * count
    for owner in range(count):
        for group in struck(course, owner, taken_by):
            fallen, claims = fall(course, owner, group, taken_by)
            lost[owner] |= fallen
            freed[owner] |= fallen
            for place, provinces in claims:
                claimed[place] |= provinces
                freed[owner] &= ~provinces
    return Fallen(tuple(lost), tuple(claimed), tuple(freed))


def struck(course: Course, owner: int, taken_by: list[int]) -> list[int]:
    """The owner's snapshot groups that lost provinces."""
    lands, neighbours = course.clans[owner].lands, course.land.neighbours
    groups, left = [], 0
    for taken in taken_by:
        left |= taken & lands
    while left:
        group = flood(left & -left, lands, neighbours)
        groups.append(group)
        left &= ~group
    return groups


def fall(course: Course, owner: int, group: int, taken_by: list[int]) -> tuple[int, list[tuple[int, int]]]:
    """What falls of a group, and what each clan that captured in it alone would have cut off (YUAN-10.10)."""
    taken = 0
    for provinces in taken_by:
        taken |= provinces
    fallen = cityless(course, owner, group & ~taken)
    if not fallen:
        return 0, []
    claims = [
        (place, cityless(course, owner, group & ~provinces) & fallen)
        for place, provinces in enumerate(taken_by)
        if provinces & group
    ]
    once = twice = 0
    for _, provinces in claims:
        twice |= once & provinces
        once |= provinces
    return fallen, [(place, provinces & ~twice) for place, provinces in claims]  # exactly one claimant


def cityless(course: Course, owner: int, provinces: int) -> int:
    """The parts of a set, joined by adjacency within it, in which the owner has no city."""
    cities, lonely = course.clans[owner].cities, 0
    for part in parts(provinces, course.land.neighbours):
        if not part & cities:
            lonely |= part
    return lonely
