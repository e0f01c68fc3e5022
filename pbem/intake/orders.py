"""Orders: each is judged in the position it will meet, as far as its own seat can foresee it.

The first order meets the position that is open. Those behind it are judged while their seat knows what comes before
them; the others must at least be spelled right, and wait for their time. Where a conditional names the very move of
another seat, and nothing is hidden, its orders are played out in the position that this move would lead to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast

from engine.entries import ELSE, IF, THEN, Branch, Condition, Deed, Entry, Order, Path, TurnFile
from engine.events import Event
from engine.game import Move, Notice, Seat
from engine.queue import none_met, row_at_head
from engine.refusal import Refusal
from engine.registry import AnyGame
from pbem.intake.characters import LOOKALIKES, lookalikes, visible
from pbem.intake.form import Form
from pbem.intake.near import nearest
from pbem.intake.problems import Mark, Problem, Subject

MOST_NOTICES = 40


@dataclass(frozen=True, slots=True)
class Read:
    """An order as it was understood. Without a move it waits: what it comes to is not known before its time.

    `supposed`: it stands in a conditional, and this is what it would do, should the condition be met.
    """

    number: int
    within: str  # where in a conditional: `then 2`
    order: Order
    mark: Mark
    move: Move | None = None
    at_once: bool = False  # it takes effect as soon as the form is taken
    events: tuple[Event, ...] = ()  # what it will do, as far as its seat may know
    notices: tuple[Notice, ...] = ()
    supposed: bool = False

    @property
    def text(self) -> str | None:
        """The move's canonical text."""
        return None if self.move is None else str(self.move)


class Place(NamedTuple):
    """Where an entry stands in the file: its path, the order it belongs to, and where within that."""

    path: Path
    number: int
    within: str = ""

    def inside(self, arm: str, index: int) -> Place:
        step = f"{arm} {index + 1}"
        return Place((*self.path, arm, index), self.number, f"{self.within}, {step}" if self.within else step)


Placed = tuple[Entry, Place]


class Met(NamedTuple):
    """A condition that is taken to be met: what was done for it, and the position that leads to."""

    state: Any
    deed: Deed


