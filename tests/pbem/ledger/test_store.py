"""Opening a ledger: what is refused, in which words, and that a transaction is whole or nothing."""

import os
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing

import pytest
import sqlalchemy as sa

from pbem.errors import BUSY, CANNOT
from pbem.ledger import connect, dump, games, journal, migrate, on_sqlite
from pbem.ledger.chain import HOST
from pbem.ledger.store import Ledger
from pbem.ledger.tables import CONTACT
from pbem.ledger.troubles import DamagedLedger, LedgerBusy, LedgerExists, NoLedger, NotRead, WeakLedger, WrongVersion
from tests.faults.forking import forked
from tests.pbem import hosted

pytestmark = pytest.mark.sqlite


def change(path, *statements):
    """Somebody at the SQLite prompt."""
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


def test_only_its_owner_can_read_it(ledger):
    assert ledger.path.stat().st_mode & 0o777 == 0o600


def test_a_ledger_is_not_written_over(ledger):
    with pytest.raises(LedgerExists, match="already"):
        Ledger.create(ledger.path)


def test_a_file_of_one_byte_is_not_written_over(tmp_path):
    (tmp_path / "ledger.db").write_bytes(b"x")
    with pytest.raises(LedgerExists, match="already"):
        Ledger.create(tmp_path / "ledger.db")
    assert (tmp_path / "ledger.db").read_bytes() == b"x"


def test_a_creation_that_was_cut_short_is_begun_again(tmp_path):
    (tmp_path / "ledger.db").touch()
    Ledger.create(tmp_path / "ledger.db").close()
    Ledger.open(tmp_path / "ledger.db").close()


def test_no_ledger(tmp_path):
    with pytest.raises(NoLedger, match="pbem init") as trouble:
        Ledger.open(tmp_path / "ledger.db")
    assert trouble.value.exit_code == CANNOT


def test_another_database_is_no_ledger(tmp_path):
    change(tmp_path / "ledger.db", "CREATE TABLE journal (id)")
    with pytest.raises(NoLedger, match="not a ledger"):
        Ledger.open(tmp_path / "ledger.db")


def test_a_file_that_is_no_database(tmp_path):
    (tmp_path / "ledger.db").write_bytes(b"x" * 5000)
    with pytest.raises(DamagedLedger, match="restore a backup"):
        Ledger.open(tmp_path / "ledger.db")


