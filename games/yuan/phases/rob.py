"""Robbing: what the builders of temples take from their neighbours (YUAN-7.6, YUAN-7.7)."""

from __future__ import annotations

from engine import Event
from games.yuan.course import Course, Stepped, told


def rob(course: Course, builders: list[int]) -> Stepped:
    """All robberies read the balances and provinces before the step; each victim is robbed in equal rounds."""
    loot: list[tuple[int, int, int]] = []  # robber, victim, amount
    for victim, clan in enumerate(course.clans):
        robbers = [place for place in builders if robs(course, place, victim) and not mutual(course, place, victim)]
        loot += [(place, victim, share) for place, share in shares(course, robbers, clan.chao) if share]
    purses = [clan.chao for clan in course.clans]
    for place, victim, amount in loot:
        purses[place] += amount
        purses[victim] -= amount
    clans = tuple([clan._replace(chao=purse) for clan, purse in zip(course.clans, purses, strict=True)])
    ids = [clan.id for clan in clans]
    thefts = [
        told("theft", "YUAN-7.6", clan=ids[place], victim=ids[victim], amount=amount)
        for place, victim, amount in sorted(loot)
    ]
    return course._replace(clans=clans), thefts + truces(course, builders)


def robs(course: Course, place: int, victim: int) -> bool:
    """Whether the victim owned a province adjacent to the new temple (YUAN-7.6: touching only)."""
    aim = course.aims[place]
    if place == victim or aim is None or aim.dev != 3 or aim.kind != "own":
        return False
    return course.clans[victim].lands & course.land.neighbours[aim.target] != 0


def mutual(course: Course, one: int, other: int) -> bool:
    """Two builders each of whom would rob the other do not (YUAN-7.7)."""
    return robs(course, one, other) and robs(course, other, one)


def shares(course: Course, robbers: list[int], purse: int) -> list[tuple[int, int]]:
    """In round j every robber entitled to j takes 1, while the victim still has enough for all (YUAN-7.6)."""
    taken = dict.fromkeys(robbers, 0)
    entitled, j = robbers, 1
    while entitled and purse >= len(entitled):
        for place in entitled:
            taken[place] += 1
        purse -= len(entitled)
        j += 1
        entitled = [place for place in robbers if course.powers[place].theft >= j]  # YUAN-16.8: Yunmen up to 3
    return list(taken.items())


def truces(course: Course, builders: list[int]) -> list[Event]:
    """The pairs that let each other be."""
    ids = [clan.id for clan in course.clans]
    return [
        told("theft_mutual", "YUAN-7.7", clan=ids[one], other=ids[other])
        for one in builders
        for other in builders
        if one < other and mutual(course, one, other)
    ]
