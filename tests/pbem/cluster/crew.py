"""What tests of a cluster share: a host with many games in a server, the processes of `pbem worker`, what they left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import Counter
from contextlib import closing, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pbem import clock
from pbem.brakes import heartbeat
from pbem.brakes.heartbeat import Beat
from pbem.care.moving import move
from pbem.config import Config, load
from pbem.deadlines.schedule import Schedule
from pbem.game.hosting import NewGame, new_game
from pbem.ledger import Ledger, games, journal, outbox, sound
from pbem.ledger.outbox import SENT
from tests.pbem.host.conftest import Host

TOGETHER = 50  # games begun in one transaction
CALL = "import sys\nsys.argv[0] = 'pbem'\n{before}\nfrom pbem.cli import main\nmain()"


def slowed(nap: str) -> str:
    """Program text: a game's own process sleeps for so many seconds before it begins."""
    return f"""
import os
import time
from pbem import resolving
work = resolving._work
def slow(raw):
    time.sleep({nap})
    return work(raw)
resolving._work = slow
"""


SLOW = slowed("0.3")  # so that few games last as long as there is somebody to kill


def crowded(host: Host, url: str, count: int) -> Config:
    """That host in a server, with so many games whose deadline has passed. Their first reports have left."""
    past = datetime.now(UTC).replace(microsecond=0) - timedelta(days=2)
    begin(host, count, past)
    heartbeat.keep(host.config, Beat(datetime.now(UTC).replace(microsecond=0)))  # it was at work until now
    host.ledger.close()
    move(host.config, url)
    return load(host.config.folder / "pbem.toml")


def begin(host: Host, count: int, past: datetime) -> None:
    """Games whose first deadline is a day later."""
    names = [f"game-{number}" for number in range(count)]
    schedule = Schedule.read(f"nightly {past:%H:%M} think=1h")
    for first in range(0, count, TOGETHER):
        with host.ledger.write() as tx:
            for name in names[first : first + TOGETHER]:
                seats = {"1": "player-1", "2": "player-2"}
                new_game(tx, host.config, NewGame(rules="nim", name=name, seats=seats, schedule=schedule), past)
            for mail in outbox.due(tx, past):
                outbox.fate(tx, mail, SENT, past)


@dataclass
class Workers:
    """`pbem worker` as it is called on each machine. `before` is run in each first: a weakened build."""

    config: Config
    before: str = ""
    running: list[subprocess.Popen[bytes]] = field(default_factory=list)
    said: Path = Path("/dev/null")  # where its words go

    def start(self, processes: int = 1) -> subprocess.Popen[bytes]:
        program = CALL.replace("{before}", self.before)
        call = [sys.executable, "-c", program, "worker", "--processes", str(processes), "--every", "2"]
        with self.said.open("ab") as to:
            made = subprocess.Popen(call, cwd=self.config.folder, stdout=to, stderr=to, start_new_session=True)
        self.running.append(made)
        return made

    def children(self) -> list[int]:
        """Every process that any of them has started, and what those have started."""
        return _children([one.pid for one in self.running])

    def kill(self, pid: int) -> None:
        """One process, with 9."""
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)

    def kill_machine(self, number: int) -> None:
        """All processes of one machine at once; it is started anew."""
        dead = self.running.pop(number)
        for pid in [dead.pid, *_children([dead.pid])]:
            self.kill(pid)
        dead.wait()
        self.start(2)

    def end(self) -> None:
        for one in self.running:
            one.terminate()
        for one in self.running:
            assert one.wait(timeout=60) == 0
        self.running.clear()

    def stop(self) -> None:
        """After a failure."""
        for one in self.running:
            os.killpg(one.pid, signal.SIGKILL)
            one.wait()


def _children(parents: list[int]) -> list[int]:
    """What these have started, and what that has."""
    found, left = [], list(parents)
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


def all_resolved(ledger: Ledger) -> bool:
    with ledger.read() as tx:
        return not games.any_due(tx, clock.system())


def all_sent(ledger: Ledger) -> bool:
    with ledger.read() as tx:
        return not outbox.waiting(tx)


def turns_of(config: Config) -> Counter[tuple[str, int]]:
    """How often each turn of each game stands in the journal, which is sound."""
    with closing(Ledger.open(config.place)) as ledger, ledger.read() as tx:
        assert not list(sound.all_faults(tx))
        return Counter((row.chain, row.turn) for row in journal.rows(tx, kinds=("turn",)) if row.turn is not None)


def mails_of(config: Config) -> Counter[str]:
    """How often each mail of each game was written."""
    with closing(Ledger.open(config.place)) as ledger, ledger.read() as tx:
        return Counter(row.facts()["message_id"] for row in journal.rows(tx, kinds=("mail",)))
