"""The play of the queue beside real workers: the same games, by one worker and by two."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from pbem import bench
from pbem.care.moving import move
from pbem.cluster import queue
from pbem.config import FILE, load
from tests import postgres
from tests.bench.bench_cluster import done, warm, workers
from tests.bench.scale.measuring import GAME, OPTIONS
from tests.bench.scale.plan import read
from tests.bench.scale.queueing import Costs, Setting, play


def check(figures: dict[str, Any], count: int = 60) -> list[dict[str, Any]]:
    """Seconds measured by one worker and by two, and what the play says with the cost that one worker had."""
    found = []
    with postgres.server() as server, bench.host() as (config, ledger):
        bench.start_games(config, ledger, GAME, OPTIONS, count)
        ledger.close()
        move(config, server.url)
        config = load(config.folder / FILE)
        queue.set_up(config.place)
        for number in (1, 2):
            at = bench.BEGINS + timedelta(days=number, hours=12)
            with workers(config, number), queue.queue_at(config.place) as jobs:
                names = warm(jobs, [f"g{n}" for n in range(count)], number, at)
                found.append({"workers": number, "games": len(names), "measured": round(done(jobs, names, at), 2)})
    each = found[0]["measured"] / found[0]["games"]
    known = read(figures).costs
    write = each * known.write / (known.play + known.write)
    for one in found:
        costs = Costs(play=each - write, write=write, ready=0, note=0)
        one["played"] = round(play(one["games"], costs, Setting(one["workers"], 1, every=0.0)).resolved, 2)
    return found
