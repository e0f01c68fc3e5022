"""Which test runs which line, and for how long: a mutant is put before those tests alone, the short ones first."""

from __future__ import annotations

import json
import os
import sys
import time
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.faults.mutants.rooms import ROOT


class Watched:
    """What a run of the tests told."""

    def __init__(self, told: dict[str, Any]) -> None:
        self.seconds: dict[str, float] = told["seconds"]
        self._lines: dict[str, dict[str, list[str]]] = told["lines"]
        self._all = sorted(self.seconds, key=self.seconds.__getitem__)

    def of(self, file: Path, first: int, last: int, most: float) -> list[str]:
        """The tests that run any of these lines, as many of the short ones as fit into that time; one at least. What
        runs when the file is imported concerns all of them."""
        lines = self._lines.get(str(file), {})
        found = {test for line in range(first, last + 1) for test in lines.get(str(line), ())}
        ordered = self._all if "" in found or not found else [test for test in self._all if test in found]
        chosen: list[str] = []
        for test in ordered:
            most -= self.seconds[test]
            if chosen and most < 0:
                break
            chosen.append(test)
        return chosen

    def reaches(self, file: Path, first: int, last: int) -> bool:
        """Whether any test runs one of these lines at all."""
        lines = self._lines.get(str(file), {})
        return any(lines.get(str(line)) for line in range(first, last + 1))


# Slow tests are left out: a mutant that only they notice costs more time than it is worth.
OPTIONS = (
    "-q",
    "-x",
    "-p",
    "no:xdist",
    "-p",
    "no:cacheprovider",
    "-p",
    "no:playwright",
    "-o",
    "addopts=",
    "-m",
    "not slow",
    "--import-mode=importlib",
    f"--rootdir={ROOT}",
)


def learnt(files: Sequence[Path], tests: Sequence[str], kept: Path) -> Watched:
    """Run the tests once, watched, in a process of its own; what they told is kept in that file."""
    pid = os.fork()
    if not pid:
        code = 99
        try:
            code = _watched(files, tests, kept)
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            os._exit(code)
    if os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]):
        raise AssertionError("the tests fail as they are, so they say nothing about mutants")
    return Watched(json.loads(kept.read_text()))


def _watched(files: Sequence[Path], tests: Sequence[str], kept: Path) -> int:
    import coverage

    watch = coverage.Coverage(data_file=None, include=[str(file) for file in files], config_file=False)
    plugin = _Plugin(watch)
    os.chdir(ROOT)
    watch.start()
    code = pytest.main([*OPTIONS, f"--basetemp={kept}.tmp", *tests], plugins=[plugin])
    watch.stop()
    data = watch.get_data()
    lines = {
        name: {str(line): sorted(which) for line, which in data.contexts_by_lineno(name).items()}
        for name in data.measured_files()
    }
    kept.write_text(json.dumps({"seconds": plugin.seconds, "lines": lines}))
    return int(code)


class _Plugin:
    """Tells coverage which test is running, and takes the time."""

    def __init__(self, watch: Any) -> None:
        self._watch = watch
        self.seconds: dict[str, float] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        name = f"{item.path}{item.nodeid[item.nodeid.index('::') :]}"
        self._watch.switch_context(name)
        begun = time.monotonic()
        try:
            return (yield)
        finally:
            self.seconds[name] = time.monotonic() - begun
            self._watch.switch_context("")
