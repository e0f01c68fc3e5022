"""The ways in on a bad disk: what was acknowledged or marked no power cut, full disk or failed sync takes (G2, G7).

The same runs with `synchronous` weakened to NORMAL lose acknowledged mails, and are found.
"""

from __future__ import annotations

import io
import os
import shutil
import signal
import sqlite3
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from pbem import config
from pbem.arriving import maildir
from pbem.care.settling import settle
from pbem.cli import run as command
from pbem.ledger import Ledger, connect
from pbem.syncing import sync_folder
from tests.faults import call_killer, power_cut
from tests.faults.a_host import NIGHT
from tests.faults.call_killer import OPENS, SYNCS, WRITES, Blow
from tests.faults.figures import so_many, told
from tests.faults.intake_work import FILES
from tests.faults.tracing import Ended, needs_strace
from tests.pbem.arriving.conftest import mail

pytestmark = [pytest.mark.faults, pytest.mark.slow, needs_strace]
LONG = "PBEM_LONG" in os.environ
CUTS = so_many(200, 3000)
COUNT = 3


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A host, and a Maildir with mails."""
    folder = tmp_path_factory.mktemp("bad-disk") / "host"
    settle(folder, secret=b"x" * 32)
    text = config.TEMPLATE.format(zone="UTC").replace('judge = "at-once"', 'judge = "night"')
    (folder / "pbem.toml").write_text(text)
    for name in ("tmp", "new", "cur"):
        (folder / "Maildir" / name).mkdir(parents=True)
    for number in range(COUNT):
        (folder / "Maildir" / "new" / f"m{number}").write_bytes(mail(100 + number))
    return folder


def receive(folder: Path, number: int) -> int:
    """What a mail server starts."""
    os.environ["PBEM_CONFIG"] = str(folder)
    sys.stdin = io.TextIOWrapper(io.BytesIO(mail(number)))
    return command(["receive", "--sender", "anna@players.example"])


def fetch(folder: Path) -> None:
    with closing(Ledger.open(folder / "ledger.db")) as ledger:
        maildir.gather(ledger, folder / "Maildir", "", NIGHT)


def lost(folder: Path, acks: Sequence[str]) -> str | None:
    """What is wrong: a mail that was acknowledged, or marked, is not in the ledger."""
    with closing(Ledger.open(folder / "ledger.db")):
        pass  # it opens: it is whole, and SQLite has put its log in order
    with closing(sqlite3.connect(folder / "ledger.db")) as line:
        stored = [row[0] for row in line.execute("SELECT message_id FROM inbox")]
    if len(stored) != len(set(stored)):
        return "a mail is there twice"
    for number in [int(ack) for ack in acks]:
        if f"<{number}@players.example>" not in stored:
            return "an acknowledged mail is lost"
    for number in range(COUNT):
        if (
            f"<{100 + number}@players.example>" not in stored
            and not (folder / "Maildir" / "new" / f"m{number}").exists()
        ):
            return "a mail of the Maildir is in neither place"
    return None


# --- the power fails --------------------------------------------------------------------------------------------------


def _laid_down(host: Path, folder: Path) -> None:
    """The host as it stands before, written so that it lasts, by calls that are recorded."""
    for path in sorted(host.rglob("*")):
        new = folder / path.relative_to(host)
        if path.is_dir():
            new.mkdir()
            continue
        with new.open("wb") as file:
            file.write(path.read_bytes())
            file.flush()
            os.fsync(file.fileno())
    for path in [folder, *(one for one in folder.rglob("*") if one.is_dir())]:
        sync_folder(path)


def cut(host: Path, room: Path, cuts: int, synchronous: tuple[str, int] = ("FULL", 2)) -> power_cut.Campaign:
    def program(folder: Path, ack: Callable[[str], None]) -> None:
        connect.SETTINGS["synchronous"] = synchronous  # in a process of its own
        _laid_down(host, folder)
        ack("begun")
        for number in range(COUNT):
            if receive(folder, number) == 0:
                ack(f"{number}")
        fetch(folder)

    def check(folder: Path, acks: Sequence[str]) -> str | None:
        return lost(folder, acks[1:]) if acks else None

    return power_cut.campaign(power_cut.record(program, room), check, cuts=cuts)


def test_g2_no_mail_that_was_acknowledged_or_marked_is_lost(host: Path, tmp_path: Path) -> None:
    found = cut(host, tmp_path, CUTS)
    told(found)
    assert not found.bad, str(found)


def test_g2_weakened_without_a_sync_of_each_commit_mails_are_lost(host: Path, tmp_path: Path) -> None:
    found = cut(host, tmp_path, 1500, ("NORMAL", 1))
    assert found.bad
    assert any("lost" in what or "neither" in what for what in found.wrong), str(found)


# --- the disk refuses -------------------------------------------------------------------------------------------------

BLOWS = {
    "the disk is full": Blow(WRITES, "error=ENOSPC", FILES),
    "writing fails": Blow(WRITES, "error=EIO", FILES),
    "syncing fails": Blow(SYNCS, "error=EIO", (*FILES, "")),
    "the disk is read-only": Blow(OPENS, "error=EROFS", FILES),
    "killed in a write": Blow(WRITES, "signal=KILL", FILES),
    "killed in a sync": Blow(SYNCS, "signal=KILL", (*FILES, "")),
}


def hand_over(folder: Path) -> int:
    """A mail server's part: each mail until it is answered 0; the worst code of all."""
    worst = 0
    acks = folder / "acks"
    for number in range(COUNT):
        if not acks.exists() or f"{number}" not in acks.read_text().split():
            code = receive(folder, number)
            worst = max(worst, code)
            if code == 0:
                with acks.open("a") as file:
                    file.write(f"{number}\n")
    return worst


@pytest.mark.parametrize("name", list(BLOWS))
def test_g7_a_mail_that_the_disk_refuses_stays_with_the_mail_server(host: Path, tmp_path: Path, name: str) -> None:
    """Its exit code is 75 and no other; handed over again it is stored, once."""
    blow = BLOWS[name]

    def check(folder: Path, ended: Ended) -> None:
        acks = (folder / "acks").read_text().split() if (folder / "acks").exists() else []
        assert lost(folder, acks) is None
        if not ended.trace:
            assert acks == [f"{number}" for number in range(COUNT)]

    def again(folder: Path) -> None:
        pid = os.fork()
        if not pid:
            os._exit(hand_over(folder))
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
        acks = (folder / "acks").read_text().split()
        (folder / "acks").write_text("".join(f"{number}\n" for number in sorted(acks)))

    shutil.copytree(host, tmp_path / "prepared")
    every = 1 if LONG or blow.calls != WRITES else 9
    found = call_killer.campaign(tmp_path / "prepared", hand_over, blow, check, again, every=every)
    told(f"{name}: {found}")
    allowed = {-signal.SIGKILL} if "KILL" in blow.effect else {0, 75}
    assert set(found.codes) <= allowed, str(found)
    assert found.codes[-9] or found.codes[75], str(found)