def test_g9_an_older_program_refuses_a_newer_ledger(ledger):
    change(ledger.path, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(WrongVersion, match=r"^The ledger .* version 9999, which is newer .*\.$"):
        Ledger.open(ledger.path)
    with pytest.raises(WrongVersion, match="newer"):
        Ledger.upgrade(ledger.path)


def test_an_older_ledger_asks_to_be_upgraded(ledger, monkeypatch):
    monkeypatch.setattr(migrate, "KNOWN", (*migrate.KNOWN, "9999"))
    monkeypatch.setattr(migrate, "NEWEST", "9999")
    with pytest.raises(WrongVersion, match="pbem doctor --upgrade"):
        Ledger.open(ledger.path)


def test_upgrading_a_ledger_of_this_version_changes_nothing(ledger):
    before = dump.canonical_dump(ledger)
    assert dump.canonical_dump(Ledger.upgrade(ledger.path)) == before


@pytest.mark.parametrize(("name", "weak", "reads"), [
    ("journal_mode", "DELETE", "delete"), ("synchronous", "NORMAL", 1),
    ("foreign_keys", "OFF", 0), ("recursive_triggers", "OFF", 0),
])  # fmt: skip
def test_a_weak_setting_is_refused(ledger, monkeypatch, name, weak, reads):
    """G2: the settings are read back. Here setting them is sabotaged; what is asked for stays as it is."""
    ledger.close()  # WAL cannot be left while somebody else is there
    _, expected = connect.SETTINGS[name]
    monkeypatch.setitem(connect.SETTINGS, name, (weak, expected))
    with pytest.raises(WeakLedger, match=f"{name} = {reads} instead of"):
        Ledger.open(ledger.path)


@pytest.mark.parametrize("name", list(connect.SETTINGS))
def test_every_connection_has_the_settings(ledger, name):
    with ledger.read() as tx:
        assert tx.connection.exec_driver_sql(f"PRAGMA {name}").scalar() == connect.SETTINGS[name][1]


def test_the_driver_begins_no_transaction_of_its_own(ledger):
    with closing(ledger._engine.raw_connection()) as connection:
        connection.cursor().execute("DELETE FROM contact")
        assert not connection.driver_connection.in_transaction


def test_what_is_kept_beside_a_ledger_is_found_again(ledger):
    assert ledger.home.recall(".small") is None
    before = {path.name for path in ledger.path.parent.iterdir()}
    for content in (b"a small thing", b""):
        ledger.home.keep(".small", content)
        assert ledger.home.recall(".small") == content
    assert {path.name for path in ledger.path.parent.iterdir()} == {*before, "ledger.small"}


def test_every_connection_has_room_for_the_pages_of_a_night(ledger):
    for look in (ledger.read, ledger.write):
        with look() as tx:
            assert tx.connection.exec_driver_sql("PRAGMA cache_size").scalar() == -connect.CACHE


def test_how_much_room_a_ledger_takes(ledger, tmp_path):
    log = ledger.path.with_name("ledger.db-wal")
    with ledger.read() as tx:
        assert ledger.home.sizes(tx.connection) == {"ledger": ledger.path.stat().st_size, "wal": log.stat().st_size}
        assert log.stat().st_size > 0
        log.rename(tmp_path / "elsewhere")
        assert ledger.home.sizes(tx.connection) == {"ledger": ledger.path.stat().st_size, "wal": 0}
        (tmp_path / "elsewhere").rename(log)


def test_a_ledger_that_was_compacted_is_as_short_as_what_it_holds(ledger):
    """Pages that are free may hold what was taken out: not every SQLite wipes them."""
    pages = lambda tx: tx.connection.exec_driver_sql("PRAGMA freelist_count").scalar()  # noqa: E731
    with ledger.write() as tx:
        for number in range(5000):
            tx.add(CONTACT, {"player": f"player {number}", "bounces": 0})
    with ledger.write() as tx:
        tx.run(sa.delete(CONTACT))
        assert pages(tx) > 10
    ledger.compact()
    with ledger.read() as tx:
        assert pages(tx) == 0
        assert ledger.home.sizes(tx.connection)["wal"] == 0


def test_lost_triggers_are_noticed_on_opening(ledger):
    change(ledger.path, "DROP TRIGGER journal_no_update")
    with pytest.raises(DamagedLedger, match="triggers"):
        Ledger.open(ledger.path)


@pytest.mark.parametrize("statement", ["ALTER TABLE secret RENAME COLUMN secret TO secreu", "DROP TABLE night"])
def test_a_lost_column_or_table_is_noticed_on_opening(ledger, statement):
    change(ledger.path, statement)
    with pytest.raises(DamagedLedger, match=r"no good table (secret|night)"):
        Ledger.open(ledger.path)


def test_who_only_reads_cannot_write(ledger):
    reader = Ledger.open(ledger.path, readonly=True)
    with pytest.raises(Exception, match="could not be written"), reader.write() as tx:
        tx.append(HOST, "look", hosted.START, {})


def test_a_file_that_may_not_be_read(ledger, monkeypatch):
    """As root any file may be read, so SQLite's answer is put in its mouth."""
    error = sqlite3.OperationalError("unable to open database file")
    error.sqlite_errorcode = sqlite3.SQLITE_CANTOPEN

    def refuse(connection, path, readonly):
        raise error

    monkeypatch.setattr(connect, "settle", refuse)
    with pytest.raises(NotRead, match="could not be read"):
        Ledger.open(ledger.path)


def test_a_block_that_raises_leaves_nothing(ledger):
    before = dump.canonical_dump(ledger)
    with ledger.read() as tx:
        counted = tx.connection.exec_driver_sql("SELECT count(*) FROM journal").scalar()

    def night():
        with ledger.write() as tx:
            hosted.begin(tx, "river", "nim")
            tx.flush()
            assert tx.connection.exec_driver_sql("SELECT count(*) FROM journal").scalar() > counted
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        night()
    assert dump.canonical_dump(ledger) == before


def test_a_reader_sees_one_moment(ledger):
    with ledger.read() as tx:
        assert games.get(tx, "river") is None
        with ledger.write() as other:
            hosted.begin(other, "river", "nim")
        assert games.get(tx, "river") is None
    with ledger.read() as tx:
        assert games.get(tx, "river") is not None


def test_a_held_ledger_says_so(ledger, monkeypatch):
    monkeypatch.setitem(connect.SETTINGS, "busy_timeout", ("50", 50))
    other = Ledger.open(ledger.path)
    with ledger.write(), pytest.raises(LedgerBusy, match="another run") as trouble, other.write():
        pass
    assert trouble.value.exit_code == BUSY
    with other.write() as tx:  # being told to wait breaks nothing
        tx.append(HOST, "look", hosted.START, {})


def test_writers_take_turns(ledger):
    def write(word):
        for number in range(20):
            with ledger.write() as tx:
                tx.append(HOST, "ruling", hosted.START, {"act": word, "number": number})

    threads = [threading.Thread(target=write, args=(word,)) for word in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with ledger.read() as tx:
        said = [(row.facts()["act"], row.facts()["number"]) for row in journal.rows(tx, HOST, kinds=["ruling"])]
    assert sorted(said) == [(word, number) for word in "abcd" for number in range(20)]


def test_a_path_with_any_letters(tmp_path):
    folder = tmp_path / "a b?c#d%20é"
    folder.mkdir()
    Ledger.create(folder / "ledger.db").close()
    assert (folder / "ledger.db").stat().st_size > 0
    Ledger.open(folder / "ledger.db").close()


def test_the_folder_is_synced_after_creation(tmp_path, monkeypatch):
    """G2: a power cut must not take the file's name away."""
    synced = []
    monkeypatch.setattr(on_sqlite, "sync_folder", synced.append)
    Ledger.create(tmp_path / "ledger.db").close()
    assert synced == [tmp_path]


def test_the_package_offers_its_three_names_only():
    import pbem.ledger

    assert pbem.ledger.Ledger is Ledger
    with pytest.raises(AttributeError, match="Nothing"):
        _ = pbem.ledger.Nothing


def test_asking_for_the_package_loads_no_database_library():
    """SQLModel takes half a second; commands that need no ledger must not pay it."""
    code = "import sys, pbem.ledger; sys.exit('sqlalchemy' in sys.modules or 'sqlmodel' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_line_to_the_file_is_not_used_on_both_sides_of_a_fork(ledger):
    """The line of the last transaction is kept for the next one, but SQLite forbids to take it into another process."""

    def line():
        with ledger.read() as tx:
            return tx.connection.connection.driver_connection

    here = line()
    assert line() is here
    assert forked(lambda: os._exit(7 if line() is here else 0)) == 0
    assert line() is here


def line_of(tx):
    return tx.connection.connection.driver_connection


def test_who_reads_while_another_reads_has_a_line_of_his_own(ledger):
    with ledger.read() as one, ledger.read() as other:
        lines = {line_of(one), line_of(other)}
    assert len(lines) == 2
    with ledger.read() as one, ledger.read() as other:
        assert {line_of(one), line_of(other)} == lines


def test_a_kept_line_begins_as_the_next_transaction_needs_it(ledger):
    """Who reads after a writer takes no place in the line of writers."""
    with ledger.read() as tx:
        line, said = line_of(tx), []
    line.set_trace_callback(lambda statement: said.append(statement) if statement.startswith("BEGIN") else None)
    for look in (ledger.read, ledger.write, ledger.read):
        with look() as tx:
            assert line_of(tx) is line
    line.set_trace_callback(None)
    assert [statement.split() for statement in said] == [["BEGIN"], ["BEGIN", "IMMEDIATE"], ["BEGIN"]]


def test_a_line_on_which_something_failed_is_not_kept(ledger):
    for look in (ledger.read, ledger.write):
        with pytest.raises(ZeroDivisionError), look() as failed:
            raise ZeroDivisionError
        assert failed.connection.closed
        with look() as tx:
            assert tx.connection is not failed.connection
    assert not tx.connection.closed


def test_who_closes_a_ledger_leaves_no_line_to_the_file(ledger):
    """SQLite puts its log away when the last line is closed."""
    log = ledger.path.with_name(f"{ledger.path.name}-wal")
    with ledger.read(), ledger.read(), ledger.read():
        assert log.exists()
    ledger.close()
    assert not log.exists()
    with ledger.read() as tx:  # it may be used again
        assert tx.end(HOST).seq == 0
