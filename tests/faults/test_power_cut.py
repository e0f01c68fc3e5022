"""G2: nothing that was acknowledged is lost when the power fails, and the tool that says so can see a loss."""

import mmap
import os
from functools import partial

import pytest

from pbem.syncing import sync_folder
from tests.faults import ledger_work
from tests.faults.figures import so_many, told
from tests.faults.power_cut import campaign, record
from tests.faults.tracing import needs_strace

pytestmark = [pytest.mark.faults, needs_strace]
CUTS = so_many(300, 5000)

WEAK = {
    "the rollback journal with FULL": {"journal_mode": ("DELETE", "delete")},
    "the log with NORMAL": {"synchronous": ("NORMAL", 1)},
    "the log with OFF": {"synchronous": ("OFF", 0)},
}


def cut(room, settings=None, cuts=CUTS):
    timeline = record(partial(ledger_work.work, settings=settings), room)
    return campaign(timeline, ledger_work.whole, cuts=cuts)


def test_g2_nothing_acknowledged_is_lost(tmp_path):
    found = cut(tmp_path)
    told(found)
    assert found.cuts == CUTS
    assert not found.bad, str(found)


def test_g2_a_record_that_does_not_match_the_disk_is_refused(tmp_path):
    """The replayer is only as good as its record: played back whole it must give the files the program left."""

    def through_memory(folder, ack):
        with (folder / "a").open("wb+") as file:
            file.write(b"written")
            file.flush()
            with mmap.mmap(file.fileno(), 7) as memory:
                memory[:7] = b"unnoted"

    with pytest.raises(AssertionError, match="does not give what was written"):
        record(through_memory, tmp_path)


@pytest.mark.parametrize(("steps", "lost"), [
    (("write", "ack"), True), (("write", "fsync", "ack"), True), (("write", "fsync", "dir", "ack"), False),
    (("write", "fsync", "rename", "ack"), True), (("write", "fsync", "rename", "dir", "ack"), False),
    (("write", "rename", "dir", "ack"), True),
])  # fmt: skip
def test_g2_the_replayer_knows_what_lasts(tmp_path, steps, lost):
    """A file lasts once its bytes and its name are synced, and an acknowledgement before that is found to be false."""

    def program(folder, ack):
        with (folder / "new").open("wb") as file:
            for step in steps:
                if step == "write":
                    file.write(b"x" * 1500)
                    file.flush()
                elif step == "fsync":
                    os.fsync(file.fileno())
                elif step == "rename":
                    (folder / "new").rename(folder / "kept")
                elif step == "dir":
                    sync_folder(folder)
                else:
                    ack("done")

    def check(folder, acks):
        kept = folder / ("kept" if "rename" in steps else "new")
        return "lost" if acks and not (kept.exists() and kept.read_bytes() == b"x" * 1500) else None

    assert bool(campaign(record(program, tmp_path), check, cuts=60).bad) == lost


@pytest.mark.parametrize("name", list(WEAK))
def test_g2_weakened_settings_lose_acknowledged_letters(tmp_path, name):
    """Seen red: the settings that are refused at opening are refused for a reason."""
    found = cut(tmp_path, WEAK[name], cuts=150)
    told(f"{name}: {found}")
    assert found.bad
    assert any("an acknowledged letter is lost" in what or "NoLedger" in what for what in found.wrong), str(found)
