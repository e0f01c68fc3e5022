"""The corners of the ledger: a head that cannot be noted, a copy that cannot be made, a seal that fits another lock."""

from __future__ import annotations

import importlib.util
import os
import sqlite3
import sys
import zlib
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import sqlalchemy as sa

from pbem.errors import Trouble
from pbem.ledger import (
    Ledger,
    backup,
    copying,
    journal,
    letters,
    mailed,
    on_sqlite,
    outbox,
    packing,
    players,
    seals,
    sound,
    transaction,
)
from pbem.ledger.chain import HOST
from pbem.ledger.dump import canonical_dump
from pbem.ledger.mailed import heads_file, known, newest_known
from pbem.ledger.opening import bytes_of, facts_of, waiting_of
from pbem.ledger.packing import MARKED, pack, unpack
from pbem.ledger.place import Place, read_place
from pbem.ledger.seals import Broken, KeyLost, Keys, Seal, apart, bytes_opened, hidden, key_file, shown
from pbem.ledger.troubles import DamagedLedger, LedgerExists, NotWritten
from tests.pbem import hosted
from tests.pbem.audit.forging import edit
from tests.pbem.hosted import START

pytestmark = pytest.mark.sqlite


def test_a_head_that_cannot_be_noted_is_trouble(ledger: Ledger) -> None:
    heads_file(ledger).mkdir()
    with pytest.raises(NotWritten, match=r"heads\.jsonl could not be written \(Is a directory\)"):
        mailed.note(ledger, [HOST])


def test_lines_that_are_no_notes_are_passed_over(ledger: Ledger) -> None:
    mailed.note(ledger, [HOST])
    before = known(heads_file(ledger)), newest_known(heads_file(ledger))
    with heads_file(ledger).open("ab") as file:
        file.write(b'[1, 2]\n"text"\n\n{"cut": [1, "ab\n')
    assert (known(heads_file(ledger)), newest_known(heads_file(ledger))) == before


@pytest.mark.parametrize("before", [b"", b"\n", b"{", b"{}", b"{}\n"])
def test_a_note_begins_on_a_line_of_its_own(ledger: Ledger, before: bytes) -> None:
    with ledger.write() as tx:
        head = tx.append(HOST, "look", START, {}).head
    heads_file(ledger).write_bytes(before)
    mailed.note(ledger, [HOST])
    assert known(heads_file(ledger)) == {HOST: mailed.Mailed(HOST, 1, head)}
    assert heads_file(ledger).read_bytes().count(b"\n") == 2 + bool(before)


def test_the_newest_row_is_found_from_the_end_of_the_file(tmp_path: Path) -> None:
    """Of a short file all is read, from its first byte on; of a long one no more than holds the last lines."""
    file = tmp_path / mailed.NAME
    line = b'{"":["@host",7,"00"]}\n'
    for before in (b"", b"\n", b"cut\n", b"x" * 4080 + b"\n", b"x" * 9000 + b"\n"):
        file.write_bytes(before + line)
        assert newest_known(file) == mailed.Mailed("@host", 7, "00")
    name = "x" * (mailed.TAIL - len(line) + len("@host"))
    file.write_bytes(b"cut\n" + line.replace(b"@host", name.encode()))
    assert newest_known(file) == mailed.Mailed(name, 7, "00")


def test_mails_that_left_without_a_note_of_it(ledger: Ledger) -> None:
    """One or many, the folder is another one than it was; before the first there is nothing to note."""
    with ledger.write() as tx:
        for number in range(3):
            outbox.post(tx, HOST, None, "notice", f"<{number}@host>", b"x", START, START)
        for mail in outbox.of_game(tx, HOST):
            assert mailed.unnoted(tx, heads_file(ledger)) == (mail.message_id != "<0@host>")
            outbox.fate(tx, mail, outbox.SENT, START)
    mailed.note(ledger, [HOST])
    with ledger.read() as tx:
        assert not mailed.unnoted(tx, heads_file(ledger))


