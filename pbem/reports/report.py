"""What a mail to a player says, before it has words: reports, receipts and notices as values.

The host fills these; every renderer (text, HTML, JSON) reads them and nothing else, so that they cannot disagree and
cannot tell more than stands here. None of them holds a state: what a seat may not know never comes this far.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from typing import Any, Literal, NamedTuple

from engine import Event, Game, Outcome, Refusal, Seat, View
from engine import Notice as Warned
from pbem.seeding.protocol import Origin

How = Literal["given", "standing", "draft", "default", "resigned", "stand-in"]
Fate = Literal["accepted", "draft", "refused"]

LISTED = 12  # so few legal moves are all shown
LOOKED_AT = 48  # more are never even listed; examples are taken evenly from these
EXAMPLES = 5


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads: the player's name, language (`en`, `fr`, `it`) and time zone (`Europe/Paris`)."""

    name: str
    lang: str = "en"
    zone: str = "UTC"


class Taken(NamedTuple):
    """A move that counted, as far as the reader may know it (`move` None: he may only know that there was one).

    One of which he may not even know that does not come this far.
    """

    seat: Seat
    move: str | None
    how: How


@dataclass(frozen=True, slots=True)
class Step:
    """One decision point that was resolved: its turn, who did what, and what came of it for the reader's eyes."""

    turn: int
    moves: tuple[Taken, ...] = ()
    events: tuple[Event, ...] = ()  # each already `seen_by` the reader's seat


@dataclass(frozen=True, slots=True)
class Menu:
    """What a pending seat may do: the move that silence means, and some of its legal moves."""

    default: str
    examples: tuple[str, ...] = ()
    count: int | None = None  # how many legal moves there are; None: more than anybody wants to count


@dataclass(frozen=True, slots=True)
class Stands:
    """What the host holds of a seat: orders waiting in its queue, a draft, and standing answers.

    Orders are as in the order form: texts, or mappings (`{if: ..., then: ...}` among them). `nothing` is the word that
    there is nothing to order. Where they came as files, each for one turn, the first `file` of them are those of one;
    `keys` are what else it says, without what is usual.
    """

    orders: tuple[Any, ...] = ()
    draft: tuple[Any, ...] = ()
    standing: Mapping[str, Any] = field(default_factory=dict)
    nothing: bool = False
    file: int | None = None
    keys: Mapping[str, str] = field(default_factory=dict)

    @property
    def form(self) -> tuple[Any, ...]:
        """The orders, or else the draft, as far as one form can say them: a file for another turn needs its own."""
        return (self.orders or self.draft)[: self.file]

    def __bool__(self) -> bool:
        return bool(self.orders or self.draft or self.standing or self.nothing)


NOTHING_STANDS = Stands()


MAIL = "mail"  # the file of what was written in a mail


class Place(NamedTuple):
    """Where something was written: file (or MAIL), line and column from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Problem:
    """An order that cannot stand and why; without a place when it waited in the queue and can no longer be done."""

    refusal: Refusal
    order: Any = ""  # as it was written: a text or a mapping; "" when the trouble is not with one order
    place: Place | None = None


class Said(NamedTuple):
    """Press: what a seat said (None: one that wears a mask), and to which seat (None: to all)."""

    seat: Seat | None
    text: str
    to: Seat | None = None


HANDED_OVER = "substitute"  # the kind of news that somebody else plays a seat from then on


class News(NamedTuple):
    """Something about the running of the game, such as that a seat is not waited for any more; everybody is told."""

    kind: str
    seat: Seat | None = None
    facts: Mapping[str, Any] = {}


class SideStands(NamedTuple):
    """How one side of a match stands: its place, where it sits in this game, games won, and points."""

    place: int
    seats: tuple[Seat, ...]
    won: int
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchStands:
    """The match that a game belongs to: which of its games this is, and how it stands after those that are over."""

    name: str
    number: int  # of this game
    games: int  # at most
    scored: bool  # whether points count
    played: int  # games that are over
    sides: tuple[SideStands, ...]  # best first
    over: bool
    rule: str  # by which it is counted, or was ended
    next: str = ""  # the game that begins now, when this one has just ended

    @property
    def first(self) -> tuple[SideStands, ...]:
        """The side in first place, or all that share it."""
        return tuple(side for side in self.sides if side.place == 1)


class Unanswered(NamedTuple):
    """A message of the seat that had no answer: when it was judged, what became of it, and the ledger's reason."""

    at: datetime
    fate: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """All that one reader learns of one game after a night. `seat` None: the public report."""

    game: str
    rules: Game[Any, Any]
    options: Mapping[str, Any] = field(default_factory=dict)
    players: Mapping[Seat, str] = field(default_factory=dict)  # display names, in the order of the seats
    zone: str = "UTC"  # the game's own

    seat: Seat | None = None
    reader: Reader = Reader("")
    counter: int = 1  # the how-manieth report of this game to this seat

    turn: int  # the decision point now open (or the one after the last, when the game is over)
    view: View
    steps: tuple[Step, ...] = ()
    press: tuple[Said, ...] = ()
    news: tuple[News, ...] = ()
    problems: tuple[Problem, ...] = ()
    resigned: tuple[Seat, ...] = ()  # who has given up so far
    keyless: int = 0  # messages in the name of this seat without its key, none of which counted
    unanswered: tuple[Unanswered, ...] = ()  # messages of this seat that had no answer
    unlisted: int = 0  # further ones
    outcome: Outcome | None = None
    match: MatchStands | None = None  # when it is a game of a match

    deadline: datetime | None = None  # aware, UTC
    key: str = ""
    answer_to: str = ""  # the address orders go to, for a link that opens a mail with the form in it
    brings_page: bool = False  # whether it leaves with a page for the browser
    menu: Menu | None = None  # None: this seat has nothing to decide now
    stands: Stands = NOTHING_STANDS

    head: str = ""  # of the ledger's chain for this game
    commitment: str = ""  # to the seed of the dice
    dice: Origin | None = None  # what the dice come from; None: the game uses none
    seed: str = ""  # revealed when the game is over
    signing_key: str = ""  # the host's public key, where the reader is to be told it


