"""Step 3, recruitment: armies raised in own cities (YUAN-9)."""

from __future__ import annotations

from engine import Event
from games.yuan.course import Course, Stepped, told
from games.yuan.phases.fortify import shortages
from games.yuan.pieces import raised

RAISES = (0, 1, 3)  # YUAN-9.1: levels I, II, III


def recruit(course: Course) -> Stepped:
    """Plans whose target was free or own; armies raised here already stand in the next step."""
    clans = list(course.clans)
    done: list[Event] = []
    void: list[Event] = []
    for place, aim in enumerate(course.aims):
        if aim is None or not aim.mil or aim.kind == "enemy":
            continue
        clan, name = clans[place], course.land.names[aim.target]
        if not clan.cities >> aim.target & 1:  # YUAN-9.2: a guard; YUAN-5.5.5 makes it impossible
            void.append(told("recruit_void", "YUAN-9.2", clan=clan.id, province=name, level=aim.mil))
            continue
        clans[place], missing = raised(clan, aim.target, RAISES[aim.mil - 1])
        done.append(told("recruit", "YUAN-9.1", clan=clan.id, province=name, level=aim.mil))
        done += shortages(clan, "army", name, missing)
    return course._replace(clans=tuple(clans)), done + void
