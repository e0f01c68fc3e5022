"""The timeline: what a program did to a folder, read from strace, in the order it was done.

Only system calls that change files or make them last are kept. Files that are changed through memory (SQLite's -shm)
are not seen, and need not be: nothing in them has to survive.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

CALLS = (
    "open,openat,creat,close,dup,dup2,dup3,clone,fork,vfork,clone3,write,pwrite64,writev,pwritev,lseek,truncate,ftruncate,"
    "fallocate,fsync,fdatasync,sync,syncfs,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,rmdir,link,linkat,sendfile,"
    "copy_file_range"
)
OPTIONS = ["-y", "-xx", "-s", "8000000", "-e", f"trace={CALLS}", "-e", "signal=none"]

LINE = re.compile(r"(\d+) +(\w+)\((.*)\) += (-?\d+|\?)(?:<([^>]*)>)?.*", re.DOTALL)
FD = re.compile(r"(AT_FDCWD|\d+)(?:<([^>]*)>)?")
IGNORED = ("-shm",)


class Op(NamedTuple):
    """One thing done: write, truncate, sync, sync_all, create, rename, link, unlink, mkdir, ack (somebody was told)."""

    what: str
    path: str
    offset: int = 0
    data: bytes = b""
    other: str = ""


@dataclass
class Reader:
    """Reads a trace, keeping track of where each open file stands."""

    root: str
    acks: str
    files: set[str]
    sizes: dict[str, int] = field(default_factory=dict)
    places: dict[tuple[str, str], int] = field(default_factory=dict)
    appending: set[tuple[str, str]] = field(default_factory=set)
    unfinished: dict[str, str] = field(default_factory=dict)

    def ops(self, trace: str) -> Iterator[Op]:
        for text in trace.splitlines():
            line = self._whole(text)
            found = LINE.fullmatch(line) if line else None
            if found is None:
                continue
            pid, call, arguments, result, opened = found.groups()
            reads = CALL.get(call)
            if result in ("?", "-1") or reads is None:
                continue
            yield from reads(self, pid, _split(arguments), int(result), _text(opened or ""))

    def _whole(self, text: str) -> str:
        """Calls that were interrupted in the trace by another process stand in two lines."""
        pid, _, rest = text.partition(" ")
        if rest.endswith("<unfinished ...>"):
            self.unfinished[pid] = text.removesuffix("<unfinished ...>")
            return ""
        resumed = re.match(r" *<\.\.\. \w+ resumed>(.*)", rest, re.DOTALL)
        return self.unfinished.pop(pid, "") + resumed[1] if resumed else text

    def ours(self, path: str) -> bool:
        inside = path == self.root or path.startswith(f"{self.root}/")
        return inside and not path.endswith((*IGNORED, "(deleted)"))

    def at(self, fd: str, name: str) -> str:
        """The path a call names, seen from a folder it has open."""
        return name if name.startswith("/") else str(Path(_path(fd)) / name)

    # --- calls ------------------------------------------------------------------------------------------------------

    def open_at(self, pid: str, given: list[str], fd: int, opened: str) -> Iterator[Op]:
        place = (pid, str(fd))
        self.places[place] = 0
        self.appending.discard(place)
        if "O_APPEND" in given[2]:
            self.appending.add(place)
        if not self.ours(opened) or "O_DIRECTORY" in given[2] or Path(opened).is_dir():
            return
        if opened not in self.files and "O_CREAT" in given[2]:
            self.files.add(opened)
            self.sizes[opened] = 0
            yield Op("create", opened)
        elif "O_TRUNC" in given[2]:
            self.sizes[opened] = 0
            yield Op("truncate", opened)

    def open_here(self, pid: str, given: list[str], fd: int, opened: str) -> Iterator[Op]:
        return self.open_at(pid, ["AT_FDCWD", *given], fd, opened)

    def write(self, pid: str, given: list[str], count: int, opened: str) -> Iterator[Op]:
        fd, path = given[0].partition("<")[0], _path(given[0])
        data = _bytes(given[1])[:count]
        if path == self.acks:
            yield Op("ack", path, data=data)
        elif self.ours(path):
            place = (pid, fd)
            offset = self.sizes.get(path, 0) if place in self.appending else self.places.get(place, 0)
            self.places[place] = offset + count
            yield self._written(path, offset, data)

    def write_at(self, pid: str, given: list[str], count: int, opened: str) -> Iterator[Op]:
        path = _path(given[0])
        if self.ours(path):
            yield self._written(path, int(given[3]), _bytes(given[1])[:count])

    def _written(self, path: str, offset: int, data: bytes) -> Op:
        self.sizes[path] = max(self.sizes.get(path, 0), offset + len(data))
        return Op("write", path, offset, data)

    def seek(self, pid: str, given: list[str], place: int, opened: str) -> Iterator[Op]:
        self.places[pid, given[0].partition("<")[0]] = place
        yield from ()

    def cut(self, pid: str, given: list[str], result: int, opened: str) -> Iterator[Op]:
        path = _path(given[0]) if FD.fullmatch(given[0]) else _text(given[0])
        if self.ours(path):
            self.sizes[path] = int(given[1])
            yield Op("truncate", path, int(given[1]))

    def sync(self, pid: str, given: list[str], result: int, opened: str) -> Iterator[Op]:
        if self.ours(_path(given[0])):
            yield Op("sync", _path(given[0]))

    def sync_all(self, pid: str, given: list[str], result: int, opened: str) -> Iterator[Op]:
        yield Op("sync_all", self.root)

    def renamed(self, old: str, new: str) -> Iterator[Op]:
        if self.ours(old) or self.ours(new):
            self.files.discard(old)
            self.files.add(new)
            self.sizes[new] = self.sizes.pop(old, 0)
            yield Op("rename", old, other=new)

    def rename(self, pid: str, given: list[str], result: int, opened: str) -> Iterator[Op]:
        return self.renamed(self.at("AT_FDCWD", _text(given[0])), self.at("AT_FDCWD", _text(given[1])))

    def rename_at(self, pid: str, given: list[str], result: int, opened: str) -> Iterator[Op]:
        return self.renamed(self.at(given[0], _text(given[1])), self.at(given[2], _text(given[3])))

    def link_at(self, pid: str, given: list[str], result: int, opened: str) -> Iterator[Op]:
        old, new = self.at(given[0], _text(given[1])), self.at(given[2], _text(given[3]))
        if self.ours(new):
            self.files.add(new)
            yield Op("link", old, other=new)

    def link(self, pid: str, given: list[str], result: int, opened: str) -> Iterator[Op]:
        return self.link_at(pid, ["AT_FDCWD", given[0], "AT_FDCWD", given[1]], result, opened)

    def unlink_at(self, pid: str, given: list[str], result: int, opened: str) -> Iterator[Op]:
        path = self.at(given[0], _text(given[1]))
        if self.ours(path):
            self.files.discard(path)
            yield Op("unlink", path)

    def unlink(self, pid: str, given: list[str], result: int, opened: str) -> Iterator[Op]:
        return self.unlink_at(pid, ["AT_FDCWD", *given], result, opened)

    def mkdir_at(self, pid: str, given: list[str], result: int, opened: str) -> Iterator[Op]:
        path = self.at(given[0], _text(given[1]))
        if self.ours(path):
            yield Op("mkdir", path)

    def mkdir(self, pid: str, given: list[str], result: int, opened: str) -> Iterator[Op]:
        return self.mkdir_at(pid, ["AT_FDCWD", *given], result, opened)

    def doubled(self, pid: str, given: list[str], fd: int, opened: str) -> Iterator[Op]:
        old = (pid, given[0].partition("<")[0])
        self.places[pid, str(fd)] = self.places.get(old, 0)
        if old in self.appending:
            self.appending.add((pid, str(fd)))
        yield from ()

    def forked(self, pid: str, given: list[str], child: int, opened: str) -> Iterator[Op]:
        """A child begins with its parent's open files."""
        for (owner, fd), place in list(self.places.items()):
            if owner == pid:
                self.places[str(child), fd] = place
        self.appending |= {(str(child), fd) for owner, fd in self.appending if owner == pid}
        yield from ()

    def unknown(self, pid: str, given: list[str], result: int, opened: str) -> Iterator[Op]:
        if any(self.ours(_path(one)) for one in given if FD.fullmatch(one)):
            raise AssertionError(f"a change this reader does not know: {given}")
        yield from ()


