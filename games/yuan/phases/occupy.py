"""After the battles: lost pieces go, villages are placed, survivors stand on their targets (YUAN-10.13)."""

from __future__ import annotations

from engine import Event
from games.yuan.bits import members
from games.yuan.course import Course, told
from games.yuan.phases.battle import Capture
from games.yuan.phases.collapse import Fallen
from games.yuan.phases.develop import village_short
from games.yuan.phases.raid import Raid
from games.yuan.pieces import Clan, bereft, settled, with_armies

Occupied = tuple[Course, list[Event], list[Event]]


def occupy(course: Course, clans: list[Clan], captures: list[Capture], raids: list[Raid], fallen: Fallen) -> Occupied:
    """All losses first; then each clan places its villages: target, bonus, collapse (YUAN-2.3, YUAN-10.13).

    Returns the position, the story of the targets (YUAN-10.7), and the story of what was taken around them.
    """
    clans = strip(clans, captures, raids, fallen)
    targets: list[Event] = []
    bonus: list[Event] = []
    collapsed: list[Event] = []
    holds = list(course.holds)
    for capture in captures:
        place = capture.place
        prizes = raided_by(place, raids)
        clans[place], taken = place_villages(course, clans[place], 1 << capture.target, "YUAN-10.7", targets)
        if taken:  # otherwise the survivors return to stock, where they already are (YUAN-2.3)
            clans[place] = with_armies(clans[place], capture.target, capture.survivors)
            holds[place] = True
        clans[place], _ = place_villages(course, clans[place], prizes, "YUAN-10.9", bonus)
        clans[place], _ = place_villages(course, clans[place], fallen.claimed[place], "YUAN-10.10", collapsed)
    after = course._replace(clans=tuple(clans), holds=tuple(holds))
    return after, targets, [*bonus, *collapsed, *tell_freed(course, fallen)]


def strip(clans: list[Clan], captures: list[Capture], raids: list[Raid], fallen: Fallen) -> list[Clan]:
    """Every owner loses what was captured or fell, with all pieces on it; temples stay (YUAN-10.7, 10.9, 10.10)."""
    lost = list(fallen.lost)
    for capture in captures:
        lost[capture.owner] |= 1 << capture.target
    for raid in raids:
        lost[raid.owner] |= 1 << raid.province
    return [bereft(clan, provinces) for clan, provinces in zip(clans, lost, strict=True)]


def raided_by(place: int, raids: list[Raid]) -> int:
    prizes = 0
    for raid in raids:
        if raid.place == place:
            prizes |= 1 << raid.province
    return prizes


def place_villages(course: Course, clan: Clan, provinces: int, rule: str, story: list[Event]) -> tuple[Clan, int]:
    """Villages on these provinces while the stock lasts; what got none stays free (YUAN-2.3)."""
    if not provinces:
        return clan, 0
    clan, placed = settled(clan, provinces)
    for province in members(provinces):
        name = course.land.names[province]
        if placed >> province & 1:
            facts = {"clan": clan.id, "province": name, "from": former_owner(course, province)}
            story.append(Event("village_placed", rule, facts))
        else:
            story.append(village_short(clan, name))
    return clan, placed


def former_owner(course: Course, province: int) -> str:
    return next(clan.id for clan in course.clans if clan.lands >> province & 1)


def tell_freed(course: Course, fallen: Fallen) -> list[Event]:
    """No claimant or several: the province becomes free (YUAN-10.11)."""
    return [
        told("freed", "YUAN-10.11", province=course.land.names[province], owner=clan.id)
        for clan, freed in zip(course.clans, fallen.freed, strict=True)
        for province in members(freed)
    ]
