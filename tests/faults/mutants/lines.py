"""Which test runs which line, and for how long: a mutant is put before those tests alone, the short ones first."""

from __future__ import annotations

import functools
import gc
import json
import os
import resource
import sys
import tempfile
import time
import traceback
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.faults.mutants.forking import forked
from tests.faults.mutants.rooms import ROOT

MEMORY = "/dev/shm"  # a disk that syncs would take most of the time
IMPORTED = ""  # what runs outside of any test: when a file is imported, or tests are collected


class Watched:
    """What a run of the tests told."""

    def __init__(self, told: dict[str, Any]) -> None:
        self.seconds: dict[str, float] = told["seconds"]
        self._lines: dict[str, dict[str, list[str]]] = told["lines"]
        self._users: dict[str, list[str]] = told.get("users", {})

    def of(self, file: Path, lines: Iterable[int], first: Sequence[str] = ()) -> list[str]:
        """The tests that run any of these lines: those of `first` first, then the short ones. What runs when the file
        is imported concerns all tests: those that run something of the file before those that do not."""
        of_file = self._lines.get(str(file), {})
        found = {test for line in lines for test in of_file.get(str(line), ())}
        if found and IMPORTED not in found:
            return self._ordered(found, first)
        near = self._ordered({test for which in of_file.values() for test in which}, first)
        known = set(near)
        return [*near, *(test for test in self._ordered(self.seconds, first) if test not in known)]

    def reaches(self, file: Path, lines: Iterable[int]) -> bool:
        """Whether any of these lines runs at all."""
        of_file = self._lines.get(str(file), {})
        return any(of_file.get(str(line)) for line in lines)

    def imports(self, file: Path, lines: Iterable[int]) -> bool:
        """Whether one of these lines runs outside of any test."""
        of_file = self._lines.get(str(file), {})
        return any(IMPORTED in of_file.get(str(line), ()) for line in lines)

    def within(self, tests: Iterable[str], most: float) -> list[str]:
        """As many of them as fit into that time; one at least."""
        chosen: list[str] = []
        for test in tests:
            most -= self.seconds[test]
            if chosen and most < 0:
                break
            chosen.append(test)
        return chosen

    def _ordered(self, contexts: Iterable[str], first: Sequence[str]) -> list[str]:
        """Contexts as tests: what prepares several tests stands for all of them."""
        tests = {test for context in contexts for test in self._users.get(context, (context,)) if test in self.seconds}
        rank = {test: place for place, test in enumerate(first)}
        return sorted(tests, key=lambda test: (rank.get(test, len(rank)), self.seconds[test]))


# Slow tests are left out: a mutant that only they notice costs more time than it is worth.
OPTIONS = (
    *("-q", "-x", "-s", "-p", "no:xdist", "-p", "no:cacheprovider", "-p", "no:playwright", "-p", "no:pytest_cov"),
    *("-o", "addopts=", "-m", "not slow", "--import-mode=importlib", f"--rootdir={ROOT}"),
)


def learnt(files: Sequence[Path], tests: Sequence[str], kept: Path) -> Watched:
    """Run the tests once, watched, in a process of its own; what they told is kept in that file."""
    if kept.exists():
        return Watched(json.loads(kept.read_text()))
    pid = forked()
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
        kept.unlink(missing_ok=True)
        raise AssertionError("the tests fail as they are, so they say nothing about mutants")
    return Watched(json.loads(kept.read_text()))


def _watched(files: Sequence[Path], tests: Sequence[str], kept: Path) -> int:
    import coverage

    names = {str(file) for file in files}
    watch = coverage.Coverage(data_file=None, include=list(names), config_file=False)
    plugin = _Plugin(watch, names)
    os.chdir(ROOT)
    watch.start()
    with tempfile.TemporaryDirectory(prefix="pbem-mutants-", dir=MEMORY) as folder:
        code = pytest.main([*OPTIONS, f"--basetemp={folder}/t", *tests], plugins=[plugin])
    watch.stop()
    data = watch.get_data()
    lines = {
        name: {str(line): sorted(which) for line, which in data.contexts_by_lineno(name).items()}
        for name in data.measured_files()
    }
    kept.write_text(json.dumps({"seconds": plugin.seconds, "lines": lines, "users": plugin.users}))
    return int(code)


def named(item: pytest.Item) -> str:
    return f"{item.path}{item.nodeid[item.nodeid.index('::') :]}"


class _Plugin:
    """Tells coverage which test is running, and takes the time. What is remembered from one test to the next would
    run in the first alone: it is forgotten before each, and what prepares several tests is a context of its own."""

    def __init__(self, watch: Any, files: set[str]) -> None:
        self._watch = watch
        self._files = files
        self._caches: list[Any] = []
        self.seconds: dict[str, float] = {}
        self.users: dict[str, list[str]] = {}

    def pytest_collection_finish(self) -> None:
        kind = type(functools.cache(len))
        found = [one for one in gc.get_objects() if isinstance(one, kind)]
        self._caches = [one for one in found if _file_of(one) in self._files]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        name = named(item)
        for cached in self._caches:
            cached.cache_clear()
        self._watch.switch_context(name)
        begun = _worked()
        try:
            return (yield)
        finally:
            self.seconds[name] = _worked() - begun
            self._watch.switch_context(IMPORTED)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any, request: Any) -> Iterator[Any]:
        if fixturedef.scope == "function":
            return (yield)
        name = f"{fixturedef.argname} of {request.node.nodeid}"
        using = [item for item in request.session.items if fixturedef.argname in item.fixturenames]
        self.users[name] = [named(item) for item in using if item.nodeid.startswith(request.node.nodeid)]
        self._watch.switch_context(name)
        try:
            return (yield)
        finally:
            self._watch.switch_context(named(request._pyfuncitem))


def _worked() -> float:
    """Seconds of the processor: by the clock, a test would seem long when others use the machine."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime


def _file_of(cached: Any) -> str:
    code = getattr(getattr(cached, "__wrapped__", None), "__code__", None)
    return getattr(code, "co_filename", "")
