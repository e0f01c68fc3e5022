"""Each way in is killed at any line, and run again: each mail is stored once, none lost, none doubled (G1, G3).

Some dozens of points for each route in every run; `PBEM_LONG=1` takes thousands.
"""

from __future__ import annotations

import io
import os
import signal
import sqlite3
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

import pytest

from pbem import config
from pbem.arriving import imap, imap_line, maildir
from pbem.arriving.listening import listen
from pbem.arriving.storing import store
from pbem.care.settling import settle
from pbem.cli import run as command
from pbem.ledger import Ledger
from tests.faults.a_host import NIGHT
from tests.faults.figures import so_many, told
from tests.faults.line_killer import campaign, memory_folder
from tests.pbem.arriving.conftest import NOON, mail, mails
from tests.pbem.arriving.lmtp_client import Client
from tests.pbem.arriving.rude_imap import PASSWORD, Box, Rude, served

ROOT = Path(__file__).parent.parent.parent
WATCH = (ROOT / "pbem" / "arriving", ROOT / "pbem" / "ledger", ROOT / "pbem" / "cli" / "arriving.py")
LONG = "PBEM_LONG" in os.environ
MOST = so_many(25, 2000)
COUNT = 6

pytestmark = [pytest.mark.faults, pytest.mark.slow, pytest.mark.timeout(0 if LONG else 300)]


@pytest.fixture
def prepared() -> Iterator[Path]:
    """A host, with six mails in its Maildir."""
    with memory_folder() as room:
        folder = room / "prepared"
        settle(folder, secret=b"x" * 32)
        text = config.TEMPLATE.format(zone="UTC").replace('judge = "at-once"', 'judge = "night"')
        (folder / "pbem.toml").write_text(text)
        for name in ("tmp", "new", "cur"):
            (folder / "Maildir" / name).mkdir(parents=True)
        for number in range(COUNT):
            path = folder / "Maildir" / "new" / f"{number}"
            path.write_bytes(mail(number))
            os.utime(path, (NOON.timestamp(), NOON.timestamp()))
        yield folder


def stored(folder: Path) -> Counter[str]:
    with closing(sqlite3.connect(folder / "ledger.db")) as line:
        return Counter(row[0] for row in line.execute("SELECT message_id FROM inbox"))


def each_once(folder: Path) -> None:
    """All six mails are in the ledger, each once, and whatever is acknowledged among them."""
    found = stored(folder)
    assert set(found.values()) == {1}, f"doubled: {found}"
    missing = {f"<{number}@players.example>" for number in range(COUNT)} - found.keys()
    assert not missing, f"lost: {missing}"


def from_maildir(folder: Path) -> None:
    with closing(Ledger.open(folder / "ledger.db")) as ledger:
        maildir.gather(ledger, folder / "Maildir", "", NIGHT)


def test_maildir_killed_anywhere(prepared: Path) -> None:
    found = campaign(prepared, from_maildir, from_maildir, each_once, watch=WATCH, most=MOST)
    told(found)
    assert found.killed >= found.points * 0.95, found


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Rude]:
    """A mailbox of its own for each folder, so that each run of the campaign finds it untouched."""
    monkeypatch.setenv("PBEM_IMAP_PASSWORD", PASSWORD)
    monkeypatch.setattr(imap, "AT_A_TIME", 2)
    with served(Box({uid: mail(uid - 11) for uid in mails(COUNT)})) as server:
        server.boxes = {}
        yield server


def test_imap_killed_anywhere(prepared: Path, server: Rude) -> None:
    def fetch(folder: Path) -> None:
        box = replace(server.imap, user=folder.name)
        with closing(Ledger.open(folder / "ledger.db")) as ledger:
            assert imap.gather(ledger, box, folder / "memory.json", NIGHT).reachable

    found = campaign(prepared, fetch, fetch, each_once, watch=WATCH, most=MOST)
    told(found)
    assert found.killed >= found.points * 0.95, found


def test_imap_of_a_build_that_marks_first_is_found(
    prepared: Path, server: Rude, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The weakened build: seen before stored. Killed in between, the mail is never looked at again."""

    def fetch(folder: Path) -> None:
        box = replace(server.imap, user=folder.name)
        with closing(Ledger.open(folder / "ledger.db")) as ledger:
            imap.gather(ledger, box, folder / "memory.json", NIGHT)

    def mark_first(run: imap._Run, line: imap_line.Line, about: imap_line.About, real: object = imap._take) -> None:
        if "\\Seen" not in about.flags:
            line.mark([about.uid])
        real(run, line, about)  # type: ignore[operator]

    monkeypatch.setattr(imap, "_take", mark_first)
    with pytest.raises(AssertionError, match="lost"):
        campaign(prepared, fetch, fetch, each_once, watch=WATCH, most=60)


def through_the_command(folder: Path) -> None:
    """What a mail server does: a program for each mail, again until its exit code is 0."""
    os.environ["PBEM_CONFIG"] = str(folder)
    for number in range(COUNT):
        if _is_acknowledged(folder, number):
            continue
        sys.stdin = io.TextIOWrapper(io.BytesIO(mail(number)))
        if command(["receive", "--sender", "anna@players.example"]) == 0:
            _acknowledge(folder, number)


def _acknowledge(folder: Path, number: int) -> None:
    with (folder / "acks").open("a") as acks:
        acks.write(f"{number}\n")


def _is_acknowledged(folder: Path, number: int) -> bool:
    with suppress(FileNotFoundError):
        return str(number) in (folder / "acks").read_text().split()
    return False


def test_receive_killed_anywhere(prepared: Path) -> None:
    found = campaign(prepared, through_the_command, through_the_command, each_once, watch=WATCH, most=MOST)
    told(found)
    assert found.killed >= found.points * 0.95, found


def by_lmtp(folder: Path) -> None:
    """The listener in this process, and a mail server in a thread of it that sends until each has its 250."""
    place = folder / "lmtp.sock"
    ready = threading.Event()

    def serve() -> None:
        ready.wait()
        with Client(place) as client:
            for number in range(COUNT):
                if not _is_acknowledged(folder, number):
                    assert client.mail(mail(number)) == ["250 2.1.5 Stored"]
                    _acknowledge(folder, number)
        os.kill(os.getpid(), signal.SIGTERM)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    listen(config.load(folder / "pbem.toml"), place, lambda line: ready.set())
    thread.join()


def test_listen_killed_anywhere(prepared: Path) -> None:
    pytest.importorskip("aiosmtpd.lmtp")
    found = campaign(prepared, by_lmtp, by_lmtp, each_once, watch=WATCH, most=MOST)
    told(found)
    assert found.killed >= found.points * 0.9, found  # two threads: the number of lines differs a little


def test_a_build_that_does_not_store_what_it_acknowledges_is_found(
    prepared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The weakened build of the command: an exit code of 0 from a child that stores a moment later."""
    from pbem.arriving import storing

    def later(ledger: Ledger, messages: object, route: str) -> None:
        kept.append((ledger, messages, route))
        if len(kept) == 3:
            for one, some, way in kept:
                with closing(Ledger.open(one.path)) as again:
                    store(again, some, way)  # type: ignore[arg-type]
            kept.clear()

    kept: list[tuple[Ledger, object, str]] = []
    monkeypatch.setattr(storing, "store", later)
    with pytest.raises(AssertionError, match="lost"):
        campaign(prepared, through_the_command, through_the_command, each_once, watch=WATCH, most=60)
