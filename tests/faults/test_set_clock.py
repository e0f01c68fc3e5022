"""G17 end to end: a host's commands run as processes under libfaketime, whose clock is set as nobody should set it.

A machine has two clocks. The one on the wall may be set, and libfaketime sets it; the one that counts since the machine
was started cannot be, and a time namespace of the kernel lets it go on (`unshare --time`). So a night a day later is
one for which both went on, and a clock that was set is one for which the wall's alone did.

What libfaketime 0.9.10 does besides, which looked like faults of ours:

- It sets the clocks that count, too, and to the very date. Then no clock was ever set, as both always agree; and a wait
  with an end (`threading.Event.wait`, a lock's) lasts for years, as glibc's waits by such a clock (`sem_clockwait`) are
  let through with a time that lies so far ahead. So FAKETIME_DONT_FAKE_MONOTONIC is set here.
- With that, `time.sleep` raises OSError 22: since 3.11 Python sleeps up to a time by the counting clock
  (`clock_nanosleep`, TIMER_ABSTIME), and libfaketime takes the wall's distance off it, which leaves a time below zero.
  Commands sleep where they wait for another run or for a server only; so none does here.
- Change times of files are true ones: it knows `__xstat`, which no program calls that was built with glibc 2.33 or
  later (`stat` and `fstat` in 64 bits), and NO_FAKE_STAT changes nothing. A file in the inbox would have come at the
  time of the test, so orders are brought by `pbem submit`, which asks the clock.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from pbem.attending.attendance import Attendance
from pbem.game.hosting import game_named
from pbem.ledger import Ledger, journal
from pbem.ledger.games import GameRow
from tests.faults.figures import counted

HOUR, MINUTE, SECOND, DAY = timedelta(hours=1), timedelta(minutes=1), timedelta(seconds=1), timedelta(days=1)
FOUNDED = datetime(2027, 1, 1, 12, tzinfo=UTC)
PBEM = "from pbem.cli import main; main()"
BELIEVED = f"from datetime import timedelta; from pbem.brakes.heartbeat import Beat; \
Beat.jumped = lambda *_: timedelta(); {PBEM}"  # a build that believes whatever the clock says


@cache
def why_not() -> str:
    """What keeps these tests from running here; empty where nothing does."""
    for program in ("faketime", "unshare"):
        if shutil.which(program) is None:
            return f"{program} is not installed here"
    known = [sys.executable, "-c", "import time; print(int(time.time()))"]
    done = subprocess.run(_under(FOUNDED, DAY, known), env=_environment(), capture_output=True, text=True, check=False)
    return "" if done.stdout.startswith(str(int(FOUNDED.timestamp()))[:-1]) else f"no set clock: {done.stderr.strip()}"


def _under(wall: datetime, gone: timedelta, command: list[str]) -> list[str]:
    """The command under that clock on the wall, so long after the tests began by the one that counts."""
    seconds = str(int(gone.total_seconds()))
    later = ["unshare", "--time", "--monotonic", seconds, "--boottime", seconds]
    return [*later, "faketime", f"{wall:%F %T} UTC", *command]


def _environment() -> dict[str, str]:
    return {**os.environ, "FAKETIME_DONT_FAKE_MONOTONIC": "1", "TZ": "UTC"}


@pytest.fixture(autouse=True)
def _clock_can_be_set() -> None:
    if why_not():
        pytest.skip(why_not())


class Story:
    """A host in a folder, and the two clocks of its machine."""

    def __init__(self, folder: Path, now: datetime, program: str = PBEM) -> None:
        self.folder, self.program = folder, program
        self.begun, self.now, self.wrong = now, now, timedelta()

    def pbem(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """A command now, as the clock on the wall has it."""
        under = _under(self.now + self.wrong, DAY + self.now - self.begun, [sys.executable, "-c", self.program])
        whole, where = [*under, *arguments], self.folder
        return subprocess.run(whole, cwd=where, env=_environment(), capture_output=True, text=True, check=False)

    def done(self, *arguments: str) -> str:
        done = self.pbem(*arguments)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def game(self, schedule: str) -> None:
        self.done("new", "nim", "--name", "game", "--seat", "1=ann", "--seat", "2=bea", "--schedule", schedule)

    def night(self, at: datetime) -> Night:
        """The night at what is that time in truth."""
        self.now = at
        told = json.loads(self.pbem("nightly", "--json", "--jobs", "1").stdout)
        return Night(told["turns"], told["held"], told["moved"])

    def order(self, at: datetime) -> None:
        """The seat that is asked takes one object."""
        self.now, row = at, self.row()
        self.done("deliver")
        (form,) = self.folder.glob(f"outbox/game/{row.pending[0]}/turn-{row.turn:04}-report-orders.yml")
        self.done("submit", str(form))

    @property
    def deadline(self) -> datetime | None:
        return self.row().deadline_at

    def announced(self) -> set[str]:
        """The deadlines that the reports of the turn in hand name; those of an earlier text of it are overwritten."""
        reports = self.folder.glob(f"outbox/game/*/turn-{self.row().turn:04}-report.json")
        return {json.loads(report.read_text())["deadline"] for report in reports}

    def row(self) -> GameRow:
        with self._ledger() as ledger, ledger.read() as tx:
            return game_named(tx, "game")

    def silent(self) -> int:
        """How many turns the seats have been silent in."""
        row = self.row()
        attendance = Attendance.from_json(row.attendance)
        return sum(attendance.of(seat).silent for seat in row.seats)

    def times(self) -> dict[str, list[datetime]]:
        """Of each history, as its rows follow each other."""
        found: dict[str, list[datetime]] = defaultdict(list)
        with self._ledger() as ledger, ledger.read() as tx:
            for row in journal.rows(tx):
                found[row.chain].append(row.at)
        return found

    def host_was_told(self) -> list[str]:
        """The subjects of the mails to the host."""
        mails = [mail.read_text() for mail in self.folder.glob("outbox/mail/*.eml")]
        subjects = [mail.partition("Subject: ")[2].partition("\n")[0] for mail in mails if "To: host@" in mail]
        return sorted(subject for subject in subjects if "held" in subject)

    @contextmanager
    def _ledger(self) -> Iterator[Ledger]:
        ledger = Ledger.open(self.folder / "ledger.db")
        try:
            yield ledger
        finally:
            ledger.close()


class Night(NamedTuple):
    """What a night came to: turns resolved, what holds and why, games whose deadline was moved."""

    turns: int
    held: list[str]
    moved: list[str]


Begin = Callable[..., Story]


@pytest.fixture(scope="module")
def founded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A host with two players and a referee, founded long before all stories."""
    if why_not():
        pytest.skip(why_not())
    folder = tmp_path_factory.mktemp("founded")
    story = Story(folder, FOUNDED)
    story.done("init", ".")
    settings = folder / "pbem.toml"
    settings.write_text(settings.read_text().replace("[host]\n", '[host]\nreferee = "host@pbem.example"\n', 1))
    for name in ("ann", "bea"):
        story.done("player", "add", name, f"{name}@players.example")
    return folder


