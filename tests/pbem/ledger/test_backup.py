"""G8: a backup taken at any moment is a whole ledger; a restore is whole or nothing; an old copy is noticed."""

import gc
import shutil
import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest

from pbem.ledger import backup, journal, letters, mailed, outbox, sound
from pbem.ledger.chain import HOST
from pbem.ledger.dump import canonical_dump
from pbem.ledger.mailed import heads_file, known
from pbem.ledger.place import Place
from pbem.ledger.store import Ledger
from pbem.ledger.troubles import (
    DamagedLedger,
    LedgerExists,
    LedgerTrouble,
    NotWritten,
    OlderThanMailed,
    OlderVersion,
)
from tests.faults.figures import counted, so_many
from tests.pbem import hosted
from tests.pbem.hosted import NIGHT, START

pytestmark = pytest.mark.sqlite

MANY = so_many(20, 200)


def writing(path: Path, stop: threading.Event, counts: list[int]) -> None:
    """Rows of two chains and a mail in each transaction, without an end."""
    ledger, number = Ledger.open(path), 0
    while not stop.is_set():
        number += 1
        time.sleep(0.003)  # or the ledger grows faster than it can be copied
        with ledger.write() as tx:
            tx.append(HOST, "ruling", START, {"number": number})
            outbox.post(tx, "jade", None, "notice", f"<{number}@host>", b"%d" % number * 2000, START, START)
    counts.append(number)
    ledger.close()


def during_writes(ledger, folder, copy):
    """Copies taken while another connection writes without a pause."""
    with ledger.write() as tx:
        hosted.begin(tx, "jade", "nim")
    stop, counts = threading.Event(), []
    thread = threading.Thread(target=writing, args=(ledger.path, stop, counts))
    thread.start()
    try:
        copies = [copy(ledger.path, folder / f"copy-{number}.db") for number in range(MANY)]
    finally:
        stop.set()
        thread.join()
    return copies, counts[0]


def is_whole(path):
    """A sound ledger in which no transaction is cut: every ruling has its mail."""
    reader = Ledger.open(path, readonly=True)
    try:
        with reader.read() as tx:
            assert next(sound.all_faults(tx), None) is None
            rulings = sum(1 for _ in journal.rows(tx, HOST, kinds=["ruling"]))
            mails = [row for row in journal.rows(tx, "jade", kinds=["mail"]) if row.facts()["kind"] == "notice"]
            assert rulings == len(mails)
            return rulings
    finally:
        reader.close()


def test_g8_backups_during_constant_writes(ledger, tmp_path):
    copies, written = during_writes(ledger, tmp_path, backup.backup)
    held = [is_whole(copy) for copy in copies]
    assert held == sorted(held)
    assert 0 <= held[0] < held[-1] <= written
    assert not list(tmp_path.glob(".*.part"))
    counted(len(held), "backups during constant writes, each opened and sound to the last row")
    counted(len(copies) - len(held), "bad")
    counted(held[-1] - held[0], "transactions written meanwhile, none cut in a backup")


def test_g8_weakened_a_copied_file_is_not_a_backup(ledger, tmp_path):
    """Seen red: a plain copy of the ledger's file lacks what only its log holds yet."""
    with ledger.write() as tx:
        tx.append(HOST, "ruling", START, {"act": "said and acknowledged"})
    copies = {take: tmp_path / f"{take.__name__}.db" for take in (shutil.copy, backup.backup)}
    held = {}
    for take, copy in copies.items():
        take(ledger.path, copy)
        with closing(sqlite3.connect(copy)) as connection:
            tables = connection.execute("SELECT count(*) FROM sqlite_master WHERE name = 'journal'").fetchone()[0]
            held[take] = connection.execute("SELECT count(*) FROM journal").fetchone()[0] if tables else 0
    assert held == {shutil.copy: 0, backup.backup: 1}


def test_a_backup_is_one_plain_private_file(ledger, tmp_path):
    hosted.play(ledger, "jade", "vault")
    copy = backup.backup(ledger.path, tmp_path / "copy.db")
    assert copy.stat().st_mode & 0o777 == 0o600
    assert not list(tmp_path.glob("copy.db-*"))
    assert copy.read_bytes()[18:20] == b"\x01\x01"  # SQLite keeps no log beside it
    copy.chmod(0o400)
    reader = Ledger.open(copy, readonly=True)
    assert canonical_dump(reader) == canonical_dump(ledger)
    reader.close()


