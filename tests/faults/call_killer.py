"""The call killer: a system call that fails, or in which the program dies, one after the other (G7, and G1 on disk).

    campaign(prepared, program, blow, check, again)

`program(folder)` runs on a fresh copy of the prepared folder, and the n-th of the blow's calls on the files it names
goes wrong, for n = 1, 2, ... until a run passes without a blow. After each, `check(folder, ended)` must hold, then
`again(folder)` is run undisturbed, and `check` must hold once more. SQLite syncs with fdatasync: a rule on fsync alone
would test nothing, so a campaign that never struck is an error.
"""

from __future__ import annotations

import re
import shutil
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import NamedTuple

from tests.faults.tracing import Ended, traced

WRITES = "write,pwrite64,ftruncate,fallocate,writev,pwritev"
SYNCS = "fsync,fdatasync"
OPENS = "open,openat,creat"
MARK = "(INJECTED)"


class Blow(NamedTuple):
    """Which calls go wrong, how (`error=ENOSPC`, `signal=KILL`), and on which files of the folder ('' is itself)."""

    calls: str
    effect: str
    files: tuple[str, ...]


@dataclass(frozen=True)
class Campaign:
    """What a campaign came to: how many calls were struck, and how the programs ended."""

    struck: int
    codes: Counter[int]
    seconds: float

    def __str__(self) -> str:
        ends = ", ".join(f"{count} x {code}" for code, count in sorted(self.codes.items()))
        return f"{self.struck} calls struck in {self.seconds:.1f} s; exit codes: {ends}"


def strike(program: Callable[[Path], object], folder: Path, blow: Blow, number: int | str) -> Ended:
    """Run the program and let the `number`-th of these calls go wrong (`3+`: all from the third on)."""
    rule = ["-e", f"trace={blow.calls}", "-e", f"inject={blow.calls}:{blow.effect}:when={number}", "-e", "signal=none"]
    return traced(lambda: program(folder), folder.with_name(f"{folder.name}.trace"), [*rule, *_named(folder, blow)])


def counted(program: Callable[[Path], object], folder: Path, blow: Blow) -> Counter[str]:
    """How often the program makes each of these calls on these files, when nothing goes wrong."""
    rule = ["-e", f"trace={blow.calls}", "-e", "signal=none", *_named(folder, blow)]
    ended = traced(lambda: program(folder), folder.with_name(f"{folder.name}.trace"), rule)
    if ended.code:
        raise AssertionError(f"the undisturbed run ended with {ended.code}")
    return Counter(re.findall(r"^\d+ +(\w+)\(", ended.trace, re.MULTILINE))


def _named(folder: Path, blow: Blow) -> list[str]:
    return [option for name in blow.files for option in ("-P", str(folder / name) if name else str(folder))]


def campaign(
    prepared: Path,
    program: Callable[[Path], object],
    blow: Blow,
    check: Callable[[Path, Ended], None],
    again: Callable[[Path], None],
    *,
    every: int = 1,
    known: Mapping[str, int] | None = None,
) -> Campaign:
    """Strike every call in turn (or every `every`-th), each on a fresh copy of the prepared folder. `known`: how many
    there are of each name; else there are as many as are struck.
    """
    begun, codes = time.monotonic(), Counter[int]()
    for call in blow.calls.split(","):  # strace counts the calls of each name for itself
        for number in count(1, every) if known is None else range(1, known.get(call, 0) + 1, every):
            ended = _struck(prepared, program, blow._replace(calls=call), number, check, again)
            if ended is None:
                break
            codes[ended.code] += 1
    if not codes:
        raise AssertionError(f"{blow} never struck: none of these calls was made")
    return Campaign(codes.total(), codes, time.monotonic() - begun)


def _struck(
    prepared: Path,
    program: Callable[[Path], object],
    blow: Blow,
    number: int,
    check: Callable[[Path, Ended], None],
    again: Callable[[Path], None],
) -> Ended | None:
    """One blow and what must hold after it; None when the program made fewer such calls."""
    folder = prepared.with_name(f"struck-{blow.calls}-{number}").resolve()
    shutil.copytree(prepared, folder)
    ended = strike(program, folder, blow, number)
    if MARK in ended.trace or ended.code < 0:
        try:
            check(folder, ended)
            again(folder)
            check(folder, Ended(0, ""))
        except BaseException as wrong:
            wrong.add_note(f"call number {number} of {blow}: exit code {ended.code}\n{ended.trace[-500:]}")
            raise
    shutil.rmtree(folder)
    return ended if MARK in ended.trace or ended.code < 0 else None