@pytest.fixture
def begin(founded: Path, tmp_path: Path) -> Iterator[Begin]:
    """Stories, each with the founded host in a folder of its own; none has times that go down."""
    told: list[Story] = []

    def of(now: datetime, schedule: str, program: str = PBEM) -> Story:
        folder = tmp_path / f"host-{len(told)}"
        shutil.copytree(founded, folder)
        story = Story(folder, now, program)
        story.game(schedule)
        told.append(story)
        return story

    yield of
    for story in told:
        for times in story.times().values():
            assert times == sorted(times)


def utc(*when: int) -> datetime:
    return datetime(*when, tzinfo=UTC)  # type: ignore[misc,arg-type]


@pytest.mark.xdist_group("set clock")
@pytest.mark.parametrize(
    ("begun", "schedule", "deadlines"),
    [
        # 02:30 is left out on the 28th of March, and comes twice on the 31st of October.
        (utc(2027, 3, 27, 12), "nightly 02:30 Europe/Paris", (utc(2027, 3, 28, 1, 30), utc(2027, 3, 29, 0, 30))),
        (utc(2027, 10, 30, 12), "nightly 02:30 Europe/Paris", (utc(2027, 10, 31, 0, 30), utc(2027, 11, 1, 1, 30))),
        (utc(2028, 2, 29, 9), "nightly 20:00 America/New_York", (utc(2028, 3, 1, 1), utc(2028, 3, 2, 1))),
        (utc(2027, 12, 31, 9), "nightly 00:00 Asia/Kathmandu", (utc(2027, 12, 31, 18, 15), utc(2028, 1, 1, 18, 15))),
    ],
    ids=["hour left out", "hour twice", "leap day", "year end"],
)
def test_g17_nights_at_the_announced_instants(
    begin: Begin, begun: datetime, schedule: str, deadlines: tuple[datetime, datetime]
) -> None:
    story = begin(begun, schedule)
    for deadline in deadlines:
        assert story.deadline == deadline
        assert story.night(deadline - MINUTE) == (0, [], [])
        assert story.announced() == {f"{deadline:%FT%TZ}"}
        assert story.night(deadline + 5 * SECOND) == (1, [], [])
        counted(2, "nights of processes under libfaketime")
    assert story.silent() == 2


