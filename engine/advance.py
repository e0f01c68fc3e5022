"""Advancing: decision points are resolved one after the other until a seat must be asked."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from engine.dice import Dice, Draw
from engine.entries import Deed
from engine.events import Event
from engine.game import Move, Seat, Turned
from engine.queue import (
    DEFAULT,
    DRAFT,
    GIVEN,
    NO_ORDERS,
    RESIGNED,
    STAND_IN,
    Answer,
    SeatOrders,
    Stopped,
    next_move,
    overtaken,
    without_turns,
)
from engine.registry import AnyGame

LIMIT = 1000  # steps of one advance: more than any turn needs, and the end of a game that would never ask
REMEMBERED = 200  # deeds of others that a seat's conditionals can look back on: more than come between two decisions

Orders = Mapping[Seat, SeatOrders]
Deputy = Callable[[Any, Seat, Dice], Move | None]  # what a silent seat does in a state; None: its default
Done = Mapping[Seat, tuple[Deed, ...]]


class Made(NamedTuple):
    """A seat's move and how it came: given, standing, draft, default, stand-in or resigned."""

    move: Move
    how: str


@dataclass(frozen=True, slots=True)
class Step:
    """One resolution: a decision point, or (`at_once` is its number within the turn) a move that takes effect alone."""

    turn: int
    at_once: int
    decision: str
    moves: Mapping[Seat, Made]
    events: tuple[Event, ...]
    draws: tuple[Draw, ...]
    state: Any
    left: Orders  # the orders that changed, as they were left
    stopped: Mapping[Seat, tuple[Stopped, ...]]


@dataclass(frozen=True, slots=True)
class Advance:
    """How far it went. `asked` are the seats that must be asked now, `stopped` those whose orders failed just now.

    `done` is what each seat's next conditionals may look at: hand it in again with the next advance. `more` says that
    only the limit ended this one; going on with `late` comes to the same as if there had been none.
    """

    steps: tuple[Step, ...]
    state: Any
    turn: int
    at_once: int
    orders: Orders
    done: Done
    asked: tuple[Seat, ...]
    stopped: Mapping[Seat, tuple[Stopped, ...]]
    late: frozenset[Seat]
    more: bool


def advance(
    rules: AnyGame,
    state: Any,
    orders: Orders,
    dice: Callable[[str], Dice],
    *,
    turn: int,
    late: Collection[Seat] = (),
    resigned: Collection[Seat] = (),
    unwaited: Collection[Seat] = (),
    deputy: Deputy | None = None,
    done: Done | None = None,
    at_once: int = 0,
    limit: int = LIMIT,
) -> Advance:
    """Resolve from the open decision point `turn` on, as far as the orders carry; `orders` names every seat.

    `dice(context)` gives the dice of a turn ("12"), or of the second move at once within it ("12+2"). A seat that is
    `late` stays so through its own decisions in a row, and no longer: once another seat has decided, it has a new turn,
    and so it has where the game says so (`Game.asks_anew`).
    One that is `unwaited` is late at each of its decisions. Where silence counts, a `deputy` may move for the seat; its
    luck comes from dice of its own ("12~red"), so that it changes nobody else's.
    """
    walk = _Walk(
        rules,
        state,
        dict(orders),
        dice,
        _heard(orders, done),
        turn,
        at_once,
        frozenset(late),
        frozenset(resigned),
        frozenset(unwaited),
        deputy,
    )
    while len(walk.steps) < limit and walk.pending:
        answers = walk.answers()
        alone = next((seat for seat in answers if walk.takes_effect_alone(seat, answers[seat])), None)
        if alone is not None:
            walk.resolve({alone: answers[alone]}, alone=True)
        elif any(answer.asks for answer in answers.values()):
            return walk.asking(answers)
        else:
            walk.resolve(answers)
    return walk.ended()


def take_effect(
    rules: AnyGame,
    state: Any,
    orders: Orders,
    dice: Callable[[str], Dice],
    seat: Seat,
    move: Move,
    *,
    turn: int,
    done: Done | None = None,
    at_once: int = 0,
) -> Advance:
    """One step: a move that `rules.at_once` lets take effect alone, whether its seat is pending or not."""
    walk = _Walk(rules, state, dict(orders), dice, _heard(orders, done), turn, at_once)
    walk.resolve({seat: Answer(move, GIVEN, orders[seat])}, alone=True)
    return walk.ended()


def _heard(orders: Orders, done: Done | None) -> dict[Seat, tuple[Deed, ...]]:
    return {seat: (done or {}).get(seat, ()) for seat in orders}


