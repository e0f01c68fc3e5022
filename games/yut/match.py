"""The match of two games with the wild horse in the favourite variant, as far as the rules say (YUT-11.7).

Starting the second game and keeping the results is the host's business; every other game is a match of one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from games.yut.options import Options
from games.yut.state import End, State, seat_after


class Result(NamedTuple):
    """What counts of one game: the side that is alone in first place, if one is, and each side's stable."""

    winner: int | None
    stable: tuple[int, ...]


def is_of_two(options: Options) -> bool:
    return options.favourite and options.wild


def second_game(options: Options) -> Options:
    """The same posts; begun by the seat after the one that began the first game, so by the other side."""
    return replace(options, game=2, first=seat_after(options.players, options.first))


def result(state: State) -> Result:
    """The result of a game that is over."""
    end = state.end
    if end is None:
        raise ValueError("the game is not over")
    return Result(winner(end), tuple(side.stable for side in state.sides))


def winner(end: End) -> int | None:
    """YUT-11.6: the first alone is the winner; a shared first is no win."""
    return end.ranking[0][0] if len(end.ranking[0]) == 1 else None


def match_winner(results: Sequence[Result]) -> int | None:
    """More wins; then more horses in the stable over all games; None when the match is drawn."""
    sides = range(len(results[0].stable))
    wins = [sum(one.winner == side for one in results) for side in sides]
    stables = [sum(one.stable[side] for one in results) for side in sides]
    merits = sorted(((wins[side], stables[side]) for side in sides), reverse=True)
    if merits[0] == merits[1]:
        return None
    return [(wins[side], stables[side]) for side in sides].index(merits[0])
