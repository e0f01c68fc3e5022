"""`python -m tests.faults.mutants ROOM [--most N] [--seed N]`: the share of small changes that the tests notice (G24).

Each mutant is a forked process that imports the changed file in place of the real one and runs the tests which run its
line, the short ones first, until one fails. No test failing in the time allowed: it has survived, and is named. What is
drawn from all mutants of a room depends on the seed alone, so a survivor can be looked at again.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import Any

import pytest

from tests.faults.mutants.changes import Mutant, mutants
from tests.faults.mutants.lines import OPTIONS, Watched, learnt
from tests.faults.mutants.rooms import ROOMS, ROOT

LIBRARIES = ("alembic.command", "babel.dates", "coverage", "email.message", "jinja2", "sqlmodel", "yaml")
NOT_TRIED = 77  # exit code of a child that failed before it came to its mutant
KILLED, SURVIVED, TOO_LONG, NOT_REACHED = "killed", "survived", "too long", "not reached"


def main() -> int:
    given = _arguments()
    room = ROOMS[given.room]
    files = room.files()
    with tempfile.TemporaryDirectory(prefix="pbem-mutants-", dir="/dev/shm") as folder:
        _load_libraries()
        begun = time.monotonic()
        tests = learnt(files, room.tests, Path(folder) / "lines.json")
        sys.stdout.write(f"{given.room}: {len(tests.seconds)} tests in {time.monotonic() - begun:.0f} s\n")
        every = [mutant for file in files for mutant in mutants(file) if not given.at or _is_at(mutant, given.at)]
        chosen = sorted(random.Random(given.seed).sample(range(len(every)), min(given.most, len(every))))
        counts = dict.fromkeys((KILLED, TOO_LONG, SURVIVED, NOT_REACHED), 0)
        survivors = []
        for number in chosen:
            if time.monotonic() - begun > given.minutes * 60:
                break
            fate = tried(every[number], tests, Path(folder), given.seconds)
            counts[fate] += 1
            if fate in (SURVIVED, NOT_REACHED):
                survivors.append(str(every[number]).removeprefix(f"{ROOT}/"))
                sys.stdout.write(f"  {fate}: {survivors[-1]}\n")
                sys.stdout.flush()
    done = sum(counts.values())
    share = (counts[KILLED] + counts[TOO_LONG]) / max(1, done)
    told = {"room": given.room, "mutants": len(every), "tried": done, **counts, "share": round(share, 4)}
    sys.stdout.write(json.dumps({**told, "seed": given.seed, "seconds": round(time.monotonic() - begun)}) + "\n")
    return 0 if share >= room.goal else 1


def _arguments() -> Any:
    parser = argparse.ArgumentParser(prog="python -m tests.faults.mutants", description=__doc__)
    parser.add_argument("room", choices=ROOMS)
    parser.add_argument("--most", type=int, default=200, help="so many mutants, drawn by the seed (200)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--at", action="append", metavar="FILE:LINE", help="only mutants of that line, or of that file")
    parser.add_argument("--seconds", type=float, default=20.0, help="tests of so many seconds for each mutant (20)")
    parser.add_argument("--minutes", type=float, default=600.0, help="stop after that time")
    return parser.parse_args()


def _is_at(mutant: Mutant, places: Sequence[str]) -> bool:
    where = f"{mutant.file.relative_to(ROOT)}:{mutant.line}"
    return any(place in (where, where.partition(":")[0]) for place in places)


def _load_libraries() -> None:
    """What every test needs and no mutant changes is imported once, before the forks."""
    os.chdir(ROOT)
    for name in (
        "alembic.command",
        "babel.dates",
        "coverage",
        "email.message",
        "jinja2",
        "sqlmodel",
        "yaml",
    ):
        __import__(name)


def tried(mutant: Mutant, tests: Watched, folder: Path, seconds: float) -> str:
    """What became of one mutant."""
    if not tests.reaches(mutant.file, mutant.line, mutant.last):
        return NOT_REACHED
    chosen = tests.of(mutant.file, mutant.line, mutant.last, seconds)
    limit = 20 + 4 * sum(tests.seconds[test] for test in chosen)
    pid = os.fork()
    if not pid:
        os.setsid()
        _run(mutant, chosen, folder)
    until = time.monotonic() + limit
    while time.monotonic() < until:
        found, status = os.waitpid(pid, os.WNOHANG)
        if found:
            _end(pid)
            code = os.waitstatus_to_exitcode(status)
            if code == NOT_TRIED:
                raise AssertionError(f"the tests of {mutant} do not begin")
            return KILLED if code else SURVIVED
        time.sleep(0.02)
    _end(pid)
    os.waitpid(pid, 0)
    return TOO_LONG


def _end(group: int) -> None:
    """The child with all that it started."""
    try:
        os.killpg(group, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


def _run(mutant: Mutant, tests: Sequence[str], folder: Path) -> None:
    """In the child: the tests with the changed file in place of the real one. Nothing it says is shown."""
    code = 1
    try:
        quiet = os.open(os.devnull, os.O_RDWR)
        for handle in (0, 1, 2):
            os.dup2(quiet, handle)
        imported = _put_in_place(mutant)
        room = tempfile.mkdtemp(dir=folder)
        os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
        os.chdir(ROOT)
        code = int(pytest.main([*OPTIONS, f"--basetemp={room}/t", *tests]))
        if code and not imported:
            code = NOT_TRIED  # it failed before it came to the mutant, which says nothing
    finally:
        os._exit(code)


def _put_in_place(mutant: Mutant) -> list[str]:
    """The list is filled when the mutant is imported."""
    imported: list[str] = []
    real, code = SourceFileLoader.get_code, compile(mutant.tree(), str(mutant.file), "exec", dont_inherit=True)

    def get_code(loader: SourceFileLoader, name: str) -> Any:
        if loader.path != str(mutant.file):
            return real(loader, name)
        imported.append(name)
        return code

    SourceFileLoader.get_code = get_code  # type: ignore[method-assign]
    return imported


if __name__ == "__main__":
    sys.exit(main())
