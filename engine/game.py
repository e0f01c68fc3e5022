"""The one interface: what a game must answer, and what it may leave to the kernel.

A game is a sequence of decision points. At each, some seats are pending; each has a finite list of legal moves; when
every pending seat has one, they are resolved together. Chance is never a decision: it is drawn while resolving.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, NamedTuple, TypeVar

from engine import canon
from engine.composing import Composer
from engine.dice import Dice, DiceRanOut
from engine.events import Event
from engine.refusal import Refusal

if TYPE_CHECKING:
    from engine.entries import Deed, TurnFile
    from engine.options import OptionSet
    from engine.series import Series

Seat = str
Move = Hashable
Order = str | Mapping[str, Any]
S = TypeVar("S", bound=Hashable)
M = TypeVar("M", bound=Hashable)


class Turned(NamedTuple):
    """What resolving gives: the new state, and the story of how it came about."""

    state: Any
    events: tuple[Event, ...] = ()


turned: Final[Callable[[tuple[Any, tuple[Event, ...]]], Turned]] = partial(tuple.__new__, Turned)
"""What `Turned(...)` does with the same two values, in half the time."""


class Overtaken(NamedTuple):
    """What the course of the game has made of a seat's waiting orders: the first is dropped, or all are, and why."""

    why: Refusal
    whole_queue: bool = False


