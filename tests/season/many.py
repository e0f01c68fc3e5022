"""Very many small seasons, each by its own seed, without child processes: how many were played, and which broke."""

from __future__ import annotations

import gc
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from signal import SIG_IGN, SIGINT, signal

from pbem.care.settling import settle
from tests.pbem.host.conftest import secret
from tests.season.at_hand import at_hand
from tests.season.season import play

GAMES, NIGHTS = 2, 4  # of a small season
AT_A_TIME = 20  # seeds in one task: what is lost at most, for each process, when many are stopped


def repeats(seed: int) -> str:
    """The command that plays the small season of that seed."""
    return f"python -m tests.season --small {seed}"


@dataclass
class Found:
    """What seasons came to."""

    seeds: list[int] = field(default_factory=list)
    seen: Counter[str] = field(default_factory=Counter)
    broken: dict[int, str] = field(default_factory=dict)

    def add(self, more: Found) -> None:
        self.seeds += more.seeds
        self.seen += more.seen
        self.broken |= more.broken

    def __str__(self) -> str:
        broke = f"{len(self.broken)} broke" if self.broken else "none broke"
        counts = f"{len(self.seeds)} seasons, {broke}; {dict(sorted(self.seen.items()))}"
        return "\n".join([counts, *(f"{why}\n  repeat it: {repeats(seed)}" for seed, why in self.broken.items())])


def many(room: Path, seeds: Sequence[int]) -> Found:
    """The small seasons of all these seeds."""
    found = Found()
    for some in in_parts(room, seeds):
        found.add(some)
    return found


def in_parts(room: Path, seeds: Sequence[int], jobs: int = 1) -> Iterator[Found]:
    """The same, by so many processes, as far as they got each time."""
    template = room / "template"
    settle(template, secret=secret("season"))
    tasks = [(room, seeds[n : n + AT_A_TIME]) for n in range(0, len(seeds), AT_A_TIME)]
    if jobs == 1:
        yield from map(_some, tasks)
        return
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), _undisturbed)  # children of ours: their work is counted
    try:
        yield from pool.map(_some, tasks)
    finally:
        pool.shutdown(cancel_futures=True)


def _undisturbed() -> None:
    """Who stops the whole stops this process; its children finish what they have in hand. What is loaded stays, and a
    season leaves hardly anything behind that refers to itself: looking for that less often saves a twentieth."""
    signal(SIGINT, SIG_IGN)
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


def _some(task: tuple[Path, Sequence[int]]) -> Found:
    room, seeds = task
    found = Found()
    with at_hand():
        for seed in seeds:
            folder = room / f"season-{seed}"
            try:
                found.seen += small(folder, seed, room / "template")
            except Exception as broken:  # a fault of the host's is found by any kind of error
                found.broken[seed] = f"{type(broken).__name__}: {broken}"
            found.seeds.append(seed)
            shutil.rmtree(folder, ignore_errors=True)
    return found


def small(folder: Path, seed: int, template: Path | None = None) -> Counter[str]:
    """One of them, from its beginning to its last questions; what it saw."""
    season = play(folder, seed, GAMES, NIGHTS, template=template)
    try:
        season.end()
        return season.seen
    finally:
        season.host.ledger.close()
