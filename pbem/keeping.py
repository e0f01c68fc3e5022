"""Keeping the ledger: dated backups, the way back, and a referee's word for a copy that has forgotten something."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from pbem.config import Config
from pbem.errors import Trouble
from pbem.ledger import Ledger, backup, mailed
from pbem.ledger.mailed import Mailed
from pbem.lock import alone


def back_up(config: Config, target: Path) -> Path:
    return backup.backup(config.ledger, target)


def dated(config: Config, folder: Path, keep: int | None, now: datetime) -> Path:
    """A backup named after its instant, and of the older ones as many as are to be kept."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise Trouble(f"{folder} cannot be made: {error.strerror}.") from None
    made = backup.backup(config.ledger, folder / f"ledger-{now:%Y%m%dT%H%M%SZ}.db")
    if keep is not None:
        for old in sorted(folder.glob("ledger-*T*Z.db"))[:-keep]:
            old.unlink()
    return made


def put_back(config: Config, copy: Path) -> tuple[Path | None, list[Mailed]]:
    """Restore; gives what was kept of the old ledger, and the mailed heads that the restored one does not know."""
    with alone(config.ledger.with_suffix(".lock"), "night"):
        kept = backup.restore(copy, config.ledger)
    ledger = Ledger.open(config.ledger)
    try:
        with ledger.read() as tx:
            return kept, mailed.lost(tx, mailed.heads_file(ledger))
    finally:
        ledger.close()


def agreed(config: Config, now: datetime, reason: str) -> list[Mailed]:
    ledger = Ledger.open(config.ledger)
    try:
        return mailed.agree(ledger, now, reason)
    finally:
        ledger.close()
