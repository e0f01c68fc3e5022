"""Mutants that are no other program for anybody who uses it: each is named with the reason, and a name that fits no
mutant any more is found.

`equivalent.toml` names them by where they are (class and function), how the sentence of the program reads (`was`), and
how the mutant reads (`is`), so that a mark stays when lines move and falls when the sentence is changed.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tests.faults.mutants.changes import Mutant, mutants
from tests.faults.mutants.rooms import ROOT

MARKS = Path(__file__).with_name("equivalent.toml")


@dataclass(frozen=True)
class Mark:
    """One mutant, and why nobody can tell it from the program."""

    file: str
    where: str
    was: str
    now: str
    why: str

    @property
    def name(self) -> tuple[str, str, str, str]:
        return self.file, self.where, self.was, self.now


def marks(text: str | None = None) -> list[Mark]:
    """All that are marked; a mark without its reason is none."""
    told = tomllib.loads(MARKS.read_text() if text is None else text)
    found = []
    for file, listed in told.items():
        for one in listed:
            if len(one["why"].split()) < 3:
                raise ValueError(f"{file}, {one['in']}: why is {one['is']} the same?")
            found.append(Mark(file, one["in"], one["was"], one["is"], one["why"]))
    return found


def named(mutant: Mutant) -> tuple[str, str, str, str]:
    return str(mutant.file.relative_to(ROOT)), *mutant.name


def stale(marked: Iterable[Mark]) -> list[Mark]:
    """Those that name no mutant of the program as it is."""
    listed = list(marked)
    files = {one.file for one in listed if (ROOT / one.file).exists()}
    there = {named(mutant) for file in files for mutant in mutants(ROOT / file)}
    return [one for one in listed if one.name not in there]
