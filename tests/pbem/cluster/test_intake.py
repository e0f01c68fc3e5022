"""Mails come in on two machines, into one ledger in a server: nothing is lost, nothing counts twice."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
import sqlalchemy as sa

from pbem.care.moving import move
from pbem.clock import system
from pbem.config import Config, load
from pbem.ledger import Ledger, outbox, sound
from pbem.ledger.journal import rows
from pbem.ledger.letters import waiting
from pbem.ledger.tables import INBOX
from tests import postgres
from tests.pbem.arriving.lmtp_client import Client
from tests.pbem.host.conftest import Host, make_host

__all__ = ["make_host"]
pytest.importorskip("aiosmtpd", reason="aiosmtpd is missing: pip install pbem[mail]")
pytest.importorskip("psycopg", reason="psycopg is missing: pip install pbem[cluster]")
pytestmark = [
    pytest.mark.sqlite,
    pytest.mark.skipif(postgres.binaries() is None, reason=postgres.MISSING),
]
GAMES = 12
FILED = ("@host", *(f"game-{number}" for number in range(GAMES)))


@dataclass
class Machine:
    """One with the host's pbem.toml, and mails in a Maildir; `pbem listen` runs on it."""

    folder: Path
    listening: subprocess.Popen[str] | None = None

    def __post_init__(self) -> None:
        (self.folder / "box" / "new").mkdir(parents=True)
        (self.folder / "box" / "cur").mkdir()
        (self.folder / "box" / "tmp").mkdir()
        (self.folder / "inbox").mkdir(exist_ok=True)

    def listen(self) -> None:
        call = [sys.executable, "-m", "pbem", "listen", "--on", "lmtp.sock"]
        self.listening = subprocess.Popen(call, cwd=self.folder, text=True, stdout=subprocess.PIPE)
        assert self.listening.stdout
        assert "Listening" in self.listening.stdout.readline()

    def end(self) -> None:
        if self.listening is not None:
            self.listening.terminate()
            self.listening.communicate(timeout=60)


@pytest.fixture
def machines(make_host: Callable[..., Host], url: str, tmp_path: Path) -> Iterator[tuple[Host, list[Machine]]]:
    """Two machines, on which nothing is judged before the night; and the host as it was before it moved."""
    host = make_host("one")
    for number in range(GAMES):
        host.start("nim", f"game-{number}")
    path = host.config.folder / "pbem.toml"
    text = path.read_text().replace('judge = "at-once"', 'judge = "night"').replace("page = true", "page = false")
    path.write_text(text.replace('# maildir = "/var/mail/orders"', 'maildir = "box"'))
    (tmp_path / "two").mkdir()
    found = [Machine(host.config.folder), Machine(tmp_path / "two")]
    yield host, found
    for one in found:
        one.end()


def moved(host: Host, machines: Sequence[Machine], url: str) -> Config:
    host.ledger.close()
    move(host.config, url)
    for name in ("pbem.toml", "ledger.key"):
        if (host.config.folder / name).exists():
            shutil.copy2(host.config.folder / name, machines[1].folder / name)
    return load(host.config.folder / "pbem.toml")


def orders(host: Host) -> dict[str, bytes]:
    """A mail with orders from each seat of each game, by Message-ID."""
    found = {}
    for number in range(GAMES):
        for seat in ("1", "2"):
            name = f"<{seat}.{number}@players.example>"
            form = host.file(seat, "b1" if seat == "1" else "a1", name=f"game-{number}").replace("\n", "\r\n")
            above = f"Message-ID: {name}\r\nFrom: {seat}@players.example\r\nTo: orders@localhost\r\nSubject: orders\r\n"
            found[name] = f"{above}\r\n{form}".encode()
    return found


def handed_over(machine: Machine, mails: Sequence[bytes], at: Callable[[int], None] = lambda number: None) -> int:
    """Give a machine mails one after another; gives how many it has said it stored before it was gone."""
    stored = 0
    with suppress(OSError), Client(machine.folder / "lmtp.sock") as client:
        for number, raw in enumerate(mails):
            at(number)
            if client.mail(raw) != ["250 2.1.5 Stored"]:
                break
            stored += 1
    return stored


def in_the_ledger(config: Config) -> Counter[str]:
    with closing(Ledger.open(config.place)) as ledger, ledger.read() as tx:
        return Counter(row.message_id for row in tx.all(sa.select(INBOX.c.message_id)))


def judged(config: Config) -> Counter[str]:
    """How many submissions each game has, once all that waits is judged; its receipts are as many."""
    from pbem.messages import settle_waiting

    with closing(Ledger.open(config.place)) as ledger:
        settle_waiting(config, ledger, system())
        with ledger.read() as tx:
            assert not waiting(tx)
            assert not list(sound.all_faults(tx))
            found = {name: list(rows(tx, name, kinds=("submission", "mail"))) for name in FILED[1:]}
            receipts = [row for all_rows in found.values() for row in all_rows if b'"kind":"receipt"' in row.body]
            submissions = Counter(name for name, some in found.items() for row in some if row.kind == "submission")
            assert len(receipts) == submissions.total()
            assert outbox.waiting(tx) == 2 * GAMES + len(receipts)
            return submissions


def test_both_listen_and_one_is_killed(machines: tuple[Host, list[Machine]], url: str) -> None:
    """Each mail goes to both machines, as when a mail server offers again what it has no answer for."""
    host, (one, two) = machines
    mails = orders(host)
    config = moved(host, (one, two), url)
    for machine in (one, two):
        machine.listen()
    counted: dict[str, int] = {}

    def dies(number: int) -> None:
        if number == GAMES and one.listening:
            one.listening.send_signal(signal.SIGKILL)

    senders = [
        threading.Thread(target=lambda: counted.update(one=handed_over(one, list(mails.values()), dies))),
        threading.Thread(target=lambda: counted.update(two=handed_over(two, list(mails.values())[::-1]))),
    ]
    for sender in senders:
        sender.start()
    for sender in senders:
        sender.join()
    assert counted["two"] == len(mails)
    assert GAMES - 1 <= counted["one"] <= GAMES + 1
    assert in_the_ledger(config) == dict.fromkeys(mails, 1)
    assert judged(config) == {f"game-{number}": 2 for number in range(GAMES)}


def test_both_fetch_at_once(machines: tuple[Host, list[Machine]], url: str) -> None:
    """`pbem fetch` on both, a Maildir on each with the same mails: each is stored and judged once."""
    host, (one, two) = machines
    mails = orders(host)
    config = moved(host, (one, two), url)
    for machine in (one, two):
        for number, raw in enumerate(mails.values()):
            (machine.folder / "box" / "new" / f"{number}.mail").write_bytes(raw)
    call = [sys.executable, "-m", "pbem", "fetch", "--json"]
    running = [
        subprocess.Popen(call, cwd=machine.folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for machine in (one, two)
    ]
    for process in running:
        _, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
    assert in_the_ledger(config) == dict.fromkeys(mails, 1)
    assert judged(config) == {f"game-{number}": 2 for number in range(GAMES)}