@dataclass(slots=True)
class _Judge:
    """Walks through the orders of one form. `here` is the position the next order meets, None when nobody can know."""

    rules: AnyGame
    state: Any
    seat: Seat
    seats: Sequence[Seat]
    form: Form
    done: Sequence[Deed] | None  # None: its own moves before have a say in it, too
    here: Any = None
    known: Any = None  # the position in which others decide next, where nothing is hidden
    supposing: bool = False
    interrupted: bool = False
    first: bool = True
    over: bool = False
    after_the_end: list[int] = field(default_factory=list)
    read: list[Read] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)

    def begin(self) -> None:
        """The first order meets the open position, if its seat is asked and the file is not for another turn."""
        if self.seat in self.rules.pending(self.state):
            self.interrupted = self.rules.interrupts(self.state, self.seat)
            file = self.rules.bound(self.state, self.seat, self.form.extra)
            for_now = not isinstance(file, TurnFile) or file.turn == self.rules.turn_now(self.state)
            self.here = self.state if self.interrupted or for_now else None
        elif not self.rules.hides:
            self.known = self.state

    def walk(self, placed: Sequence[Placed]) -> None:
        """Entry after entry; conditionals in a row are one choice."""
        rest = list(placed)
        while rest:
            entry, place = rest[0]
            if isinstance(entry, Branch):
                branches = row_at_head([found for found, _ in rest])
                row = [(branch, where) for branch, (_, where) in zip(branches, rest, strict=False)]
                self._row(row)
                rest = rest[len(row) :]
            else:
                self._order(cast(Order, entry), place)
                rest = rest[1:]

    # --- orders ---

    def _order(self, order: Order, place: Place) -> None:
        if self.here is None:
            self._later(order, place)
            return
        move = self.rules.read(self.here, self.seat, order)
        if not isinstance(move, Refusal):
            self._stands(order, move, place)
        elif self.supposing:
            self._would_not_stand(order, move, place)
        elif self.interrupted:
            self._waits_for_its_turn(order, move, place)
        else:
            self.here = None
            self._refuse(move, place, order)

    def _stands(self, order: Order, move: Move, place: Place) -> None:
        """Understood, and legal where it will be used."""
        out_of_turn = self.rules.at_once(self.here, self.seat, move)
        at_once = out_of_turn and self.first and not place.within  # behind other orders it waits for its place
        self.read.append(self._understood(self.here, order, move, place, at_once))
        before, after = self.here, self.rules.foresee(self.here, self.seat, move)
        pending = () if after is None else self.rules.pending(after)
        self.known = None if self.rules.hides or self.seat in pending else after
        self.over = after is not None and not pending
        self.here = after if self.seat in pending else None
        self.interrupted = self.here is not None and self.rules.interrupts(self.here, self.seat)
        if not out_of_turn:
            self.done = None if after is not None and self.rules.remembered(before, after, self.seat) else ()
        self.first = self.first and at_once

    def _understood(self, state: Any, order: Order, move: Move, place: Place, at_once: bool) -> Read:
        events = self.rules.preview(state, self.seat, move)
        notices = self.rules.notices(state, self.seat, move)
        mark = self.form.mark(place.path)
        return Read(place.number, place.within, order, mark, move, at_once, events, notices, self.supposing)

    def _later(self, order: Order, place: Place) -> None:
        """Used when nobody knows yet where: it need only be an order of this game. Some take effect at once even so."""
        self.known, first = None, self.first
        if self.first and not place.within:
            move = self.rules.read(self.state, self.seat, order)
            if not isinstance(move, Refusal) and self.rules.at_once(self.state, self.seat, move):
                self.read.append(self._understood(self.state, order, move, place, at_once=True))
                return
        self.first = False
        if self.over:
            self.after_the_end.append(place.number)
        never = self.rules.why_never(self.state, self.seat, order) or self._cannot_wait(order, first)
        if never is not None:
            self._refuse(never, place, order)
        else:
            self.read.append(Read(place.number, place.within, order, self.form.mark(place.path)))

    def _cannot_wait(self, order: Order, first: bool) -> Refusal | None:
        """Why an order that only an open question takes answers none. Behind others it may be for the next one."""
        if not self.rules.is_for_now(self.state, self.seat, order):
            return None
        if not first and self.seat in self.rules.pending(self.state):
            return None
        move = self.rules.read(self.state, self.seat, order)
        return move if isinstance(move, Refusal) else None

    def _waits_for_its_turn(self, order: Order, why: Refusal, place: Place) -> None:
        """It does not answer the question that is open; it may be meant for the seat's own turn."""
        self.here, before = None, len(self.problems)
        self._later(order, place)
        if len(self.problems) == before:
            sentence = "Order {number} does not answer the question that is open, and waits for your turn: {why}"
            self.notices.append(Notice(why.rule, "no_answer", sentence, {"number": place.number, "why": str(why)}))

    # --- conditionals ---

    def _row(self, row: Sequence[tuple[Branch, Place]]) -> None:
        """Alternatives. Where the seat decides now, what others did is known, and so is which of them is met."""
        for branch, place in row:
            self._conditions(branch, place)
        known = self.known
        chosen = self._chosen(row)
        for branch, place in row:
            for arm, entries in ((THEN, branch.then), (ELSE, branch.otherwise or ())):
                placed = [(entry, place.inside(arm, i)) for i, entry in enumerate(entries)]
                if chosen == (place, arm):
                    self.walk(placed)
                elif chosen is None and arm == THEN and (met := self._met(branch, known)) is not None:
                    self._suppose(placed, known, met)
                else:
                    self._spell(placed)
        if chosen is None:
            self.known = None  # which of them it comes to, nobody knows

    def _chosen(self, row: Sequence[tuple[Branch, Place]]) -> tuple[Place, str] | None:
        if self.here is None or self.done is None:
            self.here = None
            return None
        for branch, place in row:
            if (arm := branch.chosen(self.rules, self.done, self.here, self.seat)) is not None:
                return place, THEN if arm is branch.then else ELSE
        if not self.interrupted:
            self._refuse(none_met(self.done, self.seat), row[0][1], None)
        self.here = None
        return None

    def _met(self, branch: Branch, known: Any) -> Met | None:
        """The position that the first of its conditions leads to which names a move that is open to the next seat."""
        deciding = () if known is None else self.rules.pending(known)
        if len(deciding) != 1 or deciding[0] == self.seat:
            return None
        [other] = deciding
        for condition in branch.when:
            if condition.does is None or condition.seat not in (None, other):
                continue
            move = self.rules.read(known, other, condition.does)
            after = None if isinstance(move, Refusal) else self.rules.foresee(known, other, move)
            if after is not None and self.seat in self.rules.pending(after):
                return Met(after, Deed(other, str(move)))
        return None

    def _suppose(self, placed: Sequence[Placed], known: Any, met: Met) -> None:
        """What these orders would do. Nothing else hangs on it: what stands behind them is judged as it was before."""
        kept = self.here, self.known, self.done, self.interrupted, self.first, self.over, self.supposing
        before = (self.done or ()) if known is self.state else ()
        self.here, self.done, self.known = met.state, (*before, met.deed), None
        self.interrupted, self.first, self.supposing = self.rules.interrupts(met.state, self.seat), False, True
        self.walk(placed)
        self.here, self.known, self.done, self.interrupted, self.first, self.over, self.supposing = kept

    def _would_not_stand(self, order: Order, why: Refusal, place: Place) -> None:
        """A warning, not a refusal: the condition may be met in another way, or the order be meant for later."""
        self.here, before = None, len(self.problems)
        self._later(order, place)
        if len(self.problems) == before:
            sentence = "Order {number}, {within} would not stand if it came to that: {why}"
            facts = {"number": place.number, "within": place.within, "why": str(why)}
            self.notices.append(Notice(why.rule, "would_not_stand", sentence, facts))

    def _spell(self, placed: Sequence[Placed]) -> None:
        """What is not chosen, or not yet, is read as orders for later."""
        here, known, self.here = self.here, self.known, None
        self.known = None
        self.walk(placed)
        self.here, self.known = here, known

    def _conditions(self, branch: Branch, place: Place) -> None:
        for index, condition in enumerate(branch.when):
            mark = self.form.mark((*place.path, IF, index))
            if condition.facts:
                self._condition_of_the_game(dict(condition.facts), mark, place)
            elif condition.seat is not None and condition.seat not in self._others():
                self.problems.append(Problem(self._no_such_seat(condition.seat), mark, None, place.path))
            elif condition.does is not None and (why := self.rules.why_no_deed(condition.does)) is not None:
                self.problems.append(Problem(why, mark, None, place.path))
            elif condition.does is not None and self._cannot_be(condition):
                sentence = "Nobody can do `{does}`, so this condition is never met."
                self.notices.append(Notice("", "never_met", sentence, {"does": condition.does}))

    def _condition_of_the_game(self, facts: Mapping[str, str], mark: Mark, place: Place) -> None:
        unknown = [name for name in facts if name not in self.rules.conditions]
        if unknown:
            sentence = "This game has no condition `{name}`."
            why: Refusal | None = Refusal("", "no_condition", sentence, {"name": unknown[0]}, self.rules.conditions)
        else:
            why = self.rules.why_not_condition(facts)
        if why is not None:
            self.problems.append(Problem(why, mark, None, place.path))

    def _others(self) -> list[Seat]:
        return [seat for seat in self.seats if seat != self.seat]

    def _no_such_seat(self, seat: Seat) -> Refusal:
        others = self._others()
        near, seats = nearest(seat, others), [f"`{other}`" for other in others]  # as forms have them, in any language
        if near is None:
            sentence = "{seat} is no other seat of this game; there are {seats}."
            return Refusal("", "no_seat", sentence, {"seat": seat, "seats": seats})
        sentence = "{seat} is no other seat of this game. Did you mean {near}? There are {seats}."
        return Refusal("", "no_seat", sentence, {"seat": seat, "seats": seats, "near": f"`{near}`"})

    def _cannot_be(self, condition: Condition) -> bool:
        """Whether none of those who are meant could ever do it, as far as its own seat may know."""
        meant = self._others() if condition.seat is None else [condition.seat]
        asked = [self.seat] if self.rules.hides else meant
        return all(self.rules.why_never(self.state, seat, condition.does or "") is not None for seat in asked)

    def _refuse(self, why: Refusal, place: Place, order: Order | None) -> None:
        subject = None if order is None else Subject(place.number, self.form.written, place.within, order)
        if isinstance(order, str) and (found := lookalikes(order)):
            why = _look_alike(order, *found[0])
        self.problems.append(Problem(why, self.form.mark(place.path), subject, place.path))


