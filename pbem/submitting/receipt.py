"""The receipt: what a seat is told of its submission, from what the seat may know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from engine import Notice
from engine.entries import plain
from engine.queue import SeatOrders
from pbem.game.outgoing import stands
from pbem.intake.judge import NOT_JUDGED_YET, Verdict
from pbem.intake.plain import line
from pbem.intake.plain import spoken as in_words
from pbem.intake.problems import Problem
from pbem.ledger import games
from pbem.ledger.letters import Waiting
from pbem.reports import report as letter
from pbem.reports.report import Receipt, menu
from pbem.rulings.resigning import resigns
from pbem.submitting.identity import Seated


def receipt_for(
    found: Seated,
    verdict: Verdict,
    message: Waiting,
    head: str,
    file: str,
    more: Sequence[Notice] = (),
    deadline: datetime | None = None,
) -> Receipt:
    """What the seat is told; `more` is said about how its message came, `deadline` is the one it has moved."""
    sheet, standing, form = found.sheet, found.standing, found.form
    rules, seat = sheet.rules, form.seat
    asked = menu(rules, standing.state, seat) if found.status == games.OPEN else None
    return Receipt(
        game=sheet.name,
        rules=rules,
        players=sheet.players,
        zone=sheet.schedule.zone,
        seat=seat,
        reader=sheet.sitters[seat].reader,
        counter=standing.counters.get(seat, 0) + 1,
        turn=found.turn,
        view=rules.view(standing.state, seat),
        fate=verdict.fate,  # type: ignore[arg-type]
        understood=_understood(verdict, file),
        problems=tuple(_problem(problem, file) for problem in verdict.problems),
        # Each order that waits is said to wait where it is told; the verdict's word on all of them is for terminals.
        notices=(*(notice for notice in verdict.notices if notice.code != NOT_JUDGED_YET), *more),
        say=_said(form.say),
        kept=verdict.kept > 0,
        stands=stands(verdict.stands, rules, standing.state, seat),
        replaces=_replaced(found, verdict),
        silence=asked.default if asked and not verdict.stands.stands else "",
        received=message.at,
        deadline=deadline or standing.deadline,
        key=sheet.key(seat, found.turn),
        menu=asked,
        is_closed=found.status != games.OPEN,
        resigned=seat in standing.resigned or (verdict.is_taken and resigns(sheet, standing, form)),
        digest=message.sha256,
        head=head,
    )


def _replaced(found: Seated, verdict: Verdict) -> letter.Stands | None:
    """What no longer stands: of orders, draft and standing answers, those that are as they were are not replaced."""
    before, now = verdict.replaced, verdict.stands
    if before is None:
        return None
    gone = SeatOrders(
        before.queue if before.queue != now.queue else (),
        before.draft if before.draft != now.draft else (),
        before.standing if before.standing != now.standing else {},
        before.nothing and not now.nothing,
    )
    return stands(gone, found.sheet.rules, found.standing.state, found.seat) if gone else None


def _understood(verdict: Verdict, file: str) -> tuple[letter.Understood, ...]:
    return tuple(
        letter.Understood(
            in_words(plain(one.order)),
            one.text,
            letter.Place(file, one.mark.line, one.mark.column),
            one.events,
            one.notices,
            f"{one.number}, {one.within}" if one.within else str(one.number),
            one.supposed,
        )
        for one in verdict.read
    )


def _problem(problem: Problem, file: str) -> letter.Problem:
    place = None if problem.mark is None else letter.Place(file, problem.mark.line, problem.mark.column)
    return letter.Problem(problem.why, in_words(problem.subject.order) if problem.subject else "", place)


def _said(say: Mapping[str, str]) -> str:
    return "\n".join(text if to == "all" else f"{to}: {text}" for to, text in say.items())


def describe(problems: Sequence[Problem], file: str) -> list[str]:
    """Problems as lines for a terminal."""
    return [line(problem, file) for problem in problems]
