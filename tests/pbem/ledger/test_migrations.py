"""Migrations and models describe the same ledger, and the triggers survive every migration."""

import sqlite3
from contextlib import closing

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from pbem.ledger import Ledger, dump, migrate, outbox, rebuild
from pbem.ledger.tables import APPEND_ONLY, TABLES
from pbem.ledger.triggers import sqlite_triggers
from pbem.ledger.troubles import WrongVersion
from tests.pbem import hosted


def scheme(path, kind):
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = ? AND sql IS NOT NULL", (kind,))
        return {name: " ".join(sql.split()) for name, sql in rows if name != "alembic_version"}


def columns(path, table):
    with closing(sqlite3.connect(path)) as connection:
        info = connection.execute(f"SELECT name, type, \"notnull\", pk FROM pragma_table_info('{table}')")
        return sorted(info)


def test_alembic_finds_nothing_to_add(ledger):
    with ledger.read() as tx:
        assert compare_metadata(MigrationContext.configure(tx.connection), TABLES) == []


def test_migrations_make_what_the_models_make(ledger, tmp_path):
    made = sa.create_engine(f"sqlite:///{tmp_path / 'models.db'}")
    TABLES.create_all(made)
    made.dispose()
    for table in TABLES.tables:
        assert columns(ledger.path, table) == columns(tmp_path / "models.db", table), table
    assert scheme(ledger.path, "index") == scheme(tmp_path / "models.db", "index")
    assert set(scheme(ledger.path, "table")) == set(scheme(tmp_path / "models.db", "table"))


def test_the_triggers_are_there_word_for_word(ledger):
    with closing(sqlite3.connect(ledger.path)) as connection:
        stands = dict(connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall())
    assert stands == sqlite_triggers()
    assert len(stands) == 1 + 4 * len(APPEND_ONLY)


def test_the_program_knows_every_migration():
    config = Config()
    config.set_main_option("script_location", str(migrate.MIGRATIONS))
    script = ScriptDirectory.from_config(config)
    assert tuple(step.revision for step in script.walk_revisions())[::-1] == migrate.KNOWN
    assert script.get_current_head() == migrate.NEWEST


def test_migrations_lie_inside_the_package():  # so the wheel has them
    assert migrate.MIGRATIONS.parent.name == "ledger"
    assert (migrate.MIGRATIONS / "env.py").is_file()
    assert (migrate.MIGRATIONS / "versions" / "0001_first.py").is_file()


LATER = """\
DROP INDEX outbox_lost; ALTER TABLE player DROP COLUMN digest;
ALTER TABLE outbox DROP COLUMN since; ALTER TABLE outbox DROP COLUMN detail; ALTER TABLE outbox DROP COLUMN told;
ALTER TABLE inbox DROP COLUMN tries; ALTER TABLE inbox DROP COLUMN reason;
ALTER TABLE queue DROP COLUMN keyless; ALTER TABLE queue DROP COLUMN away;
DROP TABLE contact; DROP TABLE new_address;
ALTER TABLE game DROP COLUMN attendance;
DROP TABLE picture; DROP TABLE bare_mail;
UPDATE alembic_version SET version_num = '0001'"""  # what later versions brought, taken away again


def test_g9_a_ledger_of_the_first_version_becomes_what_it_would_be_now(ledger):
    """A host that ran the first version upgrades, keeps its rows, and gets the triggers of the new tables too.

    Weakened: without the rebuild that `pbem doctor --upgrade` makes, nobody knows since when a mail has waited.
    """
    hosted.play(ledger, "jade", "nim", turns=3)
    with ledger.write() as tx:
        mail = outbox.due(tx, hosted.START + 9 * hosted.NIGHT)[0]
        outbox.fate(tx, mail, outbox.REFUSED, hosted.START, "550 nobody here")
    before, triggers = dump.canonical_dump(ledger), scheme(ledger.path, "trigger")
    ledger.close()
    with closing(sqlite3.connect(ledger.path)) as connection:
        connection.executescript(LATER)
    with pytest.raises(WrongVersion, match="pbem doctor --upgrade"):
        Ledger.open(ledger.path)
    upgraded = Ledger.upgrade(ledger.path)
    assert dump.canonical_dump(upgraded) != before
    rebuild.rebuild(upgraded)
    assert dump.canonical_dump(upgraded) == before
    assert scheme(ledger.path, "trigger") == triggers
    upgraded.close()