def test_a_note_is_on_the_disk_when_mails_leave(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the file holds, and then its name: when lines are added, and when it is written anew."""
    synced, real = list[object](), os.fsync
    monkeypatch.setattr("os.fsync", lambda file: synced.append(os.fstat(file).st_ino) or real(file))
    monkeypatch.setattr(mailed, "sync_folder", synced.append)
    file = heads_file(ledger)
    for write in (lambda: mailed.note(ledger, [HOST]), lambda: mailed.agree(ledger, START, "as it is")):
        synced.clear()
        write()
        assert synced == [file.stat().st_ino, file.parent]


def test_a_backup_into_a_folder_that_is_not_there(ledger: Ledger, tmp_path: Path) -> None:
    with pytest.raises(NotWritten):
        backup.backup(ledger.path, tmp_path / "nowhere" / "copy.db")


def test_bytes_sealed_for_one_chain_are_not_taken_for_anothers(ledger: Ledger) -> None:
    seal = Seal("00112233", b"k" * 64)
    sealed = seal.data("jade", b"sealed")
    with ledger.read() as tx:
        with pytest.raises(Broken, match="sealed for another place"):
            bytes_of(tx, sealed, "coral")
        with pytest.raises(KeyLost, match="cannot be opened"):
            bytes_of(tx, sealed, "jade")


def test_the_newest_rows_are_looked_at_alone(ledger: Ledger) -> None:
    """As cheap for a long chain as for a short one; and what is wrong with one of them is said."""
    hosted.play(ledger, "jade", "nim", turns=3)
    with ledger.read() as tx:
        assert sound.fault_at_end(tx, "jade", 5) is None
        assert sound.fault_at_end(tx, "jade", 5000) is None
        assert sound.fault_at_end(tx, "nowhere", 5) == "nowhere has no end that was noted"


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("UPDATE journal SET seat = 'x' WHERE chain = 'jade' AND seq = {last}", "its hash does not fit what it says"),
        ("UPDATE journal SET body = x'7b' WHERE chain = 'jade' AND seq = {last}", "row {last}"),
        ("UPDATE journal SET chain = 'other' WHERE chain = 'jade' AND seq = {last}", "it ends at row"),
        ("DELETE FROM journal WHERE chain = 'jade' AND seq = {last}", "it ends at row"),
        ("UPDATE journal SET seq = seq + 100 WHERE chain = 'jade' AND seq = {last}", "is missing or out of its place"),
    ],
)
def test_what_is_wrong_with_the_newest_rows_is_said(ledger: Ledger, statement: str, says: str) -> None:
    hosted.play(ledger, "jade", "nim", turns=3)
    with ledger.read() as tx:
        last = tx.end("jade").seq
    edit(ledger.path, statement.format(last=last))
    with ledger.read() as tx:
        assert says.format(last=last) in str(sound.fault_at_end(tx, "jade", 5))


def test_the_first_row_is_looked_at_where_all_are(ledger: Ledger) -> None:
    hosted.play(ledger, "jade", "nim", turns=1)
    with ledger.read() as tx:
        last = tx.end("jade").seq
    edit(ledger.path, "UPDATE journal SET seat = 'x' WHERE chain = 'jade' AND seq = 1")
    with ledger.read() as tx:
        for count in (last, last + 1):
            assert "row 1: its hash does not fit" in str(sound.fault_at_end(tx, "jade", count))
        assert sound.fault_at_end(tx, "jade", last - 1) is None


def test_a_row_that_is_not_in_its_place_is_missed_there(ledger: Ledger) -> None:
    hosted.play(ledger, "jade", "nim", turns=2)
    edit(ledger.path, "DELETE FROM journal WHERE chain = 'jade' AND seq = 4")
    with ledger.read() as tx:
        [fault] = sound.faults(tx, "jade")
    assert (fault.seq, fault.text) == (4, "row 4 of jade is missing or out of its place")


@contextmanager
def many_at_once(batch: int) -> Iterator[None]:
    """So many rows of the journal go to the driver together, and no more: one by one takes hours over a network."""
    given = list[int]()

    def count(line: object, cursor: object, sql: str, values: Sequence[object], context: object, many: bool) -> None:
        if sql.startswith("INSERT INTO journal "):
            given.append(len(values) if many else 1)

    sa.event.listen(sa.Engine, "before_cursor_execute", count)
    try:
        yield
    finally:
        sa.event.remove(sa.Engine, "before_cursor_execute", count)
    assert given[:-1] == [batch]


def test_a_ledger_is_copied_to_another_home_row_by_row(ledger: Ledger, tmp_path: Path) -> None:
    hosted.play(ledger, "jade", "nim", turns=3)
    with ledger.write() as tx:
        for number in range(copying.BATCH + 10):
            tx.append(HOST, "ruling", START, {"number": number})
    target = Place(tmp_path / "copy.db")
    with ledger.read() as tx:
        with many_at_once(copying.BATCH):
            copying.copy(tx, target)
        wanted = copying.digest(tx)
        with closing(Ledger.open(target)) as made, made.read() as copied:
            assert copying.digest(copied) == wanted
        with pytest.raises(LedgerExists, match="left alone"):
            copying.copy(tx, target)


def test_the_name_of_a_copied_ledger_is_on_the_disk(
    ledger: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced = list[Path]()
    monkeypatch.setattr(on_sqlite, "sync_folder", synced.append)
    with ledger.read() as tx:
        copying.copy(tx, Place(tmp_path / "copy.db"))
    assert synced == [tmp_path]


def test_a_damaged_ledger_is_not_copied(ledger: Ledger, tmp_path: Path) -> None:
    hosted.play(ledger, "jade", "nim", turns=2)
    edit(ledger.path, "UPDATE journal SET seat = 'x' WHERE chain = 'jade' AND seq = 3")
    with ledger.read() as tx, pytest.raises(DamagedLedger, match="should be copied"):
        copying.copy(tx, Place(tmp_path / "copy.db"))
    with closing(sqlite3.connect(tmp_path / "copy.db")) as line:
        assert line.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,), "nothing was stored"


def test_a_copy_that_came_out_otherwise_does_not_count(
    ledger: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Weakened: a copier that loses the last row of a table."""
    hosted.play(ledger, "jade", "nim", turns=2)
    real = copying._copy_table

    def lossy(source: object, target: object, table: object) -> None:
        if getattr(table, "name", "") != "contact":
            real(source, target, table)  # type: ignore[arg-type]

    with ledger.write() as tx:
        tx.append(HOST, "bounce", START, {"player": "x", "message_id": "<1@x>", "status": "5.1.1"})
    monkeypatch.setattr(copying, "_copy_table", lossy)
    with ledger.read() as tx, pytest.raises(DamagedLedger, match="is not what it was made from"):
        copying.copy(tx, Place(tmp_path / "copy.db"))


SEALED = Seal("00112233", b"k" * 64)


def test_without_a_key_a_body_stays_as_it_is() -> None:
    body = {"orders": ["a1"], "counter": 3}
    assert hidden(None, "jade", "red/3", body, ("orders",)) == body
    kept = hidden(SEALED, "jade", "red/3", body, ("orders", "say"))
    assert kept["counter"] == 3
    assert "orders" not in kept
    assert apart(kept["sealed"]).opened(SEALED.key) == {"orders": ["a1"]}


def test_the_length_of_a_sealed_text_does_not_tell_how_many_orders_there_are() -> None:
    """JSON of up to 128 letters is as long as that of one; a letter more, and it is as long as one of 256."""
    lengths = [len(SEALED.text("jade", "red/3", "x" * (many - 2))) for many in range(3, 258)]
    assert (len(set(lengths[:126])), len(set(lengths[126:254])), len(set(lengths))) == (1, 1, 3)
    assert lengths[0] < lengths[126] < lengths[254]
    for many in (1, 125, 126, 127, 254):
        assert apart(SEALED.text("jade", "red/3", "x" * many)).opened(SEALED.key) == "x" * many


@pytest.mark.parametrize("names", [("orders",), ("orders", "press"), ()])
def test_what_is_hidden_of_a_body_is_shown_again_whole(names: tuple[str, ...]) -> None:
    body = {"fate": "accepted", "orders": ["b3"], "press": "to all"}
    for seal in (SEALED, None):
        found = hidden(seal, "jade", "red/3", body, names)
        assert all((name in found) == (seal is None or name not in names) for name in body)
        assert shown(found, SEALED.key) == body


def test_a_queue_that_is_sealed_apart_is_opened_with_the_rest(ledger: Ledger) -> None:
    key_file(ledger.path.with_suffix(".key"), b"first")
    with closing(Ledger.open(ledger.path)) as found, found.read() as tx:
        seal = tx.keys.seal("jade")
        assert seal is not None
        body = {"fate": "accepted", "orders": ["b3"], "queue": ["b3", "end"]}
        row = hidden(seal, "jade", "red/3", body, ("orders",)) | {
            "queue": seal.text("jade", "red/3/queue", body["queue"])
        }
        assert facts_of(tx, row) == body


def test_what_changes_of_a_player_is_a_row(ledger: Ledger) -> None:
    """His name and address never; that something changed, and under which commitment."""
    with ledger.write() as tx:
        anna = players.add(tx, "Anna", "anna@example.org", "en", "UTC", START, b"s" * 32)
        players.change(tx, anna, address="anna@example.net", lang="fr", zone="Europe/Rome", at=START)
        players.volunteer(tx, anna, ["nim"], START)
    with ledger.read() as tx:
        rows = [row.facts() for row in journal.rows(tx, kinds=("player",))]
        assert [sorted(row) for row in rows] == [
            ["commitment"],
            ["commitment", "details"],
            ["commitment", "volunteers"],
        ]
        assert {row["commitment"] for row in rows} == {anna.commitment}
        assert rows[2]["volunteers"] == ["nim"]
        assert "anna" not in str(rows).lower()
        [found] = players.volunteering(tx)
        assert (found.address, found.lang, found.zone) == ("anna@example.net", "fr", "Europe/Rome")


def test_what_was_changed_under_its_seal_is_broken() -> None:
    sealed = SEALED.data("jade", b"orders")
    with pytest.raises(Broken, match="was changed"):
        bytes_opened(type(sealed)(bytes(sealed[:-1]) + bytes([sealed[-1] ^ 1])), SEALED.key)
    with pytest.raises(Broken, match="was changed"):
        bytes_opened(sealed, b"x" * 64)
    assert bytes_opened(sealed, SEALED.key) == b"orders"


@pytest.mark.parametrize(("text", "says"), [("zz", "is damaged"), ("ab" * 31, "is damaged"), ("\n", "")])
def test_a_key_file_that_holds_no_keys(tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "ledger.key"
    file.write_text(text)
    keys = Keys(file)
    if says:
        with pytest.raises(Trouble, match=says):
            assert keys.names
    else:
        assert keys.names == ()
        assert keys.seal("jade") is None


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ('{"half":0.5}', "its body holds 0.5, and the ledger holds whole numbers only"),
        ('{"nothing":NaN}', "its body holds NaN, and the ledger holds whole numbers only"),
        ('{"b":1,"a":2}', "its body is not canonical JSON"),
        ('{"a": 2}', "its body is not canonical JSON"),
    ],
)
def test_a_body_that_no_program_of_ours_writes(ledger: Ledger, body: str, says: str) -> None:
    hosted.play(ledger, "jade", "nim", turns=2)
    stored = "72" + body.encode().hex()
    edit(ledger.path, f"UPDATE journal SET body = x'{stored}' WHERE chain = 'jade' AND seq = 2")
    with ledger.read() as tx:
        fault = next(sound.faults(tx, "jade"))
    assert (fault.seq, fault.text) == (2, f"row 2 of jade: {says}")


