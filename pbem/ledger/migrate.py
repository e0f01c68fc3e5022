"""Versions of the ledger: making one, bringing one up to date, and refusing one that is not ours to read."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa

from pbem.ledger.home import Home
from pbem.ledger.tables import TABLES
from pbem.ledger.troubles import DamagedLedger, NoLedger, OlderVersion, WrongVersion

MIGRATIONS = Path(__file__).parent / "migrations"
# Every version there ever was, oldest first; a test compares this with the migrations.
KNOWN = ("0001", "0002", "0003", "0004", "0005", "0006", "0007", "0008", "0009", "0010", "0011", "0012", "0013")
NEWEST = KNOWN[-1]


def upgrade(connection: sa.Connection, home: Home, to: str = "head") -> None:
    """Run the migrations that are missing, all in the transaction of this connection."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, to)
    home.guard(connection)


def version(connection: sa.Connection, home: Home) -> str:
    """Which version this ledger is; NoLedger when there is something else at its place."""
    if not home.is_ours(connection):
        raise NoLedger(f"{home.place} is not a ledger of pbem.")
    found: str = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar_one()
    return found


def check(connection: sa.Connection, home: Home) -> None:
    """Refuse a ledger that this program must not write to."""
    found = refuse_newer(connection, home)
    if found != NEWEST:
        raise OlderVersion(
            f"The ledger {home.place} has version {found} and this program needs {NEWEST}; "
            "make a backup, then run `pbem doctor --upgrade`."
        )
    if not home.is_guarded(connection):
        raise DamagedLedger(
            f"The ledger {home.place} has lost triggers that guard its history: another program changed it; "
            "restore a backup."
        )
    stand = home.columns(connection)
    for table in TABLES.tables.values():
        if stand.get(table.name) != set(table.c.keys()):
            raise DamagedLedger(f"The ledger {home.place} has no good table {table.name}; restore a backup.")


def refuse_newer(connection: sa.Connection, home: Home) -> str:
    """An older program leaves a newer ledger alone; gives the version of any other."""
    found = version(connection, home)
    if found not in KNOWN:
        raise WrongVersion(
            f"The ledger {home.place} has version {found}, which is newer than this program (it knows up to {NEWEST}); "
            "install the newer pbem."
        )
    return found
