"""A ledger in PostgreSQL: what guards its history, what it refuses to run without, one writer at a time, moving in."""

from __future__ import annotations

import gc
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

import pytest
import sqlalchemy as sa

from pbem.brakes import heartbeat
from pbem.care import moving
from pbem.config import load
from pbem.errors import Busy, Trouble
from pbem.ledger import Ledger, Read, Row, Write, backup, copying, dump, on_postgres, outbox, postgres_guards, sound
from pbem.ledger.lanes import LANES
from pbem.ledger.place import Place, read_place
from pbem.ledger.tables import MAIL
from pbem.ledger.troubles import DamagedLedger, LedgerBusy, NoLedger, NotReached, NotWritten, WeakLedger
from pbem.locks import NIGHT, alone
from tests import postgres
from tests.pbem import hosted
from tests.pbem.host.conftest import DAY, DEADLINE, Host, make_host

__all__ = ["make_host"]
psycopg = pytest.importorskip("psycopg", reason="psycopg is missing: pip install pbem[cluster]")
pytestmark = [
    pytest.mark.sqlite,
    pytest.mark.skipif(postgres.binaries() is None, reason=postgres.MISSING),
]
NOW = datetime(2026, 11, 18, 12, tzinfo=UTC)


def added(tx: Write, word: str) -> Row:
    """A row that changes nothing else."""
    return tx.append("@host", "ruling", NOW, {"act": "agree-restore", "reason": word, "lost": []})


@pytest.fixture(autouse=True)
def nothing_left_open() -> Iterator[None]:
    """What a test leaves open is let go of in that test, and not in another one."""
    yield
    gc.collect()


@pytest.fixture(scope="module")
def server() -> Iterator[postgres.Server]:
    with postgres.server() as running:
        yield running


@pytest.fixture(scope="module")
def numbers() -> Iterator[int]:
    return count()


@pytest.fixture
def place(server: postgres.Server, numbers: Iterator[int], tmp_path: Path) -> Place:
    return Place(tmp_path / "ledger.db", server.url, f"s{next(numbers)}")


@pytest.fixture
def ledger(place: Place) -> Iterator[Ledger]:
    with closing(Ledger.create(place, secret=hosted.key("host"))) as made:
        with made.write() as tx:
            for number in range(3):
                added(tx, f"{number}")
        yield made


HISTORY = {
    "change a body": "UPDATE journal SET body = 'x' WHERE id = 2",
    "change nothing": "UPDATE journal SET seq = seq",
    "remove the last": "DELETE FROM journal WHERE id = (SELECT max(id) FROM journal)",
    "remove all": "TRUNCATE journal CASCADE",
    "upsert": "INSERT INTO journal SELECT * FROM journal WHERE id = 2 ON CONFLICT (id) DO UPDATE SET kind = 'other'",
    "a place twice": "INSERT INTO journal (chain, seq, kind, at, body, salt, prev, hash) "
    "SELECT chain, seq, kind, at, body, salt, prev, hash FROM journal WHERE id = 2",
    "stand on nothing": "INSERT INTO journal (chain, seq, kind, at, body, salt, prev, hash) "
    "SELECT chain, seq + 1, kind, at, body, salt, prev, hash FROM journal WHERE id = (SELECT max(id) FROM journal)",
    "leave a gap": "INSERT INTO journal (chain, seq, kind, at, body, salt, prev, hash) "
    "SELECT chain, seq + 2, kind, at, body, salt, hash, hash FROM journal WHERE id = (SELECT max(id) FROM journal)",
    "a number from the future": "INSERT INTO journal (id, chain, seq, kind, at, body, salt, prev, hash) "
    "SELECT id + 2, chain, seq + 1, kind, at, body, salt, hash, hash FROM journal "
    "WHERE id = (SELECT max(id) FROM journal)",
    "begin a chain in the middle": "INSERT INTO journal (chain, seq, kind, at, body, salt, prev, hash) "
    "SELECT 'other', 2, kind, at, body, salt, prev, hash FROM journal WHERE id = 1",
}


@pytest.mark.parametrize("name", HISTORY)
def test_g36_history_takes_no_sql(ledger: Ledger, name: str) -> None:
    before = dump.canonical_dump(ledger)
    with pytest.raises(sa.exc.DBAPIError, match="ledger: "), ledger._engine.begin() as connection:
        connection.exec_driver_sql(HISTORY[name].replace("%", "%%"))
    assert dump.canonical_dump(ledger) == before


