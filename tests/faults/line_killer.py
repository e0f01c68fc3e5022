"""The line killer: a program killed at any executed line must come right when run again, at every line (G1, G10).

`kill -9` leaves what stands on disk, as the page cache holds it, and nothing else: locks and memory die. So the program
runs once, its lines are counted, and every system call that might change something is held until the folder has been
looked at (`held.py`, `recording.py`). Each different state stands for all the lines that were executed while it lasted,
and for the calls before which it was seen: a death within a commit is there as well. Every state is laid out anew, the
program is run again upon it, and what comes out is checked.

A few times it is killed in truth: a copy of this process is made (fork), and at line k its process group is killed.
What then lies there must be, to the byte, what was seen a moment before, and of a kind that was recorded.

    with memory_folder() as room:
        prepared = room / "prepared"           # a host with letters waiting, a night due, ...
        campaign(prepared, run=night, again=night, check=whole, watch=(ROOT / "pbem",), most=2000)

`run(folder)` is what gets killed, `again(folder)` what is started afterwards, `check(folder)` what must then be true.
Where the kernel lets no calls be held, all points are true kills. All modules must be imported before: an import is not
a place to be killed at.
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
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from tests.faults.folder_states import Album, State, differing
from tests.faults.forking import apart, forked
from tests.faults.held import Call, held, look_here, possible
from tests.faults.recording import Beside, Recording, Span

Program = Callable[[Path], object]

WORD = 8  # bytes of the shared counter, and of the group's number behind it; then comes the place of death
KILLS = 3  # true kills of a campaign, beside all that is made of states
EVERY = 307  # so many lines apart a recorded run is looked at for changes of which no call has told


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
    """What a campaign came to: the lines of the program, from how many points it was run again, what those cover."""

    lines: int
    points: int
    states: int
    covered: int
    calls: int
    killed: int
    seconds: float

    def __str__(self) -> str:
        each = self.seconds / max(1, self.points) * 1000
        return (
            f"{self.covered} of {self.lines} lines and {self.calls} calls in {self.points} of {self.states} states, "
            f"{self.killed} true kills; {self.seconds:.1f} s, {each:.1f} ms a state"
        )


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
    kills: int = KILLS,
    calls: bool = True,
    beside: Beside | None = None,
    alone: bool = True,
    elsewhere: bool = False,
) -> Campaign:
    """Runs the program again from every state that a kill may leave, or from `most` of them, and from some true kills;
    raises what `check` raises. Without `calls` only those states are taken in which some line is executed. `alone`: no
    two threads of the program change the folder at the same time. `elsewhere`: it changes what lies in no folder, a
    server's ledger, so that only true kills leave what a kill leaves.
    """
    begun = time.monotonic()
    trial = _Trial(prepared, run, again, check, Killer(watch))
    if elsewhere or not possible():
        lines = trial.killer.lines(run, _copy(prepared))
        points = chosen(lines, most, seed)
        killed = sum(trial.killed(point) for point in points)
        return Campaign(lines, len(points), len(points), killed, 0, killed, time.monotonic() - begun)
    recording = Recording(_copy(prepared), beside, alone=alone)
    trial.killer.record(run, recording)
    spans = picked([span for span in recording.spans if span.lines or calls], most, seed)
    for span in spans:
        trial.left(recording, span)
    killed = sum(trial.killed(point, recording) for point in chosen(recording.lines, kills, seed))
    return Campaign(
        recording.lines,
        len(spans),
        len(recording.spans),
        sum(span.lines for span in spans),
        sum(span.calls for span in spans),
        killed,
        time.monotonic() - begun,
    )


def chosen(of: int, most: int, seed: int) -> list[int]:
    """All points when they are few enough, else some from all over the run, one by chance in each stretch."""
    if of <= most:
        return list(range(1, of + 1))
    luck, stretch = random.Random(seed), of / max(1, most)
    return sorted({1 + min(of - 1, int((i + luck.random()) * stretch)) for i in range(most)})


def picked(spans: Sequence[Span], most: int, seed: int) -> list[Span]:
    """All states when they are few enough, else half of them those that most lines find, and half by chance."""
    if len(spans) <= most:
        return list(spans)
    by_lines = sorted(range(len(spans)), key=lambda number: -spans[number].lines)[: most // 2]
    others = sorted(set(range(len(spans))) - set(by_lines))
    by_chance = [others[number - 1] for number in chosen(len(others), most - len(by_lines), seed)]
    return [spans[number] for number in sorted([*by_lines, *by_chance])]


@dataclass(frozen=True)
class _Trial:
    """One program, tried at one point after the other, each on a copy of the prepared folder."""

    prepared: Path
    run: Program
    again: Program
    check: Program
    killer: Killer

    def left(self, recording: Recording, span: Span) -> None:
        """As if a kill had left this state."""
        folder = _folder(self.prepared)
        recording.lay_out(span, folder)
        try:
            self._comes_right(folder)
        except BaseException as wrong:
            place = self.killer.kill(self.run, _copy(self.prepared), span.first).place
            wrong.add_note(f"killed at line {span.first} of {recording.lines}, or {span.lines} more: {place}")
            raise

    def killed(self, point: int, recording: Recording | None = None) -> bool:
        """Killed in truth; what that leaves is what was seen just before, and of the kind that was recorded."""
        folder = _copy(self.prepared)
        alone = recording is not None and recording.alone
        death = self.killer.kill(self.run, folder, point, looked=alone)
        try:
            if recording is not None and alone:
                recording.must_know(folder)
            self._comes_right(folder)
        except BaseException as wrong:
            wrong.add_note(f"killed at line {point}: {death.place or 'not reached'}")
            raise
        return death.killed

    def _comes_right(self, folder: Path) -> None:
        apart(self.again, folder)
        self.check(folder)
        shutil.rmtree(folder)


class Killer:
    """Runs programs in a process of their own, counting the lines they execute in the watched files and folders."""

    def __init__(self, watch: Sequence[Path]) -> None:
        self._watched = tuple(str(path.resolve()) for path in watch)
        self._known: dict[CodeType, bool] = {}
        self._shared = mmap.mmap(-1, mmap.PAGESIZE)  # counted across all processes the program makes

    def lines(self, run: Program, folder: Path) -> int:
        """How many lines an undisturbed run executes."""
        self._begin()
        self._undisturbed(forked(lambda: self._traced(run, folder)))
        return self.so_far()

    def so_far(self) -> int:
        """How many lines were executed up to now; asked from inside the run, too."""
        return self._count()

    def record(self, run: Program, recording: Recording) -> None:
        """An undisturbed run, looked at before every call that might change something."""

        def look(call: Call) -> None:
            recording.look(call, self._count())

        every = EVERY if recording.alone else 0
        self._begin()
        self._undisturbed(held(lambda: self._traced(run, recording.folder, every=every), look))
        recording.end(self._count())

    def kill(self, run: Program, folder: Path, point: int, *, looked: bool = False) -> Death:
        """Runs the program and kills it before it executes its line number `point`. `looked`: what it leaves must be,
        to the byte, what was seen just before."""
        seen: list[State] = []
        album = Album()

        def look(call: Call) -> None:
            if call.by_hand:
                seen.append(album.taken(folder))
                os.killpg(self._word(WORD), signal.SIGKILL)

        def traced() -> None:
            self._traced(run, folder, point, looked=looked)

        self._begin()
        status = held(traced, look) if looked else forked(traced)
        place = self._shared[2 * WORD :].rstrip(b"\0").decode()
        if status not in (0, -signal.SIGKILL):
            raise AssertionError(f"the program ended with {status} before line {point}")
        if looked and place and (other := differing(seen[-1], album.taken(folder))):
            raise AssertionError(f"a kill at {place} changed {other}")
        return Death(point, place)

    def _begin(self) -> None:
        self._shared[:] = bytes(len(self._shared))

    def _undisturbed(self, status: int) -> None:
        if status:
            raise AssertionError(f"the undisturbed run ended with {status}")

    def _traced(self, run: Program, folder: Path, point: int = 0, *, looked: bool = False, every: int = 0) -> None:
        """Runs the program, counts its lines, dies at that point, looks every so many lines."""
        os.setsid()
        group = os.getpgrp()
        self._shared[WORD : 2 * WORD] = group.to_bytes(WORD, "big")

        def line(frame: FrameType, event: str, argument: Any) -> Any:
            if event == "line":
                count = self._count() + 1
                self._shared[:WORD] = count.to_bytes(WORD, "big")
                if count == point:
                    die(frame)
                elif every and not count % every and os.getpid() == group:
                    look_here()
            return line

        def die(frame: FrameType) -> None:
            place = f"{frame.f_code.co_filename}:{frame.f_lineno}".encode()[-1000:]
            self._shared[2 * WORD : 2 * WORD + len(place)] = place
            if looked:
                look_here()
            os.killpg(group, signal.SIGKILL)  # the program and its children ...
            os.killpg(0, signal.SIGKILL)  # ... and this child, if it has made a group of its own

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
        return self._word(0)

    def _word(self, at: int) -> int:
        return int.from_bytes(self._shared[at : at + WORD], "big")


def _copy(prepared: Path) -> Path:
    folder = _folder(prepared)
    shutil.copytree(prepared, folder, dirs_exist_ok=True, symlinks=True)
    return folder


def _folder(prepared: Path) -> Path:
    """An empty one, near the prepared one."""
    return Path(tempfile.mkdtemp(prefix="run-", dir=prepared.parent))
