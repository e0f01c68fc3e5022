"""Recomputing: a game played again from its own history, move by move, with its own dice.

Each step starts from the state that stands in the row before, so the first row that does not follow is the wrong one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from engine import Dice, Move, Refusal, Turned
from engine.canon import canonical
from engine.dice import mix
from engine.registry import AnyGame
from pbem.audit.book import BACK, COURSE, Book, Line, committed, created, is_match, is_over, no_turn, of_match
from pbem.audit.changes import Change, changes, short
from pbem.audit.dice import nonces_of
from pbem.errors import Trouble
from pbem.rulebook import NoRules, known

SILENT = ("default", "resigned")  # ways in which the rules move for a seat
COMPARED = {
    "draws": "the draws are",
    "events": "the events are",
    "state": "the state is",
    "decision": "the decision is",
    "pending": "the seats to move are",
}


class Mismatch(Trouble):
    """What stands in a row is not what its moves give."""

    def __init__(self, game: str, line: Line, reason: str) -> None:
        super().__init__(f"Row {line.seq} of {game} (turn {line.opened.turn}): {reason}.")
        self.line, self.reason = line, reason


class Unfit(Trouble):
    """A state, move or event of a history is none of the game's rules."""


class RulesGone(Trouble):
    """The rules of a game are not here in its version, so that it cannot be played again."""

    def __init__(self, game: str, rules: str, version: str, error: NoRules) -> None:
        super().__init__(f"{game} cannot be played again here: {error}")
        self.rules, self.version = rules, version


class _Wrong(Exception):
    """The end of a sentence about a row."""


@contextmanager
def by_the_rules(book: Book, line: Line | None = None) -> Iterator[None]:
    """Let the rules work on what stands in a history. What breaks them is no state, move or event of theirs."""
    try:
        yield
    except (Trouble, MemoryError):
        raise
    except Exception as error:  # a state that was written by nobody's rules can break them anywhere
        where = "A row" if line is None else f"Row {line.seq}"
        why = f"{type(error).__name__}: {str(error)[:200]}"
        raise Unfit(f"{where} of {book.game} does not fit the rules of its game ({why}).") from error


@dataclass(frozen=True, slots=True)
class Recomputed:
    """One step as it comes out when it is played again; all as plain JSON."""

    line: Line
    turn: int
    context: str  # of its dice: the turn, or the turn and the number of the move out of turn
    state: Any
    events: list[Any]
    draws: list[list[Any]]
    decision: str
    pending: list[str]
    position: str


def rules_of(book: Book) -> AnyGame:
    """The rules the game is played by, in the version it was begun with; RulesGone when they are not here."""
    facts = of_match(book) if is_match(book) else created(book)
    try:
        return known(f"{facts['rules']}@{facts['version']}")
    except NoRules as error:
        raise RulesGone(book.game, facts["rules"], facts["version"], error) from None


def replay(book: Book, upto: int | None = None) -> Iterator[Recomputed]:
    """Every step played again and found equal, to the byte, up to that turn; Mismatch where one is not. What was taken
    back later is played, too."""
    again = Again(book)
    if upto is not None and not book.steps(upto):
        raise no_turn(book, upto)
    for line in book.lines(COURSE):
        turn = line.opened.turn
        if line.opened.kind == BACK:
            again.back(line)
        elif upto is None or turn is None or turn <= upto:
            yield again.step(line)
        else:
            again.pass_over(line)


