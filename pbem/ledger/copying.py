"""Copying a whole ledger from one home to another, row by row as they lie, and comparing both before it counts."""

from __future__ import annotations

import hashlib

import sqlalchemy as sa

from pbem.ledger import migrate, sound
from pbem.ledger.dump import lines
from pbem.ledger.home import home_of
from pbem.ledger.place import Place
from pbem.ledger.store import Ledger
from pbem.ledger.tables import TABLES
from pbem.ledger.transaction import Read, Write
from pbem.ledger.troubles import DamagedLedger, LedgerExists

BATCH = 500


def copy(source: Read, place: Place) -> None:
    """Make a ledger at that place which holds all that the source holds, in one transaction."""
    home = home_of(place)
    if home.is_there():
        raise LedgerExists(f"There is a ledger at {place} already; it is left alone.")
    home.make_room()
    made = Ledger(home)
    try:
        with made.write() as tx:
            migrate.upgrade(tx.connection, home)
            for table in TABLES.sorted_tables:
                _copy_table(source, tx, table)
            if digest(tx) != digest(source):
                raise DamagedLedger(f"The copy at {place} is not what it was made from, so nothing was stored.")
            if fault := next(sound.all_faults(tx), None):
                raise DamagedLedger(f"What should be copied to {place} is damaged: {fault.text}; nothing was stored.")
        home.made()
    finally:
        made.close()


def digest(tx: Read) -> bytes:
    """The hash of all that a ledger holds, in a form that is the same in every home."""
    found = hashlib.sha256()
    for table in TABLES.sorted_tables:
        for line in lines(tx, table):
            found.update(line)
    return found.digest()


def _copy_table(source: Read, target: Write, table: sa.Table) -> None:
    """Rows in the order of their numbers, which the guards of history ask for."""
    batch = []
    for row in source.each(sa.select(table).order_by(*table.primary_key)):
        batch.append(dict(row._mapping))
        if len(batch) == BATCH:
            target.connection.execute(sa.insert(table), batch)
            batch = []
    if batch:
        target.connection.execute(sa.insert(table), batch)
