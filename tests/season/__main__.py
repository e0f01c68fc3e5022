"""Seasons by hand: `python -m tests.season [--games 200] [--nights 60] [--seed 1]`, or very many small ones:
`python -m tests.season --seeds 1-1000 --games 3 --nights 6 [--jobs 2]`; says what they came to."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from time import monotonic

from tests import conftest  # noqa: F401  (the sample games)
from tests.faults.line_killer import memory_folder
from tests.season.many import many
from tests.season.season import begin


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    for name, usual in (("games", 200), ("nights", 60), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=usual)
    parser.add_argument("--seeds", help="first-last: seasons of these seeds, without child processes")
    parser.add_argument("--jobs", type=int, default=1, help="so many of them at a time")
    parser.add_argument("--pages", action="store_true", help="each report brings its page, as hosts have it")
    said = parser.parse_args()
    if said.seeds:
        first, _, last = said.seeds.partition("-")
        return _many(range(int(first), int(last or first) + 1), said.games, said.nights, said.jobs)
    started = monotonic()
    with tempfile.TemporaryDirectory(prefix="season-") as room:
        season = begin(Path(room) / "host", said.seed, said.games, pages=said.pages)
        for night in range(said.nights):
            season.day()
            _say(f"night {night + 1}: {dict(season.seen)}, {monotonic() - started:.0f} s")
        _say(f"seed {said.seed}: {season.end()}")
    return 0


def _many(seeds: range, games: int, nights: int, jobs: int) -> int:
    started, worked = monotonic(), _worked()
    with memory_folder() as room:
        found = many(room, seeds, games, nights, jobs, tell=_say)
    minutes, worked = (monotonic() - started) / 60, (_worked() - worked) / 60
    _say(f"{found}, {found.seeds / minutes:.0f} seeds a minute, {found.seeds / worked:.0f} a minute of processors")
    return 1 if found.broken else 0


def _worked() -> float:
    """Seconds that processors have worked for this process and its children."""
    return sum(part.ru_utime + part.ru_stime for part in map(getrusage, (RUSAGE_SELF, RUSAGE_CHILDREN)))


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
