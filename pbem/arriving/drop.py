"""The drop folder: order files that players or programs put there. Only plain files of ours are ever opened."""

from __future__ import annotations

import hashlib
import os
import stat
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from pbem.arriving.brought import DROP, Brought
from pbem.arriving.door import Door, Owner
from pbem.arriving.files import held, opened, whole
from pbem.config import Config
from pbem.faults import fault
from pbem.ledger import Ledger, letters
from pbem.ledger.letters import Arriving
from pbem.ledger.transaction import Write
from pbem.sharing import make_folder

TAKEN = "taken"  # where files go once they are in the ledger
AT_A_TIME = 100  # files stored in one transaction
QUIET = 2.0  # seconds a file without its end line must have rested: it may still be being written


class Dropped(NamedTuple):
    """A file of the folder as it lies there."""

    path: Path
    raw: bytes
    message_id: str
    arrived: datetime
    version: tuple[int, int]  # when it was last written to, and its length

    @property
    def name(self) -> str:
        """A name of our own making, under which it is put away."""
        return hashlib.sha256(self.message_id.encode() + self.raw).hexdigest()[:24]


def strange(config: Config) -> list[str]:
    """The names of what lies there and is never opened: links, pipes, folders, large files, another's files."""
    found = []
    for name in _names(config.inbox):
        path = config.inbox / name
        with suppress(FileNotFoundError):  # taken away meanwhile
            if not _is_plain(path.lstat(), path, config.limits.message_bytes):
                found.append(name)
    return sorted(found)


def gather(config: Config, ledger: Ledger, now: datetime) -> Brought:
    """Store what was dropped.

    A file leaves the folder only when its bytes are in the ledger; or its name, where its seat has sent far more than
    it may and the file is refused unread. The same file seen again (a run was killed in
    between) is the same message. A file that came after `now` counts as come now.
    """
    most = config.limits.message_bytes
    found, left = _oldest_first(config.inbox, most)
    door = Door(config, now, len(found))
    new = known = refused = 0
    step = min(AT_A_TIME, held(most))
    for first in range(0, len(found), step):
        read = (_read(path, now, most) for path in found[first : first + step])
        batch = [dropped for dropped in read if dropped is not None]
        if not batch:
            continue
        with ledger.write() as tx:
            before = letters.turned_away(tx, [one.name for one in batch])  # by a run that was killed then
            fresh = [one for one in batch if one.name not in before]
            away = door.turned_away(tx, [one.raw for one in fresh])
            let_in = [one for place, one in enumerate(fresh) if place not in away]
            arriving = [Arriving(one.raw, one.arrived, DROP, one.message_id) for one in let_in]
            stored = [arrival.new for arrival in letters.arrive_all(tx, arriving)]
            _turn_away(tx, fresh, away, now)
        fault("drops-stored")
        for dropped in batch:
            _put_away(dropped)
        fault("drops-put-away")
        new, refused = new + sum(stored), refused + len(away)
        known += len(stored) - sum(stored) + len(before)
    return Brought(DROP, str(config.inbox), new, known, tuple(left), refused=refused)


def _turn_away(tx: Write, batch: Sequence[Dropped], away: Mapping[int, Owner], now: datetime) -> None:
    """Write down which files are refused unread, a row for each seat."""
    names: dict[Owner, list[str]] = {}
    for place, owner in away.items():
        names.setdefault(owner, []).append(batch[place].name)
    for one, of_seat in names.items():
        letters.turn_away(tx, DROP, one.game, one.seat, of_seat, now)


def _names(folder: Path) -> Iterator[str]:
    """The names in the folder that could be order files: not hidden, not our own folder."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if not entry.name.startswith(".") and entry.name != TAKEN:  # links and pipes are named, never opened
                yield entry.name


def _oldest_first(folder: Path, most: int) -> tuple[list[Path], list[str]]:
    """The files that can be taken, as they were dropped, and the names of those that cannot."""
    found, left = [], []
    for name in _names(folder):
        path = folder / name
        with suppress(FileNotFoundError):  # taken away meanwhile
            dropped_ns = _change_time(path) if _is_plain(path.lstat(), path, most) else None
            if dropped_ns is None:
                left.append(name)
            else:
                found.append((dropped_ns, name))
    return [folder / name for _, name in sorted(found)], left


def _change_time(path: Path) -> int | None:
    """When a plain file was dropped, in nanoseconds; None when it is not ours to read."""
    with opened(path) as handle:
        return None if handle is None else os.fstat(handle).st_ctime_ns


def _read(path: Path, now: datetime, most: int) -> Dropped | None:
    """The file, unless it is taken away meanwhile or not finished yet."""
    try:
        with opened(path) as handle:
            if handle is None or not _is_plain(about := os.fstat(handle), path, most):
                return None
            raw = whole(handle, about.st_size, most)
    except FileNotFoundError:
        return None
    if b"end:" not in raw and 0 <= time.time() - about.st_mtime < QUIET:
        return None
    version = about.st_mtime_ns, about.st_size
    return Dropped(path, raw, f"drop:{about.st_ino}:{about.st_ctime_ns}", min(_dropped_at(about), now), version)


def _dropped_at(about: os.stat_result) -> datetime:
    """The change time: unlike the modification time nobody sets it, and moving a file here renews it."""
    return datetime.fromtimestamp(about.st_ctime, UTC).replace(microsecond=0)


def _is_plain(about: os.stat_result, path: Path, most: int) -> bool:
    """Whether it is a file of ours under one name, and no larger than a message may be."""
    ours = about.st_uid in (os.geteuid(), path.parent.stat().st_uid)
    return stat.S_ISREG(about.st_mode) and about.st_nlink == 1 and about.st_size <= most and ours


def _put_away(dropped: Dropped) -> None:
    """Out of the way, under a name of our own making; but what was saved there meanwhile is another message."""
    folder = dropped.path.parent / TAKEN
    make_folder(folder)
    away = folder / f"{dropped.name}.yml"
    with suppress(FileNotFoundError):  # its owner, or another run, has taken it away
        if _version(dropped.path) == dropped.version:
            dropped.path.replace(away)
            if _version(away) != dropped.version:  # it was saved anew in between
                away.replace(dropped.path.with_name(away.name))


def _version(path: Path) -> tuple[int, int]:
    about = path.lstat()
    return about.st_mtime_ns, about.st_size
