"""A deadline that was announced is an instant: nothing that happens afterwards makes it earlier (G17)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, time, timedelta
from random import Random

import pytest

from pbem.deadlines import wallclock
from pbem.rulings.ruling import extended, paused, rescheduled, resumed
from tests.pbem.correspondence.conftest import Post, make_post
from tests.pbem.host.conftest import DAY, DEADLINE, NOON, Host, make_host

__all__ = ["make_host", "make_post"]
HOUR = timedelta(hours=1)


@pytest.mark.parametrize("hours", [-2, -1, 1, 2])
def test_a_zone_that_changes_its_rules_moves_no_deadline(host: Host, monkeypatch, hours: int) -> None:
    """A parliament decides on summer time while a decision is open: what was announced stays, what comes is new."""
    host.start("nim", heaps="13,14,15", schedule="nightly 21:00 Europe/Paris")
    assert host.row().deadline_at == DEADLINE
    real = wallclock.instant

    def ruled(day, at: time, zone: str) -> datetime:
        return real(day, at, zone) + hours * HOUR

    monkeypatch.setattr("pbem.deadlines.schedule.instant", ruled)
    assert host.row().deadline_at == DEADLINE
    assert host.order("1", "b3", at=DEADLINE - timedelta(seconds=1)).fate == "accepted"
    host.night(DEADLINE)
    assert host.row().turn == 2
    assert host.row().deadline_at == DEADLINE + DAY + hours * HOUR


def something(post: Post, source: Random, now: datetime) -> None:
    """One of all that moves deadlines, or tries to."""
    row = post.host.row()
    seat = source.choice(("1", "2"))
    last = (now + timedelta(days=source.randrange(0, 9))).date()
    act = source.randrange(9)
    if act < 3:
        post.write(f"absent {last} {source.choice(('wait', 'wait', 'stand-in', 'standing'))}", seat=seat, at=now)
    elif act == 3:
        post.write("absent no", seat=seat, at=now)
    elif act == 4:
        post.write(post.host.file(seat, source.choice(("a1", "b1", "c1"))), seat=seat, at=now)
    elif act == 5 and row.deadline_at is not None and row.deadline_at > now:
        with post.host.ledger.write() as tx:
            extended(tx, post.host.config, "game", now, "more time", by=source.randrange(1, 40) * HOUR)
    elif act == 6:
        with post.host.ledger.write() as tx:
            rescheduled(tx, post.host.config, "game", source.choice(SCHEDULES), now, "another rhythm")
    elif act == 7:
        with post.host.ledger.write() as tx:
            paused(tx, post.host.config, "game", now, "a storm")
            resumed(tx, post.host.config, "game", now, "it is over")
    else:
        post.write("withdraw", seat=seat, at=now)


SCHEDULES = ("nightly 20:00 think=2h", "all-in 09:00 think=40h", "nightly 06:00 Europe/Paris days=mon,thu")


def earlier(post: Post, seed: int, steps: int) -> list[str]:
    """The decisions whose deadline was earlier after something had happened than before."""
    source, now, announced, found = Random(seed), NOON, {}, []
    for _ in range(steps):
        now += timedelta(minutes=source.randrange(10, 1500))
        something(post, source, now)
        post.host.night(now + timedelta(minutes=5))
        row = post.host.row()
        if row.status != "open":
            break
        assert row.deadline_at is not None
        before = announced.setdefault(row.turn, row.deadline_at)
        announced[row.turn] = row.deadline_at
        if row.deadline_at < before:
            found.append(f"turn {row.turn}: {before} became {row.deadline_at}")
    return found


@pytest.mark.parametrize("seed", range(6))
def test_no_deadline_is_ever_earlier(make_post: Callable[..., Post], seed: int) -> None:
    post = make_post()
    silence = ("default", "hold=30h", "away=9d drop=3", "stand-in=random hold=1d")[seed % 4]
    post.host.start("nim", heaps="18,19,20", silence=silence)
    assert earlier(post, seed, 25) == []


def test_weakened_a_deadline_that_follows_the_absence_goes_back(make_post, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen red: the deadline reckoned anew from what is said now, instead of the later of both."""
    from pbem.attending import absences

    def anew(sheet, standing, seats):
        from dataclasses import replace

        back = [sheet.schedule.deadline(standing.away[seat].last, standing.turn) for seat in seats]
        return replace(standing, deadline=min(back))

    monkeypatch.setattr(absences, "waited_for", anew)
    post = make_post()
    post.host.start("nim", heaps="18,19,20")
    found = [earlier(post, 1, 25)]
    for seed in range(2, 5):
        other = make_post(f"host-{seed}")
        other.host.start("nim", heaps="18,19,20")
        found.append(earlier(other, seed, 25))
    assert any(found)
