"""How many order mails a second come in through `pbem listen`: stored, read in the bounded child, judged and answered.

Run by hand: `.venv/bin/python -m tests.bench.bench_arriving [MAILS]`. The listener and its children share one core, the
clients have another. Each rate is told twice: by the clock on the wall, the disk's syncs and whatever else the machine
does included, and by the processor time that the listener and its children took beyond starting and stopping.
"""

from __future__ import annotations

import os
import resource
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import tests.conftest  # noqa: F401 - makes the sample games known
from pbem import bench, keys
from pbem.config import TEMPLATE, Config
from pbem.delivering import deliver
from pbem.game.hosting import NewGame, add_player, new_game
from pbem.intake.limits import USUAL
from pbem.intake.reading import BoundedReader
from pbem.ledger import Ledger, chains
from tests.pbem.arriving.lmtp_client import Client

GAME, OPTIONS, SEATS = "nim", {"heaps": "20-20-20"}, ("1", "2")
CLIENTS = 20
TABLE = USUAL.answers  # games of one pair of players: each of them is answered so often on a day


def order_mail(number: int, secret: bytes, game: str, seat: str) -> bytes:
    """A plain order mail, as a person's mail program writes it."""
    key = keys.key(secret, seat, 1)
    lines = [
        "Received: from mail.players.example (mail.players.example [192.0.2.7]) by mx.host.example with ESMTPS",
        f"Message-ID: <{number}.{game}@players.example>",
        "Date: Wed, 18 Nov 2026 12:00:00 +0100",
        f"From: Player {seat} <{seat}@players.example>",
        "To: orders@localhost",
        f"Subject: Re: {game}, turn 1",
        "MIME-Version: 1.0",
        "Content-Type: text/plain; charset=utf-8; format=flowed",
        "",
        f"game: {game}",
        f"seat: '{seat}'",
        "turn: 1",
        f"key: {key}",
        "orders:",
        "  - b3",
        "end: orders",
        "",
    ]
    return "\r\n".join(lines).encode()


def start_games(config: Config, ledger: Ledger, count: int) -> None:
    """Games, and so many players that each mail may be answered."""
    for first in range(0, count, TABLE):
        with ledger.write() as tx:
            names = [f"Player {first}-{seat}" for seat in SEATS]
            for name in names:
                address = f"{name.replace(' ', '')}@players.example"
                add_player(tx, name, address, "en", "UTC", bench.BEGINS)
            for number in range(first, min(count, first + TABLE)):
                seed = number.to_bytes(32, "big")
                wanted = NewGame(
                    rules=GAME,
                    name=f"g{number}",
                    seats=dict(zip(SEATS, names, strict=True)),
                    options=OPTIONS,
                    seed=seed,
                    secret=seed,
                )
                new_game(tx, config, wanted, bench.BEGINS)


def mails_for(ledger: Ledger, count: int) -> list[bytes]:
    """One for each seat of as many games as that takes."""
    found = []
    with ledger.read() as tx:
        for number in range(count):
            name, seat = f"g{number // len(SEATS)}", SEATS[number % len(SEATS)]
            found.append(order_mail(number, chains.secret_of(tx, name).secret, name, seat))
    return found


def send(place: Path, raws: list[bytes]) -> None:
    """All of them, over several connections; every one answered with 250."""

    def work(part: list[bytes]) -> None:
        with Client(place) as client:
            for raw in part:
                [answer] = client.mail(raw)
                assert answer.startswith("250"), answer

    threads = [threading.Thread(target=work, args=(raws[first::CLIENTS],)) for first in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def waits(folder: Path) -> int:
    with closing(sqlite3.connect(folder / "ledger.db")) as line:
        found: int = line.execute("SELECT count(*) FROM inbox WHERE state = 'waiting'").fetchone()[0]
        return found


def sent(folder: Path) -> int:
    """The mails that have left."""
    with closing(sqlite3.connect(folder / "ledger.db")) as line:
        found: int = line.execute("SELECT count(*) FROM outbox WHERE state = 'sent'").fetchone()[0]
        return found


class Took(NamedTuple):
    """Seconds until all are stored, until all are judged and their receipts have left, and of the processor."""

    stored: float
    whole: float
    cpu: float


def cpu(who: int) -> float:
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def listened(count: int, judge: str) -> Took:
    with bench.host() as (config, ledger):
        text = TEMPLATE.format(zone="UTC").replace('judge = "at-once"', f'judge = "{judge}"')
        (config.folder / "pbem.toml").write_text(text)
        start_games(config, ledger, (count + 1) // len(SEATS))
        raws = mails_for(ledger, count)
        deliver(config, ledger, bench.BEGINS)  # what the games began with
        ledger.close()
        begun_with = sent(config.folder)
        before = cpu(resource.RUSAGE_CHILDREN)
        command = [sys.executable, "-m", "pbem", "listen", "--on", "lmtp.sock"]
        os.sched_setaffinity(0, {cores[0]})
        program = subprocess.Popen(command, cwd=config.folder, stdout=subprocess.PIPE, text=True)
        os.sched_setaffinity(0, {cores[-1]})
        with program:
            assert program.stdout is not None
            program.stdout.readline()
            begun = time.monotonic()
            send(config.folder / "lmtp.sock", raws)
            stored = time.monotonic() - begun
            program.terminate()  # it ends when its judge has nothing left to do
            program.communicate()
        whole = time.monotonic() - begun
        assert waits(config.folder) == (count if judge == "night" else 0)
        assert sent(config.folder) - begun_with == (0 if judge == "night" else count)
        return Took(stored, whole, cpu(resource.RUSAGE_CHILDREN) - before)


def read_in_child(count: int) -> Took:
    raws = [order_mail(number, b"x" * 32, f"g{number}", "1") for number in range(count)]
    os.sched_setaffinity(0, {cores[0]})
    before = cpu(resource.RUSAGE_CHILDREN) + cpu(resource.RUSAGE_SELF)
    with BoundedReader() as reader:
        reader.read_mail(raws[0])
        begun = time.monotonic()
        for raw in raws:
            assert reader.read_mail(raw, ours=("orders@localhost",)).reading is not None
        wall = time.monotonic() - begun
    return Took(wall, wall, cpu(resource.RUSAGE_CHILDREN) + cpu(resource.RUSAGE_SELF) - before)


cores = sorted(os.sched_getaffinity(0))


def told(count: int, wall: float, busy: float, what: str) -> None:
    print(f"{count / wall:8.0f} {count / busy:8.0f}  {what}")


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    idle = {judge: listened(0, judge).cpu for judge in ("night", "at-once")}
    night, read, at_once = listened(count, "night"), read_in_child(count), listened(count, "at-once")
    storing = night.cpu - idle["night"]
    print("mails a second: by the wall, by the processor")
    told(count, night.stored, storing, "stored, each answered 250 after its commit")
    told(count, read.whole, read.cpu, "read in the bounded child")
    told(count, night.stored + read.whole, storing + read.cpu, "stored and read, on one core")
    told(count, at_once.stored, storing, "stored while others are judged")
    told(count, at_once.whole, at_once.cpu - idle["at-once"], "stored, read, judged, answered with a receipt that left")


if __name__ == "__main__":
    main()
