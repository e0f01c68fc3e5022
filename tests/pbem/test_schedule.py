"""Deadlines: the wall clock of a named zone, through every kind of night (G16, G17)."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.deadlines.schedule import Schedule
from pbem.errors import Trouble


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("words", "asked", "due"),
    [
        ("nightly 20:00 UTC think=6h", "2026-11-18 10:00", "2026-11-18 20:00"),
        ("nightly 20:00 UTC think=6h", "2026-11-18 14:00", "2026-11-18 20:00"),  # exactly six hours are enough
        ("nightly 20:00 UTC think=6h", "2026-11-18 14:01", "2026-11-19 20:00"),
        ("nightly 20:00 Europe/Paris think=0", "2026-11-18 10:00", "2026-11-18 19:00"),  # winter: UTC+1
        ("nightly 20:00 Europe/Paris think=0", "2026-07-18 10:00", "2026-07-18 18:00"),  # summer: UTC+2
        ("nightly 02:30 Europe/Paris think=0", "2026-03-28 12:00", "2026-03-29 01:30"),  # 02:30 is skipped: 03:30
        ("nightly 02:30 Europe/Paris think=0", "2026-10-24 12:00", "2026-10-25 00:30"),  # comes twice: the first
        ("nightly 00:10 America/New_York think=0", "2026-12-31 20:00", "2027-01-01 05:10"),  # over the year's end
        ("nightly 12:00 Asia/Kathmandu think=0", "2028-02-28 12:00", "2028-02-29 06:15"),  # a leap day, UTC+5:45
        ("nightly 23:30 Pacific/Kiritimati think=0", "2026-11-18 10:00", "2026-11-19 09:30"),  # UTC+14
    ],
)
def test_deadline(words: str, asked: str, due: str) -> None:
    assert Schedule.read(words).deadline(utc(asked)) == utc(due)


@given(
    asked=st.datetimes(datetime(2026, 1, 1), datetime(2030, 12, 31)),  # noqa: DTZ001
    at=st.times(),
    zone=st.sampled_from(["UTC", "Europe/Paris", "America/New_York", "Australia/Lord_Howe", "Asia/Tehran"]),
    think=st.integers(0, 72),
)
def test_a_deadline_leaves_time_to_think_and_no_more_than_a_day_besides(
    asked: datetime, at: time, zone: str, think: int
) -> None:
    instant = asked.replace(tzinfo=UTC, microsecond=0)
    schedule = Schedule("nightly", at.replace(second=0, microsecond=0), zone, think)
    due = schedule.deadline(instant)
    assert timedelta(hours=think) <= due - instant <= timedelta(hours=think + 25)  # 25: an autumn night
    local = due.astimezone(ZoneInfo(zone))
    exists = local.replace(tzinfo=None) - datetime.combine(local.date(), schedule.at)
    assert exists in (timedelta(0), timedelta(hours=1), timedelta(minutes=30)), "only a skipped time may move"


def test_a_schedule_goes_to_words_and_json_and_back() -> None:
    schedule = Schedule.read("all-in 06:05 europe/rome think=24h")
    assert Schedule.read(str(schedule)) == Schedule.from_json(schedule.to_json()) == schedule
    assert schedule.zone == "Europe/Rome"


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        ("nightly 25:00", "time of day"),
        ("daily", "nightly"),
        ("Europe/Pariss", "Europe/Paris"),
        ("think=x", "24h or 2d"),
    ],
)
def test_what_cannot_be_read_is_answered_with_what_could(words: str, hint: str) -> None:
    with pytest.raises(Trouble, match=hint):
        Schedule.read(words)