def test_a_backup_that_was_killed_is_not_in_the_way_of_the_next(ledger, tmp_path):
    (tmp_path / ".copy.db.part").write_bytes(b"half of it")
    copy = backup.backup(ledger.path, tmp_path / "copy.db")
    assert canonical_dump(Ledger.open(copy, readonly=True)) == canonical_dump(ledger)


def test_a_copy_is_looked_at_and_left_as_it_is(ledger, tmp_path):
    copy = backup.backup(ledger.path, tmp_path / "copy.db")
    before = copy.read_bytes()
    backup.check_copy(copy)
    assert copy.read_bytes() == before


def test_the_name_of_a_backup_and_what_it_holds_are_on_the_disk(ledger, tmp_path, monkeypatch):
    """First what it holds, while nobody takes it for a backup yet; then its name."""
    target, synced = tmp_path / "copy.db", []
    for name in ("_sync", "sync_folder"):
        monkeypatch.setattr(backup, name, lambda path: synced.append((path.name, target.exists())))
    backup.backup(ledger.path, target)
    assert synced == [(".copy.db.part", False), (tmp_path.name, True)]


def test_a_copy_that_was_looked_at_is_held_by_nobody(ledger, tmp_path, monkeypatch):
    copy, opened, real = backup.backup(ledger.path, tmp_path / "copy.db"), [], Ledger.open
    monkeypatch.setattr(backup.Ledger, "open", lambda *given, **how: opened.append(real(*given, **how)) or opened[-1])
    backup.check_copy(copy)
    assert [one.home._idle for one in opened] == [[]]


def test_a_backup_may_be_copied_again_and_stays_as_it_is(ledger, tmp_path):
    copy = backup.backup(ledger.path, tmp_path / "copy.db")
    before = copy.read_bytes()
    another = backup.backup(copy, tmp_path / "another.db")
    assert canonical_dump(Ledger.open(another, readonly=True)) == canonical_dump(ledger)
    assert copy.read_bytes() == before
    assert not list(tmp_path.glob("copy.db-*"))


def test_whatever_sqlite_is_used_to_a_copy_is_synced_in_full(ledger, tmp_path, monkeypatch):
    said, real = [], backup._open

    def opened(path, mode):
        line = real(path, mode)
        line.set_trace_callback(lambda statement: said.append((mode, statement)))
        return line

    monkeypatch.setattr(backup, "_open", opened)
    backup.backup(ledger.path, tmp_path / "copy.db")
    assert said[0] == ("rwc", "PRAGMA synchronous = FULL")


@pytest.mark.parametrize(
    ("error", "said"), [(OSError(28, "No space left"), NotWritten), (DamagedLedger("It is cut."), DamagedLedger)]
)
def test_of_a_backup_that_failed_nothing_is_left(ledger, tmp_path, monkeypatch, error, said):
    there = {path.name for path in tmp_path.iterdir()}
    monkeypatch.setattr(backup, "check_copy", raising(error))
    with pytest.raises(said):
        backup.backup(ledger.path, tmp_path / "copy.db")
    assert {path.name for path in tmp_path.iterdir()} == there


def raising(error):
    def fails(*given, **how):
        raise error

    return fails


@pytest.fixture
def served(ledger, monkeypatch):
    """The place of that ledger as if it were in a server, which is played by the file."""
    place = Place(ledger.path, "postgresql://here/games")
    opened = Ledger.open
    monkeypatch.setattr(backup.Ledger, "open", lambda at, **how: opened(ledger.path if at is place else at, **how))
    monkeypatch.setattr(backup, "as_file", lambda at, target: backup._copy(at.file, target, into_wal=True))
    return place


def test_a_backup_of_a_ledger_in_a_server_is_one_plain_file(ledger, tmp_path, served):
    hosted.play(ledger, "jade", "nim")
    copy = backup.backup(served, tmp_path / "copy.db")
    assert copy.read_bytes()[18:20] == b"\x01\x01"  # SQLite keeps no log beside it
    assert canonical_dump(Ledger.open(copy, readonly=True)) == canonical_dump(ledger)


def test_a_ledger_in_a_server_that_cannot_be_read_leaves_no_backup(tmp_path, monkeypatch, served):
    there = {path.name for path in tmp_path.iterdir()}
    monkeypatch.setattr(backup, "as_file", raising(DamagedLedger("It is cut.")))
    with pytest.raises(DamagedLedger):
        backup.backup(served, tmp_path / "copy.db")
    assert {path.name for path in tmp_path.iterdir()} == there


