"""G36: no SQL path changes, removes, replaces or inserts a row of history out of turn.

Each attempt is made on a connection with SQLite's own settings, as somebody at the prompt would have it. Weakened
build: without the triggers every one of them passes.
"""

import sqlite3
from contextlib import closing

import pytest

from pbem.ledger import sound
from pbem.ledger.tables import BARE_MAIL, PICTURE
from pbem.ledger.triggers import sqlite_triggers
from tests.pbem import hosted

pytestmark = pytest.mark.sqlite

ROW = "chain, seq, kind, at, turn, seat, body, salt, prev, hash"
LAST = "(SELECT max(seq) FROM journal WHERE chain = 'jade')"
HASH = f"(SELECT hash FROM journal WHERE chain = 'jade' AND seq = {LAST})"
ZERO = "zeroblob(32)"


def forged(chain, seq, prev, id="NULL", verb="INSERT"):
    """A new row that says nothing true."""
    facts = f"'look', '2026-11-18T20:00:00Z', NULL, NULL, x'727B7D', {ZERO}"
    return f"{verb} INTO journal (id, {ROW}) VALUES ({id}, '{chain}', {seq}, {facts}, {prev}, {ZERO})"


ATTEMPTS = {
    "change a body": "UPDATE journal SET body = x'727B7D' WHERE seq = 2",
    "change nothing": "UPDATE journal SET seat = seat",
    "move a row": "UPDATE journal SET seq = seq + 100 WHERE chain = 'jade'",
    "renumber": "UPDATE OR REPLACE journal SET id = id - 1",
    "remove the last": f"DELETE FROM journal WHERE chain = 'jade' AND seq = {LAST}",
    "remove all": "DELETE FROM journal",
    "replace by place": f"REPLACE INTO journal (id, {ROW}) SELECT NULL, {ROW} FROM journal WHERE seq = 2",
    "replace by number": "REPLACE INTO journal SELECT id, chain, seq, 'look', at, turn, seat, body, salt, prev, hash "
    "FROM journal WHERE id = 3",
    "upsert": f"INSERT INTO journal ({ROW}) SELECT {ROW} FROM journal WHERE seq = 2 "
    "ON CONFLICT (chain, seq) DO UPDATE SET body = x'727B7D'",
    "a number from the past": forged("jade", f"1 + {LAST}", HASH, id="2", verb="REPLACE"),
    "a place twice": forged("jade", "2", HASH),
    "leave a gap": forged("jade", f"2 + {LAST}", HASH),
    "a gap in the numbers": forged("jade", f"1 + {LAST}", HASH, id="9999"),
    "stand on nothing": forged("jade", f"1 + {LAST}", ZERO),
    "begin a chain in the middle": forged("coral", "2", ZERO),
    "change a letter": "UPDATE letter SET raw = x'7278'",
    "remove a letter": "DELETE FROM letter",
    "replace a letter": "REPLACE INTO letter (sha256, raw) SELECT sha256, x'7278' FROM letter",
    "change a mail": "UPDATE mail SET sha256 = ''",
    "remove a mail": "DELETE FROM mail WHERE id = 1",
    "replace a mail": "REPLACE INTO mail (message_id, sha256, raw) SELECT message_id, sha256, x'7278' FROM mail",
    "upsert a mail": "INSERT INTO mail (message_id, sha256, raw) SELECT message_id, sha256, raw FROM mail WHERE true "
    "ON CONFLICT DO UPDATE SET raw = x'7278'",
    "change a picture": "UPDATE picture SET png = x'89'",
    "replace a picture": "REPLACE INTO picture (sha256, png) SELECT sha256, x'89' FROM picture",
    "remove a bare mail": "DELETE FROM bare_mail",
}


@pytest.fixture
def played(ledger):
    hosted.play(ledger, "jade", "nim")
    with ledger.write() as tx:
        tx.add(PICTURE, {"sha256": "0" * 64, "png": b"PNG"})
        tx.add(BARE_MAIL, {"message_id": "<1@pbem.test>"})
    return ledger


def contents(path):
    with closing(sqlite3.connect(path)) as connection:
        return [
            connection.execute(f"SELECT * FROM {table} ORDER BY 1").fetchall()
            for table in ("journal", "letter", "mail", "picture", "bare_mail")
        ]


@pytest.mark.parametrize("attempt", list(ATTEMPTS))
@pytest.mark.parametrize("recursive", ["ON", "OFF"])
def test_g36_history_takes_no_sql(played, attempt, recursive):
    before = contents(played.path)
    with closing(sqlite3.connect(played.path)) as connection, connection:
        connection.execute(f"PRAGMA recursive_triggers = {recursive}")
        with pytest.raises(sqlite3.IntegrityError, match="ledger: "):
            connection.execute(ATTEMPTS[attempt])
    assert contents(played.path) == before


STOPPED_ANYWAY = {
    "change nothing",
    "a place twice",
}  # the one does nothing, the other breaks the UNIQUE of (chain, seq)


@pytest.mark.parametrize("attempt", [attempt for attempt in ATTEMPTS if attempt not in STOPPED_ANYWAY])
def test_g36_weakened_without_triggers_each_attempt_passes(played, attempt):
    """Seen red: the attempts are real ones; and what each did to the journal, the chain tells."""
    before = contents(played.path)
    with closing(sqlite3.connect(played.path)) as connection, connection:
        for name in sqlite_triggers():
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute(ATTEMPTS[attempt])
    assert contents(played.path) != before
    with played.read() as tx:
        found = list(sound.all_faults(tx))
    assert found or any(table in attempt for table in ("letter", "mail", "picture"))
