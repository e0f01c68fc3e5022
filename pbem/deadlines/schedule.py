"""The schedule of a game: when its turns fall due, as instants in UTC made from a wall clock in a named zone."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import date, datetime, time, timedelta
from typing import Any

from pbem.deadlines.wallclock import Days, Hours, day_of, find_zone, instant, is_free, wakeful
from pbem.errors import Trouble

NIGHTLY = "nightly"  # at the deadline, whoever has answered
ALL_IN = "all-in"  # at the first run after everyone has answered, at the latest at the deadline
ON_ARRIVAL = "on-arrival"  # at once, as soon as everyone has answered, at the latest at the deadline
MODES = (NIGHTLY, ALL_IN, ON_ARRIVAL)
WEEK = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
GRID = date(2000, 1, 1)  # from where `every=` counts its days, unless the schedule names a day
FAR = 3700  # days in which a deadline must be found: ten years, and a leap day or two
FORM = "write it like `nightly 20:00 Europe/Paris` or `all-in 06:00 UTC think=24h days=mon-fri`"


@dataclass(frozen=True, slots=True)
class Schedule:
    """When turns are resolved: `at` on the wall clock of `zone`, never less than `think` hours after the report.

    After `until` (a turn, or a day) the schedule `then` holds in its place.
    """

    resolve: str = NIGHTLY
    at: time = time(20, 0)
    zone: str = "UTC"
    think: int = 6
    days: tuple[int, ...] = ()  # of the week, Monday is 0; none named means all
    every: int = 1  # only each so many-th day, counted from `since`
    since: date | None = None
    mind: int = 0  # minutes in which the last to answer may still change his mind, before an early run
    quiet: Hours | None = None  # no early run, and no interrupt's deadline, falls into these
    holidays: tuple[Days, ...] = ()
    interrupts: int | None = None  # hours that an interrupt's answer has, instead of the next deadline
    until: int | date | None = None
    then: Schedule | None = field(default=None)

    def deadline(self, asked: datetime, turn: int = 0, *, interrupt: bool = False) -> datetime:
        """When silence counts for a decision that was asked for at that moment."""
        rule = self.holding(turn, asked)
        if interrupt and rule.interrupts is not None:
            return rule.wakeful(asked + timedelta(hours=rule.interrupts))
        return rule._next(asked + timedelta(hours=rule.think))

    def early(self, answered: datetime, turn: int = 0) -> datetime:
        """When a run that waits for no deadline may come, once everyone has answered."""
        rule = self.holding(turn, answered)
        return rule.wakeful(answered + timedelta(minutes=rule.mind))

    def holding(self, turn: int, moment: datetime) -> Schedule:
        """The link of the chain that holds for this turn at this moment."""
        rule = self
        while rule.then is not None and rule._has_ended(turn, moment):
            rule = rule.then
        return rule

    def wakeful(self, moment: datetime) -> datetime:
        """That moment, or the first after it that is neither quiet nor a holiday."""
        return wakeful(moment, self.quiet, self.holidays, self.zone)

    def anchored(self, now: datetime) -> Schedule:
        """The same, where `every=` counts from the day of the next deadline rather than from long ago."""
        then = None if self.then is None else self.then.anchored(now)
        if self.every == 1 or self.since is not None:
            return replace(self, then=then)
        first = replace(self, every=1)._next(now + timedelta(hours=self.think))
        return replace(self, since=day_of(first, self.zone), then=then)

    def _has_ended(self, turn: int, moment: datetime) -> bool:
        if isinstance(self.until, int):
            return turn > self.until
        return self.until is not None and day_of(moment, self.zone) > self.until

    def _next(self, earliest: datetime) -> datetime:
        """The first `at` from that moment on, on a day on which turns fall due."""
        day = day_of(earliest, self.zone) - timedelta(days=1)
        for _ in range(FAR):
            if self._is_a_day(day) and (found := instant(day, self.at, self.zone)) >= earliest:
                return found
            day += timedelta(days=1)
        raise Trouble(f"The schedule {self} has no day on which a turn could fall due.")

    def _is_a_day(self, day: date) -> bool:
        on_grid = (day - (self.since or GRID)).days % self.every == 0
        return on_grid and (not self.days or day.weekday() in self.days) and not is_free(day, self.holidays)

    # --- in words and in JSON -----------------------------------------------------------------------------------------

    def __str__(self) -> str:
        return self._words(PLAIN)

    def _words(self, before: Schedule) -> str:
        """What `read` makes the same of again, after that link: what is not said of a next one stays as it was."""
        said = [self.resolve, f"{self.at:%H:%M}", self.zone, f"think={self.think}h"]
        for name, (_, write) in KEYS.items():
            if self._says(name) or (name in ENDING and before._says(name)):
                said.append(f"{name}={write(getattr(self, name))}")
        return " ".join(said) + (f" then {self.then._words(self)}" if self.then else "")

    def _says(self, name: str) -> bool:
        return name not in ALWAYS and getattr(self, name) != getattr(PLAIN, name)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON; what is not said is left out."""
        data = {"resolve": self.resolve, "at": f"{self.at:%H:%M}", "zone": self.zone, "think": self.think}
        data |= {name: write(getattr(self, name)) for name, (_, write) in KEYS.items() if self._says(name)}
        return data if self.then is None else data | {"then": self.then.to_json()}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Schedule:
        said = {name: KEYS[name][0](text) for name, text in data.items() if name in KEYS and name not in ALWAYS}
        then = cls.from_json(data["then"]) if "then" in data else None
        return cls(data["resolve"], time.fromisoformat(data["at"]), data["zone"], data["think"], **said, then=then)

    @classmethod
    def read(cls, text: str, base: Schedule | None = None) -> Schedule:
        """A schedule from words in any order; what is not said stays as in `base`. `then` begins the next link."""
        links = [words.split() for words in re.split(r"(?:^|\s)then(?=\s|$)", text)]
        read = [base or cls()]
        for words in links:
            read.append(_link(words, replace(read[-1], until=None, then=None) if len(read) > 1 else read[-1]))
        chained = read[-1]
        for link in reversed(read[1:-1]):
            if link.until is None:
                raise Trouble(f"Say until when the schedule {link} holds, with until=TURN or until=DAY before `then`.")
            chained = replace(link, then=chained)
        if chained.until is not None and chained.then is None:
            raise Trouble("A schedule that ends with until= needs another one after it: ... until=12 then think=48h")
        return chained


