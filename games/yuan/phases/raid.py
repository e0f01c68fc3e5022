"""Bonus attacks of level III: force 1 on every enemy province around a captured target (YUAN-10.8, YUAN-10.9)."""

from __future__ import annotations

from typing import NamedTuple

from engine import Event
from games.yuan.bits import members
from games.yuan.course import Course, told
from games.yuan.defence import defence, indestructible
from games.yuan.phases.battle import Capture, owner_place
from games.yuan.pieces import Clan, with_armies

BONUS_LEVEL = 3


class Raid(NamedTuple):
    """A bonus attack that captured: who, what, from whom."""

    place: int
    province: int
    owner: int


Raided = tuple[list[Clan], list[Raid], list[Event]]


def raid(course: Course, clans: list[Clan], captures: list[Capture]) -> Raided:
    """After all main attacks; every bonus attack reads the position after YUAN-10.7."""
    aims = bonus_aims(course, clans, captures)
    if not aims:
        return clans, [], []
    disputed = clashing(aims)
    names = course.land.names
    story = [
        told("bonus_clash", "YUAN-10.9", province=names[province], clans=[course.clans[place].id for place in rivals])
        for province in members(disputed)
        for rivals in [[place for place, provinces in aims if provinces >> province & 1]]
    ]
    after, raids = list(clans), []
    for place, provinces in aims:
        for province in members(provinces & ~disputed):
            owner = owner_place(clans, province)
            kind = bonus_result(course, clans, province, owner)
            if kind == "bonus_kill":
                after[owner] = with_armies(after[owner], province, clans[owner].armies_at(province) - 1)
            elif kind == "bonus_captured":
                raids.append(Raid(place, province, owner))
            story.append(told(kind, "YUAN-10.9", province=names[province], clan=course.clans[place].id))
    return after, raids, story


def bonus_aims(course: Course, clans: list[Clan], captures: list[Capture]) -> list[tuple[int, int]]:
    """For each level III success the provinces adjacent to the target that any other clan owns (YUAN-10.8)."""
    captured = 0
    for capture in captures:
        captured |= 1 << capture.target  # YUAN-10.8: not itself captured by a main attack this turn
    aims = []
    for capture in captures:
        if capture.level == BONUS_LEVEL:
            enemies = course.owned & ~clans[capture.place].lands
            aims.append((capture.place, course.land.neighbours[capture.target] & enemies & ~captured))
    return aims


def clashing(aims: list[tuple[int, int]]) -> int:
    """The provinces two or more clans attack: they cancel each other there (YUAN-10.9)."""
    once = twice = 0
    for _, provinces in aims:
        twice |= once & provinces
        once |= provinces
    return twice


def bonus_result(course: Course, clans: list[Clan], province: int, owner: int) -> str:
    """An army dies and the province holds; or the wall holds; or it is captured (YUAN-10.9)."""
    holder = clans[owner]
    if holder.armies_at(province):
        return "bonus_kill"
    if indestructible(holder, province) or defence(holder, course.powers[owner], province, course.land):
        return "bonus_failed"  # YUAN-16.4: Xiangi's mountains count in main attacks only
    return "bonus_captured"
