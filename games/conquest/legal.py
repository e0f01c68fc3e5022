"""The legal actions of a decision, in their one order (CONQ-18.4)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from games.conquest.actions import DECLINE, END, Action, Step
from games.conquest.board import Board
from games.conquest.exchange import answers
from games.conquest.geography import BIT, EVERYWHERE, PORTS, cells_in, graph
from games.conquest.state import State
from games.conquest.steps import search
from games.conquest.striking import forbidden
from games.conquest.ways import Sight


def actions(state: State) -> Iterator[Action]:
    """All legal actions: never none while the game runs."""
    if state.over is not None:
        return iter(())
    if state.exchange is not None:
        return chain((DECLINE,), answers(state, state.exchange.victim, state.exchange.cell))
    return chain(steps(state), (END,))


def steps(state: State) -> Iterator[Step]:
    """The mover's steps: origins in canonical order, then letters, then destinations.

    CONQ-4.5: points may be divided at will; whatever moved before is listed again while its points last. So is a piece
    that has captured (CONQ-8.8), and each soldier aboard by himself (CONQ-6.6).
    """
    if state.nailed(state.mover):
        return iter(())  # CONQ-10.5
    found = chain.from_iterable(steps_by_piece(state))
    if state.vulnerable and state.risks:
        return (step for step in found if not forbidden(state, step))  # CONQ-13.3
    return found


def can_step(state: State) -> bool:
    """Whether the mover has any action but `end` (CONQ-4.8)."""
    if state.points_left == 0 or state.nailed(state.mover):
        return False
    board = state.board
    open_to_all = EVERYWHERE & ~(board.occupied | PORTS)
    for at, unit in board.units_of(state.mover):
        if any(graph(letter).next[at] & open_to_all for letter, _, _ in unit.able):
            return True  # nearly always: the next cell is free
    return next(steps(state), None) is not None


def steps_by_piece(state: State) -> Iterator[tuple[Step, ...]]:
    """The steps that the points allow, piece by piece."""
    points = state.points_left
    if points == 0:
        return
    board, mover = state.board, state.mover
    seen = eyes(board, state.friends(mover), mover)
    for at in cells_in(board.held[mover]):
        for letter, carried, left in board.unit(at).able:
            own = left if left < points else points  # CONQ-4.4, CONQ-4.7
            yield search(letter, at, carried).steps(own, seen[letter])


def captures_by_piece(state: State) -> Iterator[tuple[str, int, int]]:
    """The letters and cells of the mover's pieces that can take something, and the cells where."""
    points, board, enemies = state.points_left, state.board, state.enemies(state.mover)
    seen = eyes(board, state.friends(state.mover), state.mover)
    for at in cells_in(board.held[state.mover]):
        for letter, carried, left in board.unit(at).able:
            prey = search(letter, at, carried).ends(min(left, points), seen[letter]) & enemies
            if prey:
                yield letter, at, prey


def eyes(board: Board, friends: int, colour: int) -> dict[str, Sight]:
    """What each kind of piece of a colour sees: `ways.sight` for all of them at once."""
    occupied, own = board.occupied, board.held[colour]
    enemies, dry = occupied & ~friends, EVERYWHERE & ~(occupied | PORTS)
    vessel = Sight(EVERYWHERE & ~occupied, 0, enemies, 0)
    soldier = Sight(dry, own & board.roomy, enemies & ~board.elephants, 0)
    hollow = own & board.hollow
    other = Sight(dry, hollow, enemies, 0)
    knight = Sight(dry, hollow, enemies, friends)
    return {"v": vessel, "g": vessel, "e": other, "c": other, "k": knight, "s": soldier, "t": soldier}


def captures(state: State, step: Step) -> bool:
    """Whether a legal step takes an enemy unit or vessel."""
    return bool(BIT[step.to] & state.enemies(state.mover))
