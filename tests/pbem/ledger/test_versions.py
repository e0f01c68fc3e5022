"""G9: a ledger of any version there ever was is brought up to date, whole or not at all, and none of its rows changes.

The ledgers in `versions/` were written by the programs of their time: every game, one night.
"""

from __future__ import annotations

import functools
import lzma
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from pbem.audit.verify import verify_ledger
from pbem.ledger import Ledger, dump, migrate, rebuild
from pbem.ledger.backup import backup, restore
from pbem.ledger.home import home_of
from pbem.ledger.troubles import WrongVersion
from tests.faults.figures import told
from tests.faults.forking import forked
from tests.faults.line_killer import memory_folder
from tests.pbem.ledger.test_migrations import scheme

pytestmark = pytest.mark.sqlite

VERSIONS = Path(__file__).parent / "versions"
LONG = "PBEM_LONG" in os.environ
HISTORY = ("journal", "letter", "mail")
KILLED = 137


def kept() -> list[str]:
    return sorted(path.name.removesuffix(".db.xz") for path in VERSIONS.glob("*.db.xz"))


OLD = migrate.KNOWN[:-1]


@pytest.fixture
def room() -> Iterator[Path]:
    with memory_folder() as room:
        yield room


def taken_out(version: str, room: Path) -> Path:
    """A ledger of that version. What was never released is the last one kept before it, brought on to it."""
    path = room / f"{version}.db"
    before = max(old for old in kept() if old <= version)
    path.write_bytes(lzma.decompress((VERSIONS / f"{before}.db.xz").read_bytes()))
    if before != version:
        home = home_of(path)
        ledger = Ledger(home)
        with closing(ledger), ledger.write() as tx:
            migrate.upgrade(tx.connection, home, version)
        with closing(sqlite3.connect(path)) as line:
            line.execute("PRAGMA journal_mode = DELETE")
    return path


