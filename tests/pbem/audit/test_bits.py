"""G36: any one bit changed in a row of history is found, and the first bad row is named.

Two ways: every bit of every column of every row of a finished game, changed in place; and bits of the file itself,
pages, headers and free space included. Of the file's bits those count that change what a row says.
"""

import os
import sqlite3
from contextlib import closing

import pytest

from pbem.ledger import sound
from pbem.ledger.triggers import sqlite_triggers
from tests.faults.every_bit import is_noticed
from tests.pbem import hosted

LONG = "PBEM_LONG" in os.environ
STRIDE = 1 if LONG else 31
COLUMNS = ("id", "chain", "seq", "kind", "at", "turn", "seat", "body", "salt", "prev", "hash")
TEXTS = ("chain", "kind", "at", "seat")


@pytest.fixture
def finished(ledger):
    """One finished game of nim: 18 rows or so on its chain."""
    hosted.play(ledger, "jade", "nim", heaps="3-4-5" if LONG else "2-1")
    return ledger


def flips(value):
    """The value with each of its bits changed, one at a time; a text stays a text, however broken."""
    if isinstance(value, int):
        for bit in range(63):
            yield value ^ 1 << bit
        return
    data = value.encode() if isinstance(value, str) else value
    for bit in range(len(data) * 8):
        changed = bytearray(data)
        changed[bit // 8] ^= 1 << bit % 8
        yield bytes(changed)


def cells(path):
    """Every cell of every row of the journal that holds anything."""
    with closing(sqlite3.connect(path)) as connection:
        query = f"SELECT {', '.join(COLUMNS)} FROM journal ORDER BY id"
        for row in connection.execute(query).fetchall():
            yield from ((row[0], name, value) for name, value in zip(COLUMNS, row, strict=True) if value is not None)


def found_after(tx, raw, row, column, value):
    """The first fault once that cell holds that value; everything is as it was afterwards."""
    shape = "?" if isinstance(value, int) else f"CAST(? AS {'TEXT' if column in TEXTS else 'BLOB'})"
    raw.execute("SAVEPOINT flip")
    try:
        raw.execute(f"UPDATE journal SET {column} = {shape} WHERE id = ?", (value, row))
        return next(sound.gaps(tx), None) or next(
            (fault for chain in sound.chains_of(tx) for fault in sound.faults(tx, chain)), None
        )
    except sqlite3.IntegrityError as refused:  # a place that is taken
        return sound.Fault("", None, str(refused))
    finally:
        raw.execute("ROLLBACK TO flip")
        raw.execute("RELEASE flip")


def test_g36_every_bit_of_every_row(finished):
    counted, places = 0, 0
    with finished.write() as tx:
        raw = tx.connection.connection.dbapi_connection
        for name in sqlite_triggers():
            raw.execute(f"DROP TRIGGER {name}")
        for row, column, value in list(cells(finished.path)):
            for changed in flips(value):
                places += 1
                if places % STRIDE:
                    continue
                fault = found_after(tx, raw, row, column, changed)
                counted += 1
                assert fault is not None, f"row {row}, {column}: {changed!r} instead of {value!r} was not noticed"
                assert fault.text
    assert counted >= (100_000 if LONG else 2_000)


def test_g36_weakened_sqlite_itself_notices_few(finished):
    """Seen red: what PRAGMA integrity_check finds of the same changes is next to nothing."""
    noticed = counted = 0
    with finished.write() as tx:
        raw = tx.connection.connection.dbapi_connection
        for name in sqlite_triggers():
            raw.execute(f"DROP TRIGGER {name}")
        for place, (row, column, value) in enumerate(cells(finished.path)):
            if column in ("body", "salt", "hash") and place % 5 == 0:
                raw.execute("SAVEPOINT flip")
                raw.execute(f"UPDATE journal SET {column} = ? WHERE id = ?", (next(flips(value)), row))
                noticed += raw.execute("PRAGMA integrity_check").fetchone()[0] != "ok"
                raw.execute("ROLLBACK TO flip")
                counted += 1
    assert counted >= 10
    assert noticed == 0


def rows_of(path):
    """What the journal says, as SQLite reads it; None when it cannot."""
    try:
        with closing(sqlite3.connect(f"file:{path}?immutable=1", uri=True)) as connection:
            connection.text_factory = bytes
            return connection.execute(f"SELECT {', '.join(COLUMNS)} FROM journal NOT INDEXED ORDER BY id").fetchall()
    except (sqlite3.Error, UnicodeDecodeError):  # its messages quote what is damaged
        return None


def test_g36_bits_of_the_file(finished, tmp_path):
    from pbem.ledger.backup import backup

    path = backup(finished.path, tmp_path / "copy.db")
    finished.close()
    whole, before = path.read_bytes(), rows_of(path)
    assert not is_noticed(path)
    stride = (len(whole) * 8 // (10_000 if LONG else 400)) | 1
    changed_rows = 0
    for bit in range(0, len(whole) * 8, stride):
        data = bytearray(whole)
        data[bit // 8] ^= 1 << bit % 8
        path.write_bytes(data)
        noticed, rows = is_noticed(path), rows_of(path)
        if rows != before:
            changed_rows += 1
            assert noticed, f"bit {bit} of the file changed a row and was not noticed"
    assert changed_rows >= (800 if LONG else 20)


def test_g36_bits_in_the_pages_of_rows(finished, tmp_path):
    """The same, aimed at where rows are known to lie: around each stored hash."""
    from pbem.ledger.backup import backup

    path = backup(finished.path, tmp_path / "copy.db")
    finished.close()
    whole, before = path.read_bytes(), rows_of(path)
    places = [whole.index(row[-1]) for row in before]
    missed = []
    for place in places:
        for bit in range(place * 8 - 4000, (place + 32) * 8, 331 if not LONG else 37):
            data = bytearray(whole)
            data[bit // 8] ^= 1 << bit % 8
            path.write_bytes(data)
            if rows_of(path) != before and not is_noticed(path):
                missed.append(bit)
    assert missed == []


def test_g36_a_share_of_all_bits_of_a_small_ledger(tmp_path):
    """`python -m tests.faults.every_bit` flips each of its 1.7 million bits; here always the same few of them."""
    from tests.faults.every_bit import campaign, small_game

    found = campaign(small_game(tmp_path), every=97 if LONG else 1499)
    assert found.tried >= 1000
    assert found.changed >= 40
    assert (found.missed, found.raised) == ([], {})
