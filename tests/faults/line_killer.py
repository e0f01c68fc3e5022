"""The line killer: a program killed at its k-th executed line, for every k, must come right when run again (G1, G10).

A copy of this process is made (fork), every line it executes in the watched files is counted, and at line k the whole
process group is killed as `kill -9` would. What the program left on disk is then run again and checked. State lies in
memory-backed storage, so that ten thousand points take a minute and not a night; what a power cut does to unsynced
data is another test's matter.

    with memory_folder() as room:
        prepared = room / "prepared"           # a host with letters waiting, a night due, ...
        campaign(prepared, run=night, again=night, check=whole, watch=(ROOT / "pbem",), most=2000)

`run(folder)` is what gets killed, `again(folder)` what is started afterwards, `check(folder)` what must then be true.
All modules must be imported before: an import is not a place to be killed at.
"""

from __future__ import annotations

import mmap
import os
import random
import shutil
import signal
import sys
import tempfile
import threading
import time
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NoReturn

Program = Callable[[Path], object]

WORD = 8  # bytes of the shared counter; the place of death is written behind it
FAULT = 99  # exit code of a program that raised


@dataclass(frozen=True)
class Death:
    """How one run ended: at which counted line, in which file, or not at all."""

    point: int
    place: str

    @property
    def killed(self) -> bool:
        return bool(self.place)


@dataclass(frozen=True)
class Campaign:
    """What a campaign came to."""

    lines: int
    points: int
    killed: int
    seconds: float

    def __str__(self) -> str:
        each = self.seconds / max(1, self.points) * 1000
        return f"{self.killed} kills at {self.points} of {self.lines} lines in {self.seconds:.1f} s, {each:.1f} ms each"


@contextmanager
def memory_folder() -> Iterator[Path]:
    """A folder in memory-backed storage where there is one, removed afterwards."""
    memory = Path("/dev/shm")
    folder = Path(tempfile.mkdtemp(prefix="pbem-faults-", dir=memory if os.access(memory, os.W_OK) else None))
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def campaign(
    prepared: Path,
    run: Program,
    again: Program,
    check: Program,
    *,
    watch: Sequence[Path],
    most: int,
    seed: int = 1,
) -> Campaign:
    """Kills `run` at up to `most` points, each on a fresh copy of the prepared folder; raises what `check` raises."""
    begun = time.monotonic()
    killer = Killer(watch)
    lines = killer.lines(run, _copy(prepared))
    points = chosen(lines, most, seed)
    killed = 0
    for point in points:
        folder = _copy(prepared)
        death = killer.kill(run, folder, point)
        killed += death.killed
        try:
            apart(again, folder)
            check(folder)
        except BaseException as wrong:
            wrong.add_note(f"killed at line {point} of {lines}: {death.place or 'not reached'}")
            raise
        shutil.rmtree(folder)
    return Campaign(lines, len(points), killed, time.monotonic() - begun)


def chosen(lines: int, most: int, seed: int) -> list[int]:
    """All points when they are few enough, else some from all over the run, one by chance in each stretch."""
    if lines <= most:
        return list(range(1, lines + 1))
    luck, stretch = random.Random(seed), lines / most
    return sorted({1 + min(lines - 1, int((i + luck.random()) * stretch)) for i in range(most)})


class Killer:
    """Runs programs in a process of their own, counting the lines they execute in the watched files and folders."""

    def __init__(self, watch: Sequence[Path]) -> None:
        self._watched = tuple(str(path.resolve()) for path in watch)
        self._known: dict[CodeType, bool] = {}
        self._shared = mmap.mmap(-1, mmap.PAGESIZE)  # counted across all processes the program makes

    def lines(self, run: Program, folder: Path) -> int:
        """How many lines an undisturbed run executes."""
        self._run(run, folder, 0)
        return self._count()

    def kill(self, run: Program, folder: Path, point: int) -> Death:
        """Runs the program and kills it before it executes its line number `point`."""
        status = self._run(run, folder, point)
        place = self._shared[WORD:].rstrip(b"\0").decode()
        if status not in (0, -signal.SIGKILL):
            raise AssertionError(f"the program ended with {status} before line {point}")
        return Death(point, place)

    def _run(self, run: Program, folder: Path, point: int) -> int:
        self._shared[:] = bytes(len(self._shared))
        status = _forked(lambda: self._traced(run, folder, point))
        if not point and status:
            raise AssertionError(f"the undisturbed run ended with {status}")
        return status

    def _traced(self, run: Program, folder: Path, point: int) -> None:
        os.setsid()
        group = os.getpgrp()

        def line(frame: FrameType, event: str, argument: Any) -> Any:
            if event == "line":
                count = self._count() + 1
                self._shared[:WORD] = count.to_bytes(WORD, "big")
                if count == point:
                    place = f"{frame.f_code.co_filename}:{frame.f_lineno}".encode()[-1000:]
                    self._shared[WORD : WORD + len(place)] = place
                    os.killpg(group, signal.SIGKILL)  # the program and its children ...
                    os.killpg(0, signal.SIGKILL)  # ... and this child, if it has made a group of its own
            return line

        def call(frame: FrameType, event: str, argument: Any) -> Any:
            code = frame.f_code
            if code not in self._known:
                self._known[code] = code.co_filename.startswith(self._watched)
            return line if self._known[code] else None

        threading.settrace(call)
        sys.settrace(call)
        try:
            run(folder)
        finally:
            sys.settrace(None)

    def _count(self) -> int:
        return int.from_bytes(self._shared[:WORD], "big")


def apart(program: Program, folder: Path) -> None:
    """Runs a program to its end in a process of its own, so that it finds nothing but what stands on disk."""
    status = _forked(lambda: program(folder))
    if status:
        raise AssertionError(f"the second run ended with {status}")


def _forked(body: Callable[[], object]) -> int:
    """Runs the body in a forked process; its exit code, or the negative number of the signal that ended it."""
    sys.stdout.flush()
    sys.stderr.flush()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # newer Pythons warn of forking beside threads
        pid = os.fork()
    if not pid:
        _child(body)
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status)


def _child(body: Callable[[], object]) -> NoReturn:
    code = 0
    try:
        body()
    except BaseException:
        traceback.print_exc()
        code = FAULT
    finally:
        sys.stderr.flush()
        os._exit(code)


def _copy(prepared: Path) -> Path:
    folder = Path(tempfile.mkdtemp(prefix="run-", dir=prepared.parent))
    shutil.copytree(prepared, folder, dirs_exist_ok=True, symlinks=True)
    return folder
