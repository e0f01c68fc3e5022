"""The power cut: a program's recorded writes played back onto a disk that loses what was not synced (G2).

    room/disk       what the program works in         room/acks   whom it told what, and when
    timeline = record(lambda folder, ack: ..., room)
    campaign(timeline, check, cuts=5000)

At every step the disk may hold none of the unsynced writes, or any part of them, torn at any sector. What was made,
renamed or removed in a folder lasts in one of two ways: STRICT, only once the folder itself was synced (all that POSIX
promises), or ORDERED, as soon as anything after it was synced (what journalling file systems do). `check(folder, acks)`
gets each such disk and the acknowledgements made before the cut, and says what is wrong with it, or None.
"""

from __future__ import annotations

import os
import random
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.faults.timeline import OPTIONS, Op, Reader
from tests.faults.tracing import traced

Ack = Callable[[str], None]
Check = Callable[[Path, list[str]], str | None]
STRICT, ORDERED = "strict", "ordered"
SECTOR = 512


@dataclass(frozen=True)
class Timeline:
    """A recorded run: the disk it began with, and what was done to it."""

    root: Path
    before: dict[str, bytes]
    folders: frozenset[str]  # that were there before
    ops: tuple[Op, ...]


@dataclass(frozen=True)
class Campaign:
    """What a campaign came to; `wrong` holds what the check said, and how often."""

    ops: int
    cuts: int
    bad: int
    seconds: float
    wrong: Counter[str]

    def __str__(self) -> str:
        worst = "; ".join(f"{count} x {what}" for what, count in self.wrong.most_common(3))
        return f"{self.bad} of {self.cuts} power cuts went wrong ({self.ops} steps, {self.seconds:.1f} s) {worst}"


def record(program: Callable[[Path, Ack], object], room: Path) -> Timeline:
    """Run the program once under strace; it works in `room/disk`."""
    root, acks = room / "disk", room / "acks"
    root.mkdir(exist_ok=True)
    root, acks = root.resolve(), acks.resolve()
    before = {str(path): path.read_bytes() for path in root.rglob("*") if path.is_file()}
    folders = frozenset(str(path) for path in root.rglob("*") if path.is_dir())
    told = os.open(acks, os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600)
    try:
        ended = traced(
            lambda: program(root, lambda text: os.write(told, f"{text}\n".encode())), room / "trace", OPTIONS
        )
    finally:
        os.close(told)
    if ended.code:
        raise AssertionError(f"the recorded run ended with {ended.code}")
    reader = Reader(str(root), str(acks), set(before), {path: len(data) for path, data in before.items()})
    timeline = Timeline(root, before, folders, tuple(reader.ops(ended.trace)))
    _same(timeline)
    return timeline


def _same(timeline: Timeline) -> None:
    """With nothing lost the recorded writes must give the very files the program left: else the record is no good."""
    disk = Disk(timeline)
    for op in timeline.ops:
        disk.apply(op)
    found = {path: bytes(inode.whole()) for path, inode in disk.inodes.items() if not inode.folder}
    left = {str(path): path.read_bytes() for path in timeline.root.rglob("*") if path.is_file()}
    kept = {path: data for path, data in left.items() if not path.endswith("-shm")}
    if found != kept:
        wrong = sorted(path for path in found.keys() | kept.keys() if found.get(path) != kept.get(path))
        raise AssertionError(f"the record does not give what was written to {wrong}")


class Inode:
    """A file's content: what lasts, and what was written since it was last synced. A folder has none."""

    def __init__(self, durable: bytes = b"", *, folder: bool = False) -> None:
        self.durable = bytearray(durable)
        self.pending: list[Op] = []
        self.folder = folder

    def whole(self) -> bytearray:
        return _applied(self.durable, self.pending)

    def torn(self, luck: random.Random) -> bytearray:
        """The content after a cut that let some of the writes through, and parts of others."""
        return _applied(self.durable, [part for op in self.pending for part in _part(op, luck)])


