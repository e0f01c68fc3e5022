"""Making names last: a file that was synced is lost all the same when the folder that names it was not."""

from __future__ import annotations

import os
from pathlib import Path


def sync_folder(folder: Path) -> None:
    """Make the names in a folder last through a power cut."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_whole(path: Path, content: bytes, mode: int) -> None:
    """A file with that content, or the one that was there before, whatever happens."""
    beside = path.with_name(f".{path.name}.part")
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, mode)
    with open(handle, "wb") as file:  # noqa: PTH123
        os.fchmod(handle, mode)
        file.write(content)
        file.flush()
        os.fsync(handle)
    beside.replace(path)
    sync_folder(path.parent)
