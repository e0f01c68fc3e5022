"""Each way in is killed at any line, and run again: each mail is stored once, none lost, none doubled (G1, G3).

Some dozens of states for each route in every run; `PBEM_LONG=1` takes all, and so every line.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from pbem.arriving import imap, imap_line
from pbem.arriving.storing import store
from pbem.ledger import Ledger
from tests.faults.figures import so_many, told
from tests.faults.line_killer import Campaign, campaign, memory_folder
from tests.faults.ways_in import (
    Mailboxes,
    build,
    by_imap,
    by_lmtp,
    each_once,
    from_maildir,
    letters,
    through_the_command,
)
from tests.pbem.arriving.rude_imap import PASSWORD, Rude, served

ROOT = Path(__file__).parent.parent.parent
WATCH = (ROOT / "pbem" / "arriving", ROOT / "pbem" / "ledger", ROOT / "pbem" / "cli" / "arriving.py")
LONG = "PBEM_LONG" in os.environ
MOST = so_many(24, 5000)

pytestmark = [pytest.mark.faults, pytest.mark.slow, pytest.mark.timeout(0 if LONG else 300)]


@pytest.fixture
def prepared() -> Iterator[Path]:
    with memory_folder() as room:
        build(room / "prepared")
        yield room / "prepared"


def survived(way: str, found: Campaign) -> None:
    told(f"{way}: {found}")
    assert found.points >= 20
    assert found.killed >= 2, found


def test_maildir_killed_anywhere(prepared: Path) -> None:
    survived("Maildir", campaign(prepared, from_maildir, from_maildir, each_once, watch=WATCH, most=MOST))


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Rude]:
    monkeypatch.setenv("PBEM_IMAP_PASSWORD", PASSWORD)
    monkeypatch.setattr(imap, "AT_A_TIME", 2)
    with served(letters()) as server:
        yield server


def test_imap_killed_anywhere(prepared: Path, server: Rude) -> None:
    fetch, beside = by_imap(server), Mailboxes(server)
    survived("IMAP", campaign(prepared, fetch, fetch, each_once, watch=WATCH, most=MOST, beside=beside))


def test_imap_of_a_build_that_marks_first_is_found(
    prepared: Path, server: Rude, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The weakened build: seen before stored. Killed in between, the mail is never looked at again."""

    def mark_first(run: imap._Run, line: imap_line.Line, about: imap_line.About, real: object = imap._take) -> None:
        if "\\Seen" not in about.flags:
            line.mark([about.uid])
        real(run, line, about)  # type: ignore[operator]

    fetch, beside = by_imap(server), Mailboxes(server)
    monkeypatch.setattr(imap, "_take", mark_first)
    with pytest.raises(AssertionError, match="lost"):
        campaign(prepared, fetch, fetch, each_once, watch=WATCH, most=60, beside=beside)


def test_receive_killed_anywhere(prepared: Path) -> None:
    again = through_the_command
    survived("receive", campaign(prepared, through_the_command, again, each_once, watch=WATCH, most=MOST))


def test_listen_killed_anywhere(prepared: Path) -> None:
    """Two threads: whoever sends the mails writes down what was acknowledged, while the listener is at work."""
    pytest.importorskip("aiosmtpd.lmtp")
    survived("listen", campaign(prepared, by_lmtp, by_lmtp, each_once, watch=WATCH, most=MOST, alone=False))


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