def _link(words: list[str], base: Schedule) -> Schedule:
    said: dict[str, Any] = {}
    by: dict[str, str] = {}
    for word in words:
        name, value = _word(word)
        if name in said:
            raise Trouble(f"{word!r} says a second time what {by[name]} said already; {FORM}.")
        said[name], by[name] = value, word
    link = replace(base, **said)
    start = instant(date(2026, 1, 1), time(), "UTC")
    link.anchored(start)._next(start)  # raises Trouble where no day fits
    return link


def _word(word: str) -> tuple[str, Any]:
    if word.lower() in MODES:
        return "resolve", word.lower()
    if re.fullmatch(r"\d{1,2}:\d{2}", word):
        return "at", _time(word)
    name, equals, value = word.partition("=")
    if equals:
        if name.lower() not in KEYS:
            raise Trouble(f"{name!r} is nothing that a schedule says; known are {', '.join(KEYS)}.")
        return name.lower(), KEYS[name.lower()][0](value)
    found, near = find_zone(word)
    if found is None:
        hint = f"did you mean {near}?" if near else f"{FORM}."
        raise Trouble(f"{word!r} is neither a kind of schedule, nor a time of day, nor a time zone; {hint}")
    return "zone", found


# --- the values behind the equals signs -------------------------------------------------------------------------------