def history(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """The rows that only ever grow, byte for byte as they lie in the file."""
    with closing(sqlite3.connect(path)) as line:
        return {table: line.execute(f"SELECT * FROM {table} ORDER BY id").fetchall() for table in HISTORY}


def test_g9_what_is_kept_are_versions_of_ours_from_the_first_on() -> None:
    assert kept()[0] == migrate.KNOWN[0]
    assert set(kept()) <= set(migrate.KNOWN)
    assert len(kept()) >= 4


@functools.cache
def now_schemes() -> tuple[dict[str, str], ...]:
    with memory_folder() as room:
        Ledger.create(room / "new.db").close()
        return tuple(scheme(room / "new.db", kind) for kind in ("trigger", "index"))


@pytest.mark.slow
@pytest.mark.parametrize("version", OLD)
def test_g9_every_version_comes_up_to_date_and_no_row_changes(room: Path, version: str) -> None:
    """The same rows, the same heads, the same games played again; the triggers of today on all tables."""
    path = taken_out(version, room)
    before = history(path)
    assert len(before["journal"]) > 100
    with pytest.raises(WrongVersion, match="pbem doctor --upgrade"):
        Ledger.open(path)
    ledger = Ledger.upgrade(path)
    with closing(ledger):
        assert (since_unknown(ledger) > 0) == (version <= "0002")  # weakened: without the rebuild nobody knows it
        rebuild.rebuild(ledger)
        assert since_unknown(ledger) == 0
        verdicts = list(verify_ledger(ledger))
        assert [verdict.fault for verdict in verdicts if not verdict.ok] == []
        assert sum(verdict.turns for verdict in verdicts) >= 2 * 9  # nine games, the set-up and a night
    assert history(path) == before
    assert (scheme(path, "trigger"), scheme(path, "index")) == now_schemes()


@pytest.mark.parametrize("version", kept())
def test_g9_a_ledger_of_an_older_pbem_is_backed_up_and_restored(room: Path, version: str) -> None:
    """Whoever is told to back it up before `pbem doctor --upgrade` must be able to; and the way back must be open."""
    path = taken_out(version, room)
    before = history(path)
    copy = backup(path, room / "copy.db")
    assert history(copy) == history(path) == before  # still of its version, and not a byte of history else
    assert not list(room.glob(".older-*"))
    restored = room / "restored.db"
    restore(copy, restored)
    with closing(Ledger.open(restored)) as ledger:
        assert all(verdict.ok for verdict in verify_ledger(ledger))
        assert since_unknown(ledger) == 0  # what only a rebuild tells of a ledger of the first version
    assert history(copy) == before


def since_unknown(ledger: Ledger) -> int:
    """The mails of which it is not known since when they have waited; the first version did not write that down."""
    with ledger.read() as tx:
        [count] = tx.connection.exec_driver_sql("SELECT count(*) FROM outbox WHERE since IS NULL").one()
        return int(count)


class Killer:
    """Ends the process before its k-th statement, or just after; the statement may be a commit."""

    def __init__(self, point: int) -> None:
        self.left = point

    def upgrade(self, path: Path) -> None:
        sa.event.listen(sa.Engine, "before_cursor_execute", self._count)
        sa.event.listen(sa.Engine, "commit", self._count)
        Ledger.upgrade(path).close()

    def _count(self, *_: object) -> None:
        self.left -= 1
        if self.left == 0:
            os._exit(KILLED)


@pytest.mark.slow
@pytest.mark.faults
@pytest.mark.parametrize("version", OLD)
def test_g9_killed_at_any_statement_the_ledger_is_the_old_one_or_the_new(room: Path, version: str) -> None:
    prepared = taken_out(version, room)
    old = (history(prepared), scheme(prepared, "table"), scheme(prepared, "trigger"))
    whole = room / "whole.db"
    shutil.copy(prepared, whole)
    with closing(Ledger.upgrade(whole)) as ledger:
        wanted = dump.canonical_dump(ledger)
    point, killed, olds = 0, 0, 0
    while True:
        point += 1 if LONG else 3
        path = room / "killed.db"
        for stale in room.glob("killed.db*"):
            stale.unlink()
        shutil.copy(prepared, path)
        if forked(lambda path=path, point=point: Killer(point).upgrade(path)) != KILLED:
            break
        killed += 1
        try:
            Ledger.open(path).close()
        except WrongVersion:
            olds += 1
            assert (history(path), scheme(path, "table"), scheme(path, "trigger")) == old
        with closing(Ledger.upgrade(path)) as ledger:
            assert dump.canonical_dump(ledger) == wanted
    assert killed >= (8 if LONG else 3)
    assert 0 < olds <= killed
    told(f"from {version}: killed at {killed} statements, {olds} left the old ledger, {killed - olds} the new one")


def test_g9_weakened_an_upgrade_in_pieces_leaves_neither(room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen red: committed statement by statement, a killed migration leaves a ledger that no program knows."""

    def in_pieces(connection: sa.Connection, *_: object) -> None:
        for statement in ("ALTER TABLE game ADD COLUMN attendance TEXT", "COMMIT", "BEGIN IMMEDIATE"):  # of 0005
            connection.exec_driver_sql(statement)
        os._exit(KILLED)

    path = taken_out("0004", room)
    tables = scheme(path, "table")
    monkeypatch.setattr(migrate, "upgrade", in_pieces)
    assert forked(lambda: Ledger.upgrade(path)) == KILLED
    monkeypatch.undo()
    assert scheme(path, "table") != tables
    with pytest.raises(sa.exc.OperationalError, match="duplicate column"):
        Ledger.upgrade(path)


@pytest.mark.parametrize("use", [Ledger.open, Ledger.upgrade], ids=["open", "upgrade"])
def test_g9_an_older_program_leaves_a_newer_ledger_alone(room: Path, use: object) -> None:
    path = taken_out(OLD[-1], room)
    with closing(sqlite3.connect(path)) as line, line:
        line.execute("UPDATE alembic_version SET version_num = '9999'")
    before = path.read_bytes()
    with pytest.raises(WrongVersion) as trouble:
        use(path)  # type: ignore[operator]
    assert str(trouble.value).endswith("; install the newer pbem.")
    assert str(trouble.value).count(". ") == 0
    assert path.read_bytes()[100:] == before[100:]  # but for the header, where it is said to be in use
