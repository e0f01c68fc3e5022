"""The delivery loop is killed at any of its lines, and comes right when run again: nothing missing, at most one double.

The server outlives our process, as servers do. `PBEM_LONG=1` takes 3,000 lines from all over the loop.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.ledger.outbox import SENT
from tests.faults.figures import counted, so_many
from tests.faults.forking import apart
from tests.faults.line_killer import Killer, chosen, memory_folder
from tests.pbem.post.conftest import NOON, SOON, Sender, by_smtp, sender_in
from tests.pbem.post.rude import Rude, count_by_id

ROOT = Path(__file__).parent.parent.parent.parent
WATCH = (ROOT / "pbem" / "delivering.py", ROOT / "pbem" / "post", ROOT / "pbem" / "ledger")
LONG = "PBEM_LONG" in os.environ
POINTS = so_many(25, 3000)

pytestmark = [pytest.mark.faults, pytest.mark.slow, pytest.mark.timeout(0 if LONG else 300)]


@pytest.fixture
def room() -> Iterator[Path]:
    with memory_folder() as folder:
        yield folder


def test_g14_killed_at_any_line(waiting: Path, room: Path) -> None:
    killer, killed, doubles = Killer(WATCH), 0, 0
    with Rude() as server:
        post = by_smtp(server.port)

        def run(folder: Path) -> None:
            Sender(sender_in_place(folder).config).deliver(NOON, **post)

        def later(folder: Path) -> None:
            sender_in_place(folder).deliver(NOON + SOON, **post)

        sender_in(waiting, room / "counted")
        lines = killer.lines(run, room / "counted")
        for point in chosen(lines, POINTS, 1):
            server.taken.clear()
            sender = sender_in(waiting, room / f"run-{point}")
            death = killer.kill(run, sender.config.folder, point)
            killed += death.killed
            apart(later, sender.config.folder)
            came, mails = count_by_id(server.taken), sender.mails()
            where = f"killed at {point} of {lines}: {death.place}"
            assert {mail.state for mail in mails} == {SENT}, where
            assert came.keys() == {mail.message_id for mail in mails}, where
            assert sum(came.values()) <= len(mails) + 1, where
            assert len({one.raw for one in server.taken}) == len(mails), where
            doubles += sum(came.values()) - len(mails)
    assert killed > POINTS * 0.8
    counted(killed, f"kills at lines of the delivery ({lines} were counted)")
    counted(doubles, "doubles after a kill")
    assert not server.wrong


def sender_in_place(folder: Path) -> Sender:
    from pbem.config import load

    return Sender(load(folder / "pbem.toml"))
