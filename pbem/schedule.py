"""The schedule of a game: when its turns fall due, as instants in UTC made from a wall clock in a named zone."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from pbem.errors import Trouble

NIGHTLY = "nightly"  # at the deadline, whoever has answered
ALL_IN = "all-in"  # at the first run after everyone has answered, at the latest at the deadline
ON_ARRIVAL = "on-arrival"  # at once, as soon as everyone has answered, at the latest at the deadline
MODES = (NIGHTLY, ALL_IN, ON_ARRIVAL)
FORM = "write it like `nightly 20:00 Europe/Paris` or `all-in 06:00 UTC think=24h`"


@dataclass(frozen=True, slots=True)
class Schedule:
    """When turns are resolved: `at` on the wall clock of `zone`, never less than `think` hours after the report."""

    resolve: str = NIGHTLY
    at: time = time(20, 0)
    zone: str = "UTC"
    think: int = 6

    def deadline(self, asked: datetime) -> datetime:
        """The first time of day `at` that leaves the players their time to think.

        A time that the wall clock skips (spring) counts as the instant that far after the skip began; a time that
        comes twice (autumn) means the first of the two.
        """
        zone = ZoneInfo(self.zone)
        earliest = asked + timedelta(hours=self.think)
        day = (earliest.astimezone(zone) - timedelta(days=1)).date()
        while True:
            instant = datetime.combine(day, self.at, zone).astimezone(UTC)
            if instant >= earliest:
                return instant
            day += timedelta(days=1)

    def __str__(self) -> str:
        return f"{self.resolve} {self.at:%H:%M} {self.zone} think={self.think}h"

    def to_json(self) -> dict[str, Any]:
        return {"resolve": self.resolve, "at": f"{self.at:%H:%M}", "zone": self.zone, "think": self.think}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Schedule:
        return cls(data["resolve"], time.fromisoformat(data["at"]), data["zone"], data["think"])

    @classmethod
    def read(cls, text: str, base: Schedule | None = None) -> Schedule:
        """A schedule from words in any order; what is not said stays as in `base`."""
        said: dict[str, Any] = {}
        for word in text.split():
            name, value = _word(word)
            if name in said:
                raise Trouble(f"{word!r} says a second time what {said[name]} said already; {FORM}.")
            said[name] = value
        return replace(base or cls(), **said)


def _word(word: str) -> tuple[str, Any]:
    if word.lower() in MODES:
        return "resolve", word.lower()
    if match := re.fullmatch(r"(\d{1,2}):(\d{2})", word):
        hour, minute = int(match[1]), int(match[2])
        if hour < 24 and minute < 60:
            return "at", time(hour, minute)
        raise Trouble(f"{word!r} is not a time of day; {FORM}.")
    if match := re.fullmatch(r"think=(\d{1,4})h?", word.lower()):
        return "think", int(match[1])
    found, near = _zone(word)
    if found is None:
        hint = f"did you mean {near}?" if near else f"{FORM}."
        raise Trouble(f"{word!r} is neither a kind of schedule, nor a time of day, nor a time zone; {hint}")
    return "zone", found


def known_zone(name: str) -> str:
    """The zone's own spelling, or Trouble with the nearest ones."""
    found, near = _zone(name)
    if found is None:
        hint = f"did you mean {near}?" if near else "write it like Europe/Paris or UTC."
        raise Trouble(f"{name!r} is not a time zone; {hint}")
    return found


def _zone(name: str) -> tuple[str | None, str]:
    """The zone's own spelling, or None with the nearest ones."""
    from difflib import get_close_matches

    zones = {zone.lower(): zone for zone in available_timezones()}
    if name.lower() in zones:
        return zones[name.lower()], ""
    return None, " or ".join(zones[close] for close in get_close_matches(name.lower(), zones, 2, 0.6))
