"""Keeps a ledger of this version beside the older ones: `python -m tests.pbem.ledger.versions`, before a migration.

Every installed game is begun on it and one night passes: orders taken, orders refused, defaults, receipts, mails
(without pictures, which take much room). What stands in a file here is never made again by a later program; that is
what makes it worth keeping.
"""

from __future__ import annotations

import lzma
import sys
import tempfile
from pathlib import Path

from engine import games
from pbem.ledger import Ledger, backup, migrate
from tests.faults import a_host


def make(target: Path) -> Path:
    """Writes the ledger of this version into that folder."""
    with tempfile.TemporaryDirectory() as room:
        folder = Path(room) / "host"
        a_host.build(folder, tuple(name for name in games() if name not in ("nim", "vault")))
        a_host.night(folder)
        Ledger.open(folder / "ledger.db").close()
        copy = backup.backup(folder / "ledger.db", Path(room) / "copy.db")
        kept = target / f"{migrate.NEWEST}.db.xz"
        kept.write_bytes(lzma.compress(copy.read_bytes(), preset=9))
    return kept


if __name__ == "__main__":
    sys.modules["resvg_py"] = None  # type: ignore[assignment]
    from tests import conftest  # noqa: F401  (the sample games)

    kept = make(Path(__file__).parent)
    sys.stdout.write(f"{kept}: {kept.stat().st_size} bytes\n")
