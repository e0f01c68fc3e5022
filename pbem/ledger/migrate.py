"""Versions of the ledger: making one, bringing one up to date, and refusing one that is not ours to read."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa

from pbem.ledger.connect import APPLICATION_ID
from pbem.ledger.tables import TABLES
from pbem.ledger.triggers import sqlite_triggers
from pbem.ledger.troubles import DamagedLedger, NoLedger, WrongVersion

MIGRATIONS = Path(__file__).parent / "migrations"
# Every version there ever was, oldest first; a test compares this with the migrations.
KNOWN = ("0001", "0002", "0003", "0004", "0005")
NEWEST = KNOWN[-1]


def upgrade(connection: sa.Connection, to: str = "head") -> None:
    """Run the migrations that are missing, all in the transaction of this connection."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, to)


def version(connection: sa.Connection, path: Path) -> str:
    """Which version this ledger is; NoLedger when the file is something else."""
    if connection.exec_driver_sql("PRAGMA application_id").scalar() != APPLICATION_ID:
        raise NoLedger(f"{path} is not a ledger of pbem.")
    found: str = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar_one()
    return found


def check(connection: sa.Connection, path: Path) -> None:
    """Refuse a ledger that this program must not write to."""
    refuse_newer(connection, path)
    found = version(connection, path)
    if found != NEWEST:
        raise WrongVersion(
            f"The ledger {path} has version {found} and this program needs {NEWEST}; "
            "make a backup, then run `pbem doctor --upgrade`."
        )
    stands = connection.exec_driver_sql("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").all()
    if {row.name: row.sql for row in stands} != sqlite_triggers():
        raise DamagedLedger(
            f"The ledger {path} has lost triggers that guard its history: another program changed it; restore a backup."
        )
    for table in TABLES.tables.values():
        held = {row.name for row in connection.exec_driver_sql(f"PRAGMA table_info({table.name})")}
        if held != set(table.c.keys()):
            raise DamagedLedger(f"The ledger {path} has no good table {table.name}; restore a backup.")


def refuse_newer(connection: sa.Connection, path: Path) -> None:
    """An older program leaves a newer ledger alone."""
    found = version(connection, path)
    if found not in KNOWN:
        raise WrongVersion(
            f"The ledger {path} has version {found}, which is newer than this program (it knows up to {NEWEST}); "
            "install the newer pbem."
        )
