"""G17 and G18, weakened: deadlines reckoned by hours, and nights made up for, are found by the same questions."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from pbem.attending.attendance import Attendance
from pbem.brakes import heartbeat
from pbem.deadlines import schedule
from pbem.deadlines.schedule import Schedule
from tests.faults.figures import told
from tests.pbem.host.conftest import DAY, DEADLINE, NOON, Host, make_host

__all__ = ["make_host"]
ZONES = ("Europe/Paris", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca", "Asia/Kathmandu")
DAYS = 4 * 366  # from the autumn of 2026 over all changes of clocks to 2030, and the 29th of February 2028


def strays(zone: str) -> list[datetime]:
    """The deadlines of a game that asks every night at eight, of those to 2030, that are not at eight on its clock."""
    rhythm, asked, found = Schedule.read(f"nightly 20:00 {zone}"), NOON, []
    for _ in range(DAYS):
        asked = rhythm.deadline(asked)
        if asked.astimezone(ZoneInfo(zone)).strftime("%H:%M") != "20:00":
            found.append(asked)
    return found


def test_g17_eight_in_the_evening_is_eight_on_every_day() -> None:
    assert {zone: strays(zone) for zone in ZONES} == {zone: [] for zone in ZONES}
    told(f"{DAYS} deadlines in each of {len(ZONES)} zones")


def test_g17_weakened_deadlines_of_24_hours_move_with_the_clocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen red: the next evening taken for 24 hours later."""
    real = Schedule.deadline

    def by_hours(self: Schedule, asked: datetime, turn: int = 0, **more: Any) -> datetime:
        return real(self, asked, turn, **more) if asked == NOON else asked + timedelta(hours=24)

    monkeypatch.setattr(schedule.Schedule, "deadline", by_hours)
    assert len(strays("Europe/Paris")) > 100
    assert strays("Asia/Kathmandu") == []  # where clocks are never changed nobody would have noticed


def lost_turns(host: Host, nights: int) -> int:
    """How many more turns than one a silent seat has lost when the host comes back after so many nights."""
    host.start("nim", heaps="3,4,5")
    before = host.row().turn
    summary = host.night(DEADLINE + nights * DAY)
    while host.row().status == "open" and (due := host.row().deadline_at) and due <= DEADLINE + nights * DAY:
        summary = host.night(DEADLINE + nights * DAY)
    assert summary.turns >= 0
    return host.row().turn - before - 1


@pytest.fixture
def unnoticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A host that does not notice that it was off, whose schedule is all that is left between seats and their loss."""
    monkeypatch.setattr(heartbeat, "recall", lambda config, at_work: None)


@pytest.mark.usefixtures("unnoticed")
@pytest.mark.parametrize("nights", [1, 3, 30])
def test_g18_nobody_loses_a_turn_because_the_host_was_off(make_host: Callable[..., Host], nights: int) -> None:
    lost = lost_turns(make_host(), nights)
    assert lost == 0
    told(f"{nights} nights off that nobody noticed: {lost} turns lost")


@pytest.mark.parametrize(("nights", "held"), [(3, False), (30, True)])
def test_g18_a_host_that_has_never_run_was_off_since_its_first_game(
    make_host: Callable[..., Host], nights: int, held: bool
) -> None:
    host = make_host()
    host.start("nim", heaps="3,4,5")
    summary = host.night(DEADLINE + nights * DAY)
    assert (summary.turns, bool(summary.held), summary.moved) == (0, held, [] if held else ["game"])
    assert host.row().turn == 1
    assert Attendance.from_json(host.row().attendance).of("1").silent == 0


@pytest.mark.usefixtures("unnoticed")
def test_g18_weakened_nights_that_are_made_up_for_cost_turns(
    make_host: Callable[..., Host], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seen red: the next deadline counted from the last one and not from the night that was held."""
    real = Schedule.deadline

    def from_the_last(self: Schedule, asked: datetime, turn: int = 0, **more: Any) -> datetime:
        return real(self, min(asked, DEADLINE + timedelta(days=turn - 1, minutes=1)), turn, **more)

    monkeypatch.setattr(schedule.Schedule, "deadline", from_the_last)
    assert lost_turns(make_host(), 3) > 0
