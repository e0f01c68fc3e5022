"""What one four-seat turn costs, with four mails in and eight out: processor time, rows and bytes, in PostgreSQL."""

from __future__ import annotations

import os
import platform
import resource
import signal
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy as sa

from pbem import bench, delivering, keys
from pbem.arriving.message import arrived_by
from pbem.arriving.storing import MAIL, store
from pbem.care.moving import move
from pbem.clock import system
from pbem.cluster.queue import shared_out
from pbem.cluster.work import Desk
from pbem.config import FILE, Config, load
from pbem.ledger import Ledger
from pbem.messages import settle_waiting
from pbem.post.settings import SMTP, Smtp
from pbem.settings import Place
from tests import postgres
from tests.pbem.post.rude import Rude

GAME, OPTIONS = "yuan", {"players": "4", "tile_setup": "dealt", "powers": "true"}
SEATS = 4


class Cpu(NamedTuple):
    """Processor seconds: of this process, of the bounded ones it started, of the server."""

    ours: float
    theirs: float
    server: float

    def since(self, before: Cpu, count: int) -> dict[str, float]:
        """Milliseconds each."""
        spent = [1000 * (now - then) / count for now, then in zip(self, before, strict=True)]
        return {name: round(value, 2) for name, value in zip(self._fields, spent, strict=True)}


class Spent:
    """What has been spent so far."""

    def __init__(self, server: postgres.Server) -> None:
        self._first = int((server.room / "data" / "postmaster.pid").read_text().split()[0])

    def now(self) -> Cpu:
        own, ended = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
        return Cpu(own.ru_utime + own.ru_stime, ended.ru_utime + ended.ru_stime, self._of_server())

    def _of_server(self) -> float:
        ticks = 0
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                words = (folder / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue  # it has ended meanwhile
            if (first := int(folder.name) == self._first) or int(words[1]) == self._first:
                ticks += sum(map(int, words[11 : 15 if first else 13]))  # the first one's with those that have ended
        return ticks / os.sysconf("SC_CLK_TCK")


@contextmanager
def mail_server() -> Iterator[int]:
    """A mail server in a process of its own, so that its time is not ours; gives its port."""
    ready, told = os.pipe()
    pid = os.fork()
    if not pid:
        try:
            with Rude() as server:
                os.write(told, str(server.port).encode())
                signal.pause()
        finally:
            os._exit(0)
    try:
        yield int(os.read(ready, 10))
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


class Sizes:
    """How many rows each table has, and how many bytes with its indexes."""

    def __init__(self, ledger: Ledger) -> None:
        with ledger.read() as tx:
            names = sa.inspect(tx.connection).get_table_names()
            count = lambda name: tx.all(sa.text(f"SELECT count(*) FROM {name}"))[0][0]  # noqa: E731
            size = lambda name: tx.all(sa.text(f"SELECT pg_total_relation_size('{name}')"))[0][0]  # noqa: E731
            self.rows = {name: count(name) for name in names}
            self.bytes = {name: size(name) for name in names}

    def since(self, before: Sizes, count: int) -> dict[str, dict[str, float]]:
        """How many more of each there are, for one of what was done."""
        more = {name: self.rows[name] - before.rows[name] for name in self.rows}
        room = {name: self.bytes[name] - before.bytes[name] for name in self.rows}
        return {
            "rows": {name: round(value / count, 2) for name, value in more.items() if value},
            "bytes": {name: round(value / count) for name, value in room.items() if value > 0},
        }


class Bench:
    """A host in a server, with games that are due every night."""

    def __init__(self, config: Config, server: postgres.Server, count: int) -> None:
        self.config, self.count, self.spent = config, count, Spent(server)
        self.night = bench.BEGINS + timedelta(hours=12)
        self.names = [f"g{number}" for number in range(count)]

    def measured(self, work: Callable[[], Any], count: int) -> dict[str, Any]:
        with closing(Ledger.open(self.config.place)) as ledger:
            rows, cpu = Sizes(ledger), self.spent.now()
            work()
            return {"ms": self.spent.now().since(cpu, count)} | Sizes(ledger).since(rows, count)

    def resolve(self, page: bool) -> None:
        """One night's turns, as a worker does them."""
        self.config = replace(self.config, post=replace(self.config.post, page=page))
        desk, self.night = Desk(self.config), self.night + timedelta(days=1)
        at = self.night.isoformat()
        for games in shared_out(self.names, 1):
            desk.resolve(games, at, at)
        desk.clear()

    def carry(self) -> None:
        with closing(Ledger.open(self.config.place)) as ledger:
            sent = delivering.deliver(self.config, ledger, self.night + timedelta(hours=2))
        assert sent == {"sent": sum(sent.values())}, sent

    def take(self, turn: int) -> None:
        """A mail from each seat, stored and judged."""
        now = self.night + timedelta(hours=1)
        with closing(Ledger.open(self.config.place)) as ledger:
            for number, name in enumerate(self.names):
                mails = [arrived_by(_mail(name, number, seat, turn), now) for seat in map(str, range(1, SEATS + 1))]
                for mail in mails:
                    store(ledger, [mail], MAIL)
            counts = settle_waiting(self.config, ledger, now)
        assert sum(counts.values()) == SEATS * self.count, counts


def _mail(game: str, number: int, seat: str, turn: int) -> bytes:
    """An answer to a report: what a mail program quotes, and an order that is looked at and refused."""
    secret = number.to_bytes(32, "big")
    form = [f"game: {game}", f"seat: {seat}", f"turn: {turn}", f"key: {keys.key(secret, seat, turn)}", "orders:"]
    quoted = [f"> Province {line}: two Villages, a Town, three armies, a rampart" for line in range(60)]
    above = [f"Message-ID: <{seat}.{turn}.{game}@players.example>", f"From: player{int(seat) - 1}@players.example"]
    above += ["To: orders@localhost", "Subject: Re: your turn", "", "Here are my orders.", *quoted]
    return "\r\n".join([*above, *form, "  - develop nowhere", "end: orders", ""]).encode()


def measure(count: int = 60) -> dict[str, Any]:
    """All figures, by name. The same four players sit in all games here, so each is answered as often as he writes."""
    with postgres.server() as server, bench.host() as (config, ledger), mail_server() as port:
        bench.start_games(config, ledger, GAME, OPTIONS, count)
        ledger.close()
        move(config, server.url)
        config = load(config.folder / FILE)
        config = replace(config, limits=replace(config.limits, answers=count * SEATS))
        config = replace(config, post=replace(config.post, by=SMTP, smtp=Smtp(Place("127.0.0.1", port), tls="none")))
        host = Bench(config, server, count)
        host.carry()
        host.resolve(page=True)  # what is made once is made
        host.carry()
        found: dict[str, Any] = {"turn": host.measured(lambda: host.resolve(page=True), count)}
        with_page = host.measured(host.carry, count * SEATS)
        host.resolve(page=False)
        found["mail"] = host.measured(host.carry, count * SEATS)
        found["page ms"] = round(with_page["ms"]["theirs"] - found["mail"]["ms"]["theirs"], 2)
        found["intake"] = host.measured(lambda: host.take(4), count * SEATS)
        found["receipt"] = host.measured(host.carry, count * SEATS)
    machine = f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"
    return found | {"on": f"{system():%Y-%m-%d}", "machine": machine, "games": count, "load": os.getloadavg()[0]}
