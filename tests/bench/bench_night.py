"""A night of many due games: `python tests/bench/bench_night.py [games] [game option=value ...]`.

Prints turns and reports a second on this machine, what the time went to (one process, profiled), and the cost of a turn
after a long history and beside many idle games as ratios of one run.
"""

from __future__ import annotations

import cProfile
import pstats
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from pbem import bench, resolving

PARTS = {
    "resolving": ("advance.py", "advance"),
    "reports: text": ("text.py", "render"),
    "reports: HTML": ("html.py", "render"),
    "reports: JSON": ("json.py", "render"),
    "mail bytes": ("letter.py", "write"),
    "chain in the worker": ("turning.py", "chained"),
    "all in the worker": ("turning.py", "play"),
    "taking games out": ("resolving.py", "_tasks"),
    "writing turns": ("resolving.py", "_write"),
    "delivery": ("delivering.py", "deliver"),
}


class Inline:
    """The worker pool in this process, so that one profile sees everything."""

    def __init__(self, work: Callable[[bytes], bytes], *_: object) -> None:
        self.work = work

    def __enter__(self) -> Inline:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def map(self, tasks: Iterable[bytes]) -> Iterator[bytes]:
        return map(self.work, tasks)


def whole(game: str, options: dict[str, str], count: int) -> None:
    with bench.host() as (config, ledger):
        bench.start_games(config, ledger, game, options, count)
        bench.one_night(config, ledger, 0)
        for day in (1, 2, 3):
            summary, took = bench.one_night(config, ledger, day)
            reports = summary.mails["sent"]
            print(
                f"{count} games of {game}, night {day}: {took:.1f} s, {summary.turns / took:.0f} turns a second, "
                f"{reports / took:.0f} reports a second written and delivered"
            )


def shares(game: str, options: dict[str, str], count: int) -> None:
    resolving.Pool = Inline  # type: ignore[assignment, misc]
    with bench.host() as (config, ledger):
        bench.start_games(config, ledger, game, options, count)
        bench.one_night(config, ledger, 0)
        bench.one_night(config, ledger, 1)
        profile = cProfile.Profile(time.process_time)
        profile.enable()
        bench.one_night(config, ledger, 2)
        profile.disable()
    stats = pstats.Stats(profile).stats  # type: ignore[attr-defined]
    total = sum(row[2] for row in stats.values())
    print(f"of {total / count * 1000:.1f} ms of processor time a turn, profiler included:")
    for part, (file, function) in PARTS.items():
        spent = sum(row[3] for key, row in stats.items() if Path(key[0]).name == file and key[2] == function)
        print(f"  {part:<20} {spent / total:6.1%}")


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    game = sys.argv[2] if len(sys.argv) > 2 else "yuan"
    choices = sys.argv[3:] or ["players=4", "tile_setup=dealt", "powers=true"]
    options = dict(choice.split("=", 1) for choice in choices)
    whole(game, options, count)
    shares(game, options, min(count, 100))
