"""The campaign before a release: a hundred thousand small seasons. It may be stopped and goes on where it was, on this
machine or on another one.

What was played is noted in `played.jsonl`, which is committed: a line for each build and day, with spans of seeds. A
build is what a season is made of: the files that it imports, early or late, the games, templates and migrations. What
stands in no season, as a command or a word in a document, begins nothing anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from tests.architecture.circles import name_of
from tests.architecture.reading import Source, sources
from tests.faults.line_killer import memory_folder
from tests.played import ROOT, Lines, add, build_of, changed, commit, lines_of, played_again, seeds_of
from tests.season.many import Found, in_parts, repeats

NOTES = Path(__file__).with_name("played.jsonl")
EACH_RUN = range(1, 1001)  # the seeds of each run of the tests
RELEASE = range(1, 100_001)  # and those before a release
BEGINS = "tests.season.many"  # what a season imports follows from it
BESIDE = ("engine", "games", "templates", "pbem/ledger/migrations", "tests/sample_games")  # what is found by other ways
TELLS = 100  # seeds between two lines that say how far it is


class Done(NamedTuple):
    """What has been played so far: the seeds that held on this build and those that broke, and the same of others."""

    here: frozenset[int]
    broken: dict[int, str]
    elsewhere: frozenset[int] = frozenset()
    broke_elsewhere: frozenset[int] = frozenset()

    def turn_of(self, seed: int) -> int:
        """Which seeds are played before others: what may show most."""
        return 0 if seed in self.broken or seed in self.broke_elsewhere else 2 if seed in self.elsewhere else 1

    def __str__(self) -> str:
        played = len(self.here) + len(self.broken)
        said = f"{played} of {len(RELEASE)} seeds before a release, on build {build()}, {len(self.broken)} broken"
        if not self.elsewhere:
            return said
        ever = self.elsewhere | self.here | self.broken.keys()
        mended = (
            f"{len(self.broke_elsewhere & self.here)} of the {len(self.broke_elsewhere)} that broke there hold here"
        )
        return f"{said}; {len(ever)} with those of builds before it, {mended}"


@cache
def build() -> str:
    """The name of all that a season runs."""
    return build_of((path.relative_to(ROOT).as_posix(), path) for path in sorted(files()))


def files() -> set[Path]:
    """All that a season runs."""
    beside = {path for name in BESIDE for path in (ROOT / name).rglob("*") if path.is_file()}
    return {ROOT / name for name in imported()} | {path for path in beside if path.suffix not in (".pyc", ".mo")}


@cache
def imported(first: str = BEGINS) -> frozenset[str]:
    """The files of this project that are imported by that one, early or late, with the packages around them."""
    known = {name_of(source): source for source in sources("engine", "games", "pbem", "tests")}
    found, wanted = set[str](), [first]
    while wanted:
        name = wanted.pop()
        if name in known and name not in found:
            found.add(name)
            wanted += _wanted(known[name])
        if "." in name:
            wanted.append(name.rpartition(".")[0])
    return frozenset(known[name].path.as_posix() for name in found)


def _wanted(source: Source) -> Iterator[str]:
    """All that it imports; the last part of a name may be something in a file."""
    return (name for _, name in source.imports(parts=True))


def done(notes: Path = NOTES) -> Done:
    """What the notes say. A seed that broke is not done; it is played again."""
    lines = lines_of(notes)
    here = [line for line in lines if line["build"] == build()]
    others = [line for line in lines if line["build"] != build()]
    broken = _broken(here)
    held = _played(here) - broken.keys()
    return Done(held, broken, _played(others), frozenset(_broken(others)))


def _played(lines: Lines) -> frozenset[int]:
    return frozenset(seed for line in lines for seed in seeds_of(line))


def _broken(lines: Lines) -> dict[int, str]:
    return {int(seed): why for line in lines for seed, why in line["broken"].items()}


def go_on(
    seeds: Sequence[int],
    most: int | None = None,
    jobs: int = 1,
    tell: Callable[[str], object] = lambda text: None,
    stop: Callable[[], bool] = lambda: False,
    notes: Path = NOTES,
) -> Found:
    """Play those of these seeds that this build has not played yet, or so many of them, or until it is to stop; what
    they came to. What broke once comes first, then what no build has played."""
    so_far, found = done(notes), Found()
    missing = sorted((seed for seed in seeds if seed not in so_far.here), key=so_far.turn_of)[:most]
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
    """Write down what was played. A seed that broke before and holds now is not broken any more."""
    new: dict[str, Any] = {"build": build(), "commit": commit(), "on": f"{datetime.now(UTC):%F}"}
    with changed(notes, "campaign") as lines:
        for line in lines:
            if line["build"] == build():
                played_again(line, some.seeds)
        if not lines or any(lines[-1][name] != value for name, value in new.items()):
            lines.append({**new, "seeds": [], "turns": 0, "broken": {}})
        add(lines[-1], some.seeds, some.broken)
        lines[-1]["turns"] += some.seen["turns"]
