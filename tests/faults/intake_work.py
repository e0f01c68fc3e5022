"""A small intake for the fault tests: letters lie in a folder, each is stored, acknowledged, and only then removed."""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path

from pbem.errors import Trouble
from pbem.ledger import letters, sound
from pbem.ledger.store import Ledger
from tests.faults.ledger_work import AT
from tests.faults.tracing import Ended
from tests.pbem import hosted

FILES = ("ledger.db", "ledger.db-wal", "ledger.db-shm", "ledger.db-journal")
COUNT = 5


def prepare(folder: Path) -> Path:
    """A ledger that has seen a letter, and five more that wait."""
    (folder / "in").mkdir(parents=True)
    ledger = Ledger.create(folder / "ledger.db", secret=hosted.key("host"))
    with ledger.write() as tx:
        letters.arrive(tx, b"the first letter", AT, "drop", "first")
    ledger.close()
    for number in range(COUNT):
        (folder / "in" / str(number)).write_bytes(b"letter %d " % number * 900)
    return folder


def take_in(folder: Path) -> int:
    """Store what waits; an expected failure is one sentence and an exit code."""
    try:
        ledger = Ledger.open(folder / "ledger.db")
        for path in sorted((folder / "in").iterdir()):
            store(ledger, path)
        ledger.close()
    except Trouble as trouble:
        (folder / "said").write_text(str(trouble))
        return trouble.exit_code
    return 0


def store(ledger: Ledger, path: Path) -> None:
    """One letter: stored, then acknowledged, then removed from the server."""
    with ledger.write() as tx:
        letters.arrive(tx, path.read_bytes(), AT, "drop", path.name)
    with (path.parent.parent / "acks").open("a") as acks:
        acks.write(f"{path.name}\n")
    path.unlink()


def stubborn(folder: Path) -> int:
    """A weakened build: after a failed write it forgets that it failed and tries again."""
    ledger = Ledger.open(folder / "ledger.db")
    for path in sorted((folder / "in").iterdir()):
        for _ in range(3):
            try:
                store(ledger, path)
                break
            except Trouble:
                ledger._broken = None
    return 0


def acks(folder: Path) -> list[str]:
    path = folder / "acks"
    return path.read_text().split() if path.exists() else []


def check(folder: Path, ended: Ended) -> None:
    """No acknowledgement without a row, no letter in neither place, and what was there is whole."""
    ledger = Ledger.open(folder / "ledger.db")
    with ledger.read() as tx:
        assert list(sound.all_faults(tx)) == []
        stored = {name for name in map(str, range(COUNT)) if letters.fate(tx, sha(name), name)}
        assert letters.get(tx, hashlib.sha256(b"the first letter").hexdigest()) == b"the first letter"
        assert sum(letters.counts(tx).values()) == 1 + len(stored)
    ledger.close()
    waiting = {path.name for path in (folder / "in").iterdir()}
    assert set(acks(folder)) <= stored
    assert stored | waiting == set(map(str, range(COUNT)))
    if not ended.trace:  # the undisturbed second run: everything is in, once
        assert not waiting
        assert sorted(acks(folder)) == sorted(set(acks(folder)))
    if ended.code == 75:
        said = (folder / "said").read_text()
        assert said.endswith(".")
        assert "\n" not in said
        assert "nothing was stored" in said


def sha(name: str) -> str:
    return hashlib.sha256(b"letter %d " % int(name) * 900).hexdigest()


def run_again(folder: Path) -> None:
    """Undisturbed, in a process of its own."""
    pid = os.fork()
    if not pid:
        try:
            os._exit(take_in(folder))
        finally:
            sys.stderr.flush()
            os._exit(99)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