@dataclass
class Disk:
    """The disk while the program runs: names and contents, each as it is and as far as it lasts."""

    timeline: Timeline
    inodes: dict[str, Inode] = field(init=False)
    lasting: dict[str, dict[str, Inode]] = field(init=False)  # names that outlive a cut, in either way
    waiting: dict[str, list[tuple[Op, Inode | None]]] = field(init=False)
    acks: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.inodes = {path: Inode(data) for path, data in self.timeline.before.items()}
        self.lasting = {model: dict(self.inodes) for model in (STRICT, ORDERED)}
        self.waiting = {STRICT: [], ORDERED: []}

    def apply(self, op: Op) -> None:
        if op.what == "ack":
            self.acks += op.data.decode().split("\n")[:-1]
        elif op.what in ("write", "truncate"):
            self.inodes[op.path].pending.append(op)
        elif op.what == "sync":
            self._sync(op.path)
        elif op.what == "sync_all":
            self._sync_all()
        else:
            self._name(op)

    def _sync(self, path: str) -> None:
        inode = self.inodes.get(path)
        if inode is not None:
            inode.durable, inode.pending = inode.whole(), []
        self._settle(ORDERED, lambda op: True)
        self._settle(STRICT, lambda op: path in (_folder(op.path), _folder(op.other)))

    def _sync_all(self) -> None:
        for inode in self.inodes.values():
            inode.durable, inode.pending = inode.whole(), []
        for model in (STRICT, ORDERED):
            self._settle(model, lambda op: True)

    def _settle(self, model: str, lasts: Callable[[Op], bool]) -> None:
        still = []
        for op, inode in self.waiting[model]:
            if lasts(op):
                _rename(self.lasting[model], op, inode)
            else:
                still.append((op, inode))
        self.waiting[model] = still

    def _name(self, op: Op) -> None:
        made = op.what in ("create", "mkdir")
        inode = Inode(folder=op.what == "mkdir") if made else self.inodes.get(op.path)
        _rename(self.inodes, op, inode)
        for waiting in self.waiting.values():
            waiting.append((op, inode))

    def files(self, model: str, luck: random.Random | None) -> dict[str, bytes]:
        """What is on the disk after a cut now; without luck nothing unsynced is. What lies in a lost folder is lost."""
        names = dict(self.lasting[model])
        for op, inode in self._lucky(model, luck) if luck is not None else ():
            _rename(names, op, inode)
        made = {path for path, inode in self.inodes.items() if inode.folder}
        kept = {path: inode for path, inode in names.items() if not inode.folder and _stands(path, made, names)}
        return {path: bytes(inode.torn(luck) if luck else inode.durable) for path, inode in kept.items()}

    def _lucky(self, model: str, luck: random.Random) -> list[tuple[Op, Inode | None]]:
        """Changes of names that were not synced and outlived the cut: the first few of them, or any of them, but
        nothing ever comes to stand in a folder that was not made."""
        waiting = self.waiting[model]
        if model == ORDERED:
            return waiting[: luck.randrange(len(waiting) + 1)]
        picked = [luck.random() < 0.5 for _ in waiting]
        needed = {_folder(op.other or op.path) for (op, _), taken in zip(waiting, picked, strict=True) if taken}
        return [
            one
            for one, taken in zip(waiting, picked, strict=True)
            if taken or (one[0].what == "mkdir" and any(f"{path}/".startswith(f"{one[0].path}/") for path in needed))
        ]


def campaign(timeline: Timeline, check: Check, *, cuts: int, seed: int = 1) -> Campaign:
    """Cut the power `cuts` times, evenly over the run, and check each disk."""
    begun, luck, wrong, made = time.monotonic(), random.Random(seed), Counter[str](), 0
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None) as room:
        for step, disk in _disks(timeline, cuts, luck):
            model, torn = (STRICT, ORDERED)[made % 2], made % 4 > 1
            folder = _laid_out(timeline, disk.files(model, luck if torn else None), Path(room) / "disk")
            problem = check(folder, list(disk.acks))
            if problem is not None:
                wrong[f"{problem} (first after step {step}, {model}{', torn' if torn else ''})"] += 1
            shutil.rmtree(folder)
            made += 1
    return Campaign(len(timeline.ops), made, wrong.total(), time.monotonic() - begun, _first_named(wrong))


def _disks(timeline: Timeline, cuts: int, luck: random.Random) -> Iterator[tuple[int, Disk]]:
    """The disk at each moment at which the power is cut; several times at each step when there are cuts enough."""
    steps = len(timeline.ops) + 1
    moments = Counter(int((i + luck.random()) * steps / cuts) for i in range(cuts))
    disk = Disk(timeline)
    for step in range(steps):
        for _ in range(moments[step]):
            yield step, disk
        if step < len(timeline.ops):
            disk.apply(timeline.ops[step])


def _laid_out(timeline: Timeline, files: dict[str, bytes], folder: Path) -> Path:
    folder.mkdir()
    for path in timeline.folders:
        (folder / Path(path).relative_to(timeline.root)).mkdir(parents=True, exist_ok=True)
    for path, data in files.items():
        target = folder / Path(path).relative_to(timeline.root)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    return folder


def _first_named(wrong: Counter[str]) -> Counter[str]:
    """The same complaint counted once, under the place where it first came."""
    found: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for text, count in wrong.items():
        complaint = text.partition(" (first")[0]
        counts[found.setdefault(complaint, text)] += count
    return counts


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _stands(path: str, made: set[str], names: dict[str, Inode]) -> bool:
    """Whether every folder above it that was made during the run is still there."""
    above = _folder(path)
    while above:
        if above in made and above not in names:
            return False
        above = _folder(above)
    return True


def _rename(names: dict[str, Inode], op: Op, inode: Inode | None) -> None:
    """Carry out what was done to a name."""
    if op.what in ("create", "mkdir") and inode is not None:
        names[op.path] = inode
    elif op.what == "unlink":
        names.pop(op.path, None)
    elif op.what in ("rename", "link") and inode is not None:
        if op.what == "rename":
            names.pop(op.path, None)
        names[op.other] = inode


def _applied(content: bytearray, writes: list[Op]) -> bytearray:
    found = bytearray(content)
    for op in writes:
        if op.what == "truncate":
            found = found[: op.offset].ljust(op.offset, b"\0")
        else:
            found = found.ljust(op.offset, b"\0")
            found[op.offset : op.offset + len(op.data)] = op.data
    return found


def _part(op: Op, luck: random.Random) -> Iterator[Op]:
    """None, all, or a run of sectors of one write."""
    chance = luck.random()
    if op.what == "truncate" or chance < 0.4:
        if chance < 0.4:
            yield op
    elif chance < 0.6:
        sectors = -(-len(op.data) // SECTOR)
        first = luck.randrange(sectors)
        last = luck.randrange(first, sectors) + 1
        yield op._replace(offset=op.offset + first * SECTOR, data=op.data[first * SECTOR : last * SECTOR])
