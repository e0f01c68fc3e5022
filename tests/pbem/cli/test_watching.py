"""`pbem status --watch` in a terminal and in a pipe, until Ctrl-C."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.pbem.cli.desk import Desk

pexpect = pytest.importorskip("pexpect")


@pytest.fixture
def host(prepared: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(prepared, tmp_path / "host"))


def interruptible() -> None:
    """Whoever runs the tests behind a shell's `&` has had interrupts turned off for all that they start."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_a_terminal_is_cleared_for_each_look(host: Path) -> None:
    called = ["-m", "pbem", "status", "--watch", "1"]
    terminal = pexpect.spawn(
        sys.executable, called, cwd=str(host), encoding="utf-8", timeout=60, preexec_fn=interruptible
    )
    for _ in range(2):
        terminal.expect(r"\x1b\[2J")  # cleared
        terminal.expect(r"\d\d:\d\d:\d\d UTC")
        terminal.expect("jade-river")
        terminal.expect("Messages waiting to be read: 0")
    # An interrupt that comes while something is cleared away is lost in Python itself; whoever waits presses again.
    stopped = ["pbem: stopped.", pexpect.TIMEOUT]
    assert any(terminal.sendintr() or terminal.expect(stopped, timeout=10) == 0 for _ in range(5))
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 130


def test_programs_read_a_line_for_each_look(host: Path) -> None:
    called = [sys.executable, "-m", "pbem", "status", "--watch=1", "--json"]
    with subprocess.Popen(called, cwd=host, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as running:
        assert running.stdout is not None
        looks = [json.loads(running.stdout.readline()) for _ in range(2)]
        running.send_signal(signal.SIGTERM)
    assert [[game["name"] for game in look["games"]] for look in looks] == [["jade-river"]] * 2


def test_watching_follows_the_clock(desk: Desk) -> None:
    desk.refused("status", "--watch", "2", "--now", "2026-11-18T20:00Z", code=2, says="no use for --now")
    desk.refused("status", "--watch", "0", code=2, says="from 1 to 3600")