class Again:
    """A game being played again; it remembers where it is."""

    def __init__(self, book: Book) -> None:
        facts, seed = created(book), book.seed()
        self.game, self.rules = book.game, rules_of(book)
        with by_the_rules(book, book.line(1)):
            self.options = self.rules.Options(**facts["options"])
            self.key = None if seed is None else mix(seed, nonces_of(book))
        self.committed = committed(book)
        self.openly = not self.rules.hides or is_over(book)
        self.state: Any = None
        self.turn, self.out_of_turn = 0, 0
        self.book, self.opened_by = book, list[int]()  # the row that opened each turn from 1 on, as it stands

    def step(self, line: Line) -> Recomputed:
        """The next step; Mismatch when it does not come out as it stands."""
        try:
            return self._step(line, line.facts())
        except _Wrong as wrong:
            raise Mismatch(self.game, line, str(wrong)) from None
        except (Trouble, MemoryError):
            raise
        except Exception as error:  # what was written by nobody's rules can break them anywhere
            why = f"{type(error).__name__}: {str(error)[:200]}"
            raise Mismatch(self.game, line, f"it cannot be played again ({why})") from error

    def _step(self, line: Line, facts: Mapping[str, Any]) -> Recomputed:
        context = self._context(line)
        dice = self._dice(line, context, facts["draws"])
        turned = self._turned(line.opened.kind, facts["moves"], dice)
        state = self.rules.dump(turned.state)
        again = Recomputed(
            line,
            self.turn,
            context,
            state,
            [event.to_json() for event in turned.events],
            [list(draw) for draw in dice.draws],
            self.rules.decision(turned.state),
            list(self.rules.pending(turned.state)),
            self.rules.position(turned.state),
        )
        _compare(again, facts, openly=self.openly)
        self._go_on(line, facts)
        return again

    def pass_over(self, line: Line) -> None:
        """A step that is not played again."""
        self._go_on(line, line.facts())

    def _go_on(self, line: Line, facts: Mapping[str, Any]) -> None:
        self.state = self.rules.restore(facts["state"])
        if line.opened.kind == "turn":
            self.opened_by.append(line.seq)
            self.turn, self.out_of_turn = self.turn + 1, 0

    def back(self, line: Line) -> None:
        """A take-back; Mismatch when what it opens is not what stood when that turn was opened."""
        facts, turn = line.facts(), line.opened.turn
        if turn is None or not 0 < turn <= self.turn or facts["from"] != self.turn:
            raise Mismatch(self.game, line, f"it takes back what stands at turn {self.turn}")
        if facts["opened"] != self.opened_by[turn - 1]:
            raise Mismatch(self.game, line, f"turn {turn} was opened by row {self.opened_by[turn - 1]}")
        opened = self.book.line(facts["opened"])
        assert opened is not None
        stood = opened.facts()
        for name in ("state", "decision", "pending", "deeds"):
            if canonical(facts[name]) != canonical(stood.get(name)):
                raise Mismatch(self.game, line, f"the {name} is not what stood when turn {turn} was opened")
        self.turn, self.out_of_turn, self.opened_by = turn, 0, self.opened_by[:turn]
        self.state = self.rules.restore(facts["state"])

    def _context(self, line: Line) -> str:
        if line.opened.turn != self.turn:
            raise _Wrong(f"it stands where turn {self.turn} should")
        if line.opened.kind == "turn":
            return str(self.turn)
        self.out_of_turn += 1
        return f"{self.turn}+{self.out_of_turn}"

    def _dice(self, line: Line, context: str, draws: list[Any]) -> Dice:
        """The game's own dice; while its seed is secret, or where it was lost, dice that give what stands there."""
        if self.key is not None and self.committed.covers(line.seq):
            return Dice(self.key, self.game).at(context)
        return Dice.script([(n, value) for _, n, value in draws])

    def _turned(self, kind: str, made: Mapping[str, Any], dice: Dice) -> Turned:
        if self.turn == 0 and kind == "turn":
            return self.rules.setup(self.options, dice)
        asked = self.rules.pending(self.state)
        if kind == "turn" and set(made) != set(asked):
            raise _Wrong(f"it holds moves of {', '.join(sorted(made))}, and {', '.join(sorted(asked))} were to move")
        moves = {seat: self._move(seat, made[seat]) for seat in (asked if kind == "turn" else made)}
        if kind == "at_once":
            for seat, move in moves.items():
                if len(moves) != 1 or not self.rules.at_once(self.state, seat, move):
                    raise _Wrong(f"{made[seat]['move']} of seat {seat} is no move that can be made out of turn")
        return self.rules.resolve(self.state, moves, dice)

    def _move(self, seat: str, made: Mapping[str, Any]) -> Move:
        move: Move | Refusal = self.rules.read(self.state, seat, made["move"])
        if isinstance(move, Refusal):
            raise _Wrong(f"{made['move']!r} of seat {seat} is not legal ({move})")
        if str(move) != made["move"]:
            raise _Wrong(f"{made['move']!r} of seat {seat} is not how that move is written")
        if made["how"] not in SILENT:
            return move
        silence: Move = self.rules.default(self.state, seat)  # a game's story may tell it from the same move written
        if str(silence) != made["move"]:
            raise _Wrong(f"{made['move']!r} of seat {seat} is not what silence means")
        return silence


def _compare(again: Recomputed, facts: Mapping[str, Any], *, openly: bool) -> None:
    """Wrong at the first place that is not the same. What stands there may be secret, so it is only told openly."""
    for name, are in COMPARED.items():
        ours, theirs = getattr(again, name), facts[name]
        if canonical(ours) == canonical(theirs):
            continue
        first = next(changes(theirs, ours), Change("", theirs, ours))
        both = f": {short(first.one)} stands there, and {short(first.other)} comes out" if openly else ""
        place = f" at {first.path}" if first.path else ""
        raise _Wrong(f"{are} not what comes out{place}{both}")
