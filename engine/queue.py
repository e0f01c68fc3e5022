"""Queues: what a seat has ordered ahead, and what that says to the decision now open to it. Nothing here is a game's.

Orders are used one by one at the seat's decisions; the first that does not stand there sets the rest aside.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from engine.entries import FINISH, SKIP, Branch, Deed, Entry, TurnFile, entry, plain
from engine.game import Move, Seat, Turned
from engine.refusal import Refusal
from engine.registry import AnyGame

GIVEN, STANDING, DRAFT, DEFAULT, RESIGNED = "given", "standing", "draft", "default", "resigned"
STAND_IN = "stand-in"


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


def unfold(
    rules: AnyGame, entries: tuple[Entry, ...], done: Sequence[Deed], state: Any = None, seat: Seat = ""
) -> tuple[Entry, ...] | Refusal:
    """The entries with every conditional at their head decided, so that an order comes first, or nothing at all.

    Conditionals in a row are alternatives: the first that is met is taken, the others of the row fall away. One that
    asks how the board stands is decided by itself.
    """
    while entries and isinstance(entries[0], Branch):
        row = row_at_head(entries)
        found = next((arm for branch in row if (arm := branch.chosen(rules, done, state, seat)) is not None), None)
        if found is None:
            return none_met(done, seat)
        entries = found + entries[len(row) :]
    return entries


def row_at_head(entries: Sequence[Entry]) -> list[Branch]:
    """The conditionals that stand first, one after the other, and are alternatives."""
    row: list[Branch] = []
    for found in entries:
        if not isinstance(found, Branch) or (row and (found.alone or row[0].alone)):
            break
        row.append(found)
    return row


def none_met(done: Sequence[Deed], seat: Seat) -> Refusal:
    """Why a row of conditionals of that seat comes to nothing: none of them fits what others have done."""
    others = [deed for deed in done if deed.seat != seat]
    told = [f"{deed.seat}: {deed.move}" if deed.move is not None else deed.seat for deed in others]
    if not told:
        return Refusal("", "no_condition_met", "None of the conditions is met: nobody has done anything since.")
    text = "None of the conditions is met. Done by others since your last decision: {done}."
    return Refusal("", "no_condition_met", text, {"done": told})


def take(
    rules: AnyGame, state: Any, seat: Seat, entries: tuple[Entry, ...], done: Sequence[Deed], source: str = GIVEN
) -> Taken | Stopped | None:
    """The first order, when it stands in this state; else why not; None when there is no order."""
    unfolded = unfold(rules, entries, done, state, seat)
    if isinstance(unfolded, Refusal):
        return Stopped(source, entries[0], unfolded, entries)
    if not unfolded:
        return None
    first = unfolded[0]
    assert not isinstance(first, Branch | TurnFile)
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
        return Answer(_own_word(rules, state, seat), GIVEN, replace(orders, nothing=False), queued)
    if (move := rules.answer(state, seat, orders.standing)) is not None:
        return Answer(move, STANDING, orders, queued)
    if not late:
        return Answer(None, None, orders, queued)
    orders, drafted = _try(rules, state, seat, orders, done, DRAFT, waits)
    if isinstance(drafted, Answer):
        return replace(drafted, stopped=queued)
    return Answer(rules.default(state, seat), DEFAULT, orders, queued + drafted)


def _own_word(rules: AnyGame, state: Any, seat: Seat) -> Any:
    """The default as the seat's own order: a game's story may tell silence from the same move when written."""
    return rules.read(state, seat, str(rules.default(state, seat)))


def _try(
    rules: AnyGame, state: Any, seat: Seat, orders: SeatOrders, done: Sequence[Deed], source: str, waits: bool
) -> tuple[SeatOrders, Answer | tuple[Stopped, ...]]:
    """The answer of the queue or the draft; or the orders without it, and why it stopped."""
    entries = orders.queue if source == GIVEN else orders.draft
    if not entries:
        return orders, ()
    loose = tuple(found for found in entries if not isinstance(found, TurnFile))
    files = tuple(found for found in entries if isinstance(found, TurnFile))
    served = None if waits else next((file for file in files if file.turn == rules.turn_now(state)), None)
    if served is not None and not loose:
        return _try_file(rules, state, seat, orders, done, source, served)
    found = take(rules, state, seat, loose, done, source)
    if isinstance(found, Taken):
        return orders, Answer(found.move, source, _left(orders, source, found.left + files))
    if waits and not (isinstance(found, Stopped) and _is_for_now(rules, state, seat, found.entry)):
        return orders, ()
    return _left(orders, source, files), () if found is None else (found,)


def _is_for_now(rules: AnyGame, state: Any, seat: Seat, entry: Entry) -> bool:
    """Whether an entry that failed was meant for the decision that interrupts: it does not wait for another one."""
    return not isinstance(entry, Branch | TurnFile) and rules.is_for_now(state, seat, entry)


def overtaken(
    rules: AnyGame, before: Any, turned: Turned, seat: Seat, orders: SeatOrders
) -> tuple[SeatOrders, Stopped | None]:
    """A seat's orders after something has happened, without those that the game says are overtaken by it."""
    if not orders.queue:
        return orders, None
    first = orders.queue[0]
    found = rules.overtaken(before, turned, seat, None if isinstance(first, Branch | TurnFile) else first)
    if found is None:
        return orders, None
    left = () if found.whole_queue else orders.queue[1:]
    return replace(orders, queue=left), Stopped(GIVEN, first, found.why, orders.queue)


