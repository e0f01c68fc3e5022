"""Problems: everything that is wrong with a file, each with its place, what was read there and what would be right."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from engine.entries import Path
from engine.refusal import Refusal


class Mark(NamedTuple):
    """Where something stands, counted from 1; the end is where the next thing could begin."""

    line: int
    column: int
    end_line: int
    end_column: int


START = Mark(1, 1, 1, 1)


class Subject(NamedTuple):
    """The order a problem is about: which of how many, where within it (`then 2`), and as it was written."""

    number: int
    of: int
    within: str
    order: Any


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that cannot stand. `why` says it in a sentence whose facts and words can be translated.

    `path` leads to it within the form; it begins with `orders` where only orders are wrong.
    """

    why: Refusal
    mark: Mark | None = None
    subject: Subject | None = None
    path: Path = ()

    def to_json(self) -> dict[str, Any]:
        data: dict[str, Any] = {"why": self.why.to_json()}
        if self.mark is not None:
            data["mark"] = list(self.mark)
        if self.subject is not None:
            data["subject"] = list(self.subject)
        if self.path:
            data["path"] = list(self.path)
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Problem:
        why, mark, subject = data["why"], data.get("mark"), data.get("subject")
        return cls(
            Refusal(why["rule"], why["code"], why["text"], why["facts"], tuple(why["legal"])),
            None if mark is None else Mark(*mark),
            None if subject is None else Subject(*subject),
            tuple(data.get("path", ())),
        )


class Unreadable(Exception):
    """A file whose text cannot even be taken apart; `problem` says where and why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem.why))
        self.problem = problem


def problem(code: str, sentence: str, mark: Mark, path: Path = (), **facts: Any) -> Problem:
    """A problem with the file itself, behind which stands no paragraph of a game's rules."""
    return Problem(Refusal("", code, sentence, facts), mark, None, path)


def listed(problems: Iterable[Problem], most: int) -> tuple[Problem, ...]:
    """As they stand in the file, those without a place first; of very many, the first, and how many more there are."""
    ordered = sorted(problems, key=lambda problem: problem.mark or (0, 0))
    if len(ordered) <= most:
        return tuple(ordered)
    last = ordered[most - 1]
    more = Refusal("", "more", "And so on: {n} more things are wrong.", {"n": len(ordered) - most + 1})
    return (*ordered[: most - 1], Problem(more, last.mark, None, last.path))
