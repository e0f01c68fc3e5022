"""`python -m tests.faults.coverage [ROOM]`: how much of each room its tests run, branch by branch (G24).

The ledger, the intake and the dice are to be run to the last branch, the rules to 95 in 100. What needs a PostgreSQL
server is not counted here: it has tests of its own, which need one.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.faults.guarantees import ROOT


@dataclass(frozen=True)
class Room:
    """Files, the tests that are to run all of them, and the share of lines and branches that they must reach."""

    files: tuple[str, ...]
    tests: tuple[str, ...]
    goal: int
    but: tuple[str, ...] = ()


HOST = tuple(f"tests/pbem/{room}" for room in ("ledger", "intake", "correspondence", "host", "audit", "rulings", "cli"))
ROOMS = {
    "core": Room(
        ("pbem/ledger/*", "pbem/intake/*", "engine/dice.py"),
        (*HOST, "tests/engine", "tests/faults/test_restored_night.py"),
        100,
        but=("pbem/ledger/on_postgres.py", "pbem/ledger/postgres_guards.py", "pbem/ledger/migrations/env.py"),
    ),
    "games": Room(("games/*",), ("tests/games", "tests/every_game/test_questions.py", "tests/playthroughs"), 95),
}


def main(arguments: Sequence[str]) -> int:
    return max(covered(ROOMS[name]) for name in arguments or ROOMS)


def covered(room: Room) -> int:
    """Runs the tests of a room; 0 when they pass and reach the goal."""
    with tempfile.TemporaryDirectory(prefix="pbem-coverage-") as folder:
        environment = {**os.environ, "COVERAGE_FILE": str(Path(folder) / "data")}
        command = [sys.executable, "-m"]
        measured = ["--cov=pbem", "--cov=engine", "--cov=games", "--cov-branch", "--cov-report="]
        jobs = ["-n", os.environ.get("PBEM_JOBS", "auto"), "-p", "no:cacheprovider"]
        tests = subprocess.run(
            [*command, "pytest", "-q", *jobs, *measured, *room.tests], cwd=ROOT, env=environment, check=False
        )
        wanted = [f"--include={','.join(room.files)}", f"--fail-under={room.goal}", "--show-missing", "--skip-covered"]
        without = [f"--omit={','.join(room.but)}"] if room.but else []
        report = [*command, "coverage", "report", *wanted, *without]
        share = subprocess.run(report, cwd=ROOT, env=environment, check=False)
    return tests.returncode or share.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
