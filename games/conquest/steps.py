"""The steps of one piece, kept for the next time: most of a map does not change from one decision to the next.

A search goes outwards, a point further each time, and how far it has come depends on the cells it has met until then
and on nothing else. So a piece's search is kept. Where something has changed since, it is taken back to the point
before it met that cell, and goes on from there; with fewer points it is the same search, ended earlier.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import compress
from typing import Any

from games.conquest.actions import Step
from games.conquest.geography import BIT, ball, graph
from games.conquest.units import LIMIT
from games.conquest.ways import Layer, Sight

MOST = 1 << 13  # pieces on cells; more than all letters on all cells, carried or not
SWITCHES = bytes.maketrans(b"01", b"\0\1")  # a set's binary digits, as what `compress` picks by
BLIND = Sight(0, 0, 0, 0)

# What one point more has reached: standing, riding, in mid-jump; then since the start: jumped over, come to (the start
# itself included), met. A plain tuple: very many are made.
Reached = tuple[int, int, int, int, int, int]


class Search:
    """One piece on one cell, and what it finds on the map that it saw last."""

    __slots__ = ("around", "beside", "first", "home", "lists", "menu", "reached", "seen")

    def __init__(self, letter: str, start: int, carried: bool) -> None:
        steps, self.home = graph(letter), BIT[start]
        self.around, self.beside = steps.around, steps.next[start]
        self.first, self.menu = _menu(letter, start)
        self.seen = BLIND
        stand, ride = (0, self.home) if carried else (self.home, 0)
        self.reached: list[Reached] = [(stand, ride, 0, 0, self.home, 0)]
        self.lists: list[tuple[Step, ...] | None] = [()]

    def steps(self, points: int, seen: Sight) -> tuple[Step, ...]:
        """All actions of the piece that so many points allow, by destination."""
        self._know(points, seen)
        found = self.lists[points]
        return self._list(points) if found is None else found

    def ends(self, points: int, seen: Sight) -> int:
        """The cells where these actions end."""
        self._know(points, seen)
        return self.reached[points][4] ^ self.home

    def layers(self, to: int, points: int, seen: Sight) -> list[Layer]:
        """As `ways.layers`, up to a cell that the piece can reach."""
        self._know(points, seen)
        goal, found = BIT[to], list[Layer]()
        for stand, ride, over, _, come, _ in self.reached:
            found.append((stand, ride, over, 0))
            if come & goal:
                break
        return found

    def _know(self, points: int, seen: Sight) -> None:
        """Forget what does not hold any more, and search as far as so many points go."""
        if seen is not self.seen:
            was_free, was_ride, was_prey, was_over = self.seen
            free, ride, prey, over = seen
            changed = (free ^ was_free) | (ride ^ was_ride) | (prey ^ was_prey) | (over ^ was_over)
            while changed & self.reached[-1][5]:
                del self.reached[-1], self.lists[-1]
            self.seen = seen
        if points >= len(self.lists):
            self._further(points)

    def _further(self, points: int) -> None:
        """Search up to so many points. The rules are those of `ways.layers`; what was come to for less is left out."""
        free, rides, prey, friends = self.seen
        ends, around, reached = free | prey, self.around, self.reached
        stand, ride, over, jumped, come, met = reached[-1]
        for _ in range(len(reached), points + 1):
            if not (stand or ride or over):
                reached.append(reached[-1])
                self.lists.append(self.lists[-1])
                continue
            if ride:
                afoot = around(stand) if stand else 0
                hopped = near = afoot | around(ride)
            else:
                afoot = hopped = near = self.beside if come == self.home else around(stand)
            if over:
                near |= around(over)
            if friends:
                over = hopped & friends & ~jumped  # CONQ-5.3: over a friend next to him, never over two at once
                jumped |= over
            ride = afoot & rides & ~come if rides else 0  # CONQ-6.4: nobody rides from a ride
            new = near & ends & ~come
            stand = new & free
            come |= new | ride
            met |= near
            reached.append((stand, ride, over, jumped, come, met))
            self.lists.append(None)

    def _list(self, points: int) -> tuple[Step, ...]:
        ends = self.reached[points][4] ^ self.home
        chosen = f"{ends >> self.first:b}"[::-1].encode().translate(SWITCHES)
        found = self.lists[points] = tuple(compress(self.menu, chosen))
        return found


search = lru_cache(maxsize=MOST)(Search)


@lru_cache(maxsize=1 << 12)
def _menu(letter: str, start: int) -> tuple[int, tuple[Any, ...]]:
    """The steps to every cell the piece could reach on an empty map, made once and shared by all lists: the first such
    cell, and from there on a step for each of them and nothing for the cells between."""
    within = ball(letter, start, LIMIT[letter])
    cells = range((within & -within).bit_length() - 1, within.bit_length())
    return cells[0], tuple(Step(letter, start, to) if within >> to & 1 else None for to in cells)
