"""G12: eight nights at once. One resolves, the others say so; whoever dies at work blocks nobody (G12).

Some races in every run; `PBEM_LONG=1` runs five hundred, half of them with the winner killed at a named point.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pbem import faults, nightly
from pbem.errors import BUSY, Busy
from pbem.ledger import journal
from pbem.ledger.dump import canonical_dump
from tests.faults import a_host
from tests.faults.figures import so_many, told
from tests.faults.forking import forked
from tests.faults.line_killer import memory_folder

RACES = so_many(24, 500)
RUNNERS = 8
RESOLVED, IDLE, FAULT = 10, 11, 99
# Points that only the run passes that holds the lock; where it dies the others may still be waiting for it, or gone.
EACH_ONCE = {name: [0, 1] for name in a_host.GAMES}  # the set-up and one turn
POINTS = ("before-turns", "attempt-counted", "after-turns", "mails-written")

pytestmark = [pytest.mark.faults, pytest.mark.slow, pytest.mark.timeout(0 if "PBEM_LONG" in os.environ else 300)]


@pytest.fixture
def prepared() -> Iterator[Path]:
    with memory_folder() as room:
        a_host.build(room / "prepared")
        yield room / "prepared"


def race(folder: Path, dies_at: str = "") -> Counter[int]:
    """Eight runs that begin at the same moment; how many ended with which code."""
    waiting, starter = os.pipe()
    runners = []
    for _ in range(RUNNERS):
        pid = os.fork()
        if not pid:
            os.close(starter)
            os.read(waiting, 1)
            os._exit(run(folder, dies_at))
        runners.append(pid)
    os.close(waiting)
    os.close(starter)  # the end of the pipe is read by all of them at once
    return Counter(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in runners)


def run(folder: Path, dies_at: str) -> int:
    def die(passed: str) -> None:
        if passed == dies_at:
            os.kill(os.getpid(), signal.SIGKILL)

    code = FAULT
    try:
        if dies_at:
            faults.arm(die)
        with a_host.opened(folder) as (settings, ledger):
            code = RESOLVED if nightly.night(settings, ledger, a_host.NIGHT, jobs=1).turns else IDLE
    except Busy as busy:
        code = busy.exit_code
    finally:
        os._exit(code)


def turns_of(folder: Path) -> dict[str, list[int | None]]:
    with a_host.opened(folder) as (_, ledger), ledger.read() as tx:
        return {name: [row.turn for row in journal.rows(tx, name, kinds=("turn",))] for name in a_host.GAMES}


def copied(prepared: Path, number: int) -> Path:
    folder = prepared.parent / f"race-{number}"
    shutil.copytree(prepared, folder)
    return folder


def test_g12_one_of_eight_resolves_and_the_others_say_so(prepared: Path) -> None:
    ends: Counter[int] = Counter()
    for number in range(RACES // 2):
        folder = copied(prepared, number)
        found = race(folder)
        assert found[RESOLVED] == 1, found
        assert found[RESOLVED] + found[IDLE] + found[BUSY] == RUNNERS, found  # who came late found nothing to do
        assert turns_of(folder) == EACH_ONCE
        ends += found
        shutil.rmtree(folder)
    told(f"{RACES // 2} races of {RUNNERS}: {ends[BUSY]} runs were told, {ends[IDLE]} came when all was done")
    assert ends[BUSY] > RACES // 2


def test_g12_a_winner_that_is_killed_blocks_nobody(prepared: Path) -> None:
    luck, killed = random.Random(12), 0
    for number in range(RACES - RACES // 2):
        folder = copied(prepared, number)
        found = race(folder, luck.choice(POINTS))
        assert found[FAULT] == 0, found
        killed += found[-signal.SIGKILL]
        with a_host.opened(folder) as (settings, ledger):  # the next night is never blocked, and nothing is done twice
            nightly.night(settings, ledger, a_host.LATER, jobs=1)
            canonical_dump(ledger)
        assert turns_of(folder) == EACH_ONCE
        shutil.rmtree(folder)
    told(f"{RACES - RACES // 2} races with {killed} winners killed, no next night blocked")
    assert killed >= (RACES - RACES // 2) * 0.7


def test_g12_weakened_a_lock_that_outlives_its_process_blocks_the_next_night(
    prepared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seen red: a file that says "at work", as many programs have it, is still there when its writer has died."""

    @contextmanager
    def marked(path: Path, what: str, patience: float = 0) -> Iterator[None]:
        mark = path.with_name(path.name + ".mark")
        if mark.exists():
            raise Busy(f"Another {what} is at work on {path.parent}; this one leaves it alone.")
        mark.touch()
        try:
            yield
        finally:
            mark.unlink()

    monkeypatch.setattr("pbem.lock.alone", marked)
    assert forked(lambda: run(prepared, "attempt-counted")) == -signal.SIGKILL
    with a_host.opened(prepared) as (settings, ledger), pytest.raises(Busy):
        nightly.night(settings, ledger, a_host.LATER, jobs=1)
