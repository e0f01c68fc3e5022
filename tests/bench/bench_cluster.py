"""One worker against two: `python -m tests.bench.bench_cluster [games] [rounds] [game option=value ...]`.

Each round plays a night's resolving part twice on one ledger in a PostgreSQL server of its own: with one worker of one
process, then with two, each with the same number of due games. What is told is the ratio of the medians; on a machine
with two cores nothing else may run meanwhile, since the server has its share of them, too.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime, timedelta
from statistics import median

from pbem import bench
from pbem.care.moving import move
from pbem.clock import stamp
from pbem.cluster import queue
from pbem.cluster.queue import TURNS, Queue
from pbem.cluster.worker import Crew
from pbem.config import FILE, Config, load
from pbem.ledger import Ledger, games
from tests import postgres

WARM = 8  # games for each worker before the clock starts: templates are compiled, rules are imported
LOOK = 0.05  # seconds between two looks at what is left, each of which is work for the server, too


@contextmanager
def workers(config: Config, count: int) -> Iterator[None]:
    """So many workers of one process each, which lead no nights."""
    pids = []
    for _ in range(count):
        pid = os.fork()
        if not pid:
            try:
                Crew(config, [TURNS], 0, print).work()
            finally:
                os._exit(0)
        pids.append(pid)
    try:
        yield
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGTERM)
        for pid in pids:
            os.waitpid(pid, 0)


def done(jobs: Queue, names: list[str], now: datetime) -> float:
    """Seconds until the workers have resolved these games."""
    begun = time.perf_counter()
    jobs.send(names, now=stamp(now), told=stamp(now))
    while jobs.left():
        time.sleep(LOOK)
    return time.perf_counter() - begun


def warm(jobs: Queue, names: list[str], count: int, now: datetime) -> list[str]:
    """Have the first games resolved; gives those that are left for the clock."""
    done(jobs, names[: WARM * count], now)
    return names[WARM * count :]


def one_night(config: Config, names: list[str], count: int, now: datetime) -> float:
    """Turns a second with so many workers."""
    with workers(config, count), queue.queue_at(config.place) as jobs:
        rest = warm(jobs, names, count, now)
        rate = len(rest) / done(jobs, rest, now)
    with closing(Ledger.open(config.place)) as ledger, ledger.read() as tx:
        left = games.due(tx, now)
    assert not left, f"{len(left)} games were not resolved"
    return rate


def measure(count: int, rounds: int, game: str, options: dict[str, str]) -> tuple[list[float], list[float]]:
    """Turns a second by one worker and by two, round by round."""
    one, two = [], []
    with postgres.server() as server, bench.host() as (config, ledger):
        bench.start_games(config, ledger, game, options, count)
        names = [f"g{number}" for number in range(count)]
        ledger.close()
        move(config, server.url)
        config = load(config.folder / FILE)
        queue.set_up(config.place)
        for day in range(rounds):
            at = bench.BEGINS + timedelta(days=2 * day, hours=12)
            one.append(one_night(config, names, 1, at))
            two.append(one_night(config, names, 2, at + timedelta(days=1)))
            print(f"round {day + 1}: {one[-1]:.1f} turns a second by one worker, {two[-1]:.1f} by two", flush=True)
    return one, two


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    game = sys.argv[3] if len(sys.argv) > 3 else "yuan"
    said = sys.argv[4:] or (["players=4", "tile_setup=dealt", "powers=true"] if game == "yuan" else [])
    one, two = measure(count, rounds, game, dict(choice.split("=", 1) for choice in said))
    print(f"medians: {median(one):.1f} and {median(two):.1f} turns a second: {median(two) / median(one):.2f} times one")
