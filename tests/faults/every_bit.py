"""`python -m tests.faults.every_bit [--every N]`: each bit of a finished game's ledger, flipped in turn (G36).

A change counts when what the rows of history say is not what it was, or cannot be read. Each of those must be found by
verifying; where a row is damaged, it is named. Without --every all bits are tried, which takes an hour or so.
"""

from __future__ import annotations

import argparse
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import sqlalchemy as sa
from sqlalchemy.pool import StaticPool

from pbem.audit.verify import verify_ledger
from pbem.errors import Trouble
from pbem.ledger import sound
from pbem.ledger.backup import backup
from pbem.ledger.store import Ledger
from pbem.ledger.transaction import Read
from tests.conftest import SAMPLE_GAMES
from tests.pbem import hosted

HISTORY = ("journal", "letter", "mail")
QUICK = 4000  # bits between two lines that say how far it is


@dataclass
class Found:
    """What came of it: bits tried, those that changed history, and those that nobody noticed."""

    tried: int = 0
    changed: int = 0
    named: int = 0  # of the changed, those of which the row is named
    missed: list[int] = field(default_factory=list)
    raised: dict[int, str] = field(default_factory=dict)  # what came of opening it was no sentence for a person

    def __str__(self) -> str:
        found = self.changed - len(self.missed) - len(self.raised)
        return (
            f"{self.tried:,} bits flipped; {self.changed:,} changed history, {found:,} of them were found "
            f"({self.named:,} with the row named), {len(self.missed)} missed, {len(self.raised)} not told in a sentence"
        )


def small_game(folder: Path) -> Path:
    """The plain file of a ledger with one finished game and nothing else; its game is one of the samples."""
    assert SAMPLE_GAMES in sys.path
    ledger = Ledger.create(folder / "ledger.db", secret=hosted.key("host"))
    hosted.play(ledger, "jade", "nim", heaps="1")
    ledger.close()
    return backup(folder / "ledger.db", folder / "small.db")


def campaign(path: Path, every: int = 1, first: int = 0, tell: bool = False) -> Found:
    """Flip each bit, or every so-many-th one, and look."""
    whole = path.read_bytes()
    before, found = history_of(whole), Found()
    assert before is not None, "the game can be read before anything is done to it"
    for bit in range(first, len(whole) * 8, every):
        data = bytearray(whole)
        data[bit // 8] ^= 1 << bit % 8
        found.tried += 1
        if history_of(bytes(data)) != before:
            found.changed += 1
            try:
                noticed, row = look(bytes(data), path.with_name("flipped.db"))
            except Exception as error:
                found.raised[bit] = f"{type(error).__name__}: {error}"
                continue
            found.named += row
            if not noticed:
                found.missed.append(bit)
        if tell and found.tried % QUICK == 0:
            sys.stderr.write(f"\r{100 * bit // (len(whole) * 8)} %  {found}")
    return found


def history_of(data: bytes) -> list[Any] | None:
    """What the tables of history say, as SQLite reads it; None when it cannot."""
    try:
        with closing(sqlite3.connect(":memory:")) as connection:
            connection.deserialize(data)
            connection.text_factory = bytes
            return [
                connection.execute(f"SELECT * FROM {table} NOT INDEXED ORDER BY id").fetchall() for table in HISTORY
            ]
    except (sqlite3.Error, UnicodeDecodeError):  # its messages quote what is damaged
        return None


def look(data: bytes, path: Path) -> tuple[bool, bool]:
    """Whether the change is found, and whether its row is named. First in memory, which is quick; then as usual."""
    try:
        fault = next(_faults(data), None)
    except (sqlite3.Error, sa.exc.DatabaseError, UnicodeDecodeError):
        return opened(data, path), False
    if fault is not None:
        return True, fault.seq is not None
    return opened(data, path), False


def _faults(data: bytes) -> Iterator[sound.Fault]:
    """What verifying finds first, by hashes."""
    with closing(sqlite3.connect(":memory:", check_same_thread=False)) as raw:
        raw.deserialize(data)
        engine = sa.create_engine("sqlite://", creator=lambda: raw, poolclass=StaticPool)
        try:
            with engine.connect() as connection:
                tx = Read(connection)
                for chain in sound.chains_of(tx):
                    yield from sound.faults(tx, chain)
                yield from sound.gaps(tx)
        finally:
            engine.dispose()


def opened(data: bytes, path: Path) -> bool:
    """Whether opening or verifying these bytes as a file finds a fault."""
    path.write_bytes(data)
    return is_noticed(path)


def is_noticed(path: Path) -> bool:
    """Whether opening or verifying a ledger finds a fault, in one sentence. No other exception may come of it."""
    try:
        ledger = Ledger.open(path, readonly=True)
    except Trouble:
        return True
    try:
        return any(not verdict.ok for verdict in verify_ledger(ledger))
    except Trouble:
        return True
    finally:
        ledger.close()


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--every", type=int, default=1, metavar="N", help="only every N-th bit")
    asked.add_argument("--first", type=int, default=0, metavar="BIT", help="begin at this bit")
    given = asked.parse_args()
    with TemporaryDirectory() as folder:
        found = campaign(small_game(Path(folder)), given.every, given.first, tell=True)
    sys.stderr.write("\n")
    sys.stdout.write(f"{found}\n")
    for bit, what in list(found.raised.items())[:20]:
        sys.stdout.write(f"bit {bit}: {what}\n")
    return 1 if found.missed or found.raised else 0


if __name__ == "__main__":
    sys.exit(main())