@dataclass(frozen=True, slots=True)
class Understood:
    """An order that was read: the words, the move they mean now (None: judged when its turn comes), what it will do."""

    order: Any
    move: str | None = None
    place: Place | None = None
    events: tuple[Event, ...] = ()  # a dry run on what the seat may know
    notices: tuple[Warned, ...] = ()
    label: str = ""  # which order of the file it is, and where within that: `2, then 1`
    supposed: bool = False  # the move is what it would mean, should its condition be met


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """The answer to a submission: what was read, what it will do, what was refused and what stands now."""

    game: str
    rules: Game[Any, Any]
    players: Mapping[Seat, str] = field(default_factory=dict)
    zone: str = "UTC"

    seat: Seat
    reader: Reader
    counter: int  # the how-manieth submission of this seat
    turn: int
    view: View  # of the seat, before its orders

    fate: Fate
    understood: tuple[Understood, ...] = ()
    problems: tuple[Problem, ...] = ()
    notices: tuple[Warned, ...] = ()  # about all of it
    say: str = ""
    kept: bool = False  # though it was refused, its orders before the first wrong one wait as a draft
    stands: Stands = NOTHING_STANDS  # now
    replaces: Stands | None = None  # what stood before, when something did
    silence: str = ""  # the move that will count when nothing stands at the deadline

    received: datetime | None = None
    deadline: datetime | None = None
    key: str = ""
    answer_to: str = ""
    menu: Menu | None = None
    is_closed: bool = False  # the game takes no orders now, so there is no form for any
    resigned: bool = False  # the seat has, perhaps by this very form
    digest: str = ""  # SHA-256 of the bytes that were received
    head: str = ""


Told = Literal[
    "news", "reminder", "halted", "paused", "resumed", "extended", "ruling", "refused", "message", "asked", "dice"
]
# What a player asked for by mail, and press that leaves at once.
Answered = Literal["help", "status", "history", "withdrawn", "noted", "said", "press", "known", "too_many", "address"]
Welcome = Literal["briefing"]
NoticeKind = Told | Answered | Welcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """Something else a player must be told: a deadline that comes near, a game that was halted, a ruling, an answer.

    `lines` are sentences of ours, `text` are somebody's own words.
    """

    kind: NoticeKind
    game: str
    rules: Game[Any, Any]
    players: Mapping[Seat, str] = field(default_factory=dict)
    zone: str = "UTC"
    seat: Seat | None
    reader: Reader
    counter: int = 1
    turn: int
    lines: tuple[Warned, ...] = ()  # their facts may hold instants, which are told in the reader's zone
    text: str = ""  # the host's, the referee's or a player's own words
    news: tuple[News, ...] = ()
    deadline: datetime | None = None
    key: str = ""
    answer_to: str = ""
    menu: Menu | None = None
    stands: Stands = NOTHING_STANDS
    is_closed: bool = False  # as with a receipt
    head: str = ""


Letter = Report | Receipt | Notice


def menu(rules: Game[Any, Any], state: Any, seat: Seat) -> Menu | None:
    """What this seat may choose from, looking at few of the legal moves however many there are."""
    if seat not in rules.pending(state):
        return None
    found = list(islice(rules.moves(state, seat), LOOKED_AT + 1))
    all_of_them = len(found) <= LOOKED_AT
    shown = found if len(found) <= LISTED else [found[i * len(found) // EXAMPLES] for i in range(EXAMPLES)]
    return Menu(str(rules.default(state, seat)), tuple(map(str, shown)), len(found) if all_of_them else None)
