"""The corners of the ledger: a head that cannot be noted, a copy that cannot be made, a seal that fits another lock."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from pbem.ledger import Ledger, backup, copying, mailed, sound
from pbem.ledger.chain import HOST
from pbem.ledger.mailed import heads_file, known, newest_known
from pbem.ledger.opening import bytes_of
from pbem.ledger.place import Place
from pbem.ledger.seals import Broken, KeyLost, Seal
from pbem.ledger.troubles import DamagedLedger, LedgerExists, NotWritten
from tests.pbem import hosted
from tests.pbem.audit.forging import edit
from tests.pbem.hosted import START


def test_a_head_that_cannot_be_noted_is_trouble(ledger: Ledger) -> None:
    heads_file(ledger).mkdir()
    with pytest.raises(NotWritten, match=r"heads\.jsonl"):
        mailed.note(ledger, [HOST])


def test_lines_that_are_no_notes_are_passed_over(ledger: Ledger) -> None:
    mailed.note(ledger, [HOST])
    before = known(heads_file(ledger)), newest_known(heads_file(ledger))
    with heads_file(ledger).open("ab") as file:
        file.write(b'[1, 2]\n"text"\n\n{"cut": [1, "ab\n')
    assert (known(heads_file(ledger)), newest_known(heads_file(ledger))) == before


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


def test_a_ledger_is_copied_to_another_home_row_by_row(ledger: Ledger, tmp_path: Path) -> None:
    hosted.play(ledger, "jade", "nim", turns=3)
    with ledger.write() as tx:
        for number in range(copying.BATCH + 10):
            tx.append(HOST, "ruling", START, {"number": number})
    target = Place(tmp_path / "copy.db")
    with ledger.read() as tx:
        copying.copy(tx, target)
        wanted = copying.digest(tx)
        with closing(Ledger.open(target)) as made, made.read() as copied:
            assert copying.digest(copied) == wanted
        with pytest.raises(LedgerExists, match="left alone"):
            copying.copy(tx, target)


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
