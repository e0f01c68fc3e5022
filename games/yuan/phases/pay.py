"""Cancellation and payment: plans that meet on a free province fall, the others are paid for (YUAN-6)."""

from __future__ import annotations

from engine import Event
from games.yuan.costs import levels, parts
from games.yuan.course import Aim, Course, Stepped, told


def pay(course: Course) -> Stepped:
    """First the cancelled plans go, then everyone else pays."""
    aims, cancelled = cancel(course)
    paying, paid = charge(course._replace(aims=aims))
    return paying, [*cancelled, *paid]


def cancel(course: Course) -> tuple[tuple[Aim | None, ...], list[Event]]:
    """All plans on a free province that two or more clans target are cancelled whole (YUAN-6.1)."""
    free = [aim.target for aim in course.aims if aim is not None and aim.kind == "free"]
    shared = {target for target in free if free.count(target) > 1}
    if not shared:
        return course.aims, []
    aims: list[Aim | None] = []
    story: list[Event] = []
    for clan, aim in zip(course.clans, course.aims, strict=True):
        if aim is not None and aim.target in shared:
            aims.append(None)  # YUAN-6.1: from here on exactly as a clan that passed
            story.append(told("plan_cancelled", "YUAN-6.1", clan=clan.id, target=course.land.names[aim.target]))
        else:
            aims.append(aim)
    return tuple(aims), story


def charge(course: Course) -> Stepped:
    """Every clan with a plan pays its price, reduced by the levels of the start of the turn (YUAN-6.2)."""
    clans, fees = list(course.clans), list(course.fees)
    story: list[Event] = []
    for place, aim in enumerate(course.aims):
        if aim is None:
            continue  # YUAN-6.2: passing and cancelled clans pay nothing
        clan = clans[place]
        due = parts(aim[2:5], levels(clan, course.land, course.temples, course.volcanoes))
        amount = sum(due)
        clans[place] = clan._replace(chao=clan.chao - amount)
        fees[place] = due[1]  # remembered for YUAN-11.2
        bill = {letter: part for letter, level, part in zip("dfm", aim[2:5], due, strict=True) if level}
        story.append(Event("paid", "YUAN-6.2", {"clan": clan.id, "amount": amount, "parts": bill}))
    return course._replace(clans=tuple(clans), fees=tuple(fees)), story
