"""Workers of a cluster, as real processes on a real server: every game once, whoever is killed.

A share in every run. `PBEM_LONG=1 python -m pytest -n0 tests/pbem/cluster/test_workers.py -k killed` has ten thousand
games, and a process killed each second until all are resolved.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbem.brakes import heartbeat
from pbem.brakes.heartbeat import Beat
from pbem.care.moving import move
from pbem.cluster import queue
from pbem.config import Config, load
from pbem.deadlines.schedule import Schedule
from pbem.delivering import deliver
from pbem.game.hosting import NewGame, new_game
from pbem.ledger import Ledger, games, journal, outbox, sound
from tests import postgres
from tests.pbem.host.conftest import Host, make_host

__all__ = ["make_host"]
pytest.importorskip("procrastinate", reason="procrastinate is missing: pip install pbem[cluster]")
LONG = "PBEM_LONG" in os.environ
GAMES = 10_000 if LONG else 40
pytestmark = [
    pytest.mark.timeout(0 if LONG else 300),
    pytest.mark.sqlite,
    pytest.mark.slow,
    pytest.mark.skipif(postgres.binaries() is None, reason=postgres.MISSING),
]
KILLS = 100_000 if LONG else 8
PAUSE = 1.0 if LONG else 0.25  # seconds between two kills; forty games are done in a few


@pytest.fixture
def crowded(make_host: Callable[..., Host], url: str) -> Config:
    """A host in a server, with games whose deadline was a minute ago."""
    host = make_host()
    past = datetime.now(UTC).replace(microsecond=0) - timedelta(days=2)
    for number in range(GAMES):
        start(host, f"game-{number}", past)
    deliver(host.config, host.ledger, past)
    heartbeat.keep(host.config, Beat(datetime.now(UTC).replace(microsecond=0)))  # it was at work until now
    host.ledger.close()
    move(host.config, url)
    return load(host.config.folder / "pbem.toml")


def start(host: Host, name: str, now: datetime) -> None:
    """A game whose first deadline is a day later."""
    seats = {"1": "player-1", "2": "player-2"}
    with host.ledger.write() as tx:
        wanted = NewGame(rules="nim", name=name, seats=seats, schedule=Schedule.read(f"nightly {now:%H:%M} think=1h"))
        new_game(tx, host.config, wanted, now)


class Workers:
    """`pbem worker` as it is called on each machine."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.running: list[subprocess.Popen[bytes]] = []

    def start(self, processes: int = 1) -> subprocess.Popen[bytes]:
        call = [sys.executable, "-m", "pbem", "worker", "--processes", str(processes), "--every", "2"]
        made = subprocess.Popen(call, cwd=self.config.folder, stdout=subprocess.DEVNULL, start_new_session=True)
        self.running.append(made)
        return made

    def children(self) -> list[int]:
        """Every process that any of them has started, and what those have started."""
        found, left = [], [one.pid for one in self.running]
        while left:
            pid = left.pop()
            tasks = Path(f"/proc/{pid}/task")
            for task in tasks.iterdir() if tasks.is_dir() else ():
                try:
                    born = [int(word) for word in (task / "children").read_text().split()]
                except OSError:
                    continue  # it has ended meanwhile
                found += born
                left += born
        return found

    def end(self) -> None:
        for one in self.running:
            one.terminate()
        for one in self.running:
            assert one.wait(timeout=60) == 0
        self.running.clear()


@pytest.fixture
def workers(crowded: Config) -> Iterator[Workers]:
    crew = Workers(crowded)
    yield crew
    for one in crew.running:  # only after a failure
        os.killpg(one.pid, signal.SIGKILL)
        one.wait()


def wait_for(config: Config, what: Callable[[Ledger], bool], seconds: float = 36_000 if LONG else 120) -> None:
    until = time.monotonic() + seconds
    with closing(Ledger.open(config.place)) as ledger:
        while not what(ledger):
            assert time.monotonic() < until, "the cluster did not come to its end"
            time.sleep(0.3)


def all_resolved(ledger: Ledger) -> bool:
    with ledger.read() as tx:
        return all(row.turn > 1 for row in games.every(tx))


def all_sent(ledger: Ledger) -> bool:
    with ledger.read() as tx:
        return not outbox.waiting(tx)


def turns_of(config: Config) -> Counter[tuple[str, int]]:
    """How often each turn of each game stands in the journal."""
    with closing(Ledger.open(config.place)) as ledger, ledger.read() as tx:
        assert not list(sound.all_faults(tx))
        names = [row.name for row in games.every(tx)]
        turns = ((name, row.turn) for name in names for row in journal.rows(tx, name, kinds=("turn",)))
        return Counter((name, turn) for name, turn in turns if turn is not None)


def test_two_machines_resolve_every_game_once(crowded: Config, workers: Workers) -> None:
    workers.start()
    workers.start()
    wait_for(crowded, all_resolved)
    wait_for(crowded, all_sent)
    workers.end()
    found = turns_of(crowded)
    assert set(found.values()) == {1}
    assert len(found) == 2 * GAMES, "the set-up, and the turn that was due"


def test_killed_with_9_in_mid_job_nothing_is_lost_or_doubled(crowded: Config, workers: Workers) -> None:
    workers.start(2)
    workers.start(2)
    luck, kills = random.Random(9), 0
    with closing(Ledger.open(crowded.place)) as ledger:
        while not all_resolved(ledger) and kills < KILLS:
            time.sleep(PAUSE)
            if children := workers.children():
                os.kill(luck.choice(children), signal.SIGKILL)
                kills += 1
    assert kills > 2
    wait_for(crowded, all_resolved)
    wait_for(crowded, all_sent)
    workers.end()
    assert set(turns_of(crowded).values()) == {1}


def test_a_worker_says_where_its_ledger_must_be(make_host: Callable[..., Host]) -> None:
    host = make_host()
    call = [sys.executable, "-m", "pbem", "worker"]
    done = subprocess.run(call, cwd=host.config.folder, capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert done.stderr == "pbem: Workers need a ledger in PostgreSQL; `pbem migrate-to` moves this host's.\n"


def test_what_waits_is_not_sent_again(crowded: Config) -> None:
    queue.set_up(crowded.place)
    queue.set_up(crowded.place)
    with queue.queue_at(crowded.place) as jobs:
        at = {"now": "2026-11-18T20:00Z", "told": "2026-11-18T20:00Z"}
        assert jobs.send(["game-1", "game-2"], **at) == ["game-1", "game-2"]
        assert jobs.send(["game-1", "game-2"], **at) == []
        assert jobs.left() == 2
        assert jobs.send(["game-2", "game-3"], **at) == ["game-3"]
        assert jobs.left() == 3


@pytest.mark.parametrize("workers", [0, 1, 3, 64])
@pytest.mark.parametrize("count", [0, 1, 7, 1000])
def test_the_games_of_a_night_are_shared_out(count: int, workers: int) -> None:
    names = [f"game-{number}" for number in range(count)]
    parts = list(queue.shared_out(names, workers))
    assert [name for part in parts for name in part] == names
    sizes = [len(part) for part in parts]
    assert sizes == sorted(sizes, reverse=True)
    assert max(sizes, default=1) <= queue.MOST
    assert sizes[-1:] == [1][: len(sizes)], "nobody waits for more than a game at the end"
    if count == 1000:
        assert len(parts) < count / 2, "most games share their job's cost"
