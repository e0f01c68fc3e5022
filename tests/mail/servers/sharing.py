"""One set of servers for all processes of a test run: the first to ask has them started, the last to go ends them."""

from __future__ import annotations

import fcntl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.architecture.reading import ROOT
from tests.mail.servers.keeper import FAILED, IN_USE, READY
from tests.mail.servers.stack import Stack
from tests.mail.servers.waiting import until


@contextmanager
def shared_stack(shared: Path) -> Iterator[Stack]:
    """The servers of the run whose processes share that folder."""
    shared.mkdir(exist_ok=True)
    with (shared / IN_USE).open("a") as in_use:
        with (shared / "starting").open("a") as starting:
            fcntl.flock(starting, fcntl.LOCK_EX)  # one at a time looks whether they run
            fcntl.flock(in_use, fcntl.LOCK_SH)  # from here on they stay; a keeper that ends them is waited for
            if not (shared / READY).exists():
                _start(shared)
        yield Stack.from_json((shared / READY).read_text())


def _start(shared: Path) -> None:
    (shared / FAILED).unlink(missing_ok=True)
    with (shared / "keeper.log").open("ab") as said:
        keeper = subprocess.Popen(
            [sys.executable, "-m", "tests.mail.servers.keeper", str(shared)],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            start_new_session=True,
        )
    failed = shared / FAILED
    until(lambda: (shared / READY).exists() or failed.exists() or keeper.poll() is not None, "the servers' start", 60)
    if not (shared / READY).exists():
        why = failed.read_text() if failed.exists() else (shared / "keeper.log").read_text()
        raise RuntimeError(f"The mail servers did not start: {why}")
    keeper.returncode = 0  # it outlives us if others still use the servers; nobody here waits for it
