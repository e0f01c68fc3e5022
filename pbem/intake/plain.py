"""Plain words: problems and verdicts as lines for a terminal, `orders.yml:4:5: order 2 of 3, "recruit HU": ...`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from engine.refusal import Refusal
from pbem.intake.characters import visible
from pbem.intake.judge import DRAFT, Verdict
from pbem.intake.orders import Read
from pbem.intake.problems import Mark, Problem, Subject

LISTED = 8  # legal moves that one line names

Says = Callable[[str], str]  # translates a sentence that still has its names in braces


def told(verdict: Verdict, file: str, says: Says = str) -> Iterator[str]:
    """All that its player should know of a verdict, a line for each."""
    for problem in verdict.problems:
        yield line(problem, file, says)
    if not verdict.problems:
        for read in verdict.read:
            yield f"{_place(read.mark, file)}: {_understood(read, says)}"
    for notice in verdict.notices:
        yield f"{file}: {_sentence(Refusal(notice.rule, notice.code, notice.text, notice.facts), says)}"
    yield f"{file}: {_outcome(verdict, says)}"


def line(problem: Problem, file: str, says: Says = str) -> str:
    """One problem: where, which order, why not, under which paragraph, and what would be legal."""
    why = problem.why
    parts = [f"{_place(problem.mark, file)}: {_about(problem.subject, says)}{_sentence(why, says)}"]
    if why.legal:
        more = says(" and {n} more").format(n=len(why.legal) - LISTED) if len(why.legal) > LISTED else ""
        parts.append(says("Legal: {moves}{more}.").format(moves=", ".join(why.legal[:LISTED]), more=more))
    return " ".join(parts)


def spoken(order: Any) -> str:
    """An order as a person would write it on one line: a text as it is, a mapping in braces."""
    if isinstance(order, Mapping):
        return "{" + ", ".join(f"{key}: {spoken(value)}" for key, value in order.items()) + "}"
    if isinstance(order, list | tuple):
        return "[" + ", ".join(map(spoken, order)) + "]"
    return str(order)


def _place(mark: Mark | None, file: str) -> str:
    return f"{file}:{mark.line}:{mark.column}" if mark else file


def _about(subject: Subject | None, says: Says) -> str:
    if subject is None:
        return ""
    text = says('order {number} of {of}{within}, "{words}": not taken. ')
    return text.format(
        number=subject.number,
        of=subject.of,
        within=f", {subject.within}" if subject.within else "",
        words=visible(spoken(subject.order)),
    )


def _sentence(why: Refusal, says: Says) -> str:
    """The reason in words, with its paragraph before the last full stop."""
    reason = visible(str(Refusal(why.rule, why.code, says(why.text), why.facts)), 400)
    if not why.rule:
        return reason
    return f"{reason[:-1]} ({why.rule})." if reason.endswith(".") else f"{reason} ({why.rule})"


def _understood(read: Read, says: Says) -> str:
    facts = {"number": read.number, "within": f", {read.within}" if read.within else "", "move": read.text}
    if read.move is None:
        return says("order {number}{within}: read; it waits for its time.").format(**facts)
    if read.supposed:
        would = says("order {number}{within}: {move}, if it comes to that.").format(**facts)
        return " ".join([would, *(str(notice) for notice in read.notices)])
    now = says("order {number}{within}: {move}, at once.") if read.at_once else says("order {number}{within}: {move}.")
    return " ".join([now.format(**facts), *(str(notice) for notice in read.notices)])


def _outcome(verdict: Verdict, says: Says) -> str:
    if verdict.is_taken:
        return says("It would be kept as a draft.") if verdict.fate == DRAFT else says("It would be taken.")
    if verdict.kept:
        return says("It would not be taken. For want of better, {n} of its orders would be kept as a draft.").format(
            n=verdict.kept
        )
    if verdict.stands.stands:
        return says("It would not be taken. What stands already would stay.")
    return says("It would not be taken. Nothing stands.")
