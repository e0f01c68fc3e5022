"""Keeping the ledger: dated backups, the way back, and a referee's word for a copy that has forgotten something."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from pbem.brakes import outages
from pbem.brakes.releasing import PATIENCE
from pbem.care import encrypting, sealing
from pbem.care.encrypting import Locks, Opener
from pbem.config import Config
from pbem.correspondence import restored
from pbem.errors import NO, Trouble
from pbem.ledger import Ledger, backup, games, mailed
from pbem.ledger.mailed import Mailed
from pbem.ledger.transaction import Read
from pbem.ledger.troubles import DamagedLedger, LedgerBusy
from pbem.locks import JUDGING, NIGHT, alone


def back_up(config: Config, target: Path, locks: Locks | None = None) -> Path:
    """Make a whole copy under that name, encrypted where there are locks; nothing is written over."""
    if target.is_dir():
        raise Trouble(f"{target} is a folder; name a file, or use --into.")
    if not target.parent.is_dir():
        raise Trouble(f"There is no folder {target.parent}; make it first.")
    try:
        if locks is None:
            return backup.backup(config.place, target)
        with encrypting.private_room(target.parent) as room:
            return locks.encrypt(backup.backup(config.place, room / "ledger.db"), target)
    except DamagedLedger as bad:
        raise DamagedLedger(f"{config.place} is damaged and was not copied; `pbem doctor` says more.") from bad


def dated(config: Config, folder: Path, keep: int | None, now: datetime, locks: Locks | None = None) -> Path:
    """A backup named after its instant, and of the older ones as many as are to be kept."""
    if folder.exists() and not folder.is_dir():
        raise Trouble(f"{folder} is a file; --into names a folder.")
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    made = back_up(config, folder / f"ledger-{now:%Y%m%dT%H%M%SZ}.db{'.age' if locks else ''}", locks)
    if keep is not None:
        for old in sorted([*folder.glob("ledger-*T*Z.db"), *folder.glob("ledger-*T*Z.db.age")])[:-keep]:
            old.unlink()
    return made


class PutBack(NamedTuple):
    """What became of a restore: what was kept of the old ledger, the mailed heads that the restored one does not know,
    and whether nothing is left that would tell them."""

    kept: Path | str | None
    lost: list[Mailed]
    unnoted: bool


def put_back(config: Config, copy: Path, opener: Opener | None = None) -> PutBack:
    """Restore a copy, while no night is at work and no message is between being stored and being judged."""
    opener = opener or Opener()
    with alone(config.place, NIGHT), alone(config.place, JUDGING, PATIENCE):
        try:
            with opener.opened(copy, config.folder) as clear:
                kept = backup.restore(clear, config.place)
        except DamagedLedger as bad:
            raise DamagedLedger(f"{copy} is damaged, or no ledger of pbem, and was not restored.") from bad
    ledger = Ledger.open(config.place)
    try:
        with suppress(LedgerBusy):  # somebody else reads: `pbem doctor --upgrade` finishes it
            sealing.seal_secrets(ledger)  # a copy of an older pbem holds them in clear
        with ledger.read() as tx:
            heads = mailed.heads_file(ledger)
            return PutBack(kept, mailed.lost(tx, heads), mailed.unnoted(tx, heads))
    finally:
        ledger.close()


def agreed(config: Config, now: datetime, reason: str) -> list[Mailed]:
    """The referee's ruling on a copy that has forgotten what was mailed; gives the heads that it lacks. Orders may be
    forgotten, too: a deadline that has passed is moved first, so that nobody is silent who has answered, and all
    players of those games are told. Where nothing is left that says what was mailed, that is every game."""
    with alone(config.place, NIGHT, PATIENCE):
        ledger = Ledger.open(config.place)
        try:
            with ledger.read() as tx:
                heads = mailed.heads_file(ledger)
                lost = mailed.lost(tx, heads) or (_ends(tx) if mailed.unnoted(tx, heads) else [])
            if not lost:
                raise Trouble("There is nothing to agree to: the ledger knows every mail that has left.", NO)
            outages.move_all(config, ledger, now, None)
            restored.tell_all(config, ledger, lost, now, reason)
            mailed.agree(ledger, now, reason)
            return lost
        finally:
            ledger.close()


def _ends(tx: Read) -> list[Mailed]:
    """Where the games that go on end."""
    names = [row.name for row in games.every(tx) if row.status != games.OVER]
    return [Mailed(name, (end := tx.end(name)).seq, end.hash.hex()) for name in names]
