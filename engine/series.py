"""Series: games played one after another by the same sides: who sits where in each, and who has won the whole.

A side is one seat, or the seats of a team; it is known by the (first) seat it has in game 1, wherever it sits later.
Games are numbered from 1. Everything here is a function of what the games came to; playing them is the host's business.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

if TYPE_CHECKING:
    from engine.game import Outcome, Seat

Side = str
Seating = Mapping[Side, "tuple[Seat, ...]"]  # where the members of each side sit
Places = tuple[tuple[Side, ...], ...]  # best first, equals together
AGREED_DRAW = "host: agreed draw"  # in place of a paragraph, where a game is over because all have agreed to a draw


class Result(NamedTuple):
    """What one game came to, by sides. Without scores it was over before the rules could score it."""

    places: Places
    scores: Mapping[Side, int]
    rule: str

    @property
    def winner(self) -> Side | None:
        """The side that is alone in first place."""
        return self.places[0][0] if len(self.places[0]) == 1 else None

    @property
    def given_up(self) -> bool:
        """Whether somebody resigned it. A draw that all have agreed to scores nothing, and gives nothing up."""
        return not self.scores and self.rule != AGREED_DRAW

    def to_json(self) -> dict[str, Any]:
        return {"places": [list(place) for place in self.places], "scores": dict(self.scores), "rule": self.rule}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Result:
        return cls(tuple(map(tuple, data["places"])), data["scores"], data["rule"])


class Verdict(NamedTuple):
    """How a series stands, or how it ended: sides by place, games won, points, and the rule that says so."""

    over: bool
    places: Places
    won: Mapping[Side, int]
    points: Mapping[Side, int]
    rule: str

    @property
    def leader(self) -> Side | None:
        """The side that is ahead of all others; at the end, the winner."""
        return self.places[0][0] if len(self.places[0]) == 1 else None

    def to_json(self) -> dict[str, Any]:
        return {**self._asdict(), "places": [list(place) for place in self.places]}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Verdict:
        return cls(data["over"], tuple(map(tuple, data["places"])), data["won"], data["points"], data["rule"])


@dataclass(frozen=True, slots=True)
class Series(ABC):
    """So many games at most, and the rule by which they are counted."""

    games: int
    rule: str

    scored: ClassVar[bool] = False  # whether points count: a game that was given up then gives up the series

    def __post_init__(self) -> None:
        if self.games < 1:
            raise ValueError("a series has at least one game")

    @abstractmethod
    def merit(self, won: int, points: int) -> tuple[int, ...]:
        """What ranks a side: more is better, the first number before the second."""

    def seating(self, number: int, sides: Sequence[Side], teams: Sequence[tuple[Seat, ...]]) -> Seating:
        """Who sits where in that game, from the `teams`, the seats of each side in game 1: all move on by one place.

        Teams of different sizes cannot change places and stay.
        """
        turns = number - 1 if len(set(map(len, teams))) == 1 else 0
        return {side: teams[(place + turns) % len(teams)] for place, side in enumerate(sides)}

    def options(self, number: int, options: Any) -> Any:
        """The options of that game, made from those the series was begun with."""
        return options

    def decided(self, won: Sequence[int], left: int) -> bool:
        """Whether the games that are left need not be played. `won` is sorted, most wins first."""
        return False

    def verdict(self, sides: Sequence[Side], results: Sequence[Result]) -> Verdict:
        """How the series stands after these games."""
        won = {side: sum(result.winner == side for result in results) for side in sides}
        points = {side: sum(result.scores.get(side, 0) for result in results) for side in sides}
        given_up = next((result for result in results if self.scored and result.given_up), None)
        if given_up is not None:
            # Else whoever is ahead on points could give up the rest, and nobody could score against him.
            return Verdict(True, given_up.places, won, points, given_up.rule)
        left = self.games - len(results)
        over = left <= 0 or self.decided(sorted(won.values(), reverse=True), left)
        places = ranked({side: self.merit(won[side], points[side]) for side in sides})
        return Verdict(over, places, won, points, self.rule)


class BestOf(Series):
    """Most games won, for any rules: ends as soon as nobody can catch up; a shared first place wins nobody a game."""

    __slots__ = ()

    def __init__(self, games: int) -> None:
        super().__init__(games, f"best of {games}")

    def merit(self, won: int, points: int) -> tuple[int, ...]:
        return (won,)

    def decided(self, won: Sequence[int], left: int) -> bool:
        return len(won) > 1 and won[0] > won[1] + left


class SumOfScores(Series):
    """All games are played, and what each side scored in them is added up."""

    __slots__ = ()
    scored = True

    def merit(self, won: int, points: int) -> tuple[int, ...]:
        return (points,)


def ranked(merits: Mapping[Side, tuple[int, ...]]) -> Places:
    """Sides by merit, best first; equals stand together, in the order they came in."""
    levels = sorted(set(merits.values()), reverse=True)
    return tuple(tuple(side for side, merit in merits.items() if merit == level) for level in levels)


def result_of(outcome: Outcome, seating: Seating) -> Result:
    """An outcome by sides. A side stands where the best of its seats stands; the seats of a team share one score."""
    ranks = {seat: -rank for rank, place in enumerate(outcome.places) for seat in place}
    places = ranked({side: (max(ranks[seat] for seat in seats),) for side, seats in seating.items()})
    scores = {side: outcome.scores[seats[0]] for side, seats in seating.items() if seats[0] in outcome.scores}
    return Result(places, scores, outcome.rule)