def _look_alike(order: str, letter: str, latin: str) -> Refusal:
    """Refuse an order that fails because a letter is of another alphabet: nobody sees that in the text."""
    text = (
        "The {letter} in {written} is not the Latin {latin}, although it looks the same ({code}). "
        "Write {meant} in Latin letters."
    )
    facts = {"letter": letter, "written": visible(order), "latin": latin, "code": f"U+{ord(letter):04X}"}
    return Refusal("", "look_alike", text, facts | {"meant": visible(order.translate(LOOKALIKES))})


@dataclass(frozen=True, slots=True)
class Judged:
    """All orders as understood, what is wrong with them, and what looks like a slip; `done` is what others had done."""

    read: tuple[Read, ...]
    problems: tuple[Problem, ...]
    notices: tuple[Notice, ...]
    done: Sequence[Deed]


def judge_orders(
    rules: AnyGame, state: Any, seat: Seat, seats: Sequence[Seat], form: Form, done: Sequence[Deed]
) -> Judged:
    """The orders of a form, by what its seat may know."""
    judge = _Judge(rules, state, seat, seats, form, done)
    judge.begin()
    places = [Place(path, number) for path, number in zip(form.places, form.numbers, strict=True)]
    judge.walk(list(zip(form.orders or (), places, strict=True)))
    if judge.after_the_end:
        sentence = "After the end of the game, as far as can be foreseen: order {numbers}."
        judge.notices.append(Notice("", "after_the_end", sentence, {"numbers": runs(judge.after_the_end)}))
    return Judged(tuple(judge.read), tuple(judge.problems), tuple(judge.notices[:MOST_NOTICES]), done)


def runs(numbers: Sequence[int]) -> list[str]:
    """Rising numbers with those in a row taken together: 2, 3, 4, 7 are 2-4 and 7."""
    found: list[list[int]] = []
    for number in sorted(set(numbers)):
        if found and number == found[-1][1] + 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return [str(first) if first == last else f"{first}-{last}" for first, last in found]
