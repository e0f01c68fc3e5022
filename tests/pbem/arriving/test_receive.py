"""`pbem receive`: 0 when the mail is stored, whatever is in it; 75 for any trouble of ours; and it is quick."""

from __future__ import annotations

import io
import os
import resource
import signal
import sqlite3
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from pbem.arriving import judging, storing
from pbem.arriving.message import LARGEST
from pbem.cli import run
from pbem.ledger import connect
from tests.pbem.arriving.conftest import mail


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("PBEM_CONFIG", raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    assert run(["init", str(tmp_path / "host")]) == 0
    monkeypatch.chdir(tmp_path / "host")
    return tmp_path / "host"


def receive(raw: bytes | None, *args: str, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(sys, "stdin", None if raw is None else io.TextIOWrapper(io.BytesIO(raw)))
    return run(["receive", *args])


def letters(folder: Path) -> list[tuple[str, str, str]]:
    """Message-ID, route and fate of all that came."""
    with closing(sqlite3.connect(folder / "ledger.db")) as line:
        return line.execute("SELECT message_id, route, state FROM inbox ORDER BY id").fetchall()


def raw_of(folder: Path) -> bytes:
    from pbem.ledger import Ledger
    from pbem.ledger import letters as letters_of

    with closing(sqlite3.connect(folder / "ledger.db")) as line:
        (name,) = line.execute("SELECT sha256 FROM letter ORDER BY id DESC").fetchone()
    with closing(Ledger.open(folder / "ledger.db")) as ledger, ledger.read() as tx:
        raw = letters_of.get(tx, name)
    assert raw is not None
    return raw


def test_a_mail_is_stored_below_its_envelope_and_judged(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    args = ("--sender", "anna@players.example", "--recipient", "orders@localhost")
    assert receive(mail(1), *args, monkeypatch=monkeypatch) == 0
    [(message_id, route, state)] = letters(folder)
    assert (message_id, route) == ("<1@players.example>", "mail")
    assert state in {"quarantined", "ignored", "refused"}
    envelope = b"Return-Path: <anna@players.example>\r\nDelivered-To: orders@localhost\r\n"
    assert raw_of(folder) == envelope + mail(1)


def test_at_night_it_waits(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = folder / "pbem.toml"
    config.write_text(config.read_text().replace('judge = "at-once"', 'judge = "night"'))
    assert receive(mail(1), monkeypatch=monkeypatch) == 0
    assert letters(folder) == [("<1@players.example>", "mail", "waiting")]


@pytest.mark.parametrize(
    "raw",
    [b"", b"\x00\xff" * 1000, b"From nobody\n", b"\r\n" * 50, mail(1)[:40], mail(1) + b"x" * (LARGEST - len(mail(1)))],
)
@pytest.mark.parametrize("sender", ["", "<>", "-f@x", "--help", "a\nb@c", "\udcff@x"])
def test_what_is_stored_is_zero_whatever_is_in_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch, raw: bytes, sender: str
) -> None:
    monkeypatch.setattr(judging, "judge_at_once", lambda *_: None)
    assert receive(raw, "--sender", sender, monkeypatch=monkeypatch) == 0
    assert len(letters(folder)) == 1


def test_the_same_mail_again_is_zero_and_one(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "judge_at_once", lambda *_: None)
    for recipient in ("orders@localhost", "orders+tag@localhost", ""):
        assert receive(mail(1), "--recipient", recipient, monkeypatch=monkeypatch) == 0
    assert len(letters(folder)) == 1


def test_one_past_the_limit_is_refused_for_good(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The mail server tells the sender, in these words; silence would cost him his turn."""
    assert receive(b"x" * (LARGEST + 1), monkeypatch=monkeypatch) == 69
    assert letters(folder) == []
    assert capsys.readouterr().err.startswith("This mail is too large: 1048576 bytes are taken.")


def test_the_limit_is_the_hosts(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    config = folder / "pbem.toml"
    config.write_text(config.read_text().replace("message_kilobytes = 1024", "message_kilobytes = 300"))
    monkeypatch.setattr(judging, "judge_at_once", lambda *_: None)
    fits = mail(1).ljust(300 << 10, b"x")
    sender = ("--sender", "anna@players.example")  # what the mail server writes above it is no part of it
    assert receive(fits + b"x", *sender, monkeypatch=monkeypatch) == 69
    assert capsys.readouterr().err.startswith("This mail is too large: 307200 bytes are taken.")
    assert receive(fits, *sender, monkeypatch=monkeypatch) == 0
    assert raw_of(folder) == b"Return-Path: <anna@players.example>\r\n" + fits


@pytest.mark.parametrize(
    "fault", [RuntimeError("x"), MemoryError(), KeyboardInterrupt(), SystemExit(1), ImportError("x")]
)
def test_no_failure_of_judging_changes_that(
    folder: Path, monkeypatch: pytest.MonkeyPatch, fault: BaseException
) -> None:
    def fail(*_: Any) -> None:
        raise fault

    monkeypatch.setattr(judging, "judge_at_once", fail)
    assert receive(mail(1), monkeypatch=monkeypatch) == 0
    assert letters(folder) == [("<1@players.example>", "mail", "waiting")]
    assert (folder / "pbem-fault.log").exists()


# --- 75 ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("args", [["--frobnicate"], ["extra"], ["--sender"], ["--recipient"]])
def test_a_wrong_command_line_keeps_the_mail(folder: Path, monkeypatch: pytest.MonkeyPatch, args: list[str]) -> None:
    assert receive(mail(1), *args, monkeypatch=monkeypatch) == 75


@pytest.mark.parametrize("before", [["--config", "nowhere"], ["--config=nowhere"], ["--frobnicate"], ["--config"]])
def test_a_wrong_place_keeps_the_mail(folder: Path, monkeypatch: pytest.MonkeyPatch, before: list[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(mail(1))))
    assert run([*before, "receive"]) == (2 if before == ["--config"] else 75)


def test_no_host_no_ledger_a_broken_one_no_input(folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert receive(None, monkeypatch=monkeypatch) == 75
    monkeypatch.chdir(tmp_path)
    assert receive(mail(1), monkeypatch=monkeypatch) == 75
    monkeypatch.chdir(folder)
    ledger = folder / "ledger.db"
    kept = ledger.read_bytes()
    for damaged in (b"", b"no ledger at all" * 300, kept[: len(kept) // 2]):
        ledger.write_bytes(damaged)
        assert receive(mail(1), monkeypatch=monkeypatch) == 75
    ledger.unlink()
    assert receive(mail(1), monkeypatch=monkeypatch) == 75
    ledger.write_bytes(kept)
    (folder / "pbem.toml").write_text("[mail]\njudge = 3\n")
    assert receive(mail(1), monkeypatch=monkeypatch) == 75


def test_a_ledger_that_is_held_keeps_the_mail(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(connect.SETTINGS, "busy_timeout", ("50", 50))
    holder = sqlite3.connect(folder / "ledger.db", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    assert receive(mail(1), monkeypatch=monkeypatch) == 75
    holder.close()
    assert receive(mail(1), monkeypatch=monkeypatch) == 0


@pytest.mark.parametrize(
    "fault", [RuntimeError("x"), MemoryError(), KeyboardInterrupt(), SystemExit(3), BrokenPipeError()]
)
def test_any_fault_of_ours_keeps_the_mail(folder: Path, monkeypatch: pytest.MonkeyPatch, fault: BaseException) -> None:
    def fail(*_: Any) -> None:
        raise fault

    monkeypatch.setattr(storing, "store", fail)
    assert receive(mail(1), monkeypatch=monkeypatch) == 75


@contextmanager
def no_file_beyond(size: int) -> Iterator[None]:
    """Writing further fails, as it does when a disk is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)


@pytest.mark.faults
@pytest.mark.parametrize("size", [0, 100, 5000])
def test_g7_a_full_disk_keeps_the_mail(folder: Path, monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    with no_file_beyond(size):
        assert receive(mail(1), monkeypatch=monkeypatch) == 75
    assert letters(folder) == []
    assert receive(mail(1), monkeypatch=monkeypatch) == 0
    assert len(letters(folder)) == 1


def test_help_is_no_failure(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["receive", "--help"]) == 0
    assert "75 it is not stored" in " ".join(capsys.readouterr().out.split())


# --- how quick it is --------------------------------------------------------------------------------------------------


def seconds(*args: str, cwd: Path | None = None, raw: bytes = b"") -> float:
    """Processor time of a program; a loaded machine changes it little."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *args], input=raw, cwd=cwd, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@pytest.mark.slow
def test_from_start_to_stored_takes_little_more_than_to_import_sqlmodel(folder: Path) -> None:
    """At most twice as long; 0.25 s and 0.36 s on the machine where this was written. No judging, which comes after."""
    config = folder / "pbem.toml"
    config.write_text(config.read_text().replace('judge = "at-once"', 'judge = "night"'))
    ratios = []
    for number in range(5):
        bare = seconds("-c", "import sqlmodel")
        ratios.append(seconds("-m", "pbem", "receive", cwd=folder, raw=mail(number)) / bare)
    assert len(letters(folder)) == 5
    assert statistics.median(ratios) < 2, ratios


def test_nothing_that_judges_is_loaded_before_it_is_stored(folder: Path) -> None:
    looks = (
        "import sys; from pbem.arriving import storing; real = storing.store\n"
        "def store(*a):\n    print(*sys.modules); return real(*a)\n"
        "storing.store = store; from pbem.cli import run; sys.exit(run(['receive']))"
    )
    done = subprocess.run([sys.executable, "-c", looks], cwd=folder, input=mail(1), capture_output=True, check=True)
    loaded = set(done.stdout.decode().split())
    assert not loaded & {
        "jinja2",
        "babel",
        "yaml",
        "alembic",
        "email.parser",
        "pbem.nightly",
        "pbem.messages",
        "pbem.submitting",
        "rich",
    }


def test_a_mail_server_may_be_slow(folder: Path) -> None:
    """What comes in pieces is one mail."""
    with subprocess.Popen([sys.executable, "-m", "pbem", "receive"], cwd=folder, stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        for part in (mail(1)[:50], mail(1)[50:]):
            os.write(process.stdin.fileno(), part)
            time.sleep(0.05)
        process.stdin.close()
        assert process.wait() == 0
    assert raw_of(folder) == mail(1)
