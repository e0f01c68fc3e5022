"""History as values: the steps of a past run, read back from the journal as the rules would have given them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from engine import Event, Outcome
from engine.advance import Made, Step
from engine.dice import Draw
from engine.registry import AnyGame
from pbem.errors import Trouble
from pbem.game.sheet import Sheet
from pbem.game.turning import outcome_from_json
from pbem.ledger import journal
from pbem.ledger.journal import JournalRow
from pbem.ledger.times import moment
from pbem.ledger.transaction import Read
from pbem.reports.report import News

RUN_ENDS = "deadline_at"  # the last step of a run settles the deadline of the next


class Run(NamedTuple):
    """What one run resolved: the state before it (None: there was none), its steps, and what it settled."""

    first: Any
    steps: tuple[Step, ...]
    turn: int  # the decision point open after it
    at_once: int
    deadline: datetime | None
    head: bytes
    news: tuple[News, ...] = ()


def run_before(tx: Read, sheet: Sheet, turn: int) -> Run:
    """The run that opened that turn: the last one, when several moves out of turn followed each other. Where the game
    was taken back to it, what was said then: its head, its deadline, and that it was."""
    run, back = _run_before(tx, sheet, turn), journal.back_to(tx, sheet.name, turn)
    if back is None or run.at_once:
        return run
    facts = back.facts()
    deadline = None if facts[RUN_ENDS] is None else moment(facts[RUN_ENDS])
    return run._replace(deadline=deadline, head=back.hash, news=_news(facts))


def _news(facts: Mapping[str, Any]) -> tuple[News, ...]:
    return tuple(News(*news) for news in facts.get("news", ()))


def _run_before(tx: Read, sheet: Sheet, turn: int) -> Run:
    rows: list[JournalRow] = []
    for row in _newest_first(tx, sheet.name, turn):
        ends = RUN_ENDS in row.facts()
        if not rows and not ends:
            raise Trouble(f"Turn {turn} of {sheet.name} was opened and resolved in one run; see the turn after it.")
        if ends and rows:
            return _run(sheet.rules, row, rows[::-1])
        rows.append(row)
    return _run(sheet.rules, None, rows[::-1])


def _newest_first(tx: Read, game: str, turn: int) -> Iterator[JournalRow]:
    """The steps that led to that turn or were taken while it was open, backwards; not the one that closed it."""
    for number in range(turn, -1, -1):
        for row in reversed(journal.steps_of(tx, game, number)):
            if (row.turn, row.kind) != (turn, "turn"):
                yield row


def _run(rules: AnyGame, before: JournalRow | None, rows: list[JournalRow]) -> Run:
    first = None if before is None else rules.restore(before.facts()["state"])
    state, steps = first, []
    for row in rows:
        steps.append(step_of(rules, state, row))
        state = steps[-1].state
    last, settled = rows[-1], rows[-1].facts()[RUN_ENDS]
    deadline = None if settled is None else moment(settled)
    return Run(first, tuple(steps), _opened(last), steps[-1].at_once, deadline, last.hash, _news(last.facts()))


def _opened(row: JournalRow) -> int:
    """The turn that is open after this row: a move out of turn leaves the same one open."""
    assert row.turn is not None
    return row.turn + (row.kind == "turn")


def step_of(rules: AnyGame, before: Any, row: JournalRow) -> Step:
    """One step as it was resolved; its moves are read again in the state before it."""
    facts = row.facts()
    moves = {seat: Made(rules.read(before, seat, made["move"]), made["how"]) for seat, made in facts["moves"].items()}
    assert row.turn is not None
    return Step(
        row.turn,
        facts.get("at_once", 0),
        facts["decision"],
        moves,
        tuple(Event.from_json(event) for event in facts["events"]),
        tuple(Draw(*draw) for draw in facts["draws"]),
        rules.restore(facts["state"]),
        {},
        {},
    )


def outcome_of(tx: Read, sheet: Sheet) -> Outcome | None:
    """How the game ended, as it was written down."""
    row = next(journal.rows(tx, sheet.name, kinds=("over",), newest_first=True), None)
    return None if row is None else outcome_from_json(row.facts()["outcome"])
