"""Ways over the map: how far a piece comes, what that costs and which cells it goes by (CONQ-5, 6, 7).

One search serves all: sets of cells, a step further each time (CONQ-5.1). A piece stands on a free cell, or rides on
an own carrier (and then may not step onto another), or is just over a friend it jumps; an enemy ends its way.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from games.conquest.board import Board
from games.conquest.geography import BIT, EVERYWHERE, NAMES, PORTS, Graph, back, graph
from games.conquest.units import Unit

NO_LIMIT = len(NAMES)  # no way is longer

# What is first reached by so many points: standing, riding, in mid-jump, capturing. A plain tuple: very many are made.
Layer = tuple[int, int, int, int]


class Sight(NamedTuple):
    """What one piece sees on the map, as sets of cells."""

    free: int
    """Where it may stand or pass."""
    ride: int
    """Own carriers that have room for it."""
    prey: int
    """Enemies it may take."""
    over: int
    """Friends it may jump."""


class Way(NamedTuple):
    """A route with both its ends, and the cells of it that were jumped."""

    cells: tuple[int, ...]
    jumped: tuple[int, ...]

    @property
    def cost(self) -> int:
        return len(self.cells) - 1  # CONQ-4.3: a cell a point; a jump is two cells


def sight(board: Board, friends: int, piece: Unit) -> Sight:
    """What that piece sees. `friends` are the cells of friendly units, its own included."""
    occupied, own = board.occupied, board.held[piece.colour]
    if piece.vessel:
        return Sight(EVERYWHERE & ~occupied, 0, occupied & ~friends, 0)  # CONQ-7.1, CONQ-7.6
    prey = occupied & ~friends
    if piece.letter == "s":
        prey &= ~board.elephants  # CONQ-8.2
    ride = own & (board.roomy if piece.letter == "s" else board.hollow)  # CONQ-6.1, CONQ-7.2
    over = friends if piece.letter == "k" else 0  # CONQ-5.3
    return Sight(EVERYWHERE & ~(occupied | PORTS), ride, prey, over)  # CONQ-5.2, CONQ-7.3


def layers(
    steps: Graph, start: int, carried: bool, points: int, seen: Sight, goal: int = 0, change: bool = False
) -> list[Layer]:
    """What each further point reaches, the start itself first, up to the goal if there is one. `change` looks past
    the ban on direct change."""
    free, rides, prey, friends = seen
    home = BIT[start]
    free, rides, prey = free & ~home, rides & ~home, prey & ~home
    stand, ride, over = (0, home, 0) if carried and not change else (home, 0, 0)
    found: list[Layer] = [(stand, ride, over, 0)]
    around = steps.around
    while points > 0:
        points -= 1
        afoot = around(stand)
        aboard = around(ride) if ride else 0
        landing = afoot | aboard | (around(over) if over else 0)
        if friends:
            over = (afoot | aboard) & friends  # CONQ-5.3: over a friend next to him, never over two at once
            friends &= ~over
        stand, ride, struck = landing & free, afoot & rides, landing & prey  # CONQ-6.4: nobody rides from a ride
        if change:
            stand, ride = stand | ride, 0
        free, rides, prey = free & ~stand, rides & ~(stand | ride), prey & ~struck
        if not (stand or ride or over or struck):
            break
        found.append((stand, ride, over, struck))
        if (stand | ride | struck) & goal:
            break
    return found


def reach(letter: str, start: int, carried: bool, points: int, seen: Sight) -> int:
    """All cells where an action of that piece may end."""
    ends = 0
    for stand, ride, _, prey in layers(graph(letter), start, carried, points, seen):
        ends |= stand | ride | prey
    return ends & ~BIT[start]


def cheapest(
    letter: str, start: int, to: int, carried: bool, points: int, seen: Sight, lifted: str = "", change: bool = False
) -> int | None:
    """The points of the cheapest way, or None when there is none. `lifted` and `change` look past rules."""
    goal = BIT[to]
    found = layers(graph(letter, lifted), start, carried, points, seen, goal, change)
    stand, ride, _, prey = found[-1]
    return len(found) - 1 if (stand | ride | prey) & goal else None


def way(letter: str, start: int, to: int, carried: bool, points: int, seen: Sight) -> Way:
    """Of the cheapest ways the one whose cells come first in canonical order, compared from the start (CONQ-5.7)."""
    return way_through(letter, start, to, carried, layers(graph(letter), start, carried, points, seen, BIT[to]))


def way_through(letter: str, start: int, to: int, carried: bool, found: list[Layer]) -> Way:
    """The same, once it is known what each point reaches, up to that cell."""
    cells, jumped, steps = [start], [], graph(letter).next
    stands, rides = not carried, carried
    for stand, ride, jump in _leading_to(letter, BIT[to], found):
        open_to = stand | (ride if stands else 0) | (jump if stands or rides else 0)
        low = steps[cells[-1]] & open_to
        low &= -low
        over = (stands or rides) and bool(low & jump)
        stands, rides = bool(low & stand), stands and bool(low & ride)
        cells.append(low.bit_length() - 1)
        if over and not (stands or rides):
            jumped.append(cells[-1])
    return Way(tuple(cells), tuple(jumped))


def _leading_to(letter: str, goal: int, found: list[Layer]) -> list[tuple[int, int, int]]:
    """Of each layer after the start the part that lies on a cheapest way to the goal: standing (or capturing), riding,
    in mid-jump."""
    stood, ridden, over = (0, goal, 0) if found[-1][1] & goal else (goal, 0, 0)
    good, before = [(stood, ridden, over)], back(letter).around
    for stand, ride, jump, _ in found[-2:0:-1]:
        on_foot = before(stood) if stood else 0
        onto = before(ridden) if ridden else 0
        off = before(over) if over else 0
        stood, ridden, over = stand & (on_foot | onto | off), ride & (on_foot | off), jump & on_foot
        good.append((stood, ridden, over))
    return good[::-1]


def is_way(letter: str, cells: tuple[int, ...], carried: bool, seen: Sight) -> bool:
    """Whether a route written by a player, jumped cells included, breaks no rule of movement."""
    steps = graph(letter).next
    stands, rides, over = not carried, carried, False
    for place, (here, there) in enumerate(pairwise(cells), 2):
        bit, last = BIT[there], place == len(cells)
        if not steps[here] & bit or there == cells[0]:
            return False
        lands = bool(bit & (seen.free | (seen.prey if last else 0)))
        boards = stands and bool(bit & seen.ride)
        jumps = (stands or rides) and not last and bool(bit & seen.over)
        stands, rides, over = lands, boards, jumps
        if not (stands or rides or over):
            return False
    return True