def test_who_would_take_over_a_seat(ledger: Ledger) -> None:
    with ledger.write() as tx:
        anna = players.add(tx, "Anna", "anna@x.example", "en", "UTC", START, b"s" * 32)
        players.add(tx, "Bea", "bea@x.example", "en", "UTC", START, b"t" * 32)
        players.volunteer(tx, anna, ["nim"], START)
        assert [one.name for one in players.volunteering(tx)] == ["Anna"]
        players.volunteer(tx, anna, None, START)
        assert players.volunteering(tx) == []


def test_mails_that_wait_and_those_the_host_was_told_of(ledger: Ledger) -> None:
    hosted.play(ledger, "jade", "nim", turns=2)
    with ledger.write() as tx:
        mails = outbox.of_game(tx, "jade")
        assert outbox.waiting(tx) == len(mails)
        sent, refused = mails[0], next(mail for mail in mails[1:] if mail.seat == mails[0].seat)
        assert not outbox.has_passed(tx, refused)
        outbox.fate(tx, sent, outbox.SENT, START)
        outbox.fate(tx, refused, outbox.REFUSED, START, "550")
        assert outbox.has_passed(tx, refused)
        outbox.told(tx, [refused], START)
        assert [(mail.message_id, mail.told) for mail in outbox.lost(tx)] == [(refused.message_id, True)]
        assert outbox.again(tx, START) == 1
        assert outbox.lost(tx) == []
        assert outbox.get(tx, refused.message_id).next_try_at == START  # type: ignore[union-attr]


