"""Files that others put somewhere: opened without following links or waiting for pipes, read up to a bound."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MEMORY = 64 << 20  # bytes of files that are held at once


@contextmanager
def opened(path: Path) -> Iterator[int | None]:
    """The file, open for reading; None for what cannot be. A link is not followed, a pipe or device not waited for."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        raise
    except OSError:
        yield None
        return
    try:
        yield handle
    finally:
        os.close(handle)


def whole(handle: int, size: int, most: int) -> bytes:
    """All of it, or enough to see that it is too much."""
    parts, got = [], 0
    while len(part := os.read(handle, size + 1)):
        parts.append(part)
        got += len(part)
        if got > most:
            break
    return b"".join(parts)


def held(most: int) -> int:
    """How many files of so many bytes are held at once, whatever a host lets a message have."""
    return max(1, MEMORY // most)
