"""The campaign before a release: a hundred thousand small seasons. It may be stopped and goes on where it was.

What was played is noted in `.seasons`, a file beside the project that belongs to no commit: a line for each few seeds,
with the build they were played on. A build is all that a season runs, so that words in a document begin nothing anew.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from tests.faults.line_killer import memory_folder
from tests.season.many import Found, in_parts, repeats

ROOT = Path(__file__).parents[2]
NOTES = ROOT / ".seasons"
EACH_RUN = range(1, 1001)  # the seeds of each run of the tests
RELEASE = range(1, 100_001)  # and those before a release
RUNS = ("engine", "games", "pbem", "templates", "tests/season", "tests/sample_games", "tests/pbem/host/conftest.py",
        "tests/pbem/correspondence/conftest.py")  # fmt: skip
TELLS = 100  # seeds between two lines that say how far it is


class Done(NamedTuple):
    """What has been played so far: the seeds that held on this build, how many on others, and what broke on this."""

    here: frozenset[int]
    elsewhere: int
    broken: dict[int, str]

    def __str__(self) -> str:
        played = len(self.here) + len(self.broken)
        others = f" ({self.elsewhere} on other builds)" if self.elsewhere else ""
        return (
            f"{played} of {len(RELEASE)} seeds before a release, on build {build()}{others}, {len(self.broken)} broken"
        )


@cache
def build() -> str:
    """The name of all that a season runs, by its bytes."""
    files = [path for name in RUNS for path in ([ROOT / name] if (ROOT / name).is_file() else (ROOT / name).rglob("*"))]
    sums = hashlib.sha256()
    for path in sorted(files):
        if path.is_file() and path.suffix not in (".pyc", ".mo") and not path.name.startswith("test_"):
            sums.update(f"{path.relative_to(ROOT)} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return sums.hexdigest()[:12]


def done(notes: Path = NOTES) -> Done:
    """What the notes say. A seed that broke is not done; it is played again."""
    lines = [json.loads(line) for line in notes.read_text().splitlines()] if notes.exists() else []
    fates: dict[tuple[str, int], str] = {}  # why it broke, or nothing, by build and seed
    for line in lines:
        fates |= {(line["build"], seed): line["broken"].get(str(seed), "") for seed in line["seeds"]}
    held = {seed for (on, seed), why in fates.items() if on == build() and not why}
    broken = {seed: why for (on, seed), why in fates.items() if on == build() and why}
    return Done(frozenset(held), sum(on != build() for on, _ in fates), broken)


def go_on(
    seeds: Sequence[int],
    most: int | None = None,
    jobs: int = 1,
    tell: Callable[[str], object] = lambda text: None,
    stop: Callable[[], bool] = lambda: False,
    notes: Path = NOTES,
) -> Found:
    """Play those of these seeds that this build has not played yet, or so many of them, or until it is to stop; what
    they came to."""
    played, found = done(notes).here, Found()
    missing = [seed for seed in seeds if seed not in played][:most]
    with memory_folder() as room, closing(in_parts(room, missing, jobs)) as parts:
        for some in parts:
            note(some, notes)
            found.add(some)
            for seed, why in some.broken.items():
                tell(f"{why}\n  repeat it: {repeats(seed)}")
            if len(found.seeds) % TELLS == 0:
                tell(f"{len(found.seeds)} of {len(missing)}, {len(found.broken)} broken")
            if stop():
                break
    return found


def note(some: Found, notes: Path = NOTES) -> None:
    """Write down what was played."""
    line: dict[str, Any] = {"build": build(), "commit": _commit(), "on": f"{datetime.now(UTC):%F}"}
    line |= {"seeds": some.seeds, "broken": some.broken, "turns": some.seen["turns"]}
    with notes.open("a") as file:
        file.write(json.dumps(line) + "\n")


@cache
def _commit() -> str:
    """The commit that the build was made from, as far as anybody knows it."""
    asked = ["git", "describe", "--always", "--dirty"]
    return subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()