EVENING = utc(2027, 10, 30, 18)  # eight in Paris, on the last evening before the clocks are changed


def to_the_first_turn(begin: Begin, program: str = PBEM) -> Story:
    """A story in which a turn was played in time, so that the host knows both of its clocks."""
    story = begin(EVENING - 9 * HOUR, "nightly 20:00 Europe/Paris", program)
    story.order(EVENING - HOUR)
    assert story.night(EVENING + 5 * SECOND) == (1, [], [])
    return story


@pytest.mark.xdist_group("set clock")
def test_g17_a_clock_that_was_set_plays_nothing_and_asks_the_host(begin: Begin) -> None:
    story = to_the_first_turn(begin)
    deadline = EVENING + DAY + HOUR  # an hour more than a day later, as Paris changes its clocks
    assert story.deadline == deadline

    story.wrong = timedelta(hours=3, minutes=30)  # set forward: by the wall the deadline has passed
    turns, (held,), moved = story.night(deadline - 2 * HOUR + 5 * SECOND)
    assert (turns, moved) == (0, [])
    assert "it was set forward by 3 h" in held
    assert "pbem referee release clock" in held

    story.wrong = timedelta()
    assert story.night(deadline - 2 * HOUR + MINUTE) == (0, [], [])

    story.wrong = timedelta(hours=-5)
    turns, (held,), moved = story.night(deadline - HOUR)
    assert (turns, moved) == (0, [])
    assert "and the ledger was written to at" in held

    story.wrong = timedelta(hours=-1)  # less than what holds; and by the wall the deadline has not come
    assert story.night(deadline + MINUTE) == (0, [], [])
    assert story.deadline == deadline
    assert story.announced() == {f"{deadline:%FT%TZ}"}
    assert story.silent() == 0

    story.wrong = timedelta()
    assert story.night(deadline + 2 * MINUTE) == (1, [], [])
    assert story.silent() == 1
    assert story.host_was_told() == ["[pbem] held: clock"] * 2
    counted(7, "nights of processes under libfaketime")


@pytest.mark.xdist_group("set clock")
def test_g17_time_that_went_by_is_no_clock_that_was_set(begin: Begin) -> None:
    """An outage of three days: both clocks went on, so nothing asks the host, and the deadline is moved for all."""
    story = to_the_first_turn(begin)
    assert story.night(EVENING + 3 * DAY) == (0, [], ["game"])
    assert story.deadline == EVENING + 4 * DAY + HOUR
    assert story.silent() == 0
    turns, (held,), _ = story.night(EVENING + 20 * DAY)
    assert turns == 0
    assert "nothing has run here since" in held
    assert story.silent() == 0
    counted(3, "nights of processes under libfaketime")


@pytest.mark.xdist_group("set clock")
def test_g17_weakened_a_clock_that_is_believed_ends_a_turn_before_its_deadline(begin: Begin) -> None:
    """Seen red: without the comparison of the two clocks the seat loses its turn two hours early."""
    story = to_the_first_turn(begin, BELIEVED)
    story.wrong = timedelta(hours=3)
    assert story.night(EVENING + DAY - HOUR + 5 * SECOND).turns == 1
    assert story.silent() == 1
