"""Scoring: points of shapes, territories, bonuses, and who has won (KHAN-14, KHAN-15)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from games.khan.conquest import points_each
from games.khan.material import BOARD, BONUSES
from games.khan.state import Laid, State

Sizes = tuple[int, ...]


class Score(NamedTuple):
    """What one seat has: points of its shapes, sizes of its territories, bonus, and all together."""

    shapes: int
    territories: Sizes
    bonus: int

    @property
    def total(self) -> int:
        return self.shapes + self.bonus  # KHAN-14.5: cards are worth nothing


def scores(state: State) -> tuple[Score, ...]:
    """The score of every seat as the board lies now."""
    return _scores(state.shapes, state.players)


@lru_cache(maxsize=64)
def _scores(shapes: tuple[Laid, ...], players: int) -> tuple[Score, ...]:
    """Who looks ahead asks this of the same shapes again and again, for most moves leave them as they lie."""
    sizes = [territories(shapes, seat) for seat in range(players)]
    bonus = bonuses(sizes)
    return tuple(Score(shape_points(shapes, seat), sizes[seat], bonus[seat]) for seat in range(players))


def shape_points(shapes: tuple[Laid, ...], seat: int) -> int:
    """KHAN-14.1: for each shape separately, divided by its owners and rounded up."""
    return sum(points_each(laid.shape, len(laid.owners)) for laid in shapes if seat in laid.owners)


def territories(shapes: tuple[Laid, ...], seat: int) -> Sizes:
    """KHAN-14.2: side-connected parts of what the seat's shapes cover; KHAN-14.3: from large to small."""
    covered = 0
    for laid in shapes:
        if seat in laid.owners:
            covered |= laid.mask
    return tuple(sorted((group.bit_count() for group in BOARD.groups(covered)), reverse=True))


def bonuses(sizes: Sequence[Sizes]) -> tuple[int, ...]:
    """KHAN-14.4: by place; equal lists share a place, seats without territory have none.

    KHAN-14.3: entry by entry, and a longer list is greater than its own beginning; tuples compare just so.
    """
    ranks = sorted({each for each in sizes if each}, reverse=True)
    worth = dict(zip(ranks, BONUSES, strict=False))
    return tuple(worth.get(each, 0) for each in sizes)


def ranking(state: State) -> tuple[tuple[int, ...], ...]:
    """KHAN-15.2: seats by place, best first, equal ones together; resigned seats last (KHAN-17.7)."""
    found = scores(state)
    keys = {seat: (found[seat].total, found[seat].territories) for seat in state.remaining}  # KHAN-15.1
    places = [tuple(s for s, key in keys.items() if key == k) for k in sorted(set(keys.values()), reverse=True)]
    return (*places, state.gone) if state.gone else tuple(places)


def winners(state: State) -> tuple[int, ...]:
    """KHAN-15.1: the greatest total, then the greater list; still equal, all of them."""
    return ranking(state)[0]
