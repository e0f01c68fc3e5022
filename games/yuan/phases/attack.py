"""Step 4, attack, on one page: everything happens for all attacks together (YUAN-10)."""

from __future__ import annotations

from games.yuan.course import Course, Stepped
from games.yuan.phases.battle import clash, storm
from games.yuan.phases.collapse import collapse
from games.yuan.phases.develop import urbanise_lonely
from games.yuan.phases.muster import depart, muster
from games.yuan.phases.occupy import occupy
from games.yuan.phases.raid import raid


def attack(course: Course) -> Stepped:
    """In the order of application of YUAN-10.13. `course` itself stays the snapshot of the start of the step."""
    assaults, story = muster(course)
    if not assaults:
        return course, ()
    clans = depart(course, assaults)
    assaults, clashes = clash(course, assaults)
    clans, captures, battles = storm(course, clans, assaults)
    clans, raids, bonus = raid(course, clans, captures)
    fallen = collapse(course, captures, raids)
    after, conquest, rest = occupy(course, clans, captures, raids, fallen)
    held = [capture.place for capture in captures if after.holds[capture.place]]
    after, cities = urbanise_lonely(after, held, "YUAN-10.12")  # only the target can become a city
    return after, [*story, *clashes, *battles, *conquest, *bonus, *rest, *cities]
