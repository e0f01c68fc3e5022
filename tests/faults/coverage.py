"""`python -m tests.faults.coverage [core|games|ROOM] [--write]`: how much of a room its tests run, by branches (G24).

The ledger, the intake, the mails and the dice are to be run to the last branch, the rules to 95 in 100, by the tests
that a room's mutants are put before. Slow ones are left out: what only they come to is looked at from afar. What only
a PostgreSQL server runs is not counted here; what both kinds of ledger run is, so one should be there.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.faults.guarantees import ROOT
from tests.faults.mutants import measured
from tests.faults.mutants.rooms import ROOMS, SERVER


@dataclass(frozen=True)
class Room:
    """Files, and the share of lines and branches that the tests must reach."""

    files: tuple[str, ...]
    goal: float
    but: tuple[str, ...] = ()


@dataclass(frozen=True)
class Run:
    """Tests, and the rooms that they are to run."""

    tests: tuple[str, ...]
    rooms: dict[str, Room]


CORE = ("dice", "ledger", "intake", "mail")
GAMES = ("bagh_chal", "conquest", "hasami_shogi", "jarmo", "khan", "yuan", "yut")
# Tests that are too slow for every mutant, or need a server.
FURTHER = {"ledger": ("tests/pbem/ledger/test_postgres.py",)}


def _tests_of(name: str) -> tuple[str, ...]:
    return (*ROOMS[name].tests, *FURTHER.get(name, ()))


RUNS = {
    "core": Run(
        tuple(test for room in CORE for test in _tests_of(room)),
        {
            "dice": Room(("engine/dice.py",), 1),
            "intake": Room(("pbem/intake/*.py",), 1, but=("pbem/intake/mail/*",)),
            "ledger": Room(
                ("pbem/ledger/*",),
                1,
                but=(*SERVER, "pbem/ledger/migrations/env.py"),
            ),
            "mail": Room(("pbem/intake/mail/*", "pbem/arriving/*", "pbem/post/*"), 1),
        },
    ),
    "games": Run(
        (
            "tests/games",
            "tests/every_game/test_questions.py",
            "tests/every_game/test_composer.py",
            "tests/playthroughs",
        ),
        {game: Room((f"games/{game}/*",), 0.95) for game in GAMES},
    ),
}


def main(arguments: Sequence[str]) -> int:
    write = "--write" in arguments
    names = [name for name in arguments if name != "--write"] or list(RUNS)
    return max([covered(RUNS[name] if name in RUNS else _of_room(name), write=write) for name in names])


def _of_room(name: str) -> Run:
    """One room by its own tests alone."""
    room = next(run.rooms[name] for run in RUNS.values() if name in run.rooms)
    return Run(_tests_of(name), {name: room})


def covered(run: Run, *, write: bool) -> int:
    """Runs the tests; 0 when they pass and every room reaches its goal."""
    with tempfile.TemporaryDirectory(prefix="pbem-coverage-") as folder:
        environment = {**os.environ, "COVERAGE_FILE": str(Path(folder) / "data")}
        measuring = ["--cov=pbem", "--cov=engine", "--cov=games", "--cov-branch", "--cov-report="]
        jobs = ["-n", os.environ.get("PBEM_JOBS", "auto"), "--dist", "loadgroup", "-p", "no:cacheprovider"]
        _, bad = _said(["pytest", "-q", "-m", "not slow", *jobs, *measuring, *run.tests], environment, shown=True)
        for name, room in run.rooms.items():
            chosen = [f"--include={','.join(room.files)}", *([f"--omit={','.join(room.but)}"] if room.but else [])]
            found = _counted(json.loads(_said(["coverage", "json", "-q", "-o", "-", *chosen], environment)[0]), room)
            sys.stdout.write(f"{name}: {found}\n")
            _said(["coverage", "report", "--show-missing", "--skip-covered", *chosen], environment, shown=True)
            bad |= not measured.well(found)
            if write:
                measured.keep("branches", name, found)
    return int(bad)


def _counted(report: dict[str, Any], room: Room) -> dict[str, Any]:
    """Branches, and the share that must be whole: of branches, or of lines and branches together if that is less."""
    totals = report["totals"]
    covered, of = totals["covered_branches"], totals["num_branches"]
    share = round(min(totals["percent_covered"] / 100, covered / of), 4)
    return {"covered": covered, "of": of, "share": share, "goal": room.goal, "on": f"{datetime.now(UTC):%F}"}


def _said(module: Sequence[str], environment: dict[str, str], *, shown: bool = False) -> tuple[str, int]:
    where = None if shown else subprocess.PIPE
    done = subprocess.run(
        [sys.executable, "-m", *module], cwd=ROOT, env=environment, check=False, stdout=where, text=True
    )
    return done.stdout or "", done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
