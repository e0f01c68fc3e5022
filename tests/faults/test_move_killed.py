"""A host's move to a server, killed at any line: the same command goes on with it, and nothing is left behind (G1).

Some points in every run; `PBEM_LONG=1` takes hundreds.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from pbem.care import moving
from pbem.clock import system
from pbem.config import load
from pbem.ledger import Ledger, on_sqlite
from pbem.ledger.dump import canonical_dump
from pbem.ledger.troubles import NotWritten
from tests import postgres
from tests.faults import a_host
from tests.faults.figures import so_many, told
from tests.faults.line_killer import Campaign, campaign, memory_folder

ROOT = Path(__file__).parents[2]
WATCH = tuple(ROOT / "pbem" / name for name in ("care", "ledger", "locks.py", "syncing.py", "config.py"))
LONG = "PBEM_LONG" in os.environ
pytestmark = [
    pytest.mark.faults,
    pytest.mark.slow,
    pytest.mark.timeout(0 if LONG else 300),
    pytest.mark.skipif(postgres.binaries() is None, reason=postgres.MISSING),
]


class Moves:
    """The move of one host, as often as it is broken off, into a schema that is empty again each time."""

    def __init__(self, server: postgres.Server, prepared: Path) -> None:
        self.server, self.prepared = server, prepared
        self.url = f"{server.url}&schema=moved"
        with a_host.opened(prepared) as (_, ledger):
            self.wanted = canonical_dump(ledger)

    def move(self, folder: Path) -> None:
        moving.move(load(folder / "pbem.toml"), self.url)

    def go_on(self, folder: Path) -> None:
        """As the host would, and with a process that had the file open all the while: once the host has a new place,
        nothing is taken in the old one."""
        config = load(folder / "pbem.toml")
        there = folder / "ledger.db"
        if not config.place.url:
            self.move(folder)
        elif there.exists():
            with closing(Ledger.open(there)) as old, pytest.raises(NotWritten, match="has moved"), old.write() as tx:
                tx.append("@host", "ruling", system(), {"act": "agree-restore", "reason": "late", "lost": []})
            self.move(folder)

    def check(self, folder: Path) -> None:
        config = load(folder / "pbem.toml")
        assert config.place.schema == "moved"
        with closing(Ledger.open(config.place)) as ledger:
            assert canonical_dump(ledger) == self.wanted
        assert not (folder / "ledger.db").exists()
        assert (folder / "ledger.db.moved").exists()
        self.clear()

    def clear(self) -> None:
        with psycopg.connect(self.server.url) as line:
            line.execute("DROP SCHEMA IF EXISTS moved CASCADE")


@pytest.fixture
def moves() -> Iterator[Moves]:
    with postgres.server() as server, memory_folder() as room:
        a_host.build(room / "prepared")
        made = Moves(server, room / "prepared")
        warm = room / "warm"
        shutil.copytree(made.prepared, warm)
        made.move(warm)  # everything is imported
        made.check(warm)
        yield made


def killed(moves: Moves, most: int) -> Campaign:
    def run(folder: Path) -> None:
        moves.clear()  # of the run that was counted, or killed
        moves.move(folder)

    return campaign(moves.prepared, run, moves.go_on, moves.check, watch=WATCH, most=most, elsewhere=True)


def test_a_move_is_killed_anywhere(moves: Moves) -> None:
    found = killed(moves, so_many(20, 600))
    told(found)
    assert found.killed >= found.points * 0.95


def test_weakened_a_file_that_takes_more_rows_is_found(moves: Moves, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen red: the host has a new place, and what a process still takes in the old one is lost."""

    class Killed(BaseException):
        pass

    def killed_there(_: Path) -> None:
        raise Killed

    monkeypatch.setattr(on_sqlite, "CLOSED", "SELECT 1")
    monkeypatch.setattr(moving, "_put_away", killed_there)
    folder = moves.prepared.with_name("weak")
    shutil.copytree(moves.prepared, folder)
    with pytest.raises(Killed):
        moves.move(folder)
    with pytest.raises(pytest.fail.Exception, match="DID NOT RAISE"):
        moves.go_on(folder)
