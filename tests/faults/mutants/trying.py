"""Mutants put before their tests: in a copy of a process in which all is loaded, or in one that begins anew.

`Warm` is a plugin: when pytest has collected a room's tests, it forks a child for each mutant, which swaps the code of
the changed functions and runs the tests of those lines until one fails. Mutants of what runs at import are left to
`cold`, in which a process that has loaded nothing of ours imports the changed file.
"""

from __future__ import annotations

import gc
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.faults.mutants import children, swapping
from tests.faults.mutants.changes import Mutant
from tests.faults.mutants.children import NOT_TRIED
from tests.faults.mutants.lines import OPTIONS, Watched, named
from tests.faults.mutants.rooms import ROOT

KILLED, SURVIVED, TOO_LONG, NOT_REACHED = "killed", "survived", "too long", "not reached"
FOUND = (KILLED, TOO_LONG)
BEGINNING = 30  # seconds of the processor in which all is imported anew
SLACK = 6  # a test may take so many times what it took
Fate = tuple[str, str]  # what became of it, and the test that found it
Told = Callable[[int, str, str], None]  # the mutant's number first


@dataclass
class Trial:
    """What is known of a room, and which tests have found something: those are asked first."""

    tests: Watched
    seconds: float
    killers: dict[Path, Counter[str]]

    def chosen(self, file: Path, lines: Iterable[int]) -> list[str]:
        first = [test for test, _ in self.killers.setdefault(file, Counter()).most_common(12)]
        return self.tests.within(self.tests.of(file, lines, first), self.seconds)

    def fate(self, mutant: Mutant, lines: Iterable[int], chosen: Sequence[str], ended: children.Ended) -> Fate:
        """What became of it, and by which test."""
        if ended.code == NOT_TRIED:
            raise AssertionError(f"the tests of {mutant} do not begin")
        if ended.code == 0:
            return SURVIVED if self.tests.reaches(mutant.file, lines) else NOT_REACHED, ""
        test = chosen[ended.last] if chosen else ""
        self.killers[mutant.file][test] += 1
        return TOO_LONG if ended.code is None else KILLED, test


class Warm:
    """The plugin. Nothing is told of what it cannot try."""

    def __init__(self, mutants: dict[int, Mutant], trial: Trial, told: Told) -> None:
        self._mutants, self._trial, self._told = mutants, trial, told

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {named(item): item for item in session.items}
        known = swapping.functions({mutant.file for mutant in self._mutants.values()})
        loaded = {getattr(module, "__file__", None) for module in list(sys.modules.values())}
        fates: dict[int, Fate] = {}
        gc.collect()
        gc.freeze()  # what is there is not looked through in each child, which would copy all of it
        for number, mutant in self._mutants.items():
            found = self._tried(session, items, known, mutant, str(mutant.file) in loaded)
            if found is not None:
                fates[number] = found
                self._told(number, *found)
        self._again(session, items, fates)
        return True

    def _tried(
        self, session: Any, items: dict[str, Any], known: swapping.Functions, mutant: Mutant, loaded: bool
    ) -> Fate | None:
        """Its fate and the test that found it; None when it cannot be tried here."""
        codes = swapping.changed(mutant)
        lines = set(range(mutant.line, mutant.last + 1))
        if loaded and (codes is None or self._baked_in(mutant, codes) or not swapping.can_swap(codes, known)):
            return None
        chosen = self._trial.chosen(mutant.file, lines)

        def work(begins: Callable[[int], None]) -> int:
            if loaded:
                swapping.swap(codes or (), known)
            else:
                swapping.put_before_import(mutant)
            return _asked(session, [items[test] for test in chosen], begins)

        ended = children.run(work, lambda number: SLACK * self._trial.tests.seconds[chosen[number]])
        return self._trial.fate(mutant, lines, chosen, ended)

    def _baked_in(self, mutant: Mutant, codes: Sequence[tuple[Any, Any]]) -> bool:
        """Whether a changed function has run already, so that what it gave is in the program."""
        return any(self._trial.tests.imports(mutant.file, swapping.lines(old)) for old, _ in codes)

    def _again(self, session: Any, items: dict[str, Any], fates: dict[int, Fate]) -> None:
        """A test that fails without any mutant has found nothing."""
        for test in sorted({test for fate, test in fates.values() if fate in FOUND}):
            most = partial(_most, SLACK * self._trial.tests.seconds[test])
            ended = children.run(partial(_asked, session, [items[test]]), most)
            if ended.code != 0:
                sys.stdout.write(f"{test} fails without a mutant\n")
                for number in (number for number, (_, by) in fates.items() if by == test):
                    self._told(number, SURVIVED, "")


def _most(seconds: float, _: int) -> float:
    return seconds


def _asked(session: Any, items: Sequence[Any], begins: Callable[[int], None]) -> int:
    """The tests one after the other, until one fails."""
    for number, (item, after) in enumerate(zip(items, [*items[1:], None], strict=True)):
        begins(number)
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
        if session.testsfailed:
            return 1
    return 0


def cold(mutant: Mutant, trial: Trial) -> Fate:
    """A mutant in a process that imports the changed file."""
    lines = set(range(mutant.line, mutant.last + 1))
    chosen = trial.chosen(mutant.file, lines)

    def work(begins: Callable[[int], None]) -> int:
        imported = swapping.put_before_import(mutant)
        os.chdir(ROOT)
        code = int(pytest.main([*OPTIONS, *chosen], plugins=[_Counting(chosen, begins)]))
        return NOT_TRIED if code and not imported else code

    ended = children.run(
        work, lambda number: (BEGINNING if not number else 0) + SLACK * trial.tests.seconds[chosen[number]]
    )
    return trial.fate(mutant, lines, chosen, ended)


class _Counting:
    """Says which of the chosen tests begins."""

    def __init__(self, chosen: Sequence[str], begins: Callable[[int], None]) -> None:
        self._numbers = {test: number for number, test in enumerate(chosen)}
        self._begins = begins

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> None:
        self._begins(self._numbers.get(named(item), 0))
