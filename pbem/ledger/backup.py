"""Backups: a whole copy taken while the ledger is in use, and the way back.

A plain `cp` of a busy ledger is bad in one of seven cases (measured): only SQLite's own backup sees one moment.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from pbem.ledger.moving import as_file, into_server
from pbem.ledger.place import Place
from pbem.ledger.rebuild import rebuild
from pbem.ledger.sound import all_faults
from pbem.ledger.store import Ledger
from pbem.ledger.troubles import DamagedLedger, LedgerExists, LedgerTrouble, NotWritten, OlderVersion
from pbem.syncing import sync_folder

# What says nothing of the file itself: the disk, the memory, or another process is in the way.
ELSEWHERE = {
    *(sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN),
    *(sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED),
}


def backup(place: Place | Path, target: Path) -> Path:
    """Copy the ledger as it is at this moment into one plain file, checked before it takes its name."""
    place = place if isinstance(place, Place) else Place(place)
    try:
        Ledger.open(place, readonly=True).close()
    except OlderVersion:
        if place.url:  # its own tools copy it
            raise
    if target.exists():
        raise LedgerExists(f"There is a file {target} already; name another one.")
    beside = target.with_name(f".{target.name}.part")
    beside.unlink(missing_ok=True)
    try:
        if place.url:
            as_file(place, beside)
            with closing(_open(beside, "rw")) as made:
                made.execute("PRAGMA journal_mode = DELETE")
        else:
            _copy(place.file, beside)
        check_copy(beside)
        _sync(beside)
        beside.replace(target)
        sync_folder(target.parent)
    except (sqlite3.Error, OSError) as error:
        beside.unlink(missing_ok=True)
        if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_READONLY:  # the copy has its header, for one
            raise DamagedLedger(f"The ledger {place} is damaged ({error}).") from error
        raise NotWritten(target, str(error)) from error
    except LedgerTrouble:
        beside.unlink(missing_ok=True)
        raise
    return target


def restore(copy: Path, place: Place | Path) -> Path | str | None:
    """Make the ledger what the backup holds, whole or not at all. What stood there is kept beside; gives its name. A
    backup that an older pbem made is brought up to date on the way."""
    place = place if isinstance(place, Place) else Place(place)
    target = place.file
    with _sound(copy, target.parent) as newer:
        if place.url:
            return into_server(newer, place)
        try:
            kept = _put(newer, target)
        except (sqlite3.Error, OSError) as error:
            raise NotWritten(target, str(error)) from error
    Ledger.open(target).close()
    sync_folder(target.parent)
    return kept


def check_copy(path: Path) -> None:
    """Refuse a copy that is not a sound ledger, of this version or of one that can be brought up to it."""
    with _sound(path, path.parent):
        pass


@contextmanager
def _sound(path: Path, room: Path) -> Iterator[Path]:
    """The copy itself, which is sound; of one that an older pbem made, another, brought up to date, for as long as it
    is looked at."""
    try:
        ledger = Ledger.open(path, readonly=True)
    except OlderVersion:
        with TemporaryDirectory(prefix=".older-", dir=room) as folder:
            newer = Path(folder) / path.name
            _copy(path, newer, into_wal=True)
            with closing(Ledger.upgrade(newer)) as ledger:
                rebuild(ledger)
                _check(ledger)
            yield newer
    else:
        with closing(ledger):
            _check(ledger)
        yield path


def _check(ledger: Ledger) -> None:
    with ledger.read() as tx:
        fault = next(all_faults(tx), None)
    if fault is not None:
        raise DamagedLedger(f"The copy {ledger.path.name} cannot be used: {fault.text}.")


def _put(newer: Path, target: Path) -> Path | None:
    """The copy in the ledger's place; gives what is kept of what stood there."""
    if not target.exists():
        _copy(newer, target, into_wal=True)
        return None
    kept = _free_name(target)
    try:
        _copy(newer, target, into_wal=True, meanwhile=partial(_keep, target, kept))
    except sqlite3.DatabaseError as error:
        if not _is_its_own(error):
            kept.unlink(missing_ok=True)
            raise
        _move_aside(target, kept)
        _copy(newer, target, into_wal=True)
    return kept


def _keep(path: Path, kept: Path) -> None:
    """A copy of what is there, on the disk before something else takes its place."""
    _copy(path, kept)
    _sync(kept)
    sync_folder(kept.parent)


def _is_its_own(error: sqlite3.DatabaseError) -> bool:
    """Whether it is the old file that SQLite cannot use."""
    code = getattr(error, "sqlite_errorcode", 0)
    return code == sqlite3.SQLITE_IOERR_READ or code & 0xFF not in ELSEWHERE


def _move_aside(path: Path, kept: Path) -> None:
    """What SQLite cannot use. The file itself goes last: a log left beside a new ledger would be played into it."""
    for suffix in ("-wal", "-shm", ""):
        part = path.with_name(path.name + suffix)
        if part.exists():
            part.replace(kept.with_name(kept.name + suffix))


def _copy(source: Path, target: Path, *, into_wal: bool = False, meanwhile: Callable[[], None] | None = None) -> None:
    """One transaction in the target: a reader or a power cut sees the old content or the new one. `meanwhile` is done
    in the middle of it, when nobody else can write to the target and everybody reads what it held."""
    with closing(_open(source, "ro")) as old, closing(_open(target, "rwc")) as new:
        new.execute("PRAGMA synchronous = FULL")
        if meanwhile is None:
            old.backup(new)
        else:
            new.execute("PRAGMA journal_mode = WAL")  # without a log nobody could read it
            _in_steps(old, new, meanwhile)
        new.execute(f"PRAGMA journal_mode = {'WAL' if into_wal else 'DELETE'}")


def _in_steps(old: sqlite3.Connection, new: sqlite3.Connection, meanwhile: Callable[[], None]) -> None:
    """From the first step to the last SQLite holds on to the place of the one who writes; the first is not the last."""
    [pages] = old.execute("PRAGMA page_count").fetchone()
    done: list[bool] = []

    def after(status: int, *_: int) -> None:
        if status == sqlite3.SQLITE_OK and not done:  # it is another one while a neighbour writes
            done.append(True)
            meanwhile()

    old.backup(new, pages=max(1, pages // 2), progress=after)


def _open(path: Path, mode: str) -> sqlite3.Connection:
    if mode == "rwc":
        os.close(os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600))
    name = str(path.absolute()).replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    return sqlite3.connect(f"file:{name}?mode={mode}", uri=True, isolation_level=None, timeout=10)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _free_name(target: Path) -> Path:
    number = 1
    while (kept := target.with_name(f"{target.name}.replaced-{number}")).exists():
        number += 1
    return kept
