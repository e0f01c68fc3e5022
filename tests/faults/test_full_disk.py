"""G7: a full or broken disk costs no letter and no row; the run stops with one plain sentence, and a rerun completes.

G1 on disk: the same with the process killed inside each write-class call.
"""

import os
import resource
import signal

import pytest

from pbem.ledger import backup, letters, mailed
from pbem.ledger.chain import HOST
from pbem.ledger.mailed import heads_file, known
from pbem.ledger.store import Ledger
from pbem.ledger.troubles import NotWritten
from tests.faults import intake_work
from tests.faults.call_killer import OPENS, SYNCS, WRITES, Blow, campaign, strike
from tests.faults.figures import told
from tests.faults.intake_work import FILES, acks, check, prepare, run_again, take_in
from tests.faults.tracing import Ended, needs_strace

pytestmark = pytest.mark.faults
EVERY = 1 if "PBEM_LONG" in os.environ else 9  # of the many writes

BLOWS = {
    "the disk is full": Blow(WRITES, "error=ENOSPC", FILES),
    "the quota is used up": Blow(WRITES, "error=EDQUOT", FILES),
    "writing fails": Blow(WRITES, "error=EIO", FILES),
    "syncing fails": Blow(SYNCS, "error=EIO", (*FILES, "")),
    "the disk is read-only": Blow(OPENS, "error=EROFS", FILES),
    "killed in a write": Blow(WRITES, "signal=KILL", FILES),
    "killed in a sync": Blow(SYNCS, "signal=KILL", (*FILES, "")),
}


@needs_strace
@pytest.mark.parametrize("name", list(BLOWS))
def test_g7_no_acknowledgement_without_a_row(tmp_path, name):
    blow = BLOWS[name]
    every = EVERY if blow.calls == WRITES else 1
    found = campaign(prepare(tmp_path / "prepared"), take_in, blow, check, run_again, every=every)
    told(f"{name}: {found}")
    assert found.struck >= 2, str(found)
    allowed = {-signal.SIGKILL} if "KILL" in blow.effect else {0, 3, 75}
    assert set(found.codes) <= allowed, str(found)
    assert found.codes[-9] or found.codes[75] or found.codes[3], str(found)  # it did hurt


@needs_strace
def test_g7_a_disk_that_stays_full(tmp_path):
    folder = prepare(tmp_path / "prepared")
    ended = strike(take_in, folder, Blow(WRITES, "error=ENOSPC", FILES), "6+")
    assert ended.code == 75
    check(folder, ended)
    run_again(folder)
    check(folder, Ended(0, ""))


@needs_strace
def test_g7_after_a_failed_sync_nothing_more_is_written(tmp_path):
    """What the kernel dropped is not on the disk, and syncing again would say that it were."""
    folder = prepare(tmp_path / "prepared")
    ended = strike(take_in, folder, Blow(SYNCS, "error=EIO", ("ledger.db-wal",)), 1)
    assert ended.code == 75
    assert acks(folder) == []
    assert ended.trace.count("fdatasync") + ended.trace.count("fsync") == 1


@needs_strace
def test_g7_weakened_trying_again_acknowledges_what_may_be_gone(tmp_path):
    """Seen red: a build that tries again reports success after the same failed sync."""
    folder = prepare(tmp_path / "prepared")
    ended = strike(intake_work.stubborn, folder, Blow(SYNCS, "error=EIO", ("ledger.db-wal",)), 1)
    assert ended.code == 0
    assert "0" in acks(folder)


def limited(program, folder, size):
    """The program in a child whose files may not grow beyond that size."""
    pid = os.fork()
    if not pid:
        code = 99
        try:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
            code = program(folder)
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


@pytest.mark.parametrize("more", [1, 5_000, 20_000, 40_000])
def test_g7_files_that_may_not_grow(tmp_path, more):
    folder = prepare(tmp_path / "prepared")
    code = limited(take_in, folder, (folder / "ledger.db").stat().st_size // 4 + more)
    assert code in (0, 75)
    check(folder, Ended(code, "limited"))
    run_again(folder)
    check(folder, Ended(0, ""))


def test_g7_a_failed_write_stops_this_process(ledger_path):
    ledger = Ledger.open(ledger_path)
    ledger._broken = NotWritten(ledger_path, "disk I/O error")
    with pytest.raises(NotWritten, match="disk I/O error"), ledger.write():
        pass
    with ledger.read() as tx:
        assert letters.waiting(tx) == []


@pytest.fixture
def ledger_path(tmp_path):
    Ledger.create(tmp_path / "ledger.db").close()
    return tmp_path / "ledger.db"


def backed_up(folder):
    try:
        backup.backup(folder / "ledger.db", folder / "copy.db")
    except NotWritten as trouble:
        return trouble.exit_code
    return 0


@needs_strace
@pytest.mark.parametrize("blow", [
    Blow(WRITES, "error=ENOSPC", (".copy.db.part", ".copy.db.part-journal")),
    Blow(SYNCS, "error=EIO", (".copy.db.part", "")),
], ids=["full", "no sync"])  # fmt: skip
def test_g7_a_backup_that_fails_leaves_no_copy(tmp_path, blow):
    def clean(folder, ended):
        assert ended.code in (0, 75)
        assert (folder / "copy.db").exists() == (ended.code == 0) or blow.calls == SYNCS
        assert not (folder / ".copy.db.part").exists()
        if (folder / "copy.db").exists():
            backup.check_copy(folder / "copy.db")

    def again(folder):
        if not (folder / "copy.db").exists():
            assert backed_up(folder) == 0

    found = campaign(prepare(tmp_path / "prepared"), backed_up, blow, clean, again, every=EVERY)
    assert found.codes[75], str(found)


def noted(folder):
    ledger = Ledger.open(folder / "ledger.db")
    try:
        mailed.note(ledger, [HOST])
    except NotWritten as trouble:
        return trouble.exit_code
    return 0


@needs_strace
@pytest.mark.parametrize("effect", ["error=ENOSPC", "signal=KILL"])
def test_g7_a_head_that_cannot_be_noted_stops_the_mail(tmp_path, effect):
    def sound(folder, ended):
        assert ended.code in (0, 75, -9)
        ledger = Ledger.open(folder / "ledger.db")
        mailed.guard(ledger)
        assert ended.code or HOST in known(heads_file(ledger))

    def again(folder):
        assert noted(folder) == 0

    blow = Blow(f"{WRITES},{SYNCS},{OPENS}", effect, ("heads.jsonl",))
    found = campaign(prepare(tmp_path / "prepared"), noted, blow, sound, again)
    assert found.struck >= 3, str(found)
