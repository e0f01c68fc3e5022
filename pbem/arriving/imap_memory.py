"""What we remember of a mailbox between two runs: which of its messages are in the ledger. It may be lost at any time.

Marks on the server would not do for that: a person who looks into the mailbox sets them as well, and some servers keep
none. Without this memory a message is at most fetched once more, and known again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from pbem.arriving.imap_line import ranges
from pbem.arriving.settings import Imap
from pbem.ledger.chain import HOST
from pbem.ledger.store import Ledger
from pbem.ledger.tables import JOURNAL

MOST = 10_000_000  # a range that claims to hold more numbers is none of ours


@dataclass(slots=True)
class Memory:
    """The numbers that are done, under the numbering that `validity` names; `new`: this mailbox is met for the first
    time."""

    validity: int | None = None
    done: set[int] = field(default_factory=set)
    new: bool = True

    def turn_to(self, validity: int) -> None:
        """The server's numbering; under another one no number means what it meant."""
        if self.validity != validity:
            self.validity, self.done = validity, set()


def recall(path: Path, box: Imap, ledger: Ledger) -> Memory:
    """What is remembered of that mailbox. Nothing, where the ledger is an older copy: then all is fetched again."""
    try:
        kept = json.loads(path.read_bytes())
        if kept["mailbox"] != _name(box):
            return Memory()
        if not _knows(ledger, int(kept["seq"]), str(kept["head"])):
            return Memory(new=False)
        return Memory(int(kept["validity"]), set(_numbers(kept["done"])), new=False)
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return Memory()


def keep(path: Path, box: Imap, ledger: Ledger, memory: Memory) -> None:
    """Write it down. A disk that is full is no reason to stop: it is told of by the ledger, where it matters."""
    with ledger.read() as tx:
        end = tx.end(HOST)
    kept: dict[str, Any] = {"mailbox": _name(box), "validity": memory.validity, "done": ranges(memory.done)}
    part = path.with_name(f".{path.name}.part")
    with suppress(OSError):
        part.write_text(json.dumps(kept | {"seq": end.seq, "head": end.hash.hex()}))
        part.replace(path)


def _name(box: Imap) -> str:
    return f"{box.user} {box.place} {box.folder}"


def _knows(ledger: Ledger, seq: int, head: str) -> bool:
    with ledger.read() as tx:
        row = tx.one(sa.select(JOURNAL.c.hash).where(JOURNAL.c.chain == HOST, JOURNAL.c.seq == seq))
    return seq == 0 or (row is not None and row.hash.hex() == head)


def _numbers(text: str) -> Iterable[int]:
    for part in filter(None, text.split(",")):
        first, _, last = part.partition(":")
        if int(last or first) - int(first) > MOST:
            raise ValueError(part)
        yield from range(int(first), int(last or first) + 1)
