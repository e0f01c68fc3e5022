"""Heads that have left the house: a small file beside the ledger, so that an old copy put in its place is noticed.

Before mails leave, the heads their chains have then are added to `heads.jsonl`. A restored ledger that lacks one of
them has forgotten something a player may hold in his hands; nothing is sent until the referee has agreed, which is a
ruling in the journal. The file is no part of the ledger or of its backups: it must not be restored with them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Mapping
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import sqlalchemy as sa

from engine.canon import canonical
from pbem.ledger.chain import HOST
from pbem.ledger.store import Ledger, sync_folder
from pbem.ledger.tables import JOURNAL
from pbem.ledger.transaction import Read
from pbem.ledger.troubles import NotWritten, OlderThanMailed

NAME = "heads.jsonl"
LONG = 1_000_000  # bytes; a longer file is written anew with the last head of each chain


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
        ends = {chain: tx.end(chain) for chain in sorted(chains)}
    line = canonical({chain: [end.seq, end.hash.hex()] for chain, end in ends.items() if end.seq}) + b"\n"
    path = heads_file(ledger)
    try:
        if _add(path, line) > LONG:
            _write(path, known(path))
    except OSError as error:
        raise NotWritten(path, error.strerror or str(error)) from error


def _add(path: Path, line: bytes) -> int:
    """One more line, on the disk when this returns; gives the length of the file."""
    with path.open("ab") as file:
        if _cut(path):
            line = b"\n" + line  # a run was killed in the middle of a line: that one is left as it is
        file.write(line)
        file.flush()
        os.fsync(file.fileno())
        size = file.tell()
    sync_folder(path.parent)
    return size


def known(path: Path) -> dict[str, Mailed]:
    """The last head of each chain that left."""
    found: dict[str, Mailed] = {}
    for line in path.read_bytes().splitlines() if path.exists() else ():
        try:
            heads: Mapping[str, tuple[int, str]] = json.loads(line)
        except ValueError:
            continue  # cut while it was written: no mail had left yet
        for chain, (seq, head) in heads.items():
            found[chain] = Mailed(chain, seq, head)
    return found


def lost(tx: Read, path: Path) -> list[Mailed]:
    """The mailed heads that this ledger does not know."""
    query = sa.select(JOURNAL.c.hash).where(
        JOURNAL.c.chain == sa.bindparam("chain"), JOURNAL.c.seq == sa.bindparam("seq")
    )
    missing = []
    for mailed in known(path).values():
        row = tx.one(query, {"chain": mailed.chain, "seq": mailed.seq})
        if row is None or row.hash.hex() != mailed.head:
            missing.append(mailed)
    return missing


def guard(ledger: Ledger) -> None:
    """Refuse to go on with a ledger that has forgotten a mailed head."""
    with ledger.read() as tx:
        missing = lost(tx, heads_file(ledger))
    if missing:
        names = ", ".join(mailed.chain for mailed in missing[:3]) + (" and others" if len(missing) > 3 else "")
        raise OlderThanMailed(
            f"The ledger {ledger.path} is older than mails that have left (of {names}); nothing is sent until the "
            "referee agrees: `pbem restore --agree --reason ...`."
        )


def agree(ledger: Ledger, at: datetime, reason: str) -> list[Mailed]:
    """The referee goes on with this ledger: a ruling says which heads it lacks, and they are asked for no more."""
    path = heads_file(ledger)
    with ledger.write() as tx:
        missing = lost(tx, path)
        said = [list(mailed) for mailed in missing]
        tx.append(HOST, "ruling", at, {"act": "agree-restore", "reason": reason, "lost": said})
    forgotten = {mailed.chain for mailed in missing}
    _write(path, {chain: mailed for chain, mailed in known(path).items() if chain not in forgotten})
    return missing


def _cut(path: Path) -> bool:
    with path.open("rb") as file:
        length = file.seek(0, os.SEEK_END)
        file.seek(max(0, length - 1))
        return file.read() not in (b"", b"\n")


def _write(path: Path, heads: Mapping[str, Mailed]) -> None:
    """The file anew, whole or not at all."""
    beside = path.with_name(f".{path.name}.part")
    with beside.open("wb") as file:
        file.write(canonical({mailed.chain: [mailed.seq, mailed.head] for mailed in heads.values()}) + b"\n")
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
    sync_folder(path.parent)
