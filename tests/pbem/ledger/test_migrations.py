"""Migrations and models describe the same ledger, and the triggers survive every migration."""

import sqlite3
from contextlib import closing

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from pbem.ledger import migrate
from pbem.ledger.tables import APPEND_ONLY, TABLES
from pbem.ledger.triggers import sqlite_triggers

pytestmark = pytest.mark.sqlite


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


def test_what_may_stand_in_a_table_only_once_is_the_same_in_migrations_and_models(ledger):
    with ledger.read() as tx:
        stands = sa.inspect(tx.connection)
        for name, table in TABLES.tables.items():
            once = {tuple(one["column_names"]) for one in stands.get_unique_constraints(name)}
            said = [one for one in table.constraints if isinstance(one, sa.UniqueConstraint)]
            assert once == {tuple(one.columns.keys()) for one in said}, name
        assert stands.get_unique_constraints("mail")


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
