"""The memory of a night, by how many games are due: `python -m tests.bench.bench_memory [GAMES ...]`.

Each number of games has a host and a process of its own. What is told is the most that the leading process held while
the night ran, and the most that any of its children did; the figures do not change with what else the machine does.
"""

from __future__ import annotations

import os
import resource
import sys
import time
from dataclasses import replace
from pathlib import Path

from pbem import bench
from tests.conftest import SAMPLE_GAMES

GAME, OPTIONS = "nim", {"heaps": "3-5"}  # small: ten thousands of them fit on a disk
USUAL = (300, 1_200, 4_000)
ANEW = "5"  # what the system reads as: forget how much this process held at most


def night(count: int) -> None:
    """One night of so many games, and what it held."""
    with bench.host() as (config, ledger):
        config = replace(config, post=replace(config.post, page=False))
        begun = time.monotonic()
        bench.start_games(config, ledger, GAME, OPTIONS, count)
        made = time.monotonic() - begun
        Path("/proc/self/clear_refs").write_text(ANEW)
        before = held("VmRSS")
        summary, took = bench.one_night(config, ledger, 1)
        most, children = held("VmHWM"), resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
        assert summary.turns == count, summary
        sys.stdout.write(
            f"{count:7,} games: {most} MB at most here ({before} before the night), {children} MB in a child; "
            f"the games were made in {made:.0f} s, the night took {took:.0f} s; {on_disk(config.folder):,} MB on disk\n"
        )
        sys.stdout.flush()  # before the files are removed, which of many games takes longest of all


def on_disk(folder: Path) -> int:
    """Megabytes of all files in it."""
    return sum((Path(here) / name).stat().st_size for here, _, names in os.walk(folder) for name in names) >> 20


def held(what: str) -> int:
    """Megabytes, as the system counts them."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(what)) // 1024


def main(*counts: int) -> None:
    assert SAMPLE_GAMES in sys.path
    for count in counts or USUAL:
        if not (child := os.fork()):
            night(count)
            os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