def _try_file(
    rules: AnyGame, state: Any, seat: Seat, orders: SeatOrders, done: Sequence[Deed], source: str, file: TurnFile
) -> tuple[SeatOrders, Answer | tuple[Stopped, ...]]:
    """The same for a file that serves the running turn: it says itself what a failure and its own end lead to."""
    entries = orders.queue if source == GIVEN else orders.draft
    without = _left(orders, source, tuple(found for found in entries if found is not file))
    stopped: tuple[Stopped, ...] = ()
    left = file.entries
    while isinstance(found := take(rules, state, seat, left, done, source), Stopped):
        stopped += (found,)
        if file.on_illegal != SKIP:
            break
        left = found.left[1:]
    if isinstance(found, Taken):
        kept = tuple(replace(file, entries=found.left) if other is file else other for other in entries)
        return orders, Answer(found.move, source, _left(orders, source, kept), stopped)
    if (file.at_end if found is None else file.on_illegal) == FINISH:
        return without, Answer(_own_word(rules, state, seat), source, without, stopped)
    return without, stopped


def filed(
    rules: AnyGame,
    state: Any,
    seat: Seat,
    held: SeatOrders,
    entries: tuple[Entry, ...],
    keys: Mapping[str, str],
    done: Sequence[Deed] = (),
) -> SeatOrders | Refusal:
    """A seat's orders once a file of entries has come in, with the keys of it that the rules add to the form.

    An answer to an open question leaves the orders alone that wait for a turn, unless others stand behind it; a file
    for a turn replaces what is left of an older one for the same turn; any other file replaces the queue. By `done`
    it is known which conditionals come to an answer.
    """
    answer: tuple[Entry, ...] = ()
    if many := answering(rules, state, seat, entries, done):
        answer, entries = entries[:many], entries[many:]
        waits = held.queue[answering(rules, state, seat, held.queue, done) :]
        held = replace(held, queue=tuple(found for found in waits if not _answers(rules, state, seat, found)))
        if not entries:
            return replace(held, queue=answer + held.queue)
    file = rules.bound(state, seat, keys)
    if isinstance(file, Refusal):
        return file
    queue = answer + in_place(held.queue, entries, file)
    return replace(held, queue=queue, nothing=not queue and file is None)


def answering(rules: AnyGame, state: Any, seat: Seat, entries: tuple[Entry, ...], done: Sequence[Deed]) -> int:
    """How many entries at the head are the answer to an open question: an order, or conditionals that come to one."""
    many = 0
    while rules.interrupts(state, seat) and entries[many:] and not isinstance(entries[many], TurnFile):
        many += len(row_at_head(entries[many:])) or 1
        found = take(rules, state, seat, entries[:many], done)
        if found is not None:
            return many if isinstance(found, Taken) else 0
    return 0


def in_place(held: tuple[Entry, ...], entries: tuple[Entry, ...], file: TurnFile | None) -> tuple[Entry, ...]:
    """New entries in place of old ones: of all, or with a file for a turn (see `Game.bound`) of those for that turn."""
    if file is None:
        return entries
    others = tuple(found for found in held if isinstance(found, TurnFile) and found.turn != file.turn)
    return (*others, replace(file, entries=entries))


def _answers(rules: AnyGame, state: Any, seat: Seat, entry: Entry) -> bool:
    """Whether an entry is an answer to the open question."""
    return not isinstance(entry, Branch | TurnFile) and not isinstance(rules.read(state, seat, entry), Refusal)


def without_turns(orders: SeatOrders, ended: Collection[str]) -> SeatOrders:
    """The orders without the files for turns that have ended: what is left of those is void."""
    queue, draft = (
        tuple(found for found in entries if not (isinstance(found, TurnFile) and found.turn in ended))
        for entries in (orders.queue, orders.draft)
    )
    return replace(orders, queue=queue, draft=draft)


def _left(orders: SeatOrders, source: str, entries: tuple[Entry, ...]) -> SeatOrders:
    return replace(orders, queue=entries) if source == GIVEN else replace(orders, draft=entries)
