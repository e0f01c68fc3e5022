"""What long runs have played, noted so that they may be stopped and go on where they were: JSON, a line for each build
and day, with spans of seeds. The notes are committed, so that another machine goes on with them."""

from __future__ import annotations

import hashlib
import json
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

from pbem import lock

ROOT = Path(__file__).parents[1]
PATIENCE = 60  # seconds that a process waits for another one that is noting something

Lines = list[dict[str, Any]]


def lines_of(notes: Path) -> Lines:
    return [json.loads(line) for line in notes.read_text().splitlines()] if notes.exists() else []


@contextmanager
def changed(notes: Path, what: str) -> Iterator[Lines]:
    """The lines, to be changed while no other process of that run does, and kept as they are at the end."""
    with lock.alone(notes.with_suffix(".lock"), what, PATIENCE):
        lines = lines_of(notes)
        yield lines
        part = notes.with_suffix(".part")
        part.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
        part.replace(notes)


def seeds_of(line: Mapping[str, Any]) -> Iterator[int]:
    return (seed for first, last in line["seeds"] for seed in range(first, last + 1))


def spans(seeds: Iterable[int]) -> list[list[int]]:
    """Seeds that follow each other, as the first and the last of them."""
    runs = groupby(enumerate(sorted(seeds)), key=lambda one: one[1] - one[0])
    found = [[seed for _, seed in run] for _, run in runs]
    return [[span[0], span[-1]] for span in found]


def add(line: dict[str, Any], seeds: Iterable[int], broken: Mapping[int, str]) -> None:
    """These seeds were played, and some of them broke."""
    line["seeds"] = spans({*seeds_of(line), *seeds})
    line["broken"] |= {str(seed): why for seed, why in broken.items()}


def played_again(line: dict[str, Any], seeds: Iterable[int]) -> None:
    """What these seeds came to before counts no more."""
    again = {str(seed) for seed in seeds}
    line["broken"] = {seed: why for seed, why in line["broken"].items() if seed not in again}


def build_of(files: Iterable[tuple[str, Path]]) -> str:
    """The name of a build, by the names and bytes of its files, in their order."""
    sums = hashlib.sha256()
    for name, path in files:
        sums.update(f"{name} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return sums.hexdigest()[:12]


@cache
def commit() -> str:
    """The commit that a build was made from, as far as anybody knows it."""
    asked = ["git", "rev-parse", "--short", "HEAD"]
    return subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()
