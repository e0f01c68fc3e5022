"""`python -m tests.faults.mutants ROOM [--most N] [--seed N]`: the share of small changes that the tests notice (G24).

Each mutant is a forked process in which the changed function has its new code (or the changed file is imported), and
which runs the tests that run its line, the short ones first, until one fails. No test failing in the time allowed: it
has survived, and is named. What is drawn from all mutants of a room depends on the seed alone, so a survivor can be
looked at again: `--at FILE:LINE`, with `--tests FILE` for the test that was written against it.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.faults.mutants import equivalent, measured
from tests.faults.mutants.changes import Mutant, mutants
from tests.faults.mutants.forking import forked
from tests.faults.mutants.lines import MEMORY, OPTIONS, learnt
from tests.faults.mutants.rooms import ROOMS, ROOT
from tests.faults.mutants.trying import FOUND, KILLED, NOT_REACHED, SURVIVED, TOO_LONG, Trial, Warm, cold

LIBRARIES = ("alembic.command", "babel.dates", "coverage", "email.message", "jinja2", "sqlmodel", "yaml")
Fates = dict[int, tuple[str, str]]


def main() -> int:
    given = _arguments()
    room = ROOMS[given.room]
    files, tests = room.files(), tuple(given.tests or room.tests)
    os.chdir(ROOT)
    for name in LIBRARIES:  # what every test needs and no mutant changes is imported once, before the forks
        __import__(name)
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="pbem-mutants-", dir=MEMORY) as folder:
        watched = learnt(files, tests, given.lines or Path(folder) / "lines.json")
        sys.stdout.write(f"{given.room}: {len(watched.seconds)} tests in {time.monotonic() - begun:.0f} s\n")
        every = [mutant for file in files for mutant in mutants(file) if not given.at or _is_at(mutant, given.at)]
        drawn = sorted(random.Random(given.seed).sample(range(len(every)), min(given.most, len(every))))
        chosen = {number: every[number] for number in drawn}
        same = {mark.name for mark in equivalent.marks()}
        show = _Shown(chosen, same, given.verbose)
        fates = tried(chosen, tests, Trial(watched, given.seconds, {}), show, Path(folder) / "fates")
    counted = _counted(chosen, fates, same)
    told = {**counted, "of": len(every), "goal": room.goal, "seed": given.seed, "on": f"{datetime.now(UTC):%F}"}
    sys.stdout.write(json.dumps({"room": given.room, **told, "seconds": round(time.monotonic() - begun)}) + "\n")
    if given.write:
        measured.keep("mutants", given.room, told)
    return 0 if measured.well(told) else 1


def _arguments() -> Any:
    parser = argparse.ArgumentParser(prog="python -m tests.faults.mutants", description=__doc__)
    parser.add_argument("room", choices=ROOMS)
    parser.add_argument("--most", type=int, default=300, help="so many mutants, drawn by the seed (300)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--at", action="append", metavar="FILE:LINE", help="only mutants of that line, or of that file")
    parser.add_argument("--tests", action="append", metavar="FILE", help="only these tests, in place of the room's")
    parser.add_argument("--seconds", type=float, default=20.0, help="tests of so many seconds for each mutant (20)")
    parser.add_argument("--lines", type=Path, metavar="FILE", help="keep there which test runs which line, or take it")
    parser.add_argument("--write", action="store_true", help="keep what it came to in measured.json")
    parser.add_argument("--verbose", action="store_true", help="name the test that found each mutant")
    return parser.parse_args()


def _is_at(mutant: Mutant, places: Sequence[str]) -> bool:
    where = f"{mutant.file.relative_to(ROOT)}:{mutant.line}"
    return any(place in (where, where.partition(":")[0]) for place in places)


class _Shown:
    """Says what survives as soon as it is known, and which mark is wrong."""

    def __init__(self, chosen: dict[int, Mutant], same: set[Any], verbose: bool) -> None:
        self._chosen, self._same, self._verbose = chosen, same, verbose

    def __call__(self, number: int, fate: str, test: str) -> None:
        mutant = self._chosen[number]
        marked = equivalent.named(mutant) in self._same
        if fate in FOUND and marked:
            fate = f"{fate} by {test}, but marked as equivalent"
        elif marked or (fate in FOUND and not self._verbose):
            return
        place = str(mutant).removeprefix(f"{ROOT}/")
        where, was, now = mutant.name
        sys.stdout.write(
            f"  {fate}: {place}{' by ' + test if test else ''}\n    in {where}\n    was {was}\n    is  {now}\n"
        )
        sys.stdout.flush()


def tried(
    chosen: dict[int, Mutant], tests: Sequence[str], trial: Trial, show: Callable[[int, str, str], None], kept: Path
) -> Fates:
    """The fate of each: in a process that has loaded all, or, where that is not possible, in one that has not."""
    fates: Fates = {}
    left = _warm(chosen, tests, trial, show, kept)
    for line in kept.read_text().splitlines():
        number, fate, test = json.loads(line)
        fates[number] = fate, test
    for number in left:
        fates[number] = cold(chosen[number], trial)
        show(number, *fates[number])
    return fates


def _warm(
    chosen: dict[int, Mutant], tests: Sequence[str], trial: Trial, show: Callable[[int, str, str], None], kept: Path
) -> list[int]:
    """Those that it could not try; what it could is written to that file."""
    pid = forked()
    if pid:
        if os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]):
            raise AssertionError("the tests could not be collected")
        done = {json.loads(line)[0] for line in kept.read_text().splitlines()}
        return [number for number in chosen if number not in done]
    code = 1
    try:
        with kept.open("w", buffering=1) as file:

            def told(number: int, fate: str, test: str) -> None:
                file.write(json.dumps((number, fate, test)) + "\n")
                show(number, fate, test)

            code = int(pytest.main([*OPTIONS, *tests], plugins=[Warm(chosen, trial, told)]))
    finally:
        sys.stdout.flush()
        os._exit(code)


def _counted(chosen: dict[int, Mutant], fates: Fates, same: set[Any]) -> dict[str, Any]:
    """How many of each fate. Equivalent are those that are marked and were not found; they are not counted as lost."""
    lost = [number for number, (fate, _) in fates.items() if fate not in FOUND]
    equal = {number for number in lost if equivalent.named(chosen[number]) in same}
    counts = Counter("equivalent" if number in equal else fate for number, (fate, _) in fates.items())
    share = round((counts[KILLED] + counts[TOO_LONG]) / max(1, len(fates) - len(equal)), 4)
    kinds = (KILLED, TOO_LONG, SURVIVED, NOT_REACHED, "equivalent")
    return {"tried": len(fates), **{kind: counts[kind] for kind in kinds}, "share": share}


if __name__ == "__main__":
    sys.exit(main())
