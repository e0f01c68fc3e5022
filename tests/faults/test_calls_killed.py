"""Each way in is killed inside every call that writes, on a real disk, and run again: none lost, none doubled (G1).

A few writes in every run; `PBEM_LONG=1` takes all.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pbem.arriving import imap
from tests.faults import a_host, ways_in
from tests.faults.call_killer import SYNCS, WRITES, Blow, Campaign, campaign, counted
from tests.faults.figures import told
from tests.faults.forking import apart
from tests.faults.test_killed_anywhere import nothing_lost, one_of, put_away_too_early, undisturbed
from tests.faults.tracing import Ended, needs_strace
from tests.pbem.arriving.rude_imap import PASSWORD, Rude, served

LONG = "PBEM_LONG" in os.environ
EVERY = 1 if LONG else 40
NAMES = "rename,renameat,renameat2,link,linkat,unlink,unlinkat,mkdir,mkdirat"
KILLED = Blow(f"{WRITES},{SYNCS},{NAMES}" if LONG else "pwrite64", "signal=KILL", ())

Program = Callable[[Path], None]

pytestmark = [pytest.mark.faults, pytest.mark.slow, needs_strace, pytest.mark.timeout(0 if LONG else 300)]


@pytest.fixture
def host(tmp_path: Path) -> Path:
    a_host.build(tmp_path / "prepared")
    return tmp_path / "prepared"


@pytest.fixture
def mails(tmp_path: Path) -> Path:
    ways_in.build(tmp_path / "prepared")
    return tmp_path / "prepared"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Rude]:
    monkeypatch.setenv("PBEM_IMAP_PASSWORD", PASSWORD)
    monkeypatch.setattr(imap, "AT_A_TIME", 2)
    with served(ways_in.letters()) as server:
        yield server


def killed(
    prepared: Path, run: Program, again: Program, whole: Program, before: Program | None = None, every: int = EVERY
) -> Campaign:
    """Killed in calls on any file that the program touches; `before`: what must be true even before it is run again."""
    blow = KILLED._replace(files=_touched(prepared, run))
    counting = prepared.with_name("counting")
    shutil.copytree(prepared, counting)
    known = counted(run, counting, blow)

    def check(folder: Path, ended: Ended) -> None:
        if not ended.trace:
            whole(folder)
        elif before is not None:
            before(folder)

    return campaign(prepared, run, blow, check, lambda folder: apart(again, folder), every=every, known=known)


def _touched(prepared: Path, run: Program) -> tuple[str, ...]:
    """Names in the folder, before and after a run ('' is itself)."""
    folder = prepared.with_name("touched")
    shutil.copytree(prepared, folder)
    apart(run, folder)
    names = {path.relative_to(one).as_posix() for one in (prepared, folder) for path in one.rglob("*")}
    return tuple(sorted({"", "ledger.db-wal", "ledger.db-shm", "ledger.db-journal"} | names))


def survived(way: str, found: Campaign) -> None:
    told(f"{way}: {found}")
    assert set(found.codes) == {-9}, str(found)
    assert found.struck >= (20 if LONG else 1), str(found)


def test_collecting_is_killed_in_any_call(host: Path) -> None:
    (fetched,) = undisturbed(host, a_host.fetch)
    survived("collecting", killed(host, a_host.fetch, a_host.fetch, one_of(fetched)))


def test_submitting_is_killed_in_any_call(host: Path) -> None:
    survived("submitting", killed(host, a_host.submit, a_host.fetch, nothing_lost))


def test_maildir_killed_in_any_call(mails: Path) -> None:
    run = ways_in.from_maildir
    survived("Maildir", killed(mails, run, run, ways_in.each_once, ways_in.acknowledged_are_stored))


def test_imap_killed_in_any_call(mails: Path, server: Rude) -> None:
    fetch = ways_in.by_imap(server)
    survived("IMAP", killed(mails, fetch, fetch, ways_in.each_once))


def test_receive_killed_in_any_call(mails: Path) -> None:
    run = ways_in.through_the_command
    survived("receive", killed(mails, run, run, ways_in.each_once, ways_in.acknowledged_are_stored))


def test_listen_killed_in_any_call(mails: Path) -> None:
    pytest.importorskip("aiosmtpd.lmtp")
    run = ways_in.by_lmtp
    survived("listen", killed(mails, run, run, ways_in.each_once, ways_in.acknowledged_are_stored))


def test_a_build_that_moves_files_too_early_is_found(host: Path) -> None:
    (fetched,) = undisturbed(host, a_host.fetch)
    with pytest.raises(AssertionError, match="not as if nothing had happened"):
        killed(host, put_away_too_early, a_host.fetch, one_of(fetched), every=3)