def test_what_was_set_aside_and_what_came_first(ledger: Ledger) -> None:
    with ledger.write() as tx:
        sha256, _ = letters.arrive(tx, b"odd", START, "lmtp", "<1@x>")
        other, _ = letters.arrive(tx, b"odder", START, "imap", "<1@x>")
        letters.settle(tx, sha256, "<1@x>", letters.QUARANTINED, START, {"reason": "no key"})
        assert [(one.sha256, one.reason) for one in letters.kept(tx)] == [(sha256, "no key")]
        assert letters.came(tx, "<1@x>") == letters.Waiting("<1@x>", sha256, "lmtp", START)
        assert letters.came(tx, "<2@x>") is None
        waits = letters.Waiting("<1@x>", other, "imap", START)
        assert letters.before(tx, waits) == [sha256]


def test_damaged_names_are_damage(ledger: Ledger) -> None:
    found = ledger.home.trouble(UnicodeDecodeError("utf-8", b"\xff", 0, 1, "no text"), reading=True)
    assert isinstance(found, DamagedLedger)
    assert "unreadable names" in str(found)
    assert ledger.home.trouble(RuntimeError("ours"), reading=False) is None


def test_a_ledger_that_has_moved_is_not_written(ledger: Ledger) -> None:
    found = ledger.home.trouble(RuntimeError("this ledger has moved"), reading=False)
    assert isinstance(found, NotWritten)
    assert "has moved to a server" in str(found)


