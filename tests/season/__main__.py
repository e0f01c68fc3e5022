"""Seasons by hand: `python -m tests.season [--games 200] [--nights 60] [--seed 1]`, a long one;
`python -m tests.season --small 1041`, the small one of that seed; `python -m tests.season --from 1001 --to 100000
[--jobs 2]`, all the small ones of these seeds that this build has not played yet. Stop it when you like: it goes on."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from signal import SIGINT, SIGTERM, signal
from time import monotonic

from tests import conftest  # noqa: F401  (the sample games)
from tests.season import campaign
from tests.season.at_hand import at_hand
from tests.season.many import small
from tests.season.season import begin


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    for name, usual in (("games", 200), ("nights", 60), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=usual)
    parser.add_argument("--pages", action="store_true", help="each report brings its page, as hosts have it")
    parser.add_argument("--small", type=int, metavar="SEED", help="a small season, as thousands of them are played")
    parser.add_argument("--from", type=int, dest="first", metavar="SEED", help="small seasons from that seed on")
    parser.add_argument("--to", type=int, dest="last", metavar="SEED", help="up to that one")
    parser.add_argument("--jobs", type=int, default=1, help="so many at a time")
    said = parser.parse_args()
    if said.small is not None:
        return _small(said.small)
    if said.first is not None or said.last is not None:
        seeds = range(said.first or campaign.RELEASE[0], (said.last or campaign.RELEASE[-1]) + 1)
        return _campaign(seeds, said.jobs)
    return _long(said.seed, said.games, said.nights, said.pages)


def _long(seed: int, games: int, nights: int, pages: bool) -> int:
    started = monotonic()
    with tempfile.TemporaryDirectory(prefix="season-") as room:
        season = begin(Path(room) / "host", seed, games, pages=pages)
        for night in range(nights):
            season.day()
            _say(f"night {night + 1}: {dict(season.seen)}, {monotonic() - started:.0f} s")
        _say(f"seed {seed}: {season.end()}")
    return 0


def _small(seed: int) -> int:
    """What breaks it is seen with all its lines of code."""
    with tempfile.TemporaryDirectory(prefix="season-") as room, at_hand():
        _say(f"seed {seed}: {dict(sorted(small(Path(room) / 'host', seed).items()))}")
    return 0


def _campaign(seeds: range, jobs: int) -> int:
    started, worked, signals = monotonic(), _worked(), list[int]()
    for one in (SIGINT, SIGTERM):  # a season must not take them for one of the kills that it deals itself
        signal(one, lambda number, frame: signals.append(number))
    found = campaign.go_on(seeds, jobs=jobs, tell=_say, stop=lambda: bool(signals))
    minutes, worked = (monotonic() - started) / 60, (_worked() - worked) / 60
    played = len(found.seeds)
    _say(f"{found}\n{played / minutes:.0f} a minute, {played / worked:.0f} a minute of processors")
    _say(str(campaign.done()))
    return 1 if found.broken else 0


def _worked() -> float:
    """Seconds that processors have worked for this process and its children."""
    return sum(part.ru_utime + part.ru_stime for part in map(getrusage, (RUSAGE_SELF, RUSAGE_CHILDREN)))


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
