"""Very many small seasons, each by its own seed, without child processes: how many were played, and which broke."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path

from pbem.care.settling import settle
from tests.pbem.host.conftest import secret
from tests.season.at_hand import at_hand
from tests.season.season import play

AT_A_TIME, TELLS = 20, 100  # seeds in one task, and between two lines that say how far it is


@dataclass
class Found:
    """What many seasons came to."""

    seeds: int = 0
    seen: Counter[str] = field(default_factory=Counter)
    broken: dict[int, str] = field(default_factory=dict)

    def __str__(self) -> str:
        broke = f"{len(self.broken)} broke: {sorted(self.broken)}" if self.broken else "none broke"
        return f"{self.seeds} seasons, {broke}; {dict(sorted(self.seen.items()))}"


def many(
    room: Path, seeds: Iterable[int], games: int, nights: int, jobs: int = 1, tell: Callable[[str], None] | None = None
) -> Found:
    """Play them all; `tell` hears of each that broke, and how far it is."""
    found, template = Found(), room / "template"
    settle(template, secret=secret("season"))
    wanted = list(seeds)
    tasks = [(room, wanted[n : n + AT_A_TIME], games, nights) for n in range(0, len(wanted), AT_A_TIME)]
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:  # children of ours, so that their work is counted
        for some in pool.map(_some, tasks) if jobs > 1 else map(_some, tasks):
            found.seeds += some.seeds
            found.seen += some.seen
            found.broken |= some.broken
            for seed, why in some.broken.items():
                if tell is not None:
                    tell(f"{seed}: {why}")
            if tell is not None and found.seeds % TELLS == 0:
                tell(f"{found.seeds} of {len(wanted)}")
    return found


def _some(task: tuple[Path, list[int], int, int]) -> Found:
    room, seeds, games, nights = task
    found = Found()
    with at_hand():
        for seed in seeds:
            folder = room / f"season-{seed}"
            try:
                found.seen += _one(folder, seed, games, nights, room / "template")
            except Exception as broken:  # a fault of the host's is found by any kind of error
                found.broken[seed] = f"{type(broken).__name__}: {broken}"
            found.seeds += 1
            shutil.rmtree(folder, ignore_errors=True)
    return found


def _one(folder: Path, seed: int, games: int, nights: int, template: Path) -> Counter[str]:
    season = play(folder, seed, games, nights, template=template)
    try:
        season.end()
        return season.seen
    finally:
        season.host.ledger.close()
