"""One run at a time: a lock that dies with its process, so a killed run never blocks the next."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pbem.errors import Busy
from pbem.sharing import open_private

AGAIN = 0.05  # seconds between two tries


@contextmanager
def alone(path: Path, what: str, patience: float = 0) -> Iterator[None]:
    """Hold the lock file, or raise Busy when it does not become free within so many seconds."""
    handle = open_private(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC)
    until = time.monotonic() + patience
    try:
        while not _locked(handle):
            if time.monotonic() >= until:
                raise Busy(f"Another {what} is at work on {path.parent}; this one leaves it alone.")
            time.sleep(AGAIN)
        yield
    finally:
        os.close(handle)


def _locked(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