def test_an_older_ledger_in_a_server_is_left_to_the_tools_of_the_server(tmp_path, monkeypatch, served):
    asked = []
    monkeypatch.setattr(backup.Ledger, "open", raising(OlderVersion("It has version 0001.")))
    monkeypatch.setattr(backup, "as_file", lambda at, target: asked.append(at))
    with pytest.raises(OlderVersion):
        backup.backup(served, tmp_path / "copy.db")
    assert asked == []


def test_a_copy_is_restored_into_a_server_by_those_who_know_it(ledger, tmp_path, monkeypatch, served):
    copy = backup.backup(ledger.path, tmp_path / "copy.db")
    before, asked = canonical_dump(ledger), []
    monkeypatch.setattr(backup, "into_server", lambda *given: asked.append(given) or "pbem_before")
    assert backup.restore(copy, served) == "pbem_before"
    assert asked == [(copy, served)]
    assert canonical_dump(ledger) == before


def test_a_backup_takes_no_other_files_place(ledger, tmp_path):
    (tmp_path / "copy.db").write_text("something else")
    with pytest.raises(LedgerExists, match="name another"):
        backup.backup(ledger.path, tmp_path / "copy.db")


def test_restored_it_goes_on_as_if_nothing_had_been(ledger, tmp_path):
    """G8: the next turn played on the restored copy is the turn that was played on the original."""
    with ledger.write() as tx:
        hosted.begin(tx, "jade", "vault")
    copy = backup.backup(ledger.path, tmp_path / "copy.db")
    for night in (1, 2):
        with ledger.write() as tx:
            hosted.resolve(tx, "jade", {}, START + night * NIGHT)
    after = canonical_dump(ledger)
    ledger.close()
    kept = backup.restore(copy, ledger.path)
    restored = Ledger.open(ledger.path)
    assert canonical_dump(restored) != after
    for night in (1, 2):
        with restored.write() as tx:
            hosted.resolve(tx, "jade", {}, START + night * NIGHT)
    assert canonical_dump(restored) == after
    assert canonical_dump(Ledger.open(kept)) == after  # what stood there is not lost


def test_restoring_where_nothing_is(ledger, tmp_path):
    hosted.play(ledger, "jade", "nim")
    copy = backup.backup(ledger.path, tmp_path / "copy.db")
    assert backup.restore(copy, tmp_path / "new.db") is None
    assert canonical_dump(Ledger.open(tmp_path / "new.db")) == canonical_dump(ledger)


def test_a_ledger_that_another_has_open_is_restored(ledger, tmp_path):
    """It keeps its log: to leave that, one would have to be alone with the file."""
    copy = backup.backup(ledger.path, tmp_path / "copy.db")
    before = canonical_dump(ledger)
    hosted.play(ledger, "jade", "nim")
    backup.restore(copy, ledger.path)
    assert canonical_dump(ledger) == before


def test_what_stood_there_is_kept_under_a_free_name_and_on_the_disk_before(ledger, tmp_path, monkeypatch):
    hosted.play(ledger, "jade", "nim")
    copy = backup.backup(ledger.path, tmp_path / "copy.db")
    ledger.close()
    done, real_copy, real_sync = [], backup._copy, backup._sync
    monkeypatch.setattr(backup, "_copy", lambda old, new, **how: (real_copy(old, new, **how), done.append(new.name)))
    monkeypatch.setattr(backup, "_sync", lambda path: (real_sync(path), done.append(f"sync {path.name}")))
    monkeypatch.setattr(backup, "sync_folder", lambda path: done.append(f"folder {path.name}"))
    names = [backup.restore(copy, ledger.path).name for _ in range(2)]
    assert names == ["ledger.db.replaced-1", "ledger.db.replaced-2"]
    folder = f"folder {tmp_path.name}"
    assert done == [step for name in names for step in (name, f"sync {name}", folder, "ledger.db", folder)]


def in_between(monkeypatch, act):
    """Have that done when the old ledger is copied aside and the new one does not stand yet."""
    real = backup._sync
    monkeypatch.setattr(backup, "_sync", lambda path: (real(path), act()))


