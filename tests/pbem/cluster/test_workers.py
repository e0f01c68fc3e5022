"""Workers of a cluster, as real processes on a real server: every game once, on two machines; what a queue holds."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from pbem.cluster import plainly, queue
from pbem.config import Config
from pbem.ledger import Ledger
from tests import postgres
from tests.pbem.cli.test_figures import figures
from tests.pbem.cluster.crew import SLOW, Workers, all_resolved, all_sent, crowded, turns_of
from tests.pbem.host.conftest import Host, make_host

__all__ = ["make_host"]
pytest.importorskip("procrastinate", reason="procrastinate is missing: pip install pbem[cluster]")
GAMES = 40
pytestmark = [
    pytest.mark.sqlite,
    pytest.mark.slow,
    pytest.mark.skipif(postgres.binaries() is None, reason=postgres.MISSING),
]


@pytest.fixture
def config(make_host: Callable[..., Host], url: str) -> Config:
    return crowded(make_host(), url, GAMES)


@pytest.fixture
def workers(config: Config) -> Iterator[Workers]:
    crew = Workers(config)
    yield crew
    crew.stop()


def wait_for(what: Callable[[], bool]) -> None:
    until = time.monotonic() + 120
    while not what():
        assert time.monotonic() < until, "it did not come to its end"
        time.sleep(0.3)


def test_two_machines_resolve_every_game_once(config: Config, workers: Workers) -> None:
    settings = config.folder / "pbem.toml"
    settings.write_text(settings.read_text().replace("[watch]", '[watch]\nmetrics = "pbem.prom"\n#', 1))
    workers.start()
    workers.start()
    with closing(Ledger.open(config.place)) as ledger:
        wait_for(lambda: all_resolved(ledger) and all_sent(ledger))
    workers.end()
    found = turns_of(config)
    assert set(found.values()) == {1}
    assert len(found) == 2 * GAMES, "the set-up, and the turn that was due"
    assert figures(config.folder)["pbem_ledger_bytes ledger"] > 1_000_000, "whoever leads leaves what is watched"


def test_a_server_that_goes_away_for_a_while(
    config: Config, workers: Workers, server: postgres.Server, tmp_path: Path
) -> None:
    """The worker says so, in lines that a person reads, and goes on when the server is back."""
    workers.before = SLOW
    queue.set_up(config.place)
    workers.said = tmp_path / "said"
    workers.start(2)
    with queue.queue_at(config.place) as jobs:
        wait_for(lambda: 0 < jobs.left() < GAMES)
    server.kill()
    wait_for(lambda: plainly.AWAY[:20] in workers.said.read_text())
    server.start()
    with closing(Ledger.open(config.place)) as ledger:
        wait_for(lambda: all_resolved(ledger) and all_sent(ledger))
    workers.end()
    assert set(turns_of(config).values()) == {1}
    lines = workers.said.read_text().splitlines()
    assert all(line.startswith(("pbem: ", "Waiting for games")) for line in lines), lines
    assert len(lines) < 60, lines


def test_a_worker_that_is_told_to_end_waits_for_nobody(config: Config, workers: Workers) -> None:
    """Games are in the queue that only it could resolve, and it leads the night: the next one goes on with both."""
    queue.set_up(config.place)
    workers.before = SLOW
    one = workers.start()
    with queue.queue_at(config.place) as jobs:
        wait_for(lambda: jobs.left() > GAMES // 2)
        one.terminate()
        assert one.wait(60) == 0
        assert jobs.left() > GAMES // 4
    workers.running.clear()
    workers.before = ""
    workers.start()
    with closing(Ledger.open(config.place)) as ledger:
        wait_for(lambda: all_resolved(ledger) and all_sent(ledger))
    workers.end()
    assert set(turns_of(config).values()) == {1}


def test_the_processes_of_a_worker_that_is_killed_end(config: Config, workers: Workers) -> None:
    """Nobody is left to look after them, and whoever starts the worker again would have them twice."""
    one = workers.start(2)
    wait_for(lambda: len(workers.children()) >= 8)  # four processes, each with its hand
    left = workers.children()
    os.kill(one.pid, signal.SIGKILL)
    wait_for(lambda: not any(Path(f"/proc/{pid}").exists() for pid in left))


def test_a_worker_says_where_its_ledger_must_be(make_host: Callable[..., Host]) -> None:
    host = make_host()
    call = [sys.executable, "-m", "pbem", "worker"]
    done = subprocess.run(call, cwd=host.config.folder, capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert done.stderr == "pbem: Workers need a ledger in PostgreSQL; `pbem migrate-to` moves this host's.\n"


def test_what_waits_is_not_sent_again(config: Config) -> None:
    queue.set_up(config.place)
    queue.set_up(config.place)
    with queue.queue_at(config.place) as jobs:
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