@dataclass(frozen=True, slots=True)
class View:
    """What one seat may know (seat None: the public), and all that reports, pages and bots are made of.

    `facts` is plain JSON: mappings, lists, texts, whole numbers, booleans, None.
    """

    seat: Seat | None
    pending: tuple[Seat, ...]
    decision: str
    position: str
    facts: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How it ended: seats by place (best first, equals together), scores, and the paragraph that ended it."""

    places: tuple[tuple[Seat, ...], ...]
    scores: Mapping[Seat, int]
    rule: str
    reason: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Notice:
    """A warning about an order that is legal but looks like a slip; worded like a refusal."""

    rule: str
    code: str
    text: str
    facts: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return str(Refusal(self.rule, self.code, self.text, self.facts))


class Game(ABC, Generic[S, M]):
    """Everything a host, a bot or a test may ask of a game. A game has no memory: all it knows is in the state."""

    id: ClassVar[str]
    version: ClassVar[str]
    title: ClassVar[Mapping[str, str]]
    Options: ClassVar[type[OptionSet]]
    State: ClassVar[type[Any]]
    showcase: ClassVar[tuple[Mapping[str, str], ...]] = ({},)  # options worth showing somebody who looks at pbem first
    showcase_standing: ClassVar[Mapping[str, Any]] = {}  # standing answers worth showing along with them
    hides: ClassVar[bool] = True  # whether a state may hold what some seat may not know
    unreadable: ClassVar[frozenset[str]] = frozenset({"unreadable"})  # refusal codes that no position would lift
    order_keys: ClassVar[Mapping[str, tuple[str, ...]]] = {}  # keys the rules add to the order form, with their words
    conditions: ClassVar[tuple[str, ...]] = ()  # names an `if:` of this game may ask about besides what others did

    # --- what every game must answer ------------------------------------------------------------------------------

    @abstractmethod
    def seats(self, options: Any) -> tuple[Seat, ...]:
        """The seats of a game with these options, in their canonical order."""

    @abstractmethod
    def setup(self, options: Any, dice: Dice) -> Turned:
        """The first state and the story of the set-up."""

    @abstractmethod
    def pending(self, state: S) -> tuple[Seat, ...]:
        """The seats that have a decision to make now, in canonical order; () when the game is over."""

    @abstractmethod
    def moves(self, state: S, seat: Seat) -> Iterator[M]:
        """The legal moves of a pending seat in canonical order, found lazily where there are many."""

    @abstractmethod
    def read(self, state: S, seat: Seat, order: str | Mapping[str, Any]) -> M | Refusal:
        """The move an order means in this state, or why it cannot stand. Never by listing all moves.

        Texts may be synonyms in any case and spacing; a mapping names its kind by `do` or `action`; all scalars of a
        mapping are texts. Reads what the seat may know and nothing else.
        """

    @abstractmethod
    def default(self, state: S, seat: Seat) -> M:
        """The move that silence means at the deadline."""

    @abstractmethod
    def resolve(self, state: S, moves: Mapping[Seat, M], dice: Dice) -> Turned:
        """All pending seats' moves at once. The moves are legal in this state: they came from `read` or `moves`."""

    @abstractmethod
    def view(self, state: S, seat: Seat | None) -> View:
        """What that seat may know; None: what the public may know."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """How the game ended, or None while it goes on."""

    @abstractmethod
    def position(self, state: S) -> str:
        """The whole state on one canonical line."""

    @abstractmethod
    def from_position(self, line: str) -> S:
        """The state of a position line; raises BadPosition for a line that `position` would not write."""

    # --- what a game may say more about ---------------------------------------------------------------------------

    def decision(self, state: S) -> str:
        """The kind of decision now open, one word: `plan`, `bid`, `move`; `over` at the end."""
        return "move" if self.pending(state) else "over"

    def at_once(self, state: S, seat: Seat, move: M) -> bool:
        """Whether this move takes effect as soon as it is read, even when the seat is not pending.

        `read` may return a move for a seat that is not pending only when this says yes; the host then resolves
        {seat: move} alone. Resignations and standing instructions that the rules themselves know are of this kind.
        """
        return False

    def resignation(self, state: S, seat: Seat) -> M | None:
        """The move by which the rules let a seat resign, or None when resignation is the host's own matter."""
        return None

    def answer(self, state: S, seat: Seat, standing: Mapping[str, Any]) -> M | None:
        """The move a seat's standing answers give to the decision now open to it, if they decide it."""
        return None

    def interrupts(self, state: S, seat: Seat) -> bool:
        """Whether the decision open to this seat breaks into its plans, as a question during another's turn does.

        Queued orders that do not answer it then wait for the seat's own turn, where elsewhere they would be dropped.
        """
        return False

    def why_not_standing(self, state: S, seat: Seat, standing: Mapping[str, Any]) -> Refusal | None:
        """Why these standing answers cannot stand; a game without interrupts knows none."""
        return Refusal("", "no_standing", "This game asks no questions that a standing answer could serve.")

    def why_never(self, state: S, seat: Seat, order: str | Mapping[str, Any]) -> Refusal | None:
        """Why no position of this game could take the order, for a misspelling or an unknown name; None: one might.

        Asked of orders for later. A game whose `read` looks at the turn before the spelling answers this itself.
        """
        read = self.read(state, seat, order)
        return read if isinstance(read, Refusal) and read.code in self.unreadable else None

    def why_not_say(self, state: S, seat: Seat, to: Seat | None) -> Refusal | None:
        """Why the rules forbid a seat to write to another (None: to all) now; most games know no such rule."""
        return None

    def kept_standing(self, state: S, seat: Seat, standing: Mapping[str, Any]) -> M | None:
        """The move at once by which the rules themselves keep these standing answers, which `why_not_standing` has let
        pass; None when the host keeps them for `answer`."""
        return None

    def is_for_now(self, state: S, seat: Seat, order: Order) -> bool:
        """Whether an order that does not stand was yet meant for a decision that interrupts its seat: it fails then,
        instead of waiting."""
        return False

    def overtaken(self, before: S, turned: Turned, seat: Seat, order: Order | None) -> Overtaken | None:
        """Whether what has just happened leaves no room for the first of a seat's waiting orders (None: that one is
        conditional), or for any of them."""
        return None

    # --- several games, one after another -------------------------------------------------------------------------

    def teams(self, options: Any) -> tuple[tuple[Seat, ...], ...]:
        """The seats that win and lose together and share one score, by sides; every seat by itself unless told so."""
        return tuple((seat,) for seat in self.seats(options))

    def series(self, options: Any) -> Series | None:
        """The series of games that the rules themselves declare with these options; most rules end with one game."""
        return None

    def uses_dice(self, options: Any) -> bool:
        """Whether a game with these options may draw from its dice, at the set-up or later."""
        return True

    # --- files that serve one turn of several decisions ---------------------------------------------------------------

    def bound(self, state: S, seat: Seat, keys: Mapping[str, str]) -> TurnFile | Refusal | None:
        """The turn that a file with these keys (of `order_keys`) serves, as an empty file; None: files know no turns,
        and their orders are used at whatever decisions come."""
        return None

    def turn_now(self, state: S) -> str:
        """The name of the running turn, in a game whose files are bound to turns."""
        return ""

    def turns_ended(self, before: S, after: S) -> Collection[str]:
        """The names of the turns that ended between two states; files for them are void."""
        return ()

    def remembered(self, before: S, after: S, seat: Seat) -> bool:
        """Whether a seat that has just decided still looks back on what it heard before: while its turn goes on."""
        return False

    def asks_anew(self, before: S, after: S, seat: Seat, answered: bool) -> bool:
        """Whether a seat that has just decided is asked about what comes next, though the deadline is over: a new turn
        of its own, as where the others can only pass, or what its orders (`answered`) have brought and nobody knew."""
        return False

    def noted(self, events: Sequence[Event], seat: Seat) -> tuple[str, ...]:
        """Of what a seat did itself, in words, what its own conditionals may look back on."""
        return ()

    def holds(self, state: S, seat: Seat, condition: Mapping[str, str], done: Sequence[Deed]) -> bool:
        """Whether all that an `if:` asks about (names of `conditions`) is so, by what the seat may know."""
        return False

    def why_not_condition(self, condition: Mapping[str, str]) -> Refusal | None:
        """Why an `if:` with names of `conditions` cannot be judged, for values it cannot take."""
        return None

    def foresee(self, state: S, seat: Seat, move: M) -> S | None:
        """The state this move leads to, as far as its seat may know: nobody else asked, no chance, nothing hidden.

        A game with secrets that foresees all the same puts into their places what does not depend on them.
        """
        if self.hides or self.pending(state) != (seat,):
            return None
        try:
            after: S = self.resolve(state, {seat: move}, Dice.script(())).state
        except DiceRanOut:
            return None
        return after

    def notices(self, state: S, seat: Seat, move: M) -> tuple[Notice, ...]:
        """Warnings about a legal move, from what the seat may know."""
        return ()

    def preview(self, state: S, seat: Seat, move: M) -> tuple[Event, ...]:
        """What the move would do as far as its seat may know and chance has no say: a dry run on its view."""
        return ()

    def composer(self, state: S, seat: Seat) -> Composer:
        """How the moves of a pending seat are put together out of choices, from what the seat may know."""
        return Composer()

    def standing_choices(self, state: S, seat: Seat) -> Mapping[str, tuple[str, ...]]:
        """The standing answers that are given in one word: the words by their names, the usual one first."""
        return {}

    def shown(self, state: S, seat: Seat, move: M, reader: Seat | None) -> str | None:
        """A move that was resolved, in words that `reader` may know; None: only that there was one; "": not even that.

        `state` is the one the move was made in. Open games show everything.
        """
        return str(move)

    def same_move(self, text: str, move: str) -> bool:
        """Whether a player's words in an `if:` mean this canonical move of another seat."""
        return " ".join(text.lower().split()) == move.lower()

    def why_no_deed(self, text: str) -> Refusal | None:
        """Why an `if:` cannot ask for words that an order may bear: what they mean hangs on the position; None: it can,
        `same_move` compares them."""
        return None

    def check(self, state: S) -> None:
        """Raise BrokenInvariant when pieces, cards or money do not add up."""

    # --- what players that are programs ask ---------------------------------------------------------------------------

    def imagine(self, state: S, seat: Seat, dice: Dice) -> S:
        """A state that this seat cannot tell from the true one, its hidden parts drawn anew.

        Made from what the seat may know and the dice alone: for states it cannot tell apart, the same dice give the
        same. A game that hides something must say how; without it no program can play it.
        """
        if self.hides:
            raise TypeError(f"{self.id} hides something and does not say what a seat may imagine")
        return state

    def appraise(self, state: S, seat: Seat) -> int:
        """How well a seat stands in a game that goes on, by what it may know: above 0 is better than the others.

        The outcome speaks for itself, so a game that has nothing to add leaves all its open positions alike.
        """
        return 0

    # --- states there and back ------------------------------------------------------------------------------------

    def dump(self, state: S) -> Any:
        """The state as plain JSON."""
        return canon.dump(self.State, state)

    def restore(self, data: Any) -> S:
        """The state of what `dump` gave."""
        state: S = canon.restore(self.State, data)
        return state


class BrokenInvariant(AssertionError):
    """The state cannot be right: the game halts rather than guess on."""