def storing(path):
    """Another who has the ledger open, and is about to store a letter."""
    neighbour = Ledger.open(path)

    def store():
        with closing(neighbour), neighbour.write() as tx:
            letters.arrive(tx, b"a letter", START, "mail", "<new@mail>")

    return threading.Thread(target=store)


def came(path):
    with closing(Ledger.open(path)) as ledger, ledger.read() as tx:
        return letters.came(tx, "<new@mail>") is not None


def test_g8_a_letter_stored_while_a_copy_is_put_back_is_in_the_new_ledger(ledger, tmp_path, monkeypatch):
    """Seen red: it was stored, so the mail server let go of it, and it was in neither."""
    copy = backup.backup(ledger.path, tmp_path / "copy.db")
    thread = storing(ledger.path)
    in_between(monkeypatch, lambda: (thread.start(), thread.join(0.3)))
    kept = backup.restore(copy, ledger.path)
    thread.join()
    assert (came(kept), came(ledger.path)) == (False, True)


def test_g8_a_letter_that_is_being_stored_when_a_copy_comes_is_in_the_old_ledger(ledger, tmp_path, monkeypatch):
    """What is copied aside is copied when nobody writes any more."""
    copy, real = backup.backup(ledger.path, tmp_path / "copy.db"), backup._open
    neighbour = Ledger.open(ledger.path)

    def impatient(path, mode):
        line = real(path, mode)
        line.execute("PRAGMA busy_timeout = 0")  # or it is asked again only after a long while
        return line

    monkeypatch.setattr(backup, "_open", impatient)
    found = []
    with closing(neighbour), neighbour.write() as tx:
        letters.arrive(tx, b"a letter", START, "mail", "<new@mail>")
        thread = threading.Thread(target=lambda: found.append(backup.restore(copy, ledger.path)))
        thread.start()
        thread.join(0.4)
    thread.join()
    assert (came(found[0]), came(ledger.path)) == (True, False)


@pytest.mark.parametrize("code", [sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE])
def test_where_there_is_no_room_to_keep_what_stands_there_it_goes_on_standing(ledger, tmp_path, monkeypatch, code):
    """Seen red: a full disk was taken for a damaged ledger, which was moved aside, and no ledger was left."""
    hosted.play(ledger, "jade", "nim")
    copy = backup.backup(ledger.path, tmp_path / "copy.db")
    hosted.play(ledger, "coral", "nim")
    before = canonical_dump(ledger)
    full = sqlite3.OperationalError("database or disk is full")
    full.sqlite_errorcode = code
    in_between(monkeypatch, raising(full))
    with pytest.raises(NotWritten, match=r"ledger\.db could not be written \(database or disk is full\)"):
        backup.restore(copy, ledger.path)
    assert canonical_dump(ledger) == before
    ledger.close()
    assert sorted(path.name for path in tmp_path.glob("*.db*")) == ["copy.db", "ledger.db"]


def test_what_cannot_be_read_from_a_bad_disk_is_moved_aside(ledger, tmp_path, monkeypatch):
    copy = backup.backup(ledger.path, tmp_path / "copy.db")
    bad = sqlite3.OperationalError("disk I/O error")
    bad.sqlite_errorcode = sqlite3.SQLITE_IOERR_READ
    in_between(monkeypatch, raising(bad))
    assert backup.restore(copy, ledger.path).exists()
    assert canonical_dump(Ledger.open(ledger.path)) == canonical_dump(Ledger.open(copy, readonly=True))


def test_a_restore_that_came_out_otherwise_is_said(ledger, tmp_path, monkeypatch):
    """Weakened: a copier that stops in the middle; what it left is not taken for the ledger."""
    copy = backup.backup(ledger.path, tmp_path / "copy.db")
    monkeypatch.setattr(backup, "_copy", lambda old, new, **how: new.write_bytes(old.read_bytes()[:5000]))
    with pytest.raises(DamagedLedger):
        backup.restore(copy, tmp_path / "new.db")


@pytest.mark.parametrize("damage", [b"x" * 8192, b""])
def test_restoring_over_a_damaged_ledger(ledger, tmp_path, damage):
    copy = backup.backup(ledger.path, tmp_path / "copy.db")
    expected = canonical_dump(ledger)
    ledger.close()
    ledger.path.write_bytes(damage)
    ledger.path.with_name("ledger.db-wal").write_bytes(b"an old log")
    backup.restore(copy, ledger.path)
    assert canonical_dump(Ledger.open(ledger.path)) == expected


