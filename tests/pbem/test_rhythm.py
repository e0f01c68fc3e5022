"""Schedules beyond one time of day: weekdays, rhythms, quiet hours, holidays, interrupts, chains (G16, G17)."""

from datetime import UTC, date, datetime, time, timedelta
from itertools import product
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.deadlines.schedule import Schedule
from pbem.deadlines.wallclock import instant, wakeful
from pbem.errors import Trouble

ZONES = ("Europe/Paris", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca", "Asia/Tehran")
SUMMERY = ZONES[:4]  # Tehran gave up its summer time in 2022: there, nothing may change


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def edges(zone: str, first: int = 2026, last: int = 2030) -> list[datetime]:
    """The instants at which that zone's clocks are put forward or back, found hour by hour."""
    here, moment, end = ZoneInfo(zone), datetime(first, 1, 1, tzinfo=UTC), datetime(last + 1, 1, 1, tzinfo=UTC)
    found = []
    while moment < end:
        later = moment + timedelta(minutes=30)
        if moment.astimezone(here).utcoffset() != later.astimezone(here).utcoffset():
            found.append(later)
        moment = later
    return found


def shown(zone: str, day: date, at: time) -> datetime:
    """A second program for the same law: watch the clock minute by minute, and write down when it first shows that."""
    here = ZoneInfo(zone)
    moment = datetime.combine(day, time(), UTC) - timedelta(hours=15)
    before = moment.astimezone(here).utcoffset()
    for _ in range(60 * 60):
        local = moment.astimezone(here)
        if local.date() == day and local.time() == at:
            return moment
        if local.replace(tzinfo=None) > datetime.combine(day, at):
            assert before is not None
            return (datetime.combine(day, at) - before).replace(tzinfo=UTC)  # skipped: as if nobody had moved the clock
        before, moment = local.utcoffset(), moment + timedelta(minutes=1)
    raise AssertionError("the clock never came to it")


CLOCKS = [
    pytest.param(
        zone, edge.astimezone(ZoneInfo(zone)).date(), time(hour, minute), id=f"{zone}-{edge:%Y%m%d}-{hour}:{minute}"
    )
    for zone in SUMMERY
    for edge in edges(zone)
    for hour, minute in ((0, 30), (1, 45), (2, 0), (2, 30), (3, 0), (20, 0))
]


def test_the_table_is_as_long_as_was_promised() -> None:
    assert len(CLOCKS) >= 200
    assert not edges("Asia/Tehran")


@pytest.mark.parametrize(("zone", "day", "at"), CLOCKS)
def test_every_change_of_clocks_to_2030(zone: str, day: date, at: time) -> None:
    asked = instant(day, time(), zone) - timedelta(hours=6)
    due = Schedule("nightly", at, zone, think=7).deadline(asked)
    candidates = [shown(zone, day + timedelta(days=more), at) for more in (0, 1)]
    assert due == next(moment for moment in candidates if moment >= asked + timedelta(hours=7))


@pytest.mark.parametrize(
    ("words", "asked", "due"),
    [
        ("20:00 UTC days=mon,thu", "2026-11-18 10:00", "2026-11-19 20:00"),  # Wednesday to Thursday
        ("20:00 UTC days=mon,thu", "2026-11-19 14:01", "2026-11-23 20:00"),  # too late on Thursday: Monday
        ("20:00 UTC days=fri-mon", "2026-11-17 10:00", "2026-11-20 20:00"),  # over the end of the week
        ("20:00 UTC days=sun", "2026-11-22 13:59", "2026-11-22 20:00"),
        ("20:00 UTC every=3d since=2026-11-18", "2026-11-18 10:00", "2026-11-18 20:00"),
        ("20:00 UTC every=3d since=2026-11-18", "2026-11-18 20:00", "2026-11-21 20:00"),  # it does not slide
        ("20:00 UTC every=3d since=2026-11-18", "2026-11-19 20:00", "2026-11-21 20:00"),
        ("20:00 UTC every=2d since=2026-11-18 think=2d", "2026-11-18 20:01", "2026-11-22 20:00"),
        ("20:00 UTC holidays=2026-12-24..2026-12-26", "2026-12-23 20:00", "2026-12-27 20:00"),
        ("20:00 UTC holidays=2026-12-24,2026-12-26", "2026-12-23 20:00", "2026-12-25 20:00"),
        (
            "00:30 Europe/Paris think=0 holidays=2027-01-01",
            "2026-12-31 22:00",
            "2027-01-01 23:30",
        ),  # the zone's own day
        ("20:00 UTC days=mon holidays=2026-11-23", "2026-11-18 10:00", "2026-11-30 20:00"),
        ("12:00 UTC days=tue think=0", "2028-02-28 13:00", "2028-02-29 12:00"),  # a leap day that is a Tuesday
        ("20:00 UTC until=12 then 08:00", "2026-11-18 10:00", "2026-11-18 20:00"),
        ("20:00 UTC until=2026-11-17 then 08:00", "2026-11-18 10:00", "2026-11-19 08:00"),
        ("20:00 UTC until=2026-11-18 then 08:00", "2026-11-18 10:00", "2026-11-18 20:00"),  # the last day counts
    ],
)
def test_rhythms(words: str, asked: str, due: str) -> None:
    assert Schedule.read(words).deadline(utc(asked), 3) == utc(due)


def test_a_chain_goes_on_after_its_turn() -> None:
    chained = Schedule.read("nightly 20:00 UTC until=3 then all-in think=48h until=5 then 08:00 days=sat")
    assert [chained.holding(turn, utc("2026-11-18")).resolve for turn in (3, 4, 6)] == ["nightly", "all-in", "all-in"]
    assert chained.deadline(utc("2026-11-18 10:00"), 4) == utc("2026-11-20 20:00")
    assert chained.deadline(utc("2026-11-18 10:00"), 6) == utc("2026-11-21 08:00")


@pytest.mark.parametrize(
    ("words", "asked", "due"),
    [
        ("20:00 UTC", "2026-11-18 10:00", "2026-11-18 20:00"),  # no length of their own: like any decision
        ("20:00 UTC interrupts=5h", "2026-11-18 10:00", "2026-11-18 15:00"),
        ("20:00 UTC interrupts=12h quiet=21:00-08:00", "2026-11-18 10:00", "2026-11-19 08:00"),
        ("20:00 UTC interrupts=10h quiet=21:00-08:00", "2026-11-18 16:00", "2026-11-19 08:00"),  # after midnight
        ("20:00 UTC interrupts=1d holidays=2026-11-19", "2026-11-18 10:00", "2026-11-20 00:00"),
        ("20:00 UTC interrupts=1h quiet=12:00-13:00", "2026-11-18 11:00", "2026-11-18 13:00"),
    ],
)
def test_interrupts_have_a_length_of_their_own(words: str, asked: str, due: str) -> None:
    assert Schedule.read(words).deadline(utc(asked), interrupt=True) == utc(due)


@pytest.mark.parametrize(
    ("words", "answered", "run"),
    [
        ("all-in 20:00 UTC", "2026-11-18 10:00", "2026-11-18 10:00"),
        ("all-in 20:00 UTC mind=30m", "2026-11-18 10:00", "2026-11-18 10:30"),
        ("all-in 20:00 UTC mind=2h quiet=11:00-15:00", "2026-11-18 10:00", "2026-11-18 15:00"),
        ("all-in 20:00 Europe/Paris quiet=22:00-07:00", "2026-11-18 21:30", "2026-11-19 06:00"),
        ("all-in 20:00 Europe/Paris quiet=22:00-07:00 holidays=2026-11-19", "2026-11-18 21:30", "2026-11-20 06:00"),
    ],
)
def test_an_early_run_lets_minds_change_and_sleepers_sleep(words: str, answered: str, run: str) -> None:
    assert Schedule.read(words).early(utc(answered)) == utc(run)


@pytest.mark.parametrize("zone", ZONES)
def test_quiet_hours_end_on_every_night_of_a_changing_clock(zone: str) -> None:
    for edge, hours in product(
        edges(zone, 2026, 2027), ((time(22), time(7)), (time(1), time(2, 30)), (time(2), time(3)))
    ):
        for minutes in range(-600, 600, 7):
            moment = edge + timedelta(minutes=minutes)
            found = wakeful(moment, hours, (), zone)
            assert moment <= found <= moment + timedelta(hours=11)
            at = found.astimezone(ZoneInfo(zone)).time()
            assert not (hours[0] <= at < hours[1] if hours[0] < hours[1] else at >= hours[0] or at < hours[1])


@given(
    st.datetimes(datetime(2026, 1, 1), datetime(2030, 12, 31)),  # noqa: DTZ001
    st.integers(0, 96),
    st.sampled_from(ZONES),
    st.sampled_from(["", "days=mon,fri", "every=3d", "holidays=2027-02-01..2027-03-31", "days=sat every=2d"]),
)
def test_later_asked_is_never_sooner_due(asked: datetime, more: int, zone: str, rhythm: str) -> None:
    schedule = Schedule.read(f"nightly 02:30 {zone} {rhythm}")
    moment = asked.replace(tzinfo=UTC, microsecond=0)
    first, second = schedule.deadline(moment), schedule.deadline(moment + timedelta(hours=more))
    assert moment + timedelta(hours=6) <= first <= second


@pytest.mark.parametrize(
    "words",
    [
        "all-in 06:05 Europe/Rome think=24h",
        "nightly 20:00 UTC think=48h days=mon,wed,fri mind=90m quiet=22:00-07:00",
        "on-arrival 20:00 Europe/Paris think=6h every=3d since=2026-11-18 holidays=2026-12-24..2026-12-26,2027-01-01",
        "nightly 20:00 UTC think=6h interrupts=12h until=9 then all-in 20:00 UTC think=6h days=sat interrupts=12h",
        "all-in 20:00 UTC think=6h until=99 then all-in 08:00 UTC think=6h until=4 then all-in 09:00 UTC think=1h",
        "nightly 20:00 UTC think=6h days=sat mind=5m until=9 then nightly 20:00 UTC think=6h days=mon-sun mind=0m",
        "nightly 20:00 UTC think=6h every=3d until=9 then nightly 20:00 UTC think=6h every=1d",
    ],
)
def test_words_and_json_there_and_back(words: str) -> None:
    schedule = Schedule.read(words)
    assert str(schedule) == words
    assert Schedule.from_json(schedule.to_json()) == Schedule.read(str(schedule)) == schedule


def test_what_is_not_said_stays_as_the_host_has_it() -> None:
    base = Schedule.read("all-in 06:00 Europe/Rome think=24h quiet=22:00-07:00")
    assert Schedule.read("days=mon", base) == Schedule.read(
        "all-in 06:00 Europe/Rome think=24h days=mon quiet=22:00-07:00"
    )
    assert Schedule.read("days=mon-sun", Schedule.read("days=mon")).days == (), "all seven are as good as none named"


def test_a_rhythm_begins_with_the_game() -> None:
    schedule = Schedule.read("20:00 UTC every=3d").anchored(utc("2026-11-18 15:00"))
    assert schedule.since == date(2026, 11, 19)
    dues = [schedule.deadline(utc("2026-11-18 15:00"))]
    dues += [schedule.deadline(dues[-1]) for _ in range(1)]
    assert dues == [utc("2026-11-19 20:00"), utc("2026-11-22 20:00")]


@pytest.mark.parametrize("day", ["mon", "tue", "wed", "thu", "fri", "sat", "sun"])
def test_every_other_week_on_a_day_of_the_week(day: str) -> None:
    """It begins with the first such day, so there is always one; it was refused on all days but Saturday."""
    schedule = Schedule.read(f"20:00 UTC every=14d days={day}").anchored(utc("2026-11-18 15:00"))
    first = schedule.deadline(utc("2026-11-18 15:00"))
    assert f"{first:%a}".lower() == day
    assert first - utc("2026-11-18 15:00") <= timedelta(days=8)
    assert schedule.deadline(first) == first + timedelta(days=14)


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        ("days=mon,xyz", "mon,wed,fri"),
        ("every=0d", "3d"),
        ("every=7d since=2026-11-18 days=thu", "no day"),  # the 18th is a Wednesday, and so is every seventh day
        ("quiet=22:00", "time of day"),
        ("quiet=22:00-22:00", "whole day"),
        ("holidays=2026-12-26..2026-12-24", "ends before"),
        ("holidays=soon", "2026-12-24"),
        ("interrupts=0h", "12h"),
        ("until=4", "then"),
        ("20:00 then 08:00", "until"),
        ("days=mon days=tue", "second time"),
        ("often=3", "known are think"),
        ("nightly then then nightly", "until"),
    ],
)
def test_what_cannot_be_read_says_what_could(words: str, hint: str) -> None:
    with pytest.raises(Trouble, match=hint):
        Schedule.read(words)
