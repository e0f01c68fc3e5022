"""Verifying a match: its chain has no turns, so everything in it is made again from its games and their outcomes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.canon import canonical
from engine.dice import commitment
from engine.series import Result, Series, result_of
from pbem.audit.book import Book, Line, committed, of_match
from pbem.audit.recompute import rules_of
from pbem.ledger.sound import Fault
from pbem.matches.match import game_name, seed_of, series_of

GAME, OVER = "match_game", "match_over"


class _Wrong(Exception):
    """The end of a sentence about a row."""


class _Match:
    """A match that is counted again, row by row."""

    def __init__(self, book: Book) -> None:
        self.book, self.rules = book, rules_of(book)
        facts = of_match(book)
        self.series = self._series(facts)
        self.options = self.rules.Options(**facts["options"])
        self.teams = tuple(tuple(side["seats"]) for side in facts["sides"])
        self.sides = tuple(team[0] for team in self.teams)
        self.members = {side["seats"][0]: list(side["players"]) for side in facts["sides"]}
        self.committed, self.seed = committed(book), book.seed()
        self.results: list[Result] = []
        self.waits_for = ""  # the game that is still being played

    def _series(self, facts: Mapping[str, Any]) -> Series:
        series = series_of(self.rules, facts["options"], facts["best_of"])
        if series is None or series.games != facts["games"]:
            raise _Wrong("the rules know no such series")
        return series

    @property
    def goes_on(self) -> bool:
        return not self.series.verdict(self.sides, self.results).over

    def count(self, line: Line) -> None:
        """One row that says which game begins, or how the match ended."""
        facts = line.facts()
        if self.waits_for:
            raise _Wrong(f"it follows {self.waits_for}, which is not over")
        if canonical(facts["results"]) != canonical([result.to_json() for result in self.results]):
            raise _Wrong("its results are not those of the games before it")
        if line.opened.kind == OVER:
            self._ended(facts)
        else:
            self._began(line, facts)

    def _ended(self, facts: Mapping[str, Any]) -> None:
        verdict = self.series.verdict(self.sides, self.results)
        if not verdict.over:
            raise _Wrong("it ends a match that is not decided")
        if canonical(verdict.to_json()) != canonical(facts["verdict"]):
            raise _Wrong("its verdict is not what the games give")
        if self.seed is not None and facts["seed"] != self.seed.hex():
            raise _Wrong("it reveals another seed")

    def _began(self, line: Line, facts: Mapping[str, Any]) -> None:
        number, name = len(self.results) + 1, game_name(self.book.game, len(self.results) + 1)
        if not self.goes_on:
            raise _Wrong("it begins a game of a match that is decided")
        if (facts["number"], facts["game"]) != (number, name):
            raise _Wrong(f"it should begin {name}")
        seats = self.series.seating(number, self.sides, self.teams)
        options = self.series.options(number, self.options).to_json()
        said = {side: list(place) for side, place in seats.items()}
        if canonical([facts["seats"], facts["options"]]) != canonical([said, options]):
            raise _Wrong(f"its seats or options are not those of game {number}")
        game = self.book.sister(name)
        first = None if game is None else game.line(1)
        if game is None or first is None or first.opened.kind != "created":
            raise _Wrong(f"{name} is missing")
        self._created(first.facts(), name, number, line, options, seats)
        self._outcome(game, seats)

    def _created(
        self,
        created: Mapping[str, Any],
        name: str,
        number: int,
        line: Line,
        options: Any,
        seats: Mapping[str, tuple[str, ...]],
    ) -> None:
        """The first row of the game: it names this row, and is what the match makes of it."""
        if created.get("match") != {"name": self.book.game, "number": number, "head": line.hash.hex()}:
            raise _Wrong(f"{name} does not stand on it")
        if created["rules"] != self.rules.id or canonical(created["options"]) != canonical(options):
            raise _Wrong(f"{name} is another game")
        if any([created["seats"][seat] for seat in seats[side]] != who for side, who in self.members.items()):
            raise _Wrong(f"the players of {name} do not sit where they should")
        if self.seed is None or not self.committed.covers(line.seq):
            return
        if created["seed_commitment"] != commitment(seed_of(self.seed, number), name):
            raise _Wrong(f"the seed of {name} is not made of the seed of the match")

    def _outcome(self, game: Book, seats: Mapping[str, tuple[str, ...]]) -> None:
        """What the game came to, and who sits in it at its end: a substitute plays the next one, too."""
        from pbem.game.turning import outcome_from_json

        for ruling in game.lines(("ruling",)):
            sitting = ruling.facts().get("seats")
            if sitting:
                self.members = {side: [sitting[seat] for seat in seats[side]] for side in seats}
        over = next(iter(game.lines(("over",))), None)
        if over is None:
            self.waits_for = game.game
        else:
            self.results.append(result_of(outcome_from_json(over.facts()["outcome"]), seats))


def faults(book: Book) -> Iterator[Fault]:
    """What is wrong with a match that is sound by its hashes, row by row. RulesGone when its rules are not here."""
    lines = list(book.lines())
    seq = 1
    try:
        match = _Match(book)
        if match.seed is not None and commitment(match.seed, book.game) != match.committed.commitment:
            raise _Wrong("its seed is not the one that was committed to before the first game")
        for line in lines[1:]:
            seq = line.seq
            if line.opened.kind in (GAME, OVER):
                match.count(line)
        if lines[-1].opened.kind != OVER and not match.waits_for:
            raise _Wrong("its game is over, and nothing follows")
    except _Wrong as wrong:
        yield Fault(book.game, seq, f"row {seq} of {book.game}: {wrong}")


def fault_of_game(book: Book, facts: Mapping[str, Any]) -> Fault | None:
    """Whether the match that a game says it belongs to knows this game."""
    said = facts["match"]
    match = book.sister(said["name"])
    if match is None:
        return None  # an exported game stands alone
    for line in match.lines((GAME,)):
        begun = line.facts()
        if (begun["number"], begun["game"], line.hash.hex()) == (said["number"], book.game, said["head"]):
            return None
    return Fault(book.game, 1, f"row 1 of {book.game}: the match {said['name']} knows no such game")