def test_a_restore_holds_on_to_no_file(ledger, tmp_path):
    copy = backup.backup(ledger.path, tmp_path / "copy.db")
    backup.restore(copy, ledger.path)
    gc.collect()  # what earlier tests let go of is no part of this
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(3):
        backup.restore(copy, ledger.path)
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_a_damaged_copy_is_not_restored(ledger, tmp_path):
    hosted.play(ledger, "jade", "nim")
    before = canonical_dump(ledger)
    copy = backup.backup(ledger.path, tmp_path / "copy.db")
    with closing(sqlite3.connect(copy)) as connection, connection:
        [trigger] = connection.execute("SELECT sql FROM sqlite_master WHERE name = 'journal_no_update'").fetchone()
        connection.execute("DROP TRIGGER journal_no_update")
        connection.execute("UPDATE journal SET seat = 'x' WHERE chain = 'jade' AND seq = 3")
        connection.execute(trigger)
    with pytest.raises(DamagedLedger, match="row 3 of jade"):
        backup.restore(copy, ledger.path)
    assert canonical_dump(ledger) == before


def test_a_restored_ledger_older_than_a_mail_is_noticed(ledger, tmp_path):
    with ledger.write() as tx:
        hosted.begin(tx, "jade", "nim")
        hosted.begin(tx, "coral", "nim")
    mailed.note(ledger, ["jade", "coral"])
    copy = backup.backup(ledger.path, tmp_path / "copy.db")
    with ledger.write() as tx:
        hosted.resolve(tx, "jade", {}, START + NIGHT)
    mailed.note(ledger, ["jade"])
    mailed.guard(ledger)
    ledger.close()

    backup.restore(copy, ledger.path)
    restored = Ledger.open(ledger.path)
    with pytest.raises(OlderThanMailed, match=r"mails that have left \(of jade\); nothing is sent"):
        mailed.guard(restored)
    with restored.write() as tx:  # played again, but otherwise: the head is another one
        hosted.resolve(tx, "jade", {"1": "a3"}, START + NIGHT)
        hosted.resolve(tx, "jade", {}, START + NIGHT)
    with pytest.raises(OlderThanMailed):
        mailed.guard(restored)

    [lost] = mailed.agree(restored, START, "the disk died")
    mailed.guard(restored)
    with restored.read() as tx:
        [ruling] = journal.rows(tx, HOST, kinds=["ruling"])
    assert ruling.facts() == {"act": "agree-restore", "reason": "the disk died", "lost": [list(lost)]}
    assert lost.chain == "jade"
    assert known(heads_file(restored)).keys() == {"coral"}, "of the others it is still asked"


def test_a_restored_ledger_that_knows_all_mails_is_fine(ledger, tmp_path):
    hosted.play(ledger, "jade", "nim")
    mailed.note(ledger, ["jade"])
    copy = backup.backup(ledger.path, tmp_path / "copy.db")
    ledger.close()
    backup.restore(copy, ledger.path)
    mailed.guard(Ledger.open(ledger.path))


def test_without_the_file_of_heads_nothing_is_held_back(ledger):
    """What the guard stands on; who restores that file along with the ledger must know it (see cron/)."""
    mailed.guard(ledger)


def test_of_a_ledger_without_a_row_the_beginning_is_noted(ledger):
    mailed.note(ledger, [])
    assert mailed.newest_known(heads_file(ledger)) == (HOST, 0, "")
    mailed.guard(ledger)


def test_a_line_cut_by_a_kill_is_passed_over(ledger):
    hosted.play(ledger, "jade", "nim")
    mailed.note(ledger, ["jade"])
    path = heads_file(ledger)
    whole = known(path)
    path.write_bytes(path.read_bytes() + b'{"jade":[9')
    assert known(path) == whole
    mailed.note(ledger, ["jade", HOST])
    assert known(path).keys() == {"jade", HOST}
    mailed.guard(ledger)


def test_one_look_tells_that_all_is_there(ledger, monkeypatch):
    """However many games ever mailed: the newest row noted vouches for all heads before it."""
    hosted.play(ledger, "jade", "nim")
    mailed.note(ledger, ["jade"])
    asked = []
    monkeypatch.setattr(mailed, "lost", lambda tx, path: asked.append(path) or [])
    mailed.guard(ledger)
    assert asked == []
    path = heads_file(ledger)
    path.write_bytes(path.read_bytes().split(b"\n")[0] + b"\n")  # the second line was cut off
    mailed.guard(ledger)
    assert asked == [path]


