"""A hosted game as values: all that a turn, a receipt or a report needs to know, with no ledger behind it.

The night hands these to its worker processes, so everything here can be pickled and nothing here can be late.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from engine import Dice, Seat, load
from engine.dice import mix
from engine.entries import Deed
from engine.queue import NO_ORDERS, SeatOrders
from engine.registry import AnyGame
from pbem import keys
from pbem.attending.attendance import Attendance, Away
from pbem.deadlines.schedule import Schedule
from pbem.game.eras import Eras
from pbem.ledger.opening import SEALED_WORDS
from pbem.ledger.public import PRIVATE
from pbem.ledger.seals import Seal, hidden
from pbem.reports.report import Reader
from pbem.seeding.protocol import ALONE, Origin

if TYPE_CHECKING:
    from pbem.matches.match import Match


BOT = "bot:"  # the names of bots begin so, and those of no person


FORGOTTEN = "a player who was forgotten"  # how the host reads of one whose name is gone


class Sitter(NamedTuple):
    """Who sits at a seat."""

    name: str
    address: str
    lang: str
    zone: str
    remind: int = 0  # hours before a deadline at which he is reminded; 0: never

    @property
    def bot(self) -> str | None:
        """The program that plays here, as `known_bot` takes it; None for a person."""
        return self.name.removeprefix(BOT).strip() if self.name.startswith(BOT) else None

    @property
    def is_written_to(self) -> bool:
        """Whether somebody reads what is sent here: a program reads no letters, and who was forgotten gets none."""
        return self.bot is None and bool(self.name)

    @property
    def reader(self) -> Reader:
        return Reader(self.name, self.lang, self.zone)


class Host(NamedTuple):
    """Who writes the mails."""

    name: str
    address: str
    tags: bool = False  # whether letters ask to be answered at an address with their seat's key in it
    pages: bool = False  # whether a report leaves with the page of its seat
    signing_key: str = ""  # the public key that mails are signed with; "" where they are not

    def answer_to(self, key: str, turn: int, seat: Seat, game: str) -> str:
        """Where the answer to a letter with that key goes."""
        return keys.tag(self.address, key, turn, seat, game) if self.tags and key else self.address

    @property
    def domain(self) -> str:
        return self.address.rpartition("@")[2]


class End(NamedTuple):
    """Where the game's chain ends."""

    seq: int
    hash: bytes
    at: datetime | None


NOWHERE = End(0, bytes(32), None)


@dataclass(frozen=True, slots=True)
class Sheet:
    """What does not change while a game goes on: rules, options, seats, schedule and secrets."""

    name: str
    rules_id: str
    options: Mapping[str, Any]
    sitters: Mapping[Seat, Sitter]
    schedule: Schedule
    host: Host
    secret: bytes
    seed: bytes
    nonces: Mapping[str, str]
    commitment: str
    match: Match | None = None  # of which this is a game
    seal: Seal | None = None  # under which orders lie in the ledger until they are played
    eras: Eras = field(default_factory=Eras)  # what keys are made with
    tells_looks: bool = False  # whether the next report tells of each look at what is still secret
    masks: bool = False  # whether a seat may write to others without saying who it is
    signing_key: str = ""  # the one that signed when the game began, as its first row says
    origin: Origin = ALONE  # what its dice come from, beside the seed

    @property
    def rules(self) -> AnyGame:
        return load(self.rules_id)

    @property
    def players(self) -> dict[Seat, str]:
        return {seat: sitter.name for seat, sitter in self.sitters.items()}

    @property
    def teams(self) -> tuple[tuple[Seat, ...], ...]:
        """The sides: seats that win and lose together."""
        rules = self.rules
        return rules.teams(rules.Options(**self.options))

    @property
    def nothing(self) -> dict[Seat, SeatOrders]:
        """What every seat has ordered before the first turn."""
        return dict.fromkeys(self.sitters, NO_ORDERS)

    def dice(self, context: str) -> Dice:
        """The dice of one turn: independent of the orders, so that a rerun or an undo draws the same."""
        return Dice(mix(self.seed, self.nonces), self.name).at(context)

    def key(self, seat: Seat, turn: int) -> str:
        return keys.key(self.secret, seat, turn, str(self.eras.of(seat, turn)))

    def message_id(self, *what: object) -> str:
        """One id for one letter, the same however often the run that writes it is begun again. What it is made of names
        the head that the letter tells of: a game that a backup was restored of may come to the same place by another
        way, and a mail under the id of one that has left would be thrown away as known."""
        text = "\0".join(("mail", *map(str, what)))
        return f"<{hmac.digest(self.secret, text.encode(), 'sha256')[:15].hex()}@{self.host.domain}>"

    def thread(self, seat: Seat) -> str:
        """The id that all mails of this game to this seat refer to, so that a mail program shows them as one."""
        return self.message_id("thread", seat)


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a game stands between two runs."""

    turn: int
    state: Any  # the rules' own value, not its JSON
    orders: Mapping[Seat, SeatOrders] = field(default_factory=dict)  # of every seat
    counters: Mapping[Seat, int] = field(default_factory=dict)
    done: Mapping[Seat, tuple[Deed, ...]] = field(default_factory=dict)
    at_once: int = 0
    resigned: frozenset[Seat] = frozenset()
    sources: Mapping[Seat, int] = field(default_factory=dict)  # the row of the submission that a seat's orders came by
    says: Mapping[Seat, Mapping[str, str]] = field(default_factory=dict)  # press that leaves with the next report
    deadline: datetime | None = None
    end: End = NOWHERE
    keyless: Mapping[Seat, int] = field(default_factory=dict)  # mails in a seat's name without its key, not yet told
    attendance: Attendance = field(default_factory=Attendance)
    away: Mapping[Seat, Away] = field(default_factory=dict)  # who has said to be away, and until when
    unanswered: Mapping[Seat, Mapping[str, Any]] = field(
        default_factory=dict
    )  # messages without an answer, not yet told

    def orders_of(self, seat: Seat) -> SeatOrders:
        return self.orders.get(seat, NO_ORDERS)


class Recorded(NamedTuple):
    """Where a game stands, as the ledger has it: plain JSON, which goes to a worker in a third of the time, and of
    which the worker makes the values."""

    turn: int
    state: Any
    waits: Mapping[Seat, Mapping[str, Any]]  # all that waits for each seat, opened
    counters: Mapping[Seat, int]
    deeds: Any
    at_once: int
    resigned: list[Seat]
    deadline: datetime | None
    end: End
    keyless: Mapping[Seat, int]
    attendance: Any
    away: Mapping[Seat, Any]
    zone: str  # of the days of absence
    unanswered: Mapping[Seat, Mapping[str, Any]]

    def standing(self) -> Standing:
        """The same as values, but for the state, which only the game's own rules can restore."""
        return Standing(
            self.turn,
            self.state,
            {seat: SeatOrders.from_json(body) for seat, body in self.waits.items()},
            self.counters,
            deeds_from_json(self.deeds),
            self.at_once,
            frozenset(self.resigned),
            {seat: body["submission"] for seat, body in self.waits.items() if "submission" in body},
            {seat: body["say"] for seat, body in self.waits.items() if "say" in body},
            self.deadline,
            self.end,
            self.keyless,
            Attendance.from_json(self.attendance),
            {seat: Away.from_row(said, self.zone) for seat, said in self.away.items()},
            self.unanswered,
        )