def _time(text: str) -> time:
    found = re.fullmatch(r"(\d{1,2}):(\d{2})", text)
    if found is None or int(found[1]) > 23 or int(found[2]) > 59:
        raise Trouble(f"{text!r} is not a time of day; {FORM}.")
    return time(int(found[1]), int(found[2]))


def _span(units: Mapping[str, int], least: int, example: str) -> Callable[[str], int]:
    """Reads a length of time, such as 24h or 2d, in the smallest of these units; a bare number is in those, too."""

    def read(text: str) -> int:
        found = re.fullmatch(rf"(\d{{1,5}})([{''.join(units)}]?)", text.strip().lower())
        if found is None or int(found[1]) * units.get(found[2], 1) < least:
            raise Trouble(f"{text!r} is not a length of time that fits here; write it like {example}.")
        return int(found[1]) * units.get(found[2], 1)

    return read


def _days(text: str) -> tuple[int, ...]:
    """Days of the week such as mon,wed or mon-fri; all seven are as good as none named."""
    found: set[int] = set()
    for part in text.lower().split(","):
        first, _, last = part.partition("-")
        if first not in WEEK or (last or first) not in WEEK:
            raise Trouble(f"{part!r} names no days of the week; write them like mon,wed,fri or mon-fri.")
        day, end = WEEK.index(first), WEEK.index(last or first)
        found |= {(day + step) % 7 for step in range((end - day) % 7 + 1)}
    return tuple(sorted(found)) if len(found) < 7 else ()


def _quiet(text: str) -> Hours:
    first, dash, last = text.partition("-")
    hours = _time(first), _time(last if dash else "")
    if hours[0] == hours[1]:
        raise Trouble("Quiet hours from a time to the same time would be the whole day; write them like 22:00-07:00.")
    return hours


def _holidays(text: str) -> tuple[Days, ...]:
    """Days such as 2026-12-24..2026-12-26,2027-01-01, in the order of the calendar."""
    found = []
    for part in text.split(","):
        first, dots, last = part.partition("..")
        days = _date(first), _date(last if dots else first)
        if not timedelta() <= days[1] - days[0] <= timedelta(days=366):
            raise Trouble(f"{part!r} is no stretch of days: it ends before it begins, or lasts more than a year.")
        found.append(days)
    return tuple(sorted(found))


def _date(text: str) -> date:
    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        raise Trouble(f"{text!r} is not a day; write it like 2026-12-24.") from None


def _until(text: str) -> int | date:
    return int(text) if re.fullmatch(r"\d{1,6}", text) else _date(text)


def _write_hours(hours: Hours) -> str:
    return f"{hours[0]:%H:%M}-{hours[1]:%H:%M}"


def _write_holidays(free: tuple[Days, ...]) -> str:
    return ",".join(str(first) if first == last else f"{first}..{last}" for first, last in free)


# How each key is read and written. Those of ALWAYS stand in every schedule, in forms of their own.
KEYS: Mapping[str, tuple[Callable[[str], Any], Callable[[Any], str]]] = {
    "think": (_span({"h": 1, "d": 24}, 0, "24h or 2d"), lambda hours: f"{hours}h"),
    "days": (_days, lambda days: ",".join(WEEK[day] for day in days) or f"{WEEK[0]}-{WEEK[-1]}"),
    "every": (_span({"d": 1}, 1, "3d"), lambda days: f"{days}d"),
    "since": (_date, str),
    "mind": (_span({"m": 1, "h": 60}, 0, "30m or 2h"), lambda minutes: f"{minutes}m"),
    "quiet": (_quiet, _write_hours),
    "holidays": (_holidays, _write_holidays),
    "interrupts": (_span({"h": 1, "d": 24}, 1, "12h"), lambda hours: f"{hours}h"),
    "until": (_until, str),
}
ALWAYS = frozenset({"think"})
ENDING = ("days", "every", "mind")  # those by which a next link can say that something holds no more
PLAIN = Schedule()
assert set(KEYS) | {"resolve", "at", "zone", "then"} == {one.name for one in fields(Schedule)}
