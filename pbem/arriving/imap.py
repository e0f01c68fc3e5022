"""A mailbox on an IMAP server: what is there is fetched whole, stored, committed, and only then marked or moved.

Cut at any point, the run goes on over a new line; what was fetched whole is stored first. A message at which the line
breaks twice, or that the server will not give, is left where it lies and named, and those behind it are fetched.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from pbem.arriving import imap_memory
from pbem.arriving.brought import Brought
from pbem.arriving.imap_line import PATIENCE, About, Line, LineDown, Refused
from pbem.arriving.imap_memory import Memory
from pbem.arriving.message import LARGEST, Message, arrived_by
from pbem.arriving.settings import Imap
from pbem.arriving.storing import IMAP, store
from pbem.errors import Trouble
from pbem.faults import fault
from pbem.ledger import Ledger

AT_A_TIME = 50  # messages stored in one transaction
BYTES = 4 << 20  # or so many bytes
ASKED = 200  # messages whose size is asked for at once
TRIES = 2  # times a line may break at one message
IN_VAIN = 2  # lines on which nothing was achieved, before the server counts as silent
WHOLE = 300.0  # seconds for all of it; the next run goes on


@dataclass(slots=True)
class _Run:
    """One run over a mailbox, on as many lines as it takes."""

    box: Imap
    ledger: Ledger
    path: Path
    memory: Memory
    now: datetime
    until: float
    most: int
    new: int = 0
    known: int = 0
    warning: str = ""
    batch: dict[int, Message] = field(default_factory=dict)  # fetched, not stored yet
    unmarked: set[int] = field(default_factory=set)  # stored, not marked yet
    left: dict[int, str] = field(default_factory=dict)
    tries: dict[int, int] = field(default_factory=dict)

    @property
    def achieved(self) -> int:
        return len(self.memory.done) + len(self.left)


def gather(
    ledger: Ledger, box: Imap, memory: Path, now: datetime, patience: float = PATIENCE, most: int = LARGEST
) -> Brought:
    """Store what the mailbox holds; gives who could be reached and how much came."""
    try:
        password = box.password()
    except Trouble as trouble:
        return Brought(IMAP, str(box.place), silent=str(trouble).rstrip("."))
    run = _Run(box, ledger, memory, imap_memory.recall(memory, box, ledger), now, time.monotonic() + WHOLE, most)
    silent, in_vain = "", 0
    while in_vain < IN_VAIN:
        before = run.achieved
        try:
            with Line(box, password, patience) as line:
                silent = _through(run, line)
            break
        except LineDown as down:
            silent = str(down)
        in_vain = in_vain + 1 if run.achieved == before else 0
        if time.monotonic() > run.until:
            break
    return Brought(IMAP, str(box.place), run.new, run.known, tuple(run.left.values()), silent, warning=run.warning)


def _through(run: _Run, line: Line) -> str:
    """Everything that is not done yet; gives why there is a rest, if there is one."""
    _numbered(run, line.validity)
    try:
        _put_away(run, line)  # what the line before was cut at
        there = line.uids()
        run.memory.done &= set(there)
        todo = [uid for uid in there if uid not in run.memory.done and uid not in run.left]
        todo.sort(key=lambda uid: (run.tries.get(uid, 0), uid))  # what a line broke at comes last
        for first in range(0, len(todo), ASKED):
            asked = todo[first : first + ASKED]
            about = line.about(asked)
            for uid in asked:
                if time.monotonic() > run.until:
                    return "there was more than could be fetched in one run"
                if uid in about:
                    _take(run, line, about[uid])
    except Refused as refused:
        return f"it refuses to say what is there: {refused}"
    finally:
        _store(run)
        imap_memory.keep(run.path, run.box, run.ledger, run.memory)
    _put_away(run, line)
    return ""


def _numbered(run: _Run, validity: int) -> None:
    """Under a new numbering nothing that a number stood for holds any more."""
    if run.memory.validity != validity:
        run.tries, run.left, run.unmarked = {}, {}, set()
    run.memory.turn_to(validity)


def _take(run: _Run, line: Line, about: About) -> None:
    """Fetch one message; store and mark when enough have come."""
    uid = about.uid
    if run.memory.new and not run.box.done and "\\Seen" in about.flags:
        run.memory.done.add(uid)  # read before our time
        return
    try:
        raw = line.body(uid, about.size, run.most)
    except LineDown as down:
        run.tries[uid] = run.tries.get(uid, 0) + 1
        if run.tries[uid] >= TRIES:
            run.left[uid] = f"message {uid} ({down})"
        raise
    except Refused as refused:
        run.left[uid] = f"message {uid} ({refused})"
        return
    if raw is None:
        return  # it has vanished
    run.batch[uid] = arrived_by(raw, min(about.at or run.now, run.now), about.size, run.most)
    if len(run.batch) >= AT_A_TIME or sum(len(message.raw) for message in run.batch.values()) >= BYTES:
        _store(run)
        _put_away(run, line)
        imap_memory.keep(run.path, run.box, run.ledger, run.memory)


def _store(run: _Run) -> None:
    """What was fetched goes into the ledger; from then on it may be marked."""
    if not run.batch:
        return
    stored = store(run.ledger, list(run.batch.values()), IMAP)
    run.new += sum(one.new for one in stored)
    run.known += sum(not one.new for one in stored)
    run.memory.done |= run.batch.keys()
    run.unmarked |= run.batch.keys()
    run.batch = {}


def _put_away(run: _Run, line: Line) -> None:
    """Mark, or move, what is stored. A server that will not is no trouble: we remember what is done."""
    if not run.unmarked:
        return
    try:
        if run.box.done:
            line.move(sorted(run.unmarked), run.box.done)
        else:
            line.mark(sorted(run.unmarked))
    except Refused as refused:
        run.warning = f"what was taken cannot be marked or moved ({refused})"
    run.unmarked = set()
    fault("mails-marked")
