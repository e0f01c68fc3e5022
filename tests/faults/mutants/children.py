"""Each mutant lives in a child process of its own: forked, watched test by test, and ended with all that it started."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.faults.mutants.lines import MEMORY

GRACE = 3.0  # seconds of the processor for what takes no time at all
PATIENCE = 15  # so many times as long by the clock: others use the machine, too
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
    pid = os.fork()
    if not pid:
        _live(work, writing, folder)
    os.close(writing)
    os.set_blocking(reading, False)
    try:
        return _watched(pid, reading, seconds)
    finally:
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


def _watched(pid: int, reading: int, seconds: Callable[[int], float]) -> Ended:
    last, most = 0, GRACE + seconds(0)
    since, used = time.monotonic(), 0.0
    while True:
        found, status = os.waitpid(pid, os.WNOHANG)
        now = _heard(reading, last)
        if found:
            return Ended(os.waitstatus_to_exitcode(status), now)
        if now != last:
            last, most = now, GRACE + seconds(now)
            since, used = time.monotonic(), _used(pid)
        if _used(pid) - used > most or time.monotonic() - since > PATIENCE * most:
            _end(pid)
            os.waitpid(pid, 0)
            return Ended(None, last)
        time.sleep(0.01)


def _used(pid: int) -> float:
    """Seconds of the processor that a child of ours, and those of its own that have ended, have used."""
    told = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, told[11:15])) / TICKS


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