def test_a_mail_that_waited_while_others_left_is_asked_for_too(ledger, tmp_path):
    """The last note names only coral, whose head the old copy has; the head of jade noted before it is missing."""
    with ledger.write() as tx:
        hosted.begin(tx, "jade", "nim")
        hosted.begin(tx, "coral", "nim")
    copy = backup.backup(ledger.path, tmp_path / "copy.db")
    with ledger.write() as tx:
        hosted.resolve(tx, "jade", {}, START + NIGHT)
    mailed.note(ledger, ["jade"])
    mailed.note(ledger, ["coral"])
    ledger.close()
    backup.restore(copy, ledger.path)
    with pytest.raises(OlderThanMailed, match="of jade"):
        mailed.guard(Ledger.open(ledger.path))


def test_the_first_of_many_lost_games_are_named(ledger, tmp_path):
    names = ["amber", "beryl", "coral", "jade"]
    copy = backup.backup(ledger.path, tmp_path / "copy.db")
    with ledger.write() as tx:
        for name in names:
            hosted.begin(tx, name, "nim")
    mailed.note(ledger, names[:3])
    with pytest.raises(OlderThanMailed, match=r"\(of amber, beryl, coral\)"):
        mailed.guard(_put_back(ledger, copy, tmp_path / "three.db"))
    mailed.note(ledger, names)
    with pytest.raises(OlderThanMailed, match=r"\(of amber, beryl, coral and others\)"):
        mailed.guard(_put_back(ledger, copy, tmp_path / "four.db"))


def _put_back(ledger, copy, place):
    """An old copy with the heads that have left since beside it."""
    place.parent.mkdir(exist_ok=True)
    backup.restore(copy, place)
    return Ledger.open(place)


def test_a_restored_ledger_that_lacks_only_what_was_never_mailed_is_fine(ledger, tmp_path):
    with ledger.write() as tx:
        hosted.begin(tx, "jade", "nim")
    copy = backup.backup(ledger.path, tmp_path / "copy.db")
    with ledger.write() as tx:
        tx.append(HOST, "ruling", START, {"act": "x"})
    mailed.note(ledger, ["jade"])
    ledger.close()
    backup.restore(copy, ledger.path)
    mailed.guard(Ledger.open(ledger.path))


def test_the_file_of_heads_stays_short(ledger, monkeypatch):
    hosted.play(ledger, "jade", "nim")
    monkeypatch.setattr(mailed, "LONG", 2000)
    for _ in range(100):
        mailed.note(ledger, ["jade"])
    assert heads_file(ledger).stat().st_size <= 2000 + 200
    assert known(heads_file(ledger)).keys() == {"jade"}


def test_a_long_file_of_heads_is_written_anew_only_where_that_makes_it_half_as_long(ledger, monkeypatch):
    monkeypatch.setattr(mailed, "LONG", 10)
    with ledger.write() as tx:
        for name in ("amber", "coral"):
            hosted.begin(tx, name, "nim")
    lengths = []
    for chain in ("amber", "coral", "amber", "amber"):
        mailed.note(ledger, [chain])
        lengths.append(len(heads_file(ledger).read_bytes().split(b"\n")) - 1)
    assert lengths == [2, 4, 2, 4]  # both heads on a line, and the newest row once: less than half of six lines
    assert known(heads_file(ledger)).keys() == {"amber", "coral"}


def test_what_was_never_a_ledger_is_kept_where_a_copy_takes_its_place(ledger, tmp_path):
    """With no log beside it."""
    copy = backup.backup(ledger.path, tmp_path / "copy.db")
    place = tmp_path / "elsewhere" / "ledger.db"
    place.parent.mkdir()
    place.write_bytes(b"no ledger at all" * 1000)
    kept = backup.restore(copy, place)
    assert kept.read_bytes() == b"no ledger at all" * 1000
    assert canonical_dump(Ledger.open(place, readonly=True)) == canonical_dump(ledger)


def test_a_backup_of_what_is_no_ledger_is_none(tmp_path):
    with closing(sqlite3.connect(tmp_path / "other.db")) as other:
        other.execute("CREATE TABLE journal (id)")
    with pytest.raises(LedgerTrouble):
        backup.backup(tmp_path / "other.db", tmp_path / "copy.db")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["other.db"]
