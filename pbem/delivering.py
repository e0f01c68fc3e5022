"""Delivery: what waits in the outbox leaves, at least once, always the same bytes, and its fate is written down."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from pbem.config import Config
from pbem.faults import fault
from pbem.ledger import Ledger, mailed, outbox
from pbem.ledger.outbox import SENT, OutMail
from pbem.mailparts import parts
from pbem.outgoing import JSON_FILE

AT_A_TIME = 200
FEW = 16  # so many files are synced one by one; for more, everything is synced at once
Tell = Callable[[str, int, int], None]


def deliver(config: Config, ledger: Ledger, now: datetime, tell: Tell | None = None) -> dict[str, int]:
    """Carry every mail that is due into the outbox folder; gives how many had which fate.

    A batch is written, made to last, and only then noted as sent: a run killed in between writes it once more, the
    same bytes under the same names.
    """
    counts: dict[str, int] = {}
    mailed.guard(ledger)  # an old copy in the ledger's place must not contradict what players hold in their hands
    while True:
        with ledger.read() as tx:
            batch = [(mail, outbox.raw(tx, mail.message_id)) for mail in outbox.due(tx, now, AT_A_TIME)]
        if not batch:
            return counts
        mailed.note(ledger, {mail.game for mail, _ in batch})
        _make_last([put(config.outbox, mail, raw) for mail, raw in batch])  # before the ledger says they have left
        fault("mails-written")
        with ledger.write() as tx:
            for mail, _ in batch:
                outbox.fate(tx, mail, SENT, now)
        fault("mails-noted")
        counts[SENT] = counts.get(SENT, 0) + len(batch)
        if tell:
            tell("delivering", counts[SENT], counts[SENT])


def put(folder: Path, mail: OutMail, raw: bytes) -> Path:
    """One mail as an .eml file, and beside the other letters of its seat as files that can be read as they are."""
    letter = folder / "mail" / f"{name_of(mail.message_id)}.eml"
    _write(letter, raw)
    found = parts(raw)
    seat = folder / mail.game / (mail.seat or "host")
    stem = _free(seat, f"turn-{found.turn:04d}-{found.kind}", found.text.encode())
    for suffix, text in ((".txt", found.text), (".html", found.html)):
        if text:
            _write(seat / f"{stem}{suffix}", text.encode())
    for name, data in found.files.items():
        _write(seat / (f"{stem}.json" if name == JSON_FILE else f"{stem}-{name}"), data)
    return letter


def _free(seat: Path, stem: str, text: bytes) -> str:
    """A name for the readable copies: the files of a seat sort as they were written.

    Several reports of one turn (moves out of turn make them) stand beside each other; the same one written again by
    a run that was killed takes its own name.
    """
    name, number = stem, 1
    while (path := seat / f"{name}.txt").exists() and path.read_bytes() != text:
        number += 1
        name = f"{stem}-{number}"
    return name


def _make_last(letters: list[Path]) -> None:
    """Make the mails last through a power cut. The readable copies beside them could be made again."""
    if len(letters) > FEW:
        os.sync()
        return
    # The folder above too: the letters' own folder may have been made just now, and its name must last as well.
    folders = {above for letter in letters for above in (letter.parent, letter.parent.parent)}
    for path in [*letters, *folders]:
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def name_of(message_id: str) -> str:
    """A file name for a mail: the part of its id that we made of hexadecimal digits ourselves."""
    return message_id.strip("<>").partition("@")[0]


def _write(path: Path, data: bytes) -> None:
    """The whole file or none: it gets its name when all of it is there."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    part.write_bytes(data)
    part.replace(path)
