"""Wall clocks in named zones: which instant a local time is, which hours are quiet, which days are free."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from difflib import get_close_matches
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from pbem.errors import Trouble

Hours = tuple[time, time]  # from the first, up to but not including the second; they may reach over midnight
Days = tuple[date, date]  # both days included


def instant(day: date, at: time, zone: str) -> datetime:
    """The instant at which the wall clock of that zone shows this.

    A time that the clock skips (spring) counts as the instant that far after the skip began; a time that comes twice
    (autumn) means the first of the two.
    """
    return datetime.combine(day, at, ZoneInfo(zone)).astimezone(UTC)


def day_of(moment: datetime, zone: str) -> date:
    """The day that the calendar shows in that zone."""
    return moment.astimezone(ZoneInfo(zone)).date()


def wakeful(moment: datetime, quiet: Hours | None, free: tuple[Days, ...], zone: str) -> datetime:
    """That moment, or the next one after it that lies in no quiet hours and on no free day."""
    while True:
        local = moment.astimezone(ZoneInfo(zone))
        if is_free(local.date(), free):
            later = instant(local.date() + timedelta(days=1), time(), zone)
        elif quiet is not None and is_quiet(local.time(), quiet):
            over_midnight = quiet[1] <= quiet[0] and local.time() >= quiet[0]
            later = instant(local.date() + timedelta(days=int(over_midnight)), quiet[1], zone)
        else:
            return moment
        # The second pass of an hour that comes twice would lead back to the end of the first one.
        moment = max(later, moment + timedelta(minutes=1))


def is_quiet(at: time, quiet: Hours) -> bool:
    first, last = quiet
    return first <= at < last if first < last else at >= first or at < last


def is_free(day: date, free: tuple[Days, ...]) -> bool:
    return any(first <= day <= last for first, last in free)


def known_zone(name: str) -> str:
    """The zone's own spelling, or Trouble with the nearest ones."""
    found, near = find_zone(name)
    if found is None:
        hint = f"did you mean {near}?" if near else "write it like Europe/Paris or UTC."
        raise Trouble(f"{name!r} is not a time zone; {hint}")
    return found


def find_zone(name: str) -> tuple[str | None, str]:
    """The zone's own spelling, or None with the nearest ones."""
    zones = _zones()
    if name.lower() in zones:
        return zones[name.lower()], ""
    return None, " or ".join(zones[close] for close in get_close_matches(name.lower(), zones, 2, 0.6))


@cache
def _zones() -> Mapping[str, str]:
    """All that this system knows, by their names in small letters; to find them takes ten milliseconds."""
    return {zone.lower(): zone for zone in available_timezones()}
