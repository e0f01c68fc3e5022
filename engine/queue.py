"""Queues: what a seat has ordered ahead, and what that says to the decision now open to it. Nothing here is a game's.

Orders are used one by one at the seat's decisions; the first that does not stand there sets the rest aside.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from engine.entries import Branch, Deed, Entry, entry, plain
from engine.game import Move, Seat
from engine.refusal import Refusal
from engine.registry import AnyGame

GIVEN, STANDING, DRAFT, DEFAULT, RESIGNED = "given", "standing", "draft", "default", "resigned"


@dataclass(frozen=True, slots=True)
class SeatOrders:
    """All that a seat has said ahead.

    `draft` counts only when the seat is late; `standing` answers what interrupts it; `nothing` is the word that there
    is nothing to order (a file with an empty set), which is no silence: the next decision takes the default at once.
    """

    queue: tuple[Entry, ...] = ()
    draft: tuple[Entry, ...] = ()
    standing: Mapping[str, Any] = field(default_factory=dict)
    nothing: bool = False

    def __bool__(self) -> bool:
        return bool(self.queue or self.draft or self.standing or self.nothing)

    @property
    def stands(self) -> bool:
        """Whether there is a word for the next decision that a faulty new file must not wipe out."""
        return bool(self.queue or self.draft or self.nothing)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON, without what is empty."""
        data: dict[str, Any] = {
            "queue": [plain(entry) for entry in self.queue],
            "draft": [plain(entry) for entry in self.draft],
            "standing": dict(self.standing),
            "nothing": self.nothing,
        }
        return {name: value for name, value in data.items() if value}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> SeatOrders:
        queue, draft = (tuple(map(entry, data.get(name, ()))) for name in ("queue", "draft"))
        return cls(queue, draft, data.get("standing", {}), data.get("nothing", False))


NO_ORDERS = SeatOrders()


class Taken(NamedTuple):
    """An order that stands now, and the entries behind it."""

    move: Move
    left: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Stopped:
    """Why a seat's queue (or its draft) came to a halt: the entry that failed, and all that was set aside with it."""

    source: str
    entry: Entry
    why: Refusal
    left: tuple[Entry, ...]

    def to_json(self) -> dict[str, Any]:
        left = [plain(entry) for entry in self.left]
        return {"source": self.source, "entry": plain(self.entry), "why": self.why.to_json(), "left": left}


def unfold(rules: AnyGame, entries: tuple[Entry, ...], done: Sequence[Deed]) -> tuple[Entry, ...] | Refusal:
    """The entries with every conditional at their head decided, so that an order comes first, or nothing at all.

    Conditionals in a row are alternatives: the first that is met is taken, the others of the row fall away.
    """
    while entries and isinstance(entries[0], Branch):
        row = _row(entries)
        found = next((arm for branch in row if (arm := branch.chosen(rules, done)) is not None), None)
        if found is None:
            return _none_met(done)
        entries = found + entries[len(row) :]
    return entries


def _row(entries: tuple[Entry, ...]) -> list[Branch]:
    row: list[Branch] = []
    for found in entries:
        if not isinstance(found, Branch):
            break
        row.append(found)
    return row


def _none_met(done: Sequence[Deed]) -> Refusal:
    told = [f"{deed.seat}: {deed.move}" if deed.move is not None else deed.seat for deed in done]
    if not told:
        return Refusal("", "no_condition_met", "None of the conditions is met: nobody has done anything since.")
    text = "None of the conditions is met. Done by others since your last decision: {done}."
    return Refusal("", "no_condition_met", text, {"done": told})


def take(
    rules: AnyGame, state: Any, seat: Seat, entries: tuple[Entry, ...], done: Sequence[Deed], source: str = GIVEN
) -> Taken | Stopped | None:
    """The first order, when it stands in this state; else why not; None when there is no order."""
    unfolded = unfold(rules, entries, done)
    if isinstance(unfolded, Refusal):
        return Stopped(source, entries[0], unfolded, entries)
    if not unfolded:
        return None
    first = unfolded[0]
    assert not isinstance(first, Branch)
    move = rules.read(state, seat, first)
    return Stopped(source, first, move, unfolded) if isinstance(move, Refusal) else Taken(move, unfolded[1:])


@dataclass(frozen=True, slots=True)
class Answer:
    """What a seat's orders say to the decision open to it: a move and how it came, or nothing (`how` is None: ask).

    `orders` are those left once the move is made. `stopped` tells of what was set aside on the way.
    """

    move: Move
    how: str | None
    orders: SeatOrders
    stopped: tuple[Stopped, ...] = ()

    @property
    def asks(self) -> bool:
        return self.how is None


def next_move(
    rules: AnyGame, state: Any, seat: Seat, orders: SeatOrders, done: Sequence[Deed] = (), late: bool = False
) -> Answer:
    """A pending seat's move: from its queue, else its standing answers; when it is late its draft, else the default.

    A queue that stops is a question to its seat: unless it is late, nothing else speaks for it.
    """
    waits = rules.interrupts(state, seat)
    orders, queued = _try(rules, state, seat, orders, done, GIVEN, waits)
    if isinstance(queued, Answer):
        return queued
    if queued and not late:
        return Answer(None, None, orders, queued)
    if orders.nothing and not waits:
        return Answer(rules.default(state, seat), GIVEN, replace(orders, nothing=False), queued)
    if orders.standing and (move := rules.answer(state, seat, orders.standing)) is not None:
        return Answer(move, STANDING, orders, queued)
    if not late:
        return Answer(None, None, orders, queued)
    orders, drafted = _try(rules, state, seat, orders, done, DRAFT, waits)
    if isinstance(drafted, Answer):
        return replace(drafted, stopped=queued)
    return Answer(rules.default(state, seat), DEFAULT, orders, queued + drafted)


def _try(
    rules: AnyGame, state: Any, seat: Seat, orders: SeatOrders, done: Sequence[Deed], source: str, waits: bool
) -> tuple[SeatOrders, Answer | tuple[Stopped, ...]]:
    """The answer of the queue or the draft; or the orders without it, and why it stopped."""
    entries = orders.queue if source == GIVEN else orders.draft
    found = take(rules, state, seat, entries, done, source)
    if isinstance(found, Taken):
        return orders, Answer(found.move, source, _left(orders, source, found.left))
    if waits:
        return orders, ()
    return _left(orders, source, ()), () if found is None else (found,)


def _left(orders: SeatOrders, source: str, entries: tuple[Entry, ...]) -> SeatOrders:
    return replace(orders, queue=entries) if source == GIVEN else replace(orders, draft=entries)
