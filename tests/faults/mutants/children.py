"""Each mutant lives in a child process of its own: forked, watched test by test, and ended with all that it started."""

from __future__ import annotations

import os
import resource
import select
import shutil
import signal
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.faults.mutants.forking import forked
from tests.faults.mutants.lines import MEMORY

GRACE = 3.0  # seconds of the processor for what takes no time at all
PATIENCE = 15  # so many times as long asleep: what waits for nothing uses no processor
LOOK = 0.1  # seconds by the clock: so often a child that goes on is looked at
LONGEST = 900  # seconds of the processor, whatever it was allowed: for a grandchild that has left its group
TICKS = os.sysconf("SC_CLK_TCK")
NOT_TRIED = 77  # exit code of a child that failed before it came to its work
ROOM = 3 << 30  # bytes more than it had


@dataclass(frozen=True)
class Ended:
    """How a child ended: its exit code (None when it took too long), and the number of the last test it began."""

    code: int | None
    last: int


def run(work: Callable[[Callable[[int], None]], int], seconds: Callable[[int], float]) -> Ended:
    """Do the work in a child; it says which test it begins, and each may take so many seconds of the processor, with
    some grace. Nothing it writes is shown; its folder for passing things goes with it."""
    folder = tempfile.mkdtemp(prefix="pbem-mutant-", dir=MEMORY)
    reading, writing = os.pipe()
    pid = forked()
    if not pid:
        _live(work, writing, folder)
    os.close(writing)
    os.set_blocking(reading, False)
    ended = os.pidfd_open(pid)  # is readable then
    try:
        return _watched(pid, ended, reading, seconds)
    finally:
        os.close(ended)
        os.close(reading)
        _end(pid)
        shutil.rmtree(folder, ignore_errors=True)


def _live(work: Callable[[Callable[[int], None]], int], writing: int, folder: str) -> None:
    code = NOT_TRIED
    try:
        os.setsid()
        quiet = os.open(os.devnull, os.O_RDWR)
        for handle in (0, 1, 2):
            os.dup2(quiet, handle)
        tempfile.tempdir = os.environ["TMPDIR"] = os.environ["PYTEST_DEBUG_TEMPROOT"] = folder
        os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
        resource.setrlimit(resource.RLIMIT_CPU, (LONGEST, LONGEST))
        most = _size() + ROOM
        resource.setrlimit(resource.RLIMIT_AS, (most, resource.getrlimit(resource.RLIMIT_AS)[1]))
        code = 1
        code = work(lambda number: _say(writing, number))
    finally:
        os._exit(code)


def _size() -> int:
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


def _say(writing: int, number: int) -> None:
    os.write(writing, number.to_bytes(4, "big"))


def _watched(pid: int, ended: int, reading: int, seconds: Callable[[int], float]) -> Ended:
    last, most = 0, GRACE + seconds(0)
    since = _spent(pid)
    while True:
        found, status = os.waitpid(pid, os.WNOHANG)
        now = _heard(reading, last)
        if found:
            code = os.waitstatus_to_exitcode(status)
            return Ended(None if code == -signal.SIGKILL else code, now)
        spent = _spent(pid)
        if now != last:
            last, most, since = now, GRACE + seconds(now), spent
        if spent.busy - since.busy > most or spent.asleep - since.asleep > PATIENCE * most:
            _end(pid)
            os.waitpid(pid, 0)
            return Ended(None, last)
        select.select([ended], (), (), LOOK)


@dataclass(frozen=True)
class _Spent:
    """Seconds of a child of ours: at work, with those of its own that have ended, and asleep. While it waits for a
    processor that others use, neither goes on: how busy the machine is says nothing of a mutant."""

    busy: float
    asleep: float


def _spent(pid: int) -> _Spent:
    told = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    worked, waited, _ = map(int, Path(f"/proc/{pid}/schedstat").read_text().split())
    return _Spent(sum(map(int, told[11:15])) / TICKS, time.monotonic() - (worked + waited) / 1e9)


def _heard(reading: int, last: int) -> int:
    try:
        said = os.read(reading, 1 << 16)
    except BlockingIOError:
        return last
    return int.from_bytes(said[-4:], "big") if said else last


def _end(group: int) -> None:
    try:
        os.killpg(group, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return
