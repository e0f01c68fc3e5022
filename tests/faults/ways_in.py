"""A host with mails on their way to it, and the ways by which they come in: each a program that may be killed."""

from __future__ import annotations

import io
import os
import pickle
import signal
import sqlite3
import sys
import threading
from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

from pbem import config
from pbem.arriving import imap, maildir
from pbem.arriving.listening import listen
from pbem.care.settling import settle
from pbem.cli import run as command
from pbem.ledger import Ledger
from tests.faults.a_host import NIGHT
from tests.pbem.arriving.conftest import NOON, mail, mails
from tests.pbem.arriving.lmtp_client import Client
from tests.pbem.arriving.rude_imap import Box, Rude

COUNT = 6


def build(folder: Path) -> None:
    """A host, with six mails in its Maildir."""
    settle(folder, secret=b"x" * 32)
    text = config.TEMPLATE.format(zone="UTC").replace('judge = "at-once"', 'judge = "night"')
    (folder / "pbem.toml").write_text(text)
    for name in ("tmp", "new", "cur"):
        (folder / "Maildir" / name).mkdir(parents=True)
    for number in range(COUNT):
        path = folder / "Maildir" / "new" / f"{number}"
        path.write_bytes(mail(number))
        os.utime(path, (NOON.timestamp(), NOON.timestamp()))


def stored(folder: Path) -> Counter[str]:
    with closing(sqlite3.connect(folder / "ledger.db")) as line:
        return Counter(row[0] for row in line.execute("SELECT message_id FROM inbox"))


def each_once(folder: Path) -> None:
    """All six mails are in the ledger, each once, and whatever is acknowledged among them."""
    found = stored(folder)
    assert set(found.values()) == {1}, f"doubled: {found}"
    missing = {named(number) for number in range(COUNT)} - found.keys()
    assert not missing, f"lost: {missing}"


def acknowledged_are_stored(folder: Path) -> None:
    missing = {named(int(number)) for number in _acknowledged(folder)} - stored(folder).keys()
    assert not missing, f"lost: {missing}"


def named(number: int) -> str:
    return f"<{number}@players.example>"


def from_maildir(folder: Path) -> None:
    with closing(Ledger.open(folder / "ledger.db")) as ledger:
        maildir.gather(ledger, folder / "Maildir", "", NIGHT)


def by_imap(server: Rude) -> Callable[[Path], None]:
    """Fetched from a server where each folder's host has a mailbox of its own."""
    server.boxes = {}

    def fetch(folder: Path) -> None:
        box = replace(server.imap, user=folder.name)
        with closing(Ledger.open(folder / "ledger.db")) as ledger:
            assert imap.gather(ledger, box, folder / "memory.json", NIGHT).reachable

    return fetch


def letters() -> Box:
    """The mailbox as it stands before."""
    return Box({uid: mail(uid - 11) for uid in mails(COUNT)})


class Mailboxes:
    """What a server keeps of a mailbox when the host dies that fetches from it."""

    def __init__(self, server: Rude) -> None:
        self.server = server

    def taken(self, folder: Path) -> bytes:
        assert self.server.boxes is not None
        box = self.server.boxes.get(folder.name, self.server.box)
        marked = {uid: flags for uid, flags in sorted(box.flags.items()) if flags}
        return pickle.dumps(replace(box, flags=marked))

    def laid_out(self, state: bytes, folder: Path) -> None:
        assert self.server.boxes is not None
        self.server.boxes[folder.name] = pickle.loads(state)


def through_the_command(folder: Path) -> None:
    """What a mail server does: a program for each mail, again until its exit code is 0."""
    os.environ["PBEM_CONFIG"] = str(folder)
    for number in range(COUNT):
        if str(number) in _acknowledged(folder):
            continue
        sys.stdin = io.TextIOWrapper(io.BytesIO(mail(number)))
        if command(["receive", "--sender", "anna@players.example"]) == 0:
            _acknowledge(folder, number)


def by_lmtp(folder: Path) -> None:
    """The listener in this process, and a mail server in a thread of it that sends until each has its 250."""
    place = folder / "lmtp.sock"
    ready = threading.Event()

    def serve() -> None:
        ready.wait()
        with Client(place) as client:
            for number in range(COUNT):
                if str(number) not in _acknowledged(folder):
                    assert client.mail(mail(number)) == ["250 2.1.5 Stored"]
                    _acknowledge(folder, number)
        os.kill(os.getpid(), signal.SIGTERM)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    listen(config.load(folder / "pbem.toml"), place, lambda line: ready.set())
    thread.join()


def _acknowledge(folder: Path, number: int) -> None:
    with (folder / "acks").open("a") as acks:
        acks.write(f"{number}\n")


def _acknowledged(folder: Path) -> list[str]:
    with suppress(FileNotFoundError):
        return (folder / "acks").read_text().split()
    return []