def test_after_a_failed_write_this_process_writes_no_more(ledger: Ledger) -> None:
    """What the kernel has dropped cannot be synced by asking again."""
    full = sqlite3.OperationalError("database or disk is full")
    full.sqlite_errorcode = sqlite3.SQLITE_FULL
    with pytest.raises(NotWritten), ledger.write():
        raise full
    with pytest.raises(NotWritten, match="disk is full"), ledger.write():
        pass
    with ledger.read() as tx:
        assert tx.end(HOST).seq == 0


def test_sealed_bytes_that_were_cut_short_are_damage() -> None:
    sealed = SEALED.data("jade", b"")
    stored = pack(sealed)
    assert unpack(stored) == sealed
    for length in range(1, len(stored)):
        cut = stored[:length]
        if len(cut) < 1 + 5 + len("jade") + MARKED:
            with pytest.raises(ValueError, match="damaged"):
                unpack(cut)


def test_a_key_file_seals_with_its_last_key_and_opens_with_all(tmp_path: Path) -> None:
    path = tmp_path / "ledger.key"
    assert key_file(path, b"first") == key_file(path, b"second") == path
    keys = Keys(path)
    seal = keys.seal("jade")
    assert seal is not None
    assert len(keys.names) == 2
    assert seal.id == keys.names[-1]
    assert seal.key == keys.key(seal.id, "jade") != keys.key(seal.id, "coral")
    assert keys.key(keys.names[0], "jade") not in (None, seal.key)
    assert keys.key("00000000", "jade") is None


def test_a_key_file_is_its_owners_alone_and_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, synced, handles, real = tmp_path / "ledger.key", list[tuple[str, int]](), list[int](), os.fsync

    def sync(file: int) -> None:
        synced.append(("file", path.stat().st_size))
        handles.append(file)
        real(file)

    monkeypatch.setattr("os.fsync", sync)
    monkeypatch.setattr(seals, "sync_folder", lambda folder: synced.append((folder.name, path.stat().st_size)))
    for _ in range(2):
        key_file(path)
        with pytest.raises(OSError, match="Bad file descriptor"):
            os.fstat(handles[-1])  # it was closed
    assert path.stat().st_mode & 0o777 == 0o600
    assert [len(bytes.fromhex(line)) for line in path.read_text().split("\n")] == [32, 32, 0]
    assert [len(name) for name in Keys(path).names] == [8, 8]  # each another one, by chance alone
    assert synced == [("file", 65), (tmp_path.name, 65), ("file", 130), (tmp_path.name, 130)]


