"""Overviews: all games at a glance, and one game as its host may see it (no plan that is not yet played)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from engine import Outcome, Seat
from engine.registry import AnyGame
from pbem.agreed.consent import missing
from pbem.attending.answers import has_answered
from pbem.attending.attendance import NEW, Record
from pbem.clock import stamp
from pbem.config import Config
from pbem.errors import CannotGoOn
from pbem.game.hosting import game_named, sheet_of, standing_of
from pbem.game.sheet import FORGOTTEN, Sheet, Standing
from pbem.game.turning import outcome_of, outcome_to_json
from pbem.ledger import games, journal, letters, outbox
from pbem.ledger.games import GameRow
from pbem.ledger.transaction import Read
from pbem.matches.match import Match
from pbem.rulebook import spoken
from pbem.rulings.disputed import numbers
from pbem.seeding.asking import people
from pbem.seeding.protocol import PLAYERS, told
from pbem.seeding.reading import seeding_of


@dataclass(frozen=True, slots=True)
class Waiting:
    """A seat that has to decide: who, and whether an order of his stands that answers."""

    seat: str
    player: str
    answered: bool
    record: Record = NEW  # how the seat has kept its appointments in this game


@dataclass(frozen=True, slots=True)
class Question:
    """What all seats are asked, and whose word is still missing."""

    what: str
    turn: int | None  # to which the game would go back
    missing: tuple[str, ...]

    def __str__(self) -> str:
        to = "" if self.turn is None else f" to turn {self.turn}"
        return f"{self.what}{to} asked, still to agree {', '.join(self.missing)}"


@dataclass(frozen=True, slots=True)
class Glance:
    """One game on one line."""

    name: str
    rules: str
    status: str
    turn: int
    decision: str
    deadline: datetime | None
    waiting: tuple[Waiting, ...]
    attempts: int
    trouble: str | None = None  # why it cannot go on here: its rules are not installed
    match: Match | None = None  # of which it is a game
    disputes: tuple[int, ...] = ()  # that wait for the referee's answer
    asked: tuple[Question, ...] = ()
    dice: str = ""  # what is missing before its dice are settled

    def late(self, now: datetime) -> bool:
        return self.status == games.OPEN and self.deadline is not None and self.deadline <= now

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "game": self.rules,
            "status": self.status,
            "turn": self.turn,
            "decision": self.decision,
            "deadline": None if self.deadline is None else stamp(self.deadline),
            "waiting": [
                {"seat": w.seat, "player": w.player, "answered": w.answered, "silent": w.record.silent}
                for w in self.waiting
            ],
            "attempts": self.attempts,
            "trouble": self.trouble,
            "match": None if self.match is None else {"name": self.match.name, "number": self.match.number},
            "disputes": list(self.disputes),
            "dice": self.dice,
            "asked": [{"what": one.what, "turn": one.turn, "missing": list(one.missing)} for one in self.asked],
        }


def glances(tx: Read, config: Config, status: str | None = None) -> Iterator[Glance]:
    """Every game, or those of one status, by name."""
    for row in list(games.every(tx, status)):
        yield _glance(tx, config, row)


def glance_at(tx: Read, config: Config, name: str) -> Glance:
    """One game."""
    return _glance(tx, config, game_named(tx, name))


def _glance(tx: Read, config: Config, row: GameRow) -> Glance:
    try:
        if row.status == games.SEEDING:
            return _unborn(tx, row, sheet_of(tx, config, row))
        return glance(row, sheet_of(tx, config, row), standing_of(tx, row))
    except CannotGoOn as trouble:
        return Glance(
            row.name, row.rules, row.status, row.turn, row.decision, row.deadline_at, (), row.attempts, str(trouble)
        )


def _unborn(tx: Read, row: GameRow, sheet: Sheet) -> Glance:
    """A game whose dice are being settled, with the seats that are still to be heard."""
    created = journal.first(tx, row.name)
    assert created is not None, "a game begins with the row that created it"
    seeding = seeding_of(tx, row.name, created.facts())
    asked = seeding.missing if seeding.closed else seeding.unheard(people(sheet))
    waiting = tuple(Waiting(seat, sheet.players[seat], False) for seat in asked if seeding.wish.by == PLAYERS)
    return Glance(row.name, row.rules, row.status, row.turn, row.decision, row.deadline_at, waiting, row.attempts,
                  disputes=numbers(row), dice=seeding.awaits)  # fmt: skip


def seen_waiting(rules: AnyGame, state: Any, reader: Seat | None) -> tuple[Seat, ...]:
    """The seats that have a decision to make, for all that this reader (None: everybody) may know."""
    return rules.view(state, reader).pending if rules.hides else rules.pending(state)


def glance(row: GameRow, sheet: Sheet, standing: Standing) -> Glance:
    asked = sheet.rules.pending(standing.state) if row.status != games.OVER else ()
    waiting = tuple(
        Waiting(
            seat,
            sheet.players[seat],
            seat not in asked or has_answered(sheet, standing, seat),
            standing.attendance.of(seat),
        )
        for seat in (seen_waiting(sheet.rules, standing.state, None) if asked else ())
    )
    return Glance(
        row.name,
        row.rules,
        row.status,
        row.turn,
        row.decision,
        row.deadline_at,
        waiting,
        row.attempts,
        match=sheet.match,
        disputes=numbers(row),
        asked=tuple(_questions(sheet, standing)) if row.status != games.OVER else (),
    )


def _questions(sheet: Sheet, standing: Standing) -> Iterator[Question]:
    for what, asked in sorted(standing.attendance.asked.items()):
        yield Question(what, asked.turn, missing(sheet, frozenset(standing.resigned), asked))


def health(tx: Read, now: datetime) -> dict[str, int]:
    """What waits."""
    lost = len(outbox.lost(tx))
    return {
        "mails_waiting": outbox.waiting(tx),
        "mails_lost": lost,
        "letters_waiting": letters.counts(tx).get(letters.WAITING, 0),
    }


@dataclass(frozen=True, slots=True)
class Details:
    """One game, with what stays the same about it."""

    glance: Glance
    players: dict[str, str]
    options: dict[str, Any]
    schedule: str
    commitment: str
    head: str
    position: str  # what the public may know of it
    outcome: Outcome | None
    origin: str = ""  # what the dice come from, in words; "" where it uses none, or they are not settled

    def lines(self) -> Iterator[tuple[str, str]]:
        yield "Players", ", ".join(f"{seat} {player or FORGOTTEN}" for seat, player in self.players.items())
        yield "Options", ", ".join(f"{name}={spoken(value)}" for name, value in self.options.items()) or "none"
        if match := self.glance.match:
            yield "Match", f"game {match.number} of {match.name}; `pbem match show {match.name}`"
        yield "Schedule", self.schedule
        if self.position:
            yield "Position", self.position
        if self.outcome:
            places = "; ".join(
                f"{number}. {', '.join(place)}" for number, place in enumerate(self.outcome.places, start=1)
            )
            yield "Outcome", f"{places} [{self.outcome.rule}]"
        yield "Dice commitment", self.commitment
        if self.origin:
            yield "Dice", self.origin
        yield "Ledger head", self.head

    def to_json(self) -> dict[str, Any]:
        return self.glance.to_json() | {
            "players": self.players,
            "options": self.options,
            "schedule": self.schedule,
            "position": self.position,
            "commitment": self.commitment,
            "origin": self.origin,
            "head": self.head,
            "outcome": self.outcome and outcome_to_json(self.outcome),
        }


def details(tx: Read, config: Config, name: str) -> Details:
    row = game_named(tx, name)
    sheet = sheet_of(tx, config, row)
    same = sheet.players, dict(sheet.options), str(sheet.schedule), sheet.commitment, tx.end(name).hash.hex()
    if row.status == games.SEEDING:
        return Details(_unborn(tx, row, sheet), *same, "", None, "")
    standing = standing_of(tx, row)
    outcome = outcome_of(sheet.rules, standing.state, standing.resigned, sheet.teams, drawn=standing.attendance.drawn)
    uses = sheet.rules.uses_dice(sheet.rules.Options(**sheet.options))
    position = sheet.rules.view(standing.state, None).position
    return Details(glance(row, sheet, standing), *same, position, outcome, told(sheet.origin) if uses else "")
