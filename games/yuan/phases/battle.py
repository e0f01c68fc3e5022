"""The fights: attackers against each other, against armies, against walls (YUAN-10.4 to 10.7)."""

from __future__ import annotations

from typing import NamedTuple

from engine import Event
from games.yuan.course import Course, told
from games.yuan.defence import defence, indestructible, mountain_defence
from games.yuan.phases.muster import Assault
from games.yuan.pieces import Clan, with_armies


def clash(course: Course, assaults: list[Assault]) -> tuple[list[Assault], list[Event]]:
    """Attackers of one target wear each other down until one or none is left (YUAN-10.4)."""
    by_target: dict[int, list[Assault]] = {}
    for assault in assaults:
        by_target.setdefault(assault.target, []).append(assault)
    left: list[Assault] = []
    story: list[Event] = []
    for target in sorted(by_target):
        rivals = by_target[target]
        if len(rivals) > 1:
            forces = worn([rival.force for rival in rivals])
            ids = [course.clans[rival.place].id for rival in rivals]
            standing = dict(zip(ids, forces, strict=True))
            name = course.land.names[target]
            story.append(told("attackers_clash", "YUAN-10.4", target=name, clans=ids, left=standing))
            rivals = [rival._replace(force=force) for rival, force in zip(rivals, forces, strict=True)]
        left += [rival for rival in rivals if rival.force]
    return sorted(left), story


def worn(forces: list[int]) -> list[int]:
    """While two or more have armies, every one of them loses the smallest of their forces (YUAN-10.4)."""
    while sum([force > 0 for force in forces]) > 1:
        smallest = min([force for force in forces if force])
        forces = [max(0, force - smallest) for force in forces]
    return forces


class Capture(NamedTuple):
    """A success: who took what from whom, with how many armies left."""

    place: int
    target: int
    owner: int
    survivors: int
    level: int


def storm(course: Course, clans: list[Clan], assaults: list[Assault]) -> tuple[list[Clan], list[Capture], list[Event]]:
    """Each target's one attacker against its armies (YUAN-10.5), then against its defence (YUAN-10.6).

    Told by paragraph: failed, repelled, captured, each by clan. No success depends on another (YUAN-10.7).
    """
    failed: list[Event] = []
    repelled: list[Event] = []
    captured: list[Event] = []
    captures: list[Capture] = []
    after = list(clans)
    for assault in assaults:
        place, target, name = assault.place, assault.target, course.land.names[assault.target]
        clan, owner = clans[place], owner_place(clans, target)
        holder, power = clans[owner], course.powers[owner]
        defenders = holder.armies_at(target)
        if assault.force <= defenders:  # YUAN-10.5: d - f defenders remain
            after[owner] = with_armies(after[owner], target, defenders - assault.force)
            failed.append(told("attack_failed", "YUAN-10.5", clan=clan.id, target=name))
            continue
        if defenders:  # YUAN-10.5: the defenders are lost
            after[owner] = with_armies(after[owner], target, 0)
        left = assault.force - defenders
        # YUAN-16.4: the +2 needs an army after departures, so it is read before the defenders fall.
        mountains = mountain_defence(holder, power, target, course.land)
        stone = indestructible(holder, target)
        if stone or left <= defence(holder, power, target, course.land) + mountains:  # YUAN-10.6: all are lost
            tale = repelled
            tale.append(told("attack_repelled", "YUAN-10.6", clan=clan.id, target=name, lost=left))
        else:  # YUAN-10.7: the wall kills nobody
            tale = captured
            tale.append(told("captured", "YUAN-10.7", clan=clan.id, target=name, survivors=left))
            captures.append(Capture(place, target, owner, left, assault.level))
        if mountains and not stone:
            tale.append(told("xiangi_defence", "YUAN-16.4", province=name))
    return after, captures, failed + repelled + captured


def owner_place(clans: list[Clan], province: int) -> int:
    """Which clan owns an owned province."""
    return next(place for place, clan in enumerate(clans) if clan.lands >> province & 1)
