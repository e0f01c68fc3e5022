"""Steps 2 and 5, fortification: urbanisation of villages, reinforcement of cities (YUAN-8, YUAN-11)."""

from __future__ import annotations

from engine import Event
from games.yuan.course import Aim, Course, Stepped, told
from games.yuan.pieces import Clan, raised

Fortified = tuple[Clan, list[Event]]
TWO_RAMPARTS = 2


def fortify(course: Course) -> Stepped:
    """Step 2: plans whose target was free or own; executed on the target if it is own (YUAN-8.1)."""
    clans = list(course.clans)
    urban: list[Event] = []
    reinforced: list[Event] = []
    for place, aim in enumerate(course.aims):
        if aim is None or not aim.fort or aim.kind == "enemy" or not clans[place].lands >> aim.target & 1:
            continue
        village = not clans[place].cities >> aim.target & 1  # YUAN-5.4: decided when it is executed
        rule = "YUAN-8.2" if village else "YUAN-8.3"
        clans[place], events = fortify_province(course, clans[place], aim, rule)
        (urban if village else reinforced).extend(events)
    return course._replace(clans=tuple(clans)), urban + reinforced


def fortify_conquest(course: Course) -> Stepped:
    """Step 5: the same on a conquered target, or the chao back (YUAN-11)."""
    clans = list(course.clans)
    done: list[Event] = []
    refunds: list[Event] = []
    for place, aim in enumerate(course.aims):
        if aim is None or not aim.fort or aim.kind != "enemy":
            continue
        clan = clans[place]
        if course.holds[place]:  # YUAN-11.1: a city by 10.12 is reinforced, a village is urbanised
            clans[place], events = fortify_province(course, clan, aim, "YUAN-11.1")
            done += events
        else:  # YUAN-11.2: what was paid for it, after reduction
            clans[place] = clan._replace(chao=clan.chao + course.fees[place])
            refunds.append(told("fort_refunded", "YUAN-11.2", clan=clan.id, amount=course.fees[place]))
    return course._replace(clans=tuple(clans)), done + refunds


def fortify_province(course: Course, clan: Clan, aim: Aim, rule: str) -> Fortified:
    """One fortification on an own province, each part as far as the stock goes (YUAN-8.1)."""
    name, level = course.land.names[aim.target], aim.fort
    if clan.cities >> aim.target & 1:
        kind, (clan, shortages) = "reinforce", reinforce(clan, aim.target, level, name)
    else:
        kind, (clan, shortages) = "urbanise", urbanise(clan, aim.target, level, name)
    return clan, [told(kind, rule, clan=clan.id, province=name, level=level), *shortages]


def urbanise(clan: Clan, province: int, level: int, name: str) -> Fortified:
    """I nothing. II village to city. III village to city, one rampart if it is now a city, one army (YUAN-8.2)."""
    short: list[Event] = []
    if level == 1:
        return clan, short
    if clan.city_stock:
        clan = clan._replace(cities=clan.cities | 1 << province)
    else:
        short.append(shortage(clan, "city", name))
    if level == 3:
        if clan.cities >> province & 1:
            clan, missing = walled(clan, province, 1)
            short += shortages(clan, "rampart", name, missing)
        clan, missing = raised(clan, province, 1)
        short += shortages(clan, "army", name, missing)
    return clan, short


def reinforce(clan: Clan, province: int, level: int, name: str) -> Fortified:
    """I double it. II one rampart if it has none; double it. III ramparts up to two; one army (YUAN-8.3)."""
    short: list[Event] = []
    if level > 1:
        clan, missing = walled(clan, province, level - 1)
        short += shortages(clan, "rampart", name, missing)
    if level == 3:
        clan, missing = raised(clan, province, 1)
        return clan, [*short, *shortages(clan, "army", name, missing)]
    if not clan.doubled >> province & 1:  # YUAN-8.3: doubling a doubled city changes nothing
        if clan.city_stock:
            clan = clan._replace(doubled=clan.doubled | 1 << province)
        else:
            short.append(shortage(clan, "city", name))
    return clan, short


def walled(clan: Clan, province: int, wanted: int) -> tuple[Clan, int]:
    """The wall raised up to `wanted` ramparts as far as the stock goes, and how many were missing (YUAN-2.5)."""
    bit = 1 << province
    standing = (clan.walled >> province & 1) + (clan.stone >> province & 1)
    height = min(wanted, standing + clan.rampart_stock)
    if height <= standing:  # YUAN-8.3: walls already there change nothing
        return clan, max(0, wanted - standing)
    stone = clan.stone | bit if height == TWO_RAMPARTS else clan.stone
    return clan._replace(walled=clan.walled | bit, stone=stone), wanted - height


SHORT_RULES = {"city": "YUAN-2.4", "rampart": "YUAN-2.5", "army": "YUAN-2.6"}


def shortage(clan: Clan, piece: str, province: str, missing: int = 1) -> Event:
    """It stands right after the event it belongs to."""
    return told(f"{piece}_short", SHORT_RULES[piece], clan=clan.id, province=province, missing=missing)


def shortages(clan: Clan, piece: str, province: str, missing: int) -> list[Event]:
    return [shortage(clan, piece, province, missing)] if missing else []