def test_a_key_file_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As root any file may be read, so the answer of the disk is put in its mouth."""
    path = key_file(tmp_path / "ledger.key")

    def refused(self: Path, encoding: str) -> str:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(Path, "read_text", refused)
    with pytest.raises(Trouble, match=r"^The key file .*ledger\.key cannot be read \(Input/output error\)\.$"):
        assert Keys(path).names
    assert Keys().names == Keys(tmp_path / "nowhere.key").names == ()


def test_who_lacks_a_key_is_told_which_and_where_it_was(tmp_path: Path) -> None:
    assert f"the key 0a1b2c3d is not in {tmp_path}." in str(KeyLost("jade", "0a1b2c3d", tmp_path))
    assert "the key 0a1b2c3d is not." in str(KeyLost("jade", "0a1b2c3d", None))


def test_what_waits_for_one_seat_is_not_taken_for_anothers(ledger: Ledger) -> None:
    key_file(ledger.path.with_suffix(".key"), b"secret")
    keyed = Ledger.open(ledger.path)
    with keyed.write() as tx:
        hosted.begin(tx, "jade", "nim")
        seal = tx.keys.seal("jade")
        assert seal is not None
        sealed = seal.text("jade", "1/1", ["a1"])
        assert waiting_of(tx, "jade", "1", sealed) == ["a1"]
        assert waiting_of(tx, "jade", "1", ["a1"]) == ["a1"]
        for game, seat in (("jade", "2"), ("coral", "1")):
            with pytest.raises(Broken, match="sealed for another"):
                waiting_of(tx, game, seat, sealed)
    keyed.close()


def test_a_mail_whose_key_is_gone_has_no_bytes(ledger: Ledger) -> None:
    file = key_file(ledger.path.with_suffix(".key"), b"secret")
    keyed = Ledger.open(ledger.path)
    with keyed.write() as tx:
        outbox.post(tx, HOST, None, "notice", "<1@host>", b"words", START, START)
        assert outbox.raw(tx, "<1@host>") == b"words"
    file.unlink()
    keyless = Ledger.open(ledger.path)
    with keyless.read() as tx:
        assert outbox.raw(tx, "<1@host>") == b""
    keyed.close()
    keyless.close()


@pytest.mark.sqlite
def test_an_index_that_does_not_fit_its_table_is_found(ledger: Ledger) -> None:
    hosted.play(ledger, "jade", "nim", turns=2)
    with ledger.read() as tx:
        assert list(sound.file_faults(tx)) == []
    ledger.close()
    with closing(sqlite3.connect(ledger.path)) as line:
        line.execute("PRAGMA writable_schema = ON")
        wrong = "replace(sql, '(next_try_at, id)', '(id, next_try_at)')"
        changed = line.execute(f"UPDATE sqlite_master SET sql = {wrong} WHERE name = 'outbox_open'")
        assert changed.rowcount == 1
        line.commit()
    with closing(sqlite3.connect(ledger.path)) as line, line:
        line.execute("PRAGMA writable_schema = RESET")
    with Ledger.open(ledger.path).read() as tx:
        found = list(sound.file_faults(tx))
        assert any("SQLite finds the file damaged" in fault.text for fault in found)
        assert list(sound.all_faults(tx)) == found


def test_a_chain_whose_end_was_not_noted(ledger: Ledger) -> None:
    hosted.play(ledger, "jade", "nim", turns=2)
    edit(ledger.path, "DELETE FROM head WHERE chain = 'jade'")
    with ledger.read() as tx:
        assert sound.fault_at_end(tx, "jade", 5) == "jade has no end that was noted"
        [fault] = sound.faults(tx, "jade")
        assert (fault.seq, "noted at row 0" in fault.text) == (1, True)


def test_a_chain_that_ends_too_early_is_blamed_from_there_on(ledger: Ledger) -> None:
    hosted.play(ledger, "jade", "nim", turns=2)
    with ledger.read() as tx:
        last = tx.end("jade").seq
    edit(ledger.path, f"DELETE FROM journal WHERE chain = 'jade' AND seq > {last - 2}")
    with ledger.read() as tx:
        [fault] = sound.faults(tx, "jade")
    assert fault.seq == last - 1


def test_a_file_that_goes_with_a_ledger() -> None:
    assert Place(Path("/host/ledger.db")).beside(".key") == Path("/host/ledger.key")
    assert str(Place(Path("/host/ledger.db"))) == "/host/ledger.db"


def test_a_place_in_a_server_is_read_from_its_address(tmp_path: Path) -> None:
    assert read_place(tmp_path, "my.db") == Place(tmp_path / "my.db")
    found = read_place(tmp_path, "postgres://anna@here/games?schema=mine&sslmode=require")
    assert found == Place(tmp_path / "ledger.db", "postgresql://anna@here/games?sslmode=require", "mine")
    assert str(found) == "postgresql://anna@here/games?sslmode=require (schema mine)"
    for schema in ("Mine", "drop table", "é", "m" * 64):
        with pytest.raises(Trouble, match="cannot name a schema"):
            read_place(tmp_path, f"postgresql://here/games?schema={schema}")
    assert read_place(tmp_path, f"postgresql://here/games?schema={'m' * 63}").schema == "m" * 63
    for address, why in (
        ("mysql://x/y", "no ledger"),
        ("postgresql://a:b@x/y", "password"),
        ("postgresql://x/", "data"),
    ):
        with pytest.raises(Trouble, match=why):
            read_place(tmp_path, address)


def test_a_row_older_than_the_one_before_it(ledger: Ledger) -> None:
    """Sound by its hashes, and yet written by a clock that ran back."""
    hosted.play(ledger, "jade", "nim", turns=2)
    with ledger.read() as tx:
        rows = list(sound.stored(tx, "jade"))
        first, second = sound.decoded(rows[0]), sound.decoded(rows[1])
        salting = sound.Salting(hosted.key("secret of jade"))
        later = first.at.replace(year=first.at.year + 1)
        assert "older than the row before" in str(sound.fault_of(second, rows[1], rows[0].hash, later, salting))


# --- on this side of what a child, another machine or a damaged file does ---------------------------------------------


def test_another_process_takes_no_kept_line(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a child after a fork, of which coverage sees nothing."""

    def line() -> Any:
        with ledger.read() as tx:
            return tx.connection.connection.driver_connection

    here = line()
    assert line() is here
    monkeypatch.setattr(on_sqlite.os, "getpid", lambda: -1)
    assert line() is not here


