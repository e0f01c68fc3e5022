"""Step 6, income: for development II, and for passing (YUAN-12)."""

from __future__ import annotations

from engine import Event
from games.yuan.box import DEVELOPMENT_INCOME
from games.yuan.course import Course, Stepped

PAID_LEVEL = 2  # YUAN-7.10: development II earns whether or not anything was acquired


def collect_income(course: Course) -> Stepped:
    """Developments first, then the clans that passed or were cancelled."""
    clans = list(course.clans)
    earned: list[Event] = []
    passed: list[Event] = []
    for place, aim in enumerate(course.aims):
        clan = clans[place]
        if aim is None:
            amount = course.powers[place].pass_income  # YUAN-12.2; YUAN-16.6: Jinhe 8
            passed.append(Event("income_pass", "YUAN-12.2", {"clan": clan.id, "amount": amount}))
        elif aim.dev == PAID_LEVEL:
            amount = DEVELOPMENT_INCOME  # YUAN-12.1
            earned.append(Event("income_dev", "YUAN-12.1", {"clan": clan.id, "amount": amount}))
        else:
            continue
        clans[place] = clan._replace(chao=clan.chao + amount)
    return course._replace(clans=tuple(clans)), earned + passed