@dataclass(slots=True)
class _Walk:
    """Where an advance stands. It lives inside one call; what leaves it is frozen."""

    rules: AnyGame
    state: Any
    orders: dict[Seat, SeatOrders]
    dice: Callable[[str], Dice]
    done: dict[Seat, tuple[Deed, ...]]
    turn: int
    at_once: int
    late: frozenset[Seat] = frozenset()
    resigned: frozenset[Seat] = frozenset()
    unwaited: frozenset[Seat] = frozenset()
    deputy: Deputy | None = None
    steps: list[Step] = field(default_factory=list)

    @property
    def pending(self) -> tuple[Seat, ...]:
        return self.rules.pending(self.state)

    def answers(self) -> dict[Seat, Answer]:
        return {seat: self._answer(seat) for seat in self.pending}

    def _answer(self, seat: Seat) -> Answer:
        orders = self.orders[seat]
        if seat in self.resigned:
            return Answer(self.rules.default(self.state, seat), RESIGNED, orders)
        late = seat in self.late or seat in self.unwaited
        answer = next_move(self.rules, self.state, seat, orders, self.done[seat], late)
        if answer.how != DEFAULT or self.deputy is None:
            return answer
        move = self.deputy(self.state, seat, self.dice(f"{self.turn}~{seat}"))
        return answer if move is None else replace(answer, move=move, how=STAND_IN)

    def takes_effect_alone(self, seat: Seat, answer: Answer) -> bool:
        return not answer.asks and self.rules.at_once(self.state, seat, answer.move)

    def resolve(self, answers: Mapping[Seat, Answer], alone: bool = False) -> None:
        """One step: the dice of this turn, the moves at once, and what they leave of the orders."""
        before, decision = self.state, self.rules.decision(self.state)
        self.at_once += alone
        drawn = self.dice(f"{self.turn}+{self.at_once}" if alone else str(self.turn))
        moves = {seat: Made(answer.move, answer.how or GIVEN) for seat, answer in answers.items()}
        interrupted = {seat for seat in moves if alone or self.rules.interrupts(before, seat)}
        turned = self.rules.resolve(before, {seat: made.move for seat, made in moves.items()}, drawn)
        self.state = turned.state
        self._tell(before, moves, interrupted, turned.events)
        left = self._leave(self._void(before, {seat: answer.orders for seat, answer in answers.items()}))
        stopped = {seat: answer.stopped for seat, answer in answers.items() if answer.stopped}
        left = {**left, **self._overtake(before, turned, stopped)}
        number, draws = (self.at_once if alone else 0), tuple(drawn.draws)
        self.steps.append(Step(self.turn, number, decision, moves, turned.events, draws, self.state, left, stopped))
        if not alone:
            self.turn, self.at_once = self.turn + 1, 0
            self._let_off(before, {seat: made for seat, made in moves.items() if seat not in interrupted})

    def _void(self, before: Any, orders: Orders) -> Orders:
        """The orders left by this resolution, without what was meant for turns that it ended."""
        ended = self.rules.turns_ended(before, self.state)
        if not ended:
            return orders
        return {seat: without_turns(orders.get(seat, held), ended) for seat, held in self.orders.items()}

    def _overtake(self, before: Any, turned: Turned, stopped: dict[Seat, tuple[Stopped, ...]]) -> Orders:
        """What the game itself takes out of the orders that wait, and why: `stopped` learns of it."""
        changed = {}
        for seat, held in self.orders.items():
            kept, why = overtaken(self.rules, before, turned, seat, held)
            if why is not None:
                changed[seat] = kept
                stopped[seat] = (*stopped.get(seat, ()), why)
        return self._leave(changed) if changed else {}

    def _tell(
        self, before: Any, moves: Mapping[Seat, Made], interrupted: Collection[Seat], events: tuple[Event, ...]
    ) -> None:
        """Every seat learns what the others did. A seat that decided begins anew, unless it was only interrupted or
        the game says that its turn goes on."""
        secret = any(event.hidden or event.audience is not None for event in events)
        for reader in self.orders:
            deeds = tuple(
                Deed(seat, words)
                for seat, made in moves.items()
                if seat != reader and (words := self.rules.shown(before, seat, made.move, reader)) != ""
            )
            anew = reader in moves and reader not in interrupted
            heard = () if anew and not self.rules.remembered(before, self.state, reader) else self.done[reader]
            seen = [event for told in events if (event := told.seen_by(reader)) is not None] if secret else events
            own = tuple(Deed(reader, note) for note in self.rules.noted(seen, reader))
            self.done[reader] = (heard + own + deeds)[-REMEMBERED:]

    def _leave(self, orders: Orders) -> Orders:
        """Those of these orders that are not what they were; after the end of the game nobody has any."""
        if not self.pending:
            orders = dict.fromkeys(self.orders, NO_ORDERS)
        changed = {seat: left for seat, left in orders.items() if left != self.orders[seat]}
        self.orders |= changed
        return changed

    def _let_off(self, before: Any, made: Mapping[Seat, Made]) -> None:
        """A late seat is late no more once another seat has decided in its own right, or the game asks it anew."""
        answered = {seat: one.how in (GIVEN, DRAFT) for seat, one in made.items()}
        self.late = frozenset(
            seat
            for seat in self.late
            if all(other == seat for other in made)
            and not (seat in made and self.rules.asks_anew(before, self.state, seat, answered[seat]))
        )

    def asking(self, answers: Mapping[Seat, Answer]) -> Advance:
        """Somebody must be asked: no order is used up, but what failed here is set aside, and its seat is told."""
        asked = tuple(seat for seat, answer in answers.items() if answer.asks)
        left = self._leave({seat: answers[seat].orders for seat in asked})
        if self.steps:  # the last resolution is what made them fail, so it is there that their end is on record
            self.steps[-1] = replace(self.steps[-1], left={**self.steps[-1].left, **left})
        stopped = {seat: answers[seat].stopped for seat in asked if answers[seat].stopped}
        return self._result(asked, stopped)

    def ended(self) -> Advance:
        """The game is over, or the limit is reached."""
        return self._result((), {})

    def _result(self, asked: tuple[Seat, ...], stopped: Mapping[Seat, tuple[Stopped, ...]]) -> Advance:
        over = not self.pending
        done = {} if over else {seat: heard for seat, heard in self.done.items() if heard}
        more = not over and not asked
        return Advance(
            tuple(self.steps),
            self.state,
            self.turn,
            self.at_once,
            dict.fromkeys(self.orders, NO_ORDERS) if over else self.orders,
            done,
            asked,
            stopped,
            self.late,
            more,
        )
