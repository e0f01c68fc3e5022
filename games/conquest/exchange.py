"""The exchange: with which pieces the victim of a capture may answer it (CONQ-9)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from games.conquest.actions import Counter, Drop, answer_order, in_text_order
from games.conquest.board import Board
from games.conquest.geography import BIT, PORTS, back, cells_in, graph
from games.conquest.state import State, partner
from games.conquest.units import VESSELS, Unit, parted, rested
from games.conquest.ways import Sight, cheapest, sight

REACH = 2  # CONQ-9.2: a route of one or two points


def barred(state: State, victim: int) -> str | None:
    """Why the rules give the victim no answer at all, whatever stands near (judged after the capture)."""
    if state.points_left == 0 and state.left_neighbour == victim:
        return "last_point"  # CONQ-9.8: he moves at once anyway
    if state.nailed(victim):
        return "nailed"  # CONQ-9.9
    return None


def colours(state: State, victim: int) -> Iterator[int]:
    """Whose pieces may answer: the victim's, and in alliance mode his partner's unless that is nailed (CONQ-14.4)."""
    yield victim
    if state.table.allied and not state.nailed(partner(victim)):
        yield partner(victim)


def answers(state: State, victim: int, cell: int) -> list[Counter]:
    """All legal answers to a capture on that cell, in the order of section 6.3 (CONQ-18.4)."""
    friends, near = state.friends(victim), _near(cell)
    found: list[Counter] = []
    for colour in colours(state, victim):
        for at in cells_in(state.board.held[colour] & near):
            whole = state.board.unit(at)
            for letter, _ in whole.named:
                found += _answers_of(state.board, friends, letter, at, cell)
    return sorted(found, key=answer_order)


def _near(cell: int) -> int:
    """The cells from which anything at all could come in two points: over water by vessels, over land and quays by the
    others (CONQ-9.7)."""
    found = 0
    for letter in "vs":  # soldiers use every edge that a land piece can use
        once = back(letter).around(BIT[cell])
        found |= once | back(letter).around(once)
    return found


def _answers_of(board: Board, friends: int, letter: str, at: int, cell: int) -> Iterator[Counter]:
    _, piece = parted(board.unit(at), letter)
    for drops in drops_of(board, piece, at):
        if takes(board, friends, letter, at, drops, cell):
            yield Counter(letter, at, drops)


def drops_of(board: Board, piece: Unit, at: int) -> Iterator[tuple[Drop, ...]]:
    """Every way in which a carrier may set down some or all of what it carries, none included (CONQ-9.6)."""
    others = next((letter for letter in "kce" if any(kind.letter == letter for kind in piece.cargo)), "")
    places = [()] if not others else [(), *((Drop(others, to),) for to in cells_in(beside(board, others, at)))]
    soldiers = [kind for kind in piece.pieces[1:] if kind == "s"]
    ashore = list(cells_in(beside(board, "s", at))) if soldiers else []
    for number in range(len(soldiers) + 1):
        for cells in combinations(ashore, number):
            for place in places:
                if not place or place[0].cell not in cells:
                    yield (*(Drop("s", to) for to in cells), *place)


def beside(board: Board, letter: str, at: int) -> int:
    """Where a piece of that letter can be set down: one step, an empty cell, never a port (CONQ-9.6)."""
    return graph(letter).next[at] & ~(board.occupied | PORTS)


def set_down(board: Board, at: int, letter: str, drops: tuple[Drop, ...]) -> Board:
    """The board after the drops of an answer by that piece; soldiers first, then the others with what they still
    carry."""
    for drop in in_text_order(drops):
        whole = board.unit(at)
        rest, goes = parted(whole, drop.piece)
        board = board.put(((at, rest), (drop.cell, goes)))
    return board


def takes(board: Board, friends: int, letter: str, at: int, drops: tuple[Drop, ...], cell: int) -> bool:
    """Whether the piece, after these drops, reaches the capture cell and can take what stands there."""
    piece, seen = aimed(board, friends, letter, at, drops, cell)
    if seen.prey == 0:
        return False
    carried = board.unit(at).letter != letter
    return cheapest(piece.letter, at, cell, carried, REACH, seen) is not None  # CONQ-9.2


def aimed(board: Board, friends: int, letter: str, at: int, drops: tuple[Drop, ...], cell: int) -> tuple[Unit, Sight]:
    """The piece as it strikes, and what it sees: the capture cell is its only prey (CONQ-9.3, CONQ-9.4)."""
    if drops:
        board = set_down(board, at, letter, drops)
    _, piece = parted(board.unit(at), letter)
    seen = sight(board, friends, piece)
    return piece, seen._replace(prey=seen.prey & BIT[cell])


def may_take(taker: Unit, prey: Unit) -> str | None:
    """The rule that keeps a piece from taking a unit wherever they stand, if one does."""
    if taker.letter in VESSELS and not prey.vessel:
        return "CONQ-7.6"  # CONQ-8.3
    if taker.letter == "s" and prey.elephant:
        return "CONQ-8.2"
    return None


def striking(board: Board, counter: Counter) -> Unit:
    """The answering unit as it strikes, after its drops, spent or not."""
    if counter.drops:
        board = set_down(board, counter.start, counter.piece, counter.drops)
    _, piece = parted(board.unit(counter.start), counter.piece)
    return rested(piece)