@pytest.mark.parametrize("name", HISTORY)
def test_g36_weakened_without_guards_the_attempts_pass_and_the_chain_tells(ledger: Ledger, name: str) -> None:
    """Seen red: each attempt is a real one. What it did to the journal, the chain tells."""
    if name in ("a place twice", "upsert"):
        pytest.skip("the key of the table refuses it by itself")
    with ledger._engine.begin() as connection:
        for trigger, words in postgres_guards.triggers().items():
            connection.exec_driver_sql(f"DROP TRIGGER {trigger} ON {words.partition(' ON ')[2].split()[0]}")
        connection.exec_driver_sql("CREATE SEQUENCE numbers START 100")
        connection.exec_driver_sql("ALTER TABLE journal ALTER COLUMN id SET DEFAULT nextval('numbers')")
        connection.exec_driver_sql(HISTORY[name])
    with ledger.read() as tx:
        assert name == "change nothing" or list(sound.all_faults(tx))


def test_lost_or_changed_guards_are_noticed_on_opening(ledger: Ledger, place: Place) -> None:
    for slip in (
        "DROP TRIGGER mail_no_delete ON mail",
        "ALTER TABLE journal DISABLE TRIGGER journal_in_turn",
        "CREATE OR REPLACE FUNCTION ledger_refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
    ):
        with ledger._engine.begin() as connection:
            connection.exec_driver_sql(slip)
        with pytest.raises(DamagedLedger, match="lost triggers"):
            Ledger.open(place)
        with ledger._engine.begin() as connection:
            connection.exec_driver_sql("ALTER TABLE journal ENABLE TRIGGER journal_in_turn")
            postgres_guards.put_up(connection)
        Ledger.open(place).close()


def test_nothing_is_no_ledger(place: Place) -> None:
    with pytest.raises(NoLedger):
        Ledger.open(place)


@pytest.mark.parametrize("weak", ["fsync=off", "full_page_writes=off", "synchronous_commit=off"])
def test_a_weak_server_is_refused(weak: str, tmp_path: Path) -> None:
    """G2: what a power cut would take is not acknowledged."""
    with postgres.server(weak) as careless, pytest.raises(WeakLedger, match=weak.partition("=")[0]):
        Ledger.create(Place(tmp_path / "ledger.db", careless.url))


