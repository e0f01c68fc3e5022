"""A series of games, as far as the rules say (JARMO-7). Which games are played when is the host's business."""

from __future__ import annotations

from collections.abc import Sequence

from engine import Seat
from games.jarmo.state import SIDES


def first_players_seat(game: int) -> Seat:
    """JARMO-7.1: the first player of the match is green in games 1, 3, 5 and blue in 2, 4, 6."""
    return SIDES[(game - 1) % 2]


def totals(scores: Sequence[dict[Seat, int]]) -> tuple[int, int]:
    """JARMO-7.2: what the first and the second player have, from the scores of the games played so far."""
    first = sum(score[first_players_seat(game)] for game, score in enumerate(scores, 1))
    return first, sum(sum(score.values()) for score in scores) - first


def match_winner(scores: Sequence[dict[Seat, int]]) -> int | None:
    """JARMO-7.2: 1 or 2 for the player with the higher sum; None when the match is drawn."""
    first, second = totals(scores)
    if first == second:
        return None
    return 1 if first > second else 2