Call = Callable[[Reader, str, list[str], int, str], Iterator[Op]]
CALL: dict[str, Call] = {
    "open": Reader.open_here,
    "creat": Reader.unknown,
    "openat": Reader.open_at,
    "write": Reader.write,
    "pwrite64": Reader.write_at,
    "writev": Reader.unknown,
    "pwritev": Reader.unknown,
    "sendfile": Reader.unknown,
    "copy_file_range": Reader.unknown,
    "fallocate": Reader.unknown,
    "lseek": Reader.seek,
    "truncate": Reader.cut,
    "ftruncate": Reader.cut,
    "fsync": Reader.sync,
    "fdatasync": Reader.sync,
    "sync": Reader.sync_all,
    "syncfs": Reader.sync_all,
    "rename": Reader.rename,
    "renameat": Reader.rename_at,
    "renameat2": Reader.rename_at,
    "link": Reader.link,
    "linkat": Reader.link_at,
    "unlink": Reader.unlink,
    "unlinkat": Reader.unlink_at,
    "mkdir": Reader.mkdir,
    "mkdirat": Reader.mkdir_at,
    "dup": Reader.doubled,
    "dup2": Reader.doubled,
    "dup3": Reader.doubled,
    "clone": Reader.forked,
    "clone3": Reader.forked,
    "fork": Reader.forked,
    "vfork": Reader.forked,
}


def _split(arguments: str) -> list[str]:
    return arguments.split(", ")  # every text is written in hexadecimal, so a comma is never part of one


def _path(fd: str) -> str:
    found = FD.fullmatch(fd)
    return _text(found[2] or "") if found else ""


def _bytes(text: str) -> bytes:
    inner = text.strip('"')
    if text.endswith("..."):
        raise AssertionError("the trace was cut: a text is longer than strace was told to show")
    return bytes.fromhex(inner.replace("\\x", ""))


def _text(text: str) -> str:
    inner = text.strip('"')
    return _bytes(inner).decode() if inner.startswith("\\x") else inner