ORDERS = ("orders", "draft", "standing", "understood")
WORDS = ("extra", "say", "refusals", "warnings")  # what a player wrote beside orders, and answers that may quote it


def waits_to_json(sheet: Sheet, standing: Standing, seat: Seat, when: str) -> dict[str, Any] | str | None:
    """Return the orders that wait for a seat and where they came from, as the ledger holds them: sealed, where the
    game's orders are. `when` is never the same for two things that may wait."""
    orders = standing.orders_of(seat).to_json()
    if not orders:
        return None
    source = {"submission": standing.sources[seat]} if seat in standing.sources else {}
    return _sealed(sheet, f"{seat}/{when}/queue", {**orders, **source})


def says_to_json(sheet: Sheet, standing: Standing, seats: Iterable[Seat], when: str) -> dict[Seat, Any]:
    """Return the press of these seats that waits for the next report, as the ledger holds it. It is never public."""
    return {
        seat: _sealed(sheet, f"{seat}/{when}/says", dict(standing.says[seat]))
        for seat in seats
        if standing.says.get(seat)
    }


def _sealed(sheet: Sheet, label: str, value: dict[str, Any]) -> dict[str, Any] | str:
    return value if sheet.seal is None else sheet.seal.text(sheet.name, label, value)


def submission(sheet: Sheet, seat: Seat, body: Mapping[str, Any], *, withheld: bool = False) -> dict[str, Any]:
    """Return the row of a submission as the ledger holds it. What a player wrote beside his orders is kept private; so
    is all that he wrote where the submission changes nothing (`withheld`)."""
    label = f"{seat}/{body['counter']}"
    words = {name: body[name] for name in WORDS if name in body}
    rest = {name: value for name, value in body.items() if name not in WORDS}
    if withheld:
        words |= {name: rest[name] for name in ORDERS}
        rest |= {"orders": None, "standing": None, "understood": []}
    kept = words if sheet.seal is None else {SEALED_WORDS: sheet.seal.text(sheet.name, f"{label}/words", words)}
    return {**hidden(sheet.seal, sheet.name, label, rest, ORDERS), PRIVATE: kept}


def deeds_to_json(done: Mapping[Seat, tuple[Deed, ...]]) -> dict[str, list[list[str | None]]]:
    return {seat: [[deed.seat, deed.move] for deed in deeds] for seat, deeds in done.items()}


def deeds_from_json(data: Mapping[str, list[list[str]]] | None) -> dict[Seat, tuple[Deed, ...]]:
    return {seat: tuple(Deed(*deed) for deed in deeds) for seat, deeds in (data or {}).items()}
