"""One run at a time: a lock that dies with its process, so a killed run never blocks the next."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pbem.errors import Busy


@contextmanager
def alone(path: Path, what: str) -> Iterator[None]:
    """Hold the lock file, or raise Busy at once."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Busy(f"Another {what} is at work on {path.parent}; this one leaves it alone.") from None
        yield
    finally:
        os.close(handle)
