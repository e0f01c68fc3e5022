"""What stands in a folder, as a value: to be compared with another, and to be laid out again byte by byte."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

CHUNK = 1 << 14


class Entry(NamedTuple):
    """One name in a folder; `parts` are a file's bytes or a link's goal, in pieces that many states share."""

    mode: int
    parts: tuple[bytes, ...] = ()


State = dict[str, Entry]


class Album:
    """Takes pictures of a folder. Files are read whole each time: no clock is fine enough to tell what was written."""

    def __init__(self) -> None:
        self._parts: dict[bytes, bytes] = {}
        self.times: dict[tuple[str, Entry], int] = {}  # when a file that looked so was last written

    def taken(self, folder: Path) -> State:
        return dict(self._entries(str(folder), ""))

    def _entries(self, folder: str, under: str) -> Iterator[tuple[str, Entry]]:
        with os.scandir(folder) as names:
            found = sorted(names, key=lambda one: one.name)
        for one in found:
            name = f"{under}{one.name}"
            try:
                about = one.stat(follow_symlinks=False)
                if stat.S_ISREG(about.st_mode):
                    entry = Entry(about.st_mode, tuple(self._read(one.path)))
                elif stat.S_ISLNK(about.st_mode):
                    entry = Entry(about.st_mode, (os.fsencode(os.readlink(one.path)),))  # noqa: PTH115
                else:
                    entry = Entry(about.st_mode)
            except FileNotFoundError:
                continue  # another process has taken it away meanwhile: whoever needs to be sure looks twice
            self.times.setdefault((name, entry), about.st_mtime_ns)
            yield name, entry
            if stat.S_ISDIR(about.st_mode):
                yield from self._entries(one.path, f"{name}/")

    def _read(self, path: str) -> Iterator[bytes]:
        file = os.open(path, os.O_RDONLY)
        try:
            while part := os.read(file, CHUNK):
                yield self._parts.setdefault(part, part)
        finally:
            os.close(file)

    def laid_out(self, state: State, folder: Path) -> None:
        """The same names, kinds, modes, bytes and times in an empty folder."""
        for name, entry in state.items():
            path = folder / name
            _make(path, entry)
            if not stat.S_ISLNK(entry.mode):
                path.chmod(stat.S_IMODE(entry.mode))
        for name, entry in reversed(state.items()):  # what stands in a folder before the folder
            when = self.times[name, entry]
            os.utime(folder / name, ns=(when, when), follow_symlinks=False)


def _make(path: Path, entry: Entry) -> None:
    if stat.S_ISDIR(entry.mode):
        path.mkdir()
    elif stat.S_ISLNK(entry.mode):
        path.symlink_to(os.fsdecode(entry.parts[0]))
    elif stat.S_ISREG(entry.mode):
        path.write_bytes(b"".join(entry.parts))
    else:
        os.mknod(path, entry.mode)  # the name of a socket on which nobody listens any more


def differing(one: State, other: State) -> list[str]:
    """The names by which two states differ."""
    return sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))


def size_of(state: State) -> dict[str, tuple[int, int]]:
    """Names, modes and lengths."""
    return {name: (entry.mode, sum(map(len, entry.parts))) for name, entry in state.items()}
