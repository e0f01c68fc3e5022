"""Standings: all matches at a glance, and one match with its games."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from engine.series import Result, Side, Verdict
from pbem.config import Config
from pbem.game.overview import Glance, glance_at
from pbem.game.sheet import FORGOTTEN
from pbem.ledger import chains, matches, players
from pbem.ledger.matches import MatchRow
from pbem.ledger.transaction import Read
from pbem.matches.match import by_place, game_name, series_of
from pbem.matches.matching import match_named
from pbem.rulebook import NoRules, known


class Score(NamedTuple):
    """One side of a match: its place, who plays for it, games won and points."""

    place: int
    side: Side
    players: tuple[str, ...]
    won: int
    points: int

    @property
    def who(self) -> str:
        return " and ".join(self.players)


@dataclass(frozen=True, slots=True)
class Standings:
    """One match as it stands."""

    row: MatchRow
    scores: tuple[Score, ...]  # best first; none when the rules that count them are not installed
    scored: bool
    rule: str

    @property
    def first(self) -> tuple[Score, ...]:
        """The side in first place, or all that share it."""
        return tuple(score for score in self.scores if score.place == 1)

    def to_json(self) -> dict[str, Any]:
        row = self.row
        said = {name: getattr(row, name) for name in ("name", "status", "best_of", "games", "number", "options")}
        sides = [{**score._asdict(), "players": list(score.players)} for score in self.scores]
        return said | {"game": row.rules, "scored": self.scored, "rule": self.rule, "sides": sides}


@dataclass(frozen=True, slots=True)
class Played:
    """One game of a match: how it stands, and when it is over, who has won it (None: nobody alone)."""

    number: int
    glance: Glance
    winner: str | None
    rule: str

    def to_json(self) -> dict[str, Any]:
        over = {"winner": self.winner, "rule": self.rule} if self.rule else None
        return self.glance.to_json() | {"number": self.number, "over": over}


@dataclass(frozen=True, slots=True)
class MatchDetails:
    """One match with its games."""

    standings: Standings
    games: tuple[Played, ...]
    head: str

    def to_json(self) -> dict[str, Any]:
        played = [game.to_json() for game in self.games]
        return self.standings.to_json() | {"played": played, "head": self.head}


def all_standings(tx: Read) -> Iterator[Standings]:
    """Every match, by name."""
    for row in list(matches.every(tx)):
        yield standings(tx, row)


def standings(tx: Read, row: MatchRow) -> Standings:
    try:
        rules = known(row.pinned)
    except NoRules:
        return Standings(row, (), False, "")
    series = series_of(rules, row.options, row.best_of)
    assert series is not None, "a match is begun with a series"
    sides = tuple(side["seats"][0] for side in row.sides)
    found = series.verdict(sides, tuple(map(Result.from_json, row.results)))
    if row.verdict is not None:
        found = Verdict.from_json(row.verdict)
    names = _names(tx, row)
    scores = tuple(
        Score(place, side, names[side], found.won[side], found.points[side]) for place, side in by_place(found)
    )
    return Standings(row, scores, series.scored, found.rule)


def _names(tx: Read, row: MatchRow) -> dict[Side, tuple[str, ...]]:
    """Who began the match on each side."""
    found: dict[Side, tuple[str, ...]] = {}
    for side in row.sides:
        people = (players.get(tx, commitment) for commitment in side["players"])
        found[side["seats"][0]] = tuple((who and who.name) or FORGOTTEN for who in people)
    return found


def match_details(tx: Read, config: Config, name: str) -> MatchDetails:
    row = match_named(tx, name)
    stands = standings(tx, row)
    who = {score.side: score.who for score in stands.scores}
    results = [Result.from_json(result) for result in row.results]
    played = []
    for number in range(1, row.number + 1):
        result = results[number - 1] if number <= len(results) else None
        winner = who.get(result.winner) if result and result.winner else None
        glance = glance_at(tx, config, game_name(name, number))
        played.append(Played(number, glance, winner, result.rule if result else ""))
    return MatchDetails(stands, tuple(played), chains.head_of(tx, name))
