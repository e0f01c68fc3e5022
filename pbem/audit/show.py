"""Showing a turn as one seat saw it, as everybody could, or whole. A look at secrets of a running game is recorded."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from engine import Event
from engine.registry import AnyGame
from pbem.audit import book as books
from pbem.audit import looks
from pbem.audit.book import Book, Line
from pbem.audit.recompute import by_the_rules, rules_of
from pbem.ledger.store import Ledger

ALL = "all"  # no seat: the state itself
PUBLIC = None  # no seat: what everybody may know


@dataclass(frozen=True, slots=True)
class Shown:
    """One step of a turn as somebody may know it; plain JSON but for the name of the seat."""

    game: str
    turn: int
    kind: str
    reader: str | None
    position: str
    pending: list[str]
    moves: dict[str, Any]
    events: list[Any]
    facts: Any  # the view; for the whole turn, the state
    draws: list[Any] | None  # for the whole turn only: they can betray what they were for
    head: str

    def to_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


def show(book: Book, turn: int, reader: str | None) -> list[Shown]:
    """The steps of that turn as `reader` may know them: a seat, PUBLIC, or ALL."""
    books.known_seat(book, None if reader in (PUBLIC, ALL) else reader)
    steps = book.steps(turn)
    if not steps:
        raise books.no_turn(book, turn)
    rules = rules_of(book)
    with by_the_rules(book, steps[0]):
        state = _state_before(book, rules, steps[0])
    found = []
    for line in steps:
        with by_the_rules(book, line):
            found.append(_shown(book.game, rules, line, state, reader))
            state = rules.restore(line.facts()["state"])
    return found


def look(ledger: Ledger, game: str, turn: int, reader: str | None, who: str, at: datetime) -> list[Shown]:
    """Show a turn out of the ledger. While the game runs, who looked at what is on the chain before it is shown."""
    with books.of_ledger(ledger, game) as book:
        shown = show(book, turn, reader)
    if reader is not PUBLIC:
        whose = "the whole turn" if reader == ALL else f"the turn as seat {reader} knows it"
        looks.note(ledger, game, whose, who, at, turn=turn, seat=None if reader == ALL else reader)
    return shown


def _state_before(book: Book, rules: AnyGame, step: Line) -> Any:
    """The state a step started from; None for the set-up."""
    turn = step.opened.turn
    assert turn is not None
    earlier = [line for number in (turn - 1, turn) if number >= 0 for line in book.steps(number) if line.seq < step.seq]
    return rules.restore(earlier[-1].facts()["state"]) if earlier else None


def _shown(game: str, rules: AnyGame, line: Line, before: Any, reader: str | None) -> Shown:
    facts = line.facts()
    state = rules.restore(facts["state"])
    whole = reader == ALL
    view = None if whole else rules.view(state, reader)
    events = facts["events"] if whole else _seen(facts["events"], reader)
    return Shown(
        game,
        line.opened.turn or 0,
        line.opened.kind,
        reader,
        rules.position(state) if view is None else view.position,
        list(facts["pending"] if view is None else view.pending),
        {seat: one for seat, made in facts["moves"].items() if (one := _move(rules, before, seat, made, reader))},
        events,
        facts["state"] if view is None else view.facts,
        facts["draws"] if whole else None,
        line.hash.hex(),
    )


def _seen(events: list[Any], reader: str | None) -> list[Any]:
    seen = (Event.from_json(event).seen_by(reader) for event in events)
    return [{"kind": event.kind, "rule": event.rule, "facts": dict(event.facts)} for event in seen if event is not None]


def _move(rules: AnyGame, before: Any, seat: str, made: dict[str, Any], reader: str | None) -> dict[str, Any] | None:
    """The move in words the reader may know, and how it came; None: not even that there was one."""
    if reader in (ALL, seat):
        return {"move": made["move"], "how": made["how"]}
    shown = rules.shown(before, seat, rules.read(before, seat, made["move"]), reader)
    return None if shown == "" else {"move": shown, "how": made["how"]}
