"""Problems: everything that is wrong with a file, each with its place, what was read there and what would be right."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from engine.refusal import Refusal
from pbem.intake.characters import visible

LISTED = 8  # legal moves that a line of text names


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
    """One thing that cannot stand. `why` says it in a sentence whose facts and words can be translated."""

    why: Refusal
    mark: Mark | None = None
    subject: Subject | None = None

    def to_json(self) -> dict[str, Any]:
        data: dict[str, Any] = {"why": self.why.to_json()}
        if self.mark is not None:
            data["mark"] = list(self.mark)
        if self.subject is not None:
            data["subject"] = list(self.subject)
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Problem:
        why, mark, subject = data["why"], data.get("mark"), data.get("subject")
        return cls(
            Refusal(why["rule"], why["code"], why["text"], why["facts"], tuple(why["legal"])),
            None if mark is None else Mark(*mark),
            None if subject is None else Subject(*subject),
        )


class Unreadable(Exception):
    """A file whose text cannot even be taken apart; `problem` says where and why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem.why))
        self.problem = problem


def problem(code: str, sentence: str, mark: Mark, **facts: Any) -> Problem:
    """A problem with the file itself, behind which stands no paragraph of a game's rules."""
    return Problem(Refusal("", code, sentence, facts), mark)


def in_order(problems: tuple[Problem, ...]) -> tuple[Problem, ...]:
    """As they stand in the file; those without a place first."""
    return tuple(sorted(problems, key=lambda problem: problem.mark or (0, 0)))


def spoken(order: Any) -> str:
    """An order as a person would write it on one line: a text as it is, a mapping in braces."""
    if isinstance(order, Mapping):
        return "{" + ", ".join(f"{key}: {spoken(value)}" for key, value in order.items()) + "}"
    if isinstance(order, list | tuple):
        return "[" + ", ".join(map(spoken, order)) + "]"
    return str(order)


def render(problem: Problem, file: str, says: Callable[[str], str] = str) -> str:
    """A line for a terminal: `orders.yml:4:5: order 2 of 3, "recruit HU": not taken. HU holds ... (RULE-9.1).`

    `says` translates a sentence that still has its names in braces.
    """
    why = problem.why
    place = f"{file}:{problem.mark.line}:{problem.mark.column}" if problem.mark else file
    reason = str(Refusal(why.rule, why.code, says(why.text), why.facts))
    parts = [f"{place}: {_about(problem.subject, says)}{_with_rule(reason, why.rule)}"]
    if why.legal:
        named = ", ".join(why.legal[:LISTED])
        more = says(" and {n} more").format(n=len(why.legal) - LISTED) if len(why.legal) > LISTED else ""
        parts.append(says("Legal: {moves}{more}.").format(moves=named, more=more))
    return " ".join(parts)


def _about(subject: Subject | None, says: Callable[[str], str]) -> str:
    if subject is None:
        return ""
    within = f", {subject.within}" if subject.within else ""
    text = says('order {number} of {of}{within}, "{words}": not taken. ')
    words = visible(spoken(subject.order))
    return text.format(number=subject.number, of=subject.of, within=within, words=words)


def _with_rule(reason: str, rule: str) -> str:
    if not rule:
        return reason
    return f"{reason[:-1]} ({rule})." if reason.endswith(".") else f"{reason} ({rule})"
