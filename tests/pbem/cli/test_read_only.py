"""Read-only media: a ledger and an export on a disk that nobody can write to are checked all the same."""

from __future__ import annotations

import os
import shlex
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.faults.figures import counted

PBEM = f"{sys.executable} -m pbem"
MOUNTED = "mount --bind {0} {0} && mount -o remount,bind,ro {0} && {1}"


def mounts() -> bool:
    """Whether this process may mount in a namespace of its own."""
    done = (
        subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False) if shutil.which("unshare") else None
    )
    return os.getuid() == 0 and done is not None and done.returncode == 0


pytestmark = pytest.mark.skipif(not mounts(), reason="only root can mount a folder read-only")


def on_read_only(folder: Path, command: str) -> subprocess.CompletedProcess[str]:
    """Run a line of shell where that folder is mounted read-only."""
    line = MOUNTED.format(shlex.quote(str(folder)), f"cd / && {command}")
    return subprocess.run(["unshare", "-m", "sh", "-c", line], capture_output=True, text=True, check=False)


@pytest.fixture
def host(prepared: Path, tmp_path: Path) -> Path:
    folder = Path(shutil.copytree(prepared, tmp_path / "host"))
    for name in ("-wal", "-shm"):
        (folder / f"ledger.db{name}").unlink(missing_ok=True)
    return folder


READING = (
    "audit verify jade-river", "audit verify --all", "audit verify --all --json", "audit log jade-river",
    "audit show jade-river 0", "audit diff jade-river --turns 0 0", "status", "show jade-river",
    "report jade-river", "player list",
)  # fmt: skip


@pytest.mark.parametrize("command", READING)
def test_what_only_reads_works(host: Path, command: str) -> None:
    before = sorted(host.rglob("*"))
    done = on_read_only(host, f"{PBEM} --config {host} {command}")
    writable = subprocess.run(
        f"{PBEM} --config {host} {command}", shell=True, capture_output=True, text=True, check=False
    )
    assert (done.stderr, done.returncode, done.stdout) == (writable.stderr, writable.returncode, writable.stdout)
    assert "cannot be" not in done.stderr
    assert [path for path in before if not path.exists()] == []
    counted(1, "commands that read a ledger on read-only media")


def test_an_export_is_checked(host: Path) -> None:
    file = host / "jade.pbem"
    subprocess.run(
        f"{PBEM} --config {host} audit export jade-river {file}", shell=True, check=True, capture_output=True
    )
    for command in (f"{PBEM} audit check {file}", f"{sys.executable} -I {file}"):
        done = on_read_only(host, command)
        assert (done.returncode, done.stderr) == (0, "")


LOOKS = (
    *("audit show jade-river 0 --seat all", "audit show jade-river --sealed"),
    *("audit rolls jade-river", "audit why jade-river 0 1"),
)


@pytest.mark.parametrize("command", LOOKS)
def test_a_look_that_cannot_be_written_down_shows_nothing(host: Path, command: str) -> None:
    done = on_read_only(host, f"{PBEM} --config {host} {command}")
    assert (done.returncode, done.stdout) == (3, "")
    assert "cannot be written to, so nothing is shown" in done.stderr
    assert done.stderr.count("\n") == 1


def test_what_writes_says_that_it_cannot(host: Path) -> None:
    done = on_read_only(host, f"{PBEM} --config {host} player add Zoe zoe@example.org")
    assert (done.returncode, done.stdout) == (3, "")
    assert "is on read-only media" in done.stderr


def left_open(host: Path, *, index: bool) -> None:
    """The ledger as somebody leaves it who dies in the middle: rows in its log, with the log's index or without."""
    copy = host.parent / "copy"
    with closing(sqlite3.connect(host / "ledger.db", isolation_level=None)) as ledger:
        ledger.execute("PRAGMA journal_mode = WAL")
        ledger.execute("BEGIN IMMEDIATE")
        ledger.execute("UPDATE player SET zone = 'Europe/Oslo'")
        ledger.execute("COMMIT")
        shutil.copytree(host, copy)
    shutil.rmtree(host)
    shutil.copytree(copy, host)
    if not index:
        (host / "ledger.db-shm").unlink()
    assert (host / "ledger.db-wal").stat().st_size > 0


def test_rows_in_a_log_are_read_where_its_index_lies_there(host: Path) -> None:
    left_open(host, index=True)
    done = on_read_only(host, f"{PBEM} --config {host} audit verify --all")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_log_that_cannot_be_replayed_is_told(host: Path) -> None:
    left_open(host, index=False)
    done = on_read_only(host, f"{PBEM} --config {host} audit verify --all")
    assert (done.returncode, done.stdout) == (3, "")
    assert "its last rows are in ledger.db-wal beside it" in done.stderr


def test_weakened_opened_for_writing_it_cannot_be_read(host: Path) -> None:
    """Seen red: the same ledger, opened as if it could be written to."""
    patched = "from pbem.ledger import on_sqlite as s; s.os.access = lambda *a: True; import pbem.cli as c; c.main()"
    done = on_read_only(host, f"{sys.executable} -c {shlex.quote(patched)} --config {host} audit verify --all")
    assert done.returncode not in (0, 70)