def test_a_file_that_only_a_newer_sqlite_may_write_to_is_damaged(tmp_path: Path) -> None:
    file = tmp_path / "ledger.db"
    Ledger.create(file).close()
    with file.open("r+b") as raw:
        raw.seek(18)  # where SQLite says who may write to it
        raw.write(b"\3")
    found = Ledger.open(file)
    with closing(found), pytest.raises(DamagedLedger, match="only a newer SQLite may write to it"), found.write() as tx:
        tx.append(HOST, "look", START, {})
    with closing(Ledger.open(file)) as found, pytest.raises(DamagedLedger, match="only a newer SQLite"):
        found.try_to_write()
    with pytest.raises(DamagedLedger, match=r"ledger\.db is damaged"):
        backup.backup(Place(file), tmp_path / "copy.db")
    assert not list(tmp_path.glob("*copy*")), "nothing half made is left"


def test_a_try_to_write_changes_nothing(ledger: Ledger) -> None:
    before = canonical_dump(ledger)
    ledger.try_to_write()
    assert canonical_dump(ledger) == before


def test_no_messages_are_no_rows(ledger: Ledger) -> None:
    with ledger.write() as tx:
        end = tx.end(HOST)
        assert letters.arrive_all(tx, []) == []
        assert tx.end(HOST) == end


def test_without_isal_the_same_bytes_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it is not made for a processor, zlib itself does the work."""
    text = b"the wall stands, and " * 100
    packed = pack(text)
    for name in ("isal", "isal.igzip_lib", "isal.isal_zlib"):
        monkeypatch.setitem(sys.modules, name, None)
    plain = _again(packing)
    assert plain.Damaged is zlib.error
    assert plain.unpack(packed) == text
    monkeypatch.undo()
    assert unpack(plain.pack(text)) == text


def _again(module: ModuleType) -> ModuleType:
    """A module, loaded a second time beside itself."""
    spec = module.__spec__
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def test_what_lasts_is_forgotten_when_there_is_too_much_of_it(ledger: Ledger) -> None:
    asked = list[int]()

    def find(number: int) -> int:
        asked.append(number)
        return number

    with ledger.read() as tx:
        for number in (*range(transaction.LASTING), *range(transaction.LASTING)):
            assert tx.lasting(("number", number), partial(find, number)) == number
        assert asked == list(range(transaction.LASTING)), "each is looked up once"
        for number in (transaction.LASTING, 0):
            assert tx.lasting(("number", number), partial(find, number)) == number
        assert asked[transaction.LASTING :] == [transaction.LASTING, 0], "one too many, and all are looked up anew"