def test_a_database_that_sorts_otherwise_is_refused(server: postgres.Server, tmp_path: Path) -> None:
    engine = sa.create_engine(server.url.replace("postgresql:", "postgresql+psycopg:"), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.exec_driver_sql("CREATE DATABASE wrong TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'")
    engine.dispose()
    with pytest.raises(WeakLedger, match="needs UTF8 and C"):
        Ledger.create(Place(tmp_path / "ledger.db", server.url.replace("/postgres?", "/wrong?")))


def test_an_older_server_is_refused(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(on_postgres, "OLDEST", 99)
    with pytest.raises(WeakLedger, match="a ledger needs 99 or newer"):
        Ledger.create(place)


@pytest.mark.parametrize(
    ("user", "database", "says"),
    [
        ("pbem", "nowhere", r'reached \(database "nowhere" does not exist\), .* docs/cluster.md says how'),
        ("nobody", "postgres", r'reached \(role "nobody" does not exist\), .* docs/cluster.md says how'),
        ("weak", "postgres", "does not allow it .permission denied .* must own the database"),
    ],
)
def test_who_is_not_let_in_is_told_why(server: postgres.Server, user: str, database: str, says: str) -> None:
    with psycopg.connect(server.url, autocommit=True) as line, suppress(psycopg.errors.DuplicateObject):
        line.execute("CREATE ROLE weak LOGIN")
    url = server.url.replace("pbem@/postgres", f"{user}@/{database}")
    with pytest.raises(Trouble, match=says) as told:
        Ledger.create(Place(Path("ledger.db"), url))
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    ("said", "words", "advice"),
    [
        (
            'connection failed: connection to server at "127.0.0.1", port 5599 failed: Connection refused\n'
            "\tIs the server running on that host and accepting TCP/IP connections?",
            "(Connection refused)",
            "see whether it runs",
        ),
        (
            'connection failed: connection to server at "10.77.0.1", port 5432 failed: FATAL:  '
            'password authentication failed for user "pbem"',
            '(password authentication failed for user "pbem")',
            "~/.pgpass (mode 600)",
        ),
        (
            'connection failed: connection to server at "10.77.0.1", port 5432 failed: '
            "fe_sendauth: no password supplied",
            "no password supplied",
            "~/.pgpass (mode 600)",
        ),
        (
            'connection failed: connection to server at "10.77.0.1", port 5432 failed: FATAL:  no pg_hba.conf entry '
            'for host "10.77.0.9", user "pbem", database "pbem", no encryption',
            "no pg_hba.conf entry",
            "a line in pg_hba.conf",
        ),
        ("connection timeout expired", "(connection timeout expired)", "see whether it runs"),
        ("failed to resolve host 'nowhere.invalid': [Errno -2]", "nowhere.invalid", "the server's name"),
    ],
)
def test_a_server_that_is_not_reached(place: Place, said: str, words: str, advice: str) -> None:
    """What psycopg says, as it was seen."""
    told = on_postgres.OnPostgres(place).trouble(psycopg.OperationalError(said), reading=True)
    assert isinstance(told, NotReached)
    assert told.exit_code == 75
    assert words in str(told)
    assert advice in str(told)
    assert not any(left in str(told) for left in ("FATAL", "Is the server", "connection failed", "\n"))


def test_one_writer_at_a_time(ledger: Ledger, place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(on_postgres, "PATIENCE", 1)
    with closing(Ledger.open(place)) as other, ledger.write() as tx:
        added(tx, "4")
        with pytest.raises(LedgerBusy), other.write():
            pass
    with closing(Ledger.open(place)) as other, other.write() as tx:
        assert added(tx, "5").seq == 5


def test_a_mail_is_due_in_the_lane_of_its_game_and_in_no_other(ledger: Ledger) -> None:
    later = NOW.replace(hour=13)
    with ledger.write() as tx:
        for number, at in ((1, NOW), (2, NOW), (3, later)):
            outbox.post(tx, "@host", None, "notice", f"<{number}@host>", b"x", at, at)
        [lane] = outbox.lanes_due(tx, NOW)
        assert [mail.message_id for mail in outbox.due(tx, NOW, lane=lane)] == ["<1@host>", "<2@host>"]
        assert outbox.due(tx, later, limit=1, lane=lane) == outbox.due(tx, later, limit=1)
        assert outbox.due(tx, later, lane=(lane + 1) % LANES) == []
        for mail in outbox.due(tx, later):
            outbox.fate(tx, mail, outbox.SENT, NOW)
        assert outbox.lanes_due(tx, later) == []


def test_writers_in_line_lose_nothing(ledger: Ledger, place: Place) -> None:
    def write(word: str) -> None:
        with closing(Ledger.open(place)) as mine:
            for number in range(25):
                with mine.write() as tx:
                    added(tx, f"{word}{number}")

    threads = [threading.Thread(target=write, args=(word,)) for word in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with ledger.read() as tx:
        assert tx.end("@host").seq == 103
        assert not list(sound.all_faults(tx))


def test_a_reader_sees_one_moment(ledger: Ledger, place: Place) -> None:
    with closing(Ledger.open(place)) as other, ledger.read() as tx:
        before = tx.end("@host")
        with other.write() as writing:
            added(writing, "4")
        assert tx.end("@host") == before


def test_the_lock_of_a_dead_run_is_free(place: Place) -> None:
    """G12: it belongs to a line to the server, which ends with the process."""
    ready, told = os.pipe()
    child = os.fork()
    if not child:
        with suppress(BaseException), alone(place, NIGHT):
            os.write(told, b"x")
            signal.pause()
        os._exit(1)
    assert os.read(ready, 1) == b"x"
    with pytest.raises(Busy, match="Another night is at work"), alone(place, NIGHT):
        pass
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    with alone(place, NIGHT):  # the server needs a moment to see it, and is given that
        pass
    os.close(ready)
    os.close(told)


def test_a_run_that_breaks_gives_its_lock_back_itself(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """G12: a server may be slow to see that a line was closed; here it never sees it."""
    monkeypatch.setattr(on_postgres, "NOTICES", 0)
    kept: list[sa.Engine] = []
    with monkeypatch.context() as never:
        never.setattr(sa.Engine, "dispose", lambda engine: kept.append(engine))
        with pytest.raises(KeyboardInterrupt), alone(place, NIGHT):
            raise KeyboardInterrupt
        with alone(place, NIGHT):
            pass
    for engine in kept:
        engine.dispose()


def test_a_server_that_goes_away_stores_all_or_nothing(tmp_path: Path) -> None:
    with postgres.server() as server:
        place = Place(tmp_path / "ledger.db", server.url)
        ledger = Ledger.create(place, secret=hosted.key("host"))
        with pytest.raises(NotWritten, match="nothing was stored"):
            _written_while(server.kill, ledger)
        with pytest.raises(NotWritten), ledger.write():  # this process writes no more
            pass
        ledger.close()
        with pytest.raises(Trouble, match="was not reached"):
            Ledger.open(place)
        server.start()
        with closing(Ledger.open(place)) as again, again.write() as tx:
            assert added(tx, "1").seq == 1


def _written_while(something: Callable[[], None], ledger: Ledger) -> None:
    with ledger.write() as tx:
        added(tx, "1")
        tx.flush()
        something()


def played(host: Host) -> Host:
    host.start("nim")
    host.order("1", "b3")
    host.night()
    return host


def test_a_host_moves_in_and_goes_on(make_host: Callable[..., Host], place: Place, numbers: Iterator[int]) -> None:
    """What the next night makes in the server is what it would have made in the file, to the byte."""
    moved, stayed = played(make_host("moved")), played(make_host("stayed"))
    moved.ledger.close()
    url = f"{place.url}&schema={place.schema}"
    assert str(moving.move(moved.config, url)) == str(replace(place, file=moved.config.ledger))
    config = load(moved.config.folder / "pbem.toml")
    assert (config.place.url, config.place.schema) == (place.url, place.schema)
    assert not moved.config.ledger.exists()
    with closing(Ledger.open(config.place)) as ledger:
        there = Host(config, ledger)
        for host in (there, stayed):
            host.order("2", "a1", at=DEADLINE)
            host.night(DEADLINE + DAY)
        left = dump.canonical_dump(ledger).replace(b"submit:", b"")
        assert stayed.row().turn == there.row().turn == 3
    assert len(left.splitlines()) == len(dump.canonical_dump(stayed.ledger).splitlines())
    with pytest.raises(Trouble, match="in a server already"):
        moving.move(config, url)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "\n[files]\nledger = 'there'\n"),
        ("[files]\ninbox = 'in'\n[post]\n", "[files]\nledger = 'there'\ninbox = 'in'\n[post]\n"),
        ("[files]\n  ledger = 'here'  # old\n[post]\n", "[files]\nledger = 'there'\n[post]\n"),
        ("[other]\nledger = 1\n[files]\nledger = 2\n", "[other]\nledger = 1\n[files]\nledger = 'there'\n"),
        ("[files]\n# ledger = 'x'\nledger = 2", "[files]\n# ledger = 'x'\nledger = 'there'"),
        ("[files]\n\n[last]\nledger = 1\n", "[files]\nledger = 'there'\n\n[last]\nledger = 1\n"),
        ("# [files]\n[files] # mine", "# [files]\n[files] # mine\nledger = 'there'\n"),
    ],
)
def test_pbem_toml_names_the_new_place_in_its_own_section(before: str, after: str) -> None:
    assert moving._saying(before, "ledger = 'there'") == after


def test_a_move_is_no_outage(make_host: Callable[..., Host], place: Place) -> None:
    """What is known of the host's rhythm moves with it, and lies where every machine finds it."""
    host = played(make_host())
    beat = heartbeat.recall(host.config, None)
    assert beat is not None
    host.ledger.close()
    moving.move(host.config, f"{place.url}&schema={place.schema}")
    config = load(host.config.folder / "pbem.toml")
    assert heartbeat.recall(config, None) == beat
    elsewhere = replace(config, ledger=host.config.folder / "other" / "ledger.db")
    heartbeat.keep(elsewhere, beat.then(beat.at + DAY, None))
    assert heartbeat.recall(config, None) == beat.then(beat.at + DAY, None)


@pytest.mark.parametrize("step", ["_copied", "_renamed", "_put_away"])
def test_a_move_that_was_broken_off_is_gone_on_with(make_host: Callable[..., Host], place: Place, step: str) -> None:
    host = played(make_host())
    url = f"{place.url}&schema={place.schema}"

    class Killed(BaseException):
        pass

    def killed(*_: object) -> None:
        raise Killed

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(moving, step, killed)
        with pytest.raises(Killed):
            moving.move(host.config, url)
    if step == "_renamed":  # the copy is stored, pbem.toml still names the file: which takes no more rows
        with pytest.raises(NotWritten, match="run the same `pbem migrate-to` again"), host.ledger.write() as tx:
            added(tx, "late")
    moving.move(load(host.config.folder / "pbem.toml"), url)
    assert not host.config.ledger.exists()
    with closing(Ledger.open(load(host.config.folder / "pbem.toml").place)) as ledger, ledger.read() as tx:
        assert not list(sound.all_faults(tx))


def test_another_ledger_is_not_written_over(make_host: Callable[..., Host], ledger: Ledger, place: Place) -> None:
    host = played(make_host())
    with pytest.raises(Trouble, match="another ledger at"):
        moving.move(host.config, f"{place.url}&schema={place.schema}")
    assert host.night(DEADLINE + DAY).turns == 1


def test_whoever_had_the_old_file_open_is_told_to_try_again(make_host: Callable[..., Host], place: Place) -> None:
    """Nothing acknowledged is lost: a mail that comes during the move is not stored in a file that is left behind."""
    host = played(make_host())
    moving.move(host.config, f"{place.url}&schema={place.schema}")
    with pytest.raises(NotWritten, match="has moved") as told, host.ledger.write() as tx:
        added(tx, "late")
    assert told.value.exit_code == 75


def test_a_backup_of_a_server_is_a_file_and_goes_back(ledger: Ledger, place: Place, tmp_path: Path) -> None:
    before = dump.canonical_dump(ledger)
    kept = backup.backup(place, tmp_path / "copy.db")
    assert [path.name for path in tmp_path.iterdir()] == ["copy.db"]
    with ledger.write() as tx:
        added(tx, "4")
    ledger.close()
    assert backup.restore(kept, place) == f"the schema {place.schema}_replaced_1"
    with closing(Ledger.open(place)) as again:
        assert dump.canonical_dump(again) == before
        with again.write() as tx:
            assert added(tx, "5").seq == 4
    with closing(Ledger.open(replace(place, schema=f"{place.schema}_replaced_1"))) as old, old.read() as tx:
        assert tx.end("@host").seq == 4


@pytest.mark.parametrize("broken_off", ["begun", "copied"])
def test_a_restore_that_is_broken_off_leaves_what_stood_there(
    ledger: Ledger, place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken_off: str
) -> None:
    """Whole or not at all (G8): nobody finds an empty place, and the next restore finds no half a ledger in its way."""
    kept = backup.backup(place, tmp_path / "copy.db")
    with ledger.write() as tx:
        added(tx, "4")
    ledger.close()
    copied = copying.copy

    def killed(source: Read, target: Place) -> None:
        if broken_off == "copied":
            copied(source, target)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(copying, "copy", killed)
        with pytest.raises(KeyboardInterrupt):
            backup.restore(kept, place)
    with closing(Ledger.open(place)) as still, still.read() as tx:
        assert tx.end("@host").seq == 4
    assert backup.restore(kept, place) == f"the schema {place.schema}_replaced_1"
    with closing(Ledger.open(place)) as again, again.read() as tx:
        assert tx.end("@host").seq == 3


def test_what_is_being_stored_while_a_copy_is_put_back_is_whole_in_what_is_set_aside(
    ledger: Ledger, place: Place, tmp_path: Path
) -> None:
    """Seen red: its first rows were in the old ledger and its last ones in the new, for names are looked up anew."""
    kept = backup.backup(place, tmp_path / "copy.db")
    thread = threading.Thread(target=backup.restore, args=(kept, place))
    with ledger.write() as tx:
        for word in ("4", "5"):
            outbox.post(tx, "@host", None, "notice", f"<{word}@host>", b"x", NOW, NOW)
            tx.flush()
            if word == "4":
                thread.start()
                thread.join(2)
    thread.join()
    for schema, mails in ((f"{place.schema}_replaced_1", 2), (place.schema, 0)):
        with closing(Ledger.open(replace(place, schema=schema))) as one, one.read() as tx:
            assert tx.one(sa.select(sa.func.count()).select_from(MAIL))[0] == mails
            assert not list(sound.all_faults(tx))


def test_a_schema_with_as_long_a_name_as_can_be_gives_way_too(ledger: Ledger, place: Place, tmp_path: Path) -> None:
    """The server cuts longer names, and would find the one of what is set aside taken for ever."""
    kept = backup.backup(place, tmp_path / "copy.db")
    long = replace(place, schema=place.schema.ljust(63, "x"))
    assert backup.restore(kept, long) is None
    assert backup.restore(kept, long) == f"the schema {long.schema[:48]}_replaced_1"


def test_a_copy_that_differs_is_not_stored(
    ledger: Ledger, place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copying, "digest", lambda tx: id(tx))
    with pytest.raises(DamagedLedger, match="nothing was stored"):
        backup.backup(place, tmp_path / "copy.db")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("mysql://here/db", "no ledger"),
        ("postgresql://anna:secret@here/db", "a password does not stand here"),
        ("postgresql://here", "the database is missing"),
        ("postgresql://here:door/db", "the port is no number"),
        ("postgresql://here/db?schema=a-b", "cannot name a schema"),
        ("postgresql://here/db?schema=DROP TABLE", "cannot name a schema"),
    ],
)
def test_places_that_are_refused(text: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(Trouble, match=says) as told:
        read_place(tmp_path, text)
    assert "secret" not in str(told.value)
