"""Heads that have left the house: a small file beside the ledger, so that an old copy put in its place is noticed.

Before mails leave, the heads their chains have then are added to `heads.jsonl`. A restored ledger that lacks one of
them has forgotten something a player may hold in his hands; nothing is sent until the referee has agreed, which is a
ruling in the journal. The file is no part of the ledger or of its backups: it must not be restored with them.

A note is two lines: the heads, and the newest row of the whole journal at that moment. History is one line of rows, so
a ledger that holds the newest row noted last holds everything noted before, and one look-up tells; only when it is
missing are the heads looked at one by one.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy as sa

from engine.canon import canonical
from pbem.ledger.chain import HOST
from pbem.ledger.store import Ledger
from pbem.ledger.tables import JOURNAL, OUTBOX
from pbem.ledger.transaction import Read
from pbem.ledger.troubles import NotWritten, OlderThanMailed
from pbem.syncing import sync_folder

NAME = "heads.jsonl"
AGREED = "agree-restore"  # the act of the ruling by which a referee goes on with a copy that lacks such heads
LONG = 1_000_000  # bytes; a longer file is written anew with the last head of each chain, when that is half as long
BATCH = 400
TAIL = 4096  # more than the line of the newest row takes
NEWEST = ""  # no chain has this name

_PLACES = sa.select(JOURNAL.c.chain, JOURNAL.c.seq, JOURNAL.c.hash)
_AT = _PLACES.where(JOURNAL.c.chain == sa.bindparam("chain"), JOURNAL.c.seq == sa.bindparam("seq"))
_NEWEST = _PLACES.order_by(JOURNAL.c.id.desc()).limit(1)


class Mailed(NamedTuple):
    """A head that was mailed: the row it names, and its hash."""

    chain: str
    seq: int
    head: str


def heads_file(ledger: Ledger) -> Path:
    """Where the heads that have left are kept."""
    return ledger.path.with_name(NAME)


def note(ledger: Ledger, chains: Collection[str]) -> None:
    """Write down, to the disk, where these chains end, before mails leave that may name it."""
    with ledger.read() as tx:
        ends = tx.ends(sorted(chains))
        newest = _newest(tx)
    heads = {chain: Mailed(chain, ends[chain].seq, ends[chain].hash.hex()) for chain in sorted(ends) if ends[chain].seq}
    path = heads_file(ledger)
    try:
        size = _add(path, _lines(heads, newest))
        if size > LONG and 2 * len(_lines(heads := known(path), newest)) < size:
            _write(path, heads, newest)
    except OSError as error:
        raise NotWritten(path, error.strerror or str(error)) from error


def _add(path: Path, lines: bytes) -> int:
    """More lines, on the disk when this returns; gives the length of the file."""
    with path.open("ab") as file:
        if _cut(path):
            lines = b"\n" + lines  # a run was killed in the middle of a line: that one is left as it is
        file.write(lines)
        file.flush()
        os.fsync(file.fileno())
        size = file.tell()
    sync_folder(path.parent)
    return size


def known(path: Path) -> dict[str, Mailed]:
    """The last head of each chain that left."""
    found: dict[str, Mailed] = {}
    for heads in _read(path.read_bytes().split(b"\n")) if path.exists() else ():
        if NEWEST not in heads:
            found |= {chain: Mailed(chain, seq, head) for chain, (seq, head) in heads.items()}
    return found


def newest_known(path: Path) -> Mailed | None:
    """The newest row of the journal when heads were last noted, from the end of the file."""
    if not path.exists():
        return None
    with path.open("rb") as file:
        length = file.seek(0, os.SEEK_END)
        file.seek(max(0, length - TAIL))
        lines = file.read().split(b"\n")
    row = next((noted[NEWEST] for noted in _read(reversed(lines)) if NEWEST in noted), None)
    return None if row is None else Mailed(*row)


def _read(lines: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    """What lines of the file say, but for those cut while they were written: no mail had left yet."""
    for line in lines:
        try:
            noted = json.loads(line)
        except ValueError:
            continue
        if isinstance(noted, dict):
            yield noted


def lost(tx: Read, path: Path) -> list[Mailed]:
    """The mailed heads that this ledger does not know. Many at a time: every game that ever mailed has one."""
    heads = list(known(path).values())
    place = sa.tuple_(JOURNAL.c.chain, JOURNAL.c.seq)
    missing = []
    for start in range(0, len(heads), BATCH):
        batch = heads[start : start + BATCH]
        wanted = place.in_([(mailed.chain, mailed.seq) for mailed in batch])
        found = {(row.chain, row.seq): row.hash.hex() for row in tx.all(_PLACES.where(wanted))}
        missing += [mailed for mailed in batch if found.get((mailed.chain, mailed.seq)) != mailed.head]
    return missing


def unnoted(tx: Read, path: Path) -> bool:
    """Whether mails have left, and the file is not there that says which: the folder is another one than it was."""
    sent = sa.select(OUTBOX.c.id).where(OUTBOX.c.state == "sent").limit(1)
    return not path.exists() and tx.one(sent) is not None


def guard(ledger: Ledger) -> None:
    """Refuse to go on with a ledger that has forgotten a mailed head."""
    path = heads_file(ledger)
    newest = newest_known(path)
    with ledger.read() as tx:
        missing = [] if newest is not None and _holds(tx, newest) else lost(tx, path)
    if missing:
        names = ", ".join(mailed.chain for mailed in missing[:3]) + (" and others" if len(missing) > 3 else "")
        raise OlderThanMailed(
            f"The ledger {ledger.path} is older than mails that have left (of {names}); nothing is sent until the "
            "referee agrees: `pbem restore --agree --reason ...`."
        )


def _holds(tx: Read, row: Mailed) -> bool:
    found = tx.one(_AT, {"chain": row.chain, "seq": row.seq})
    return found is not None and found.hash.hex() == row.head


def _newest(tx: Read) -> Mailed:
    found = tx.one(_NEWEST)
    return Mailed(HOST, 0, "") if found is None else Mailed(found.chain, found.seq, found.hash.hex())


def agree(ledger: Ledger, at: datetime, reason: str) -> list[Mailed]:
    """The referee goes on with this ledger: a ruling says which heads it lacks, and they are asked for no more."""
    path = heads_file(ledger)
    with ledger.write() as tx:
        missing = lost(tx, path)
        said = [list(mailed) for mailed in missing]
        tx.append(HOST, "ruling", at, {"act": AGREED, "reason": reason, "lost": said})
    forgotten = {mailed.chain for mailed in missing}
    with ledger.read() as tx:
        newest = _newest(tx)
    _write(path, {chain: mailed for chain, mailed in known(path).items() if chain not in forgotten}, newest)
    return missing


def _cut(path: Path) -> bool:
    with path.open("rb") as file:
        length = file.seek(0, os.SEEK_END)
        file.seek(max(0, length - 1))
        return file.read() not in (b"", b"\n")


def _lines(heads: Mapping[str, Mailed], newest: Mailed) -> bytes:
    chains = {mailed.chain: [mailed.seq, mailed.head] for mailed in heads.values()}
    return canonical(chains) + b"\n" + canonical({NEWEST: list(newest)}) + b"\n"


def _write(path: Path, heads: Mapping[str, Mailed], newest: Mailed) -> None:
    """The file anew, whole or not at all."""
    beside = path.with_name(f".{path.name}.part")
    with beside.open("wb") as file:
        file.write(_lines(heads, newest))
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
    sync_folder(path.parent)
