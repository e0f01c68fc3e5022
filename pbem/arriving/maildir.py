"""A Maildir: a mail server puts mails there, each a file; what is in the ledger is marked as seen, or moved.

What lies in `new`, and what lies in `cur` without the mark S (some programs carry new mails over before anybody has
seen them), is read oldest first. A run killed anywhere reads a mail again, and it is the same message.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from pbem.arriving.brought import Brought
from pbem.arriving.files import held, opened, whole
from pbem.arriving.message import LARGEST, Message, arrived_by
from pbem.arriving.storing import MAILDIR, store
from pbem.faults import fault
from pbem.ledger import Ledger

AT_A_TIME = 100  # mails stored in one transaction
INFO = ":2,"  # what stands between the name of a mail and its marks
SEEN = "S"


class Delivered(NamedTuple):
    """A mail of the Maildir."""

    path: Path
    at: datetime
    plain: bool  # a file, and nothing else


def gather(ledger: Ledger, folder: Path, done: str, now: datetime, most: int = LARGEST) -> Brought:
    """Store what was delivered, then mark it or move it to the folder `done` of the Maildir."""
    place = f"The Maildir {folder}"
    try:
        away = _made(folder / done) if done else None
        mails = sorted(_unseen(folder), key=lambda mail: (mail.at, mail.path.name))
    except OSError as error:
        return Brought(MAILDIR, place, silent=f"{error.filename}: {error.strerror}")
    new = known = 0
    left = [mail.path.name for mail in mails if not mail.plain]
    takable = [mail for mail in mails if mail.plain]
    warning = ""
    step = min(AT_A_TIME, held(most))
    for first in range(0, len(takable), step):
        batch = [(mail, message) for mail, message in _read(takable[first : first + step], now, left, most)]
        if not batch:
            continue
        stored = store(ledger, [message for _, message in batch], MAILDIR)
        new, known = new + sum(one.new for one in stored), known + sum(not one.new for one in stored)
        for mail, _ in batch:
            warning = _put_away(mail.path, away) or warning
        fault("mails-marked")
    return Brought(MAILDIR, place, new, known, tuple(left), warning=warning)


def _unseen(folder: Path) -> Iterator[Delivered]:
    for name in ("new", "cur"):
        with os.scandir(folder / name) as entries:
            for entry in entries:
                marks = entry.name.partition(INFO)[2]
                if entry.name.startswith(".") or (name == "cur" and SEEN in marks):
                    continue
                with suppress(FileNotFoundError):  # taken away meanwhile
                    about = entry.stat(follow_symlinks=False)
                    # The instant the server finished writing it: nobody who sends a mail can set that.
                    at = datetime.fromtimestamp(int(about.st_mtime), UTC)
                    yield Delivered(Path(entry.path), at, stat.S_ISREG(about.st_mode))


def _read(mails: Sequence[Delivered], now: datetime, left: list[str], most: int) -> Iterator[tuple[Delivered, Message]]:
    """Those that can be read; the names of the others go to `left`."""
    for mail in mails:
        with suppress(FileNotFoundError):  # taken away meanwhile
            with opened(mail.path) as handle:
                size = 0 if handle is None else os.fstat(handle).st_size
                raw = None if handle is None else whole(handle, most, most)
            if raw is None:
                left.append(mail.path.name)
            else:
                yield mail, arrived_by(raw, min(mail.at, now), size, most)


def _put_away(path: Path, away: Path | None) -> str:
    """Mark it as seen, or move it; gives why that could not be done. It is stored all the same."""
    name, _, marks = path.name.partition(INFO)
    seen = f"{name}{INFO}{''.join(sorted({*marks, SEEN}))}"
    try:
        path.rename((away or path.parent.parent) / "cur" / seen)
    except FileNotFoundError:
        return ""  # another program has taken it away, or marked it
    except OSError as error:
        return f"what was taken cannot be marked ({error.strerror}), so that it is read again each time"
    return ""


def _made(folder: Path) -> Path:
    """A folder of the Maildir, with the three that every Maildir has."""
    for name in ("tmp", "new", "cur"):
        (folder / name).mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder
