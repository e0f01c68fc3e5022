"""The memory of a position line, undone from its end and played again (HASAMI-10.1, HASAMI-10.2)."""

from __future__ import annotations

from itertools import accumulate
from operator import xor

from engine import Turned
from engine.boards.squares import Mask
from games.hasami_shogi.board import BOARDS, MOVES, PASS_KEY
from games.hasami_shogi.ending import winners
from games.hasami_shogi.legal import can_move, legal_from
from games.hasami_shogi.state import BEGIN, FOE, GREEN, OVER, PASS, RED, State, Trail
from games.hasami_shogi.turn import forced_pass, play

Pieces = tuple[Mask, Mask, Mask]
"""The green pieces, the red ones, and the Shoguns of both."""


class CannotBe(Exception):
    """The memory tells of something that cannot have happened."""


def trail_of(state: State) -> Trail:
    """How the board came to differ from that after the last progress, entry by entry."""
    pieces, keys = (state.green, state.red, state.shoguns), []
    for entry in reversed(state.memory):
        pieces, key = step_undone(state.terms.variant, pieces, entry)
        keys.append(key)
    return tuple(accumulate(reversed(keys), xor, initial=BEGIN[0]))


def step_undone(variant: str, pieces: Pieces, entry: str) -> tuple[Pieces, int]:
    """The pieces before an entry, and what it changed in the trail."""
    if entry == PASS:
        return pieces, PASS_KEY
    way, (green, red, shoguns) = BOARDS[variant].ways[entry], pieces
    if not way.end & (green | red) or way.start & (green | red):
        raise CannotBe(f"{entry} cannot be taken back")
    key = 0
    if way.end & shoguns:
        shoguns, key = shoguns ^ way.span, way.shogun_key
    if way.end & green:
        return (green ^ way.span, red, shoguns), key ^ way.green_key
    return (green, red ^ way.span, shoguns), key ^ way.red_key


def retold(state: State) -> State:
    """The position with its trail, when this memory has led to it (HASAMI-10.2); CannotBe when it has not."""
    if not state.memory:
        return state
    replayed = played_again(undone(state), state.memory)
    if replayed._replace(trail=state.trail) != state:
        raise CannotBe("it leads to another position")
    return replayed


def undone(state: State) -> State:
    """The position right after the last progress: each piece goes back, and the sides alternate."""
    variant, pieces, side = state.terms.variant, (state.green, state.red, state.shoguns), side_after(state)
    for entry in reversed(state.memory):
        side = FOE[side]
        if entry != PASS and not BOARDS[variant].ways[entry].end & pieces[0 if side == GREEN else 1]:
            raise CannotBe(f"{entry} cannot be taken back")
        pieces, _ = step_undone(variant, pieces, entry)
    return State(state.terms, side, *pieces, (), BEGIN)


def side_after(state: State) -> str:
    """The side to move after the last entry; when over, the pieces tell."""
    if state.turn != OVER:
        return state.turn
    for back, entry in enumerate(reversed(state.memory), start=1):
        if entry != PASS:
            mover = GREEN if BOARDS[state.terms.variant].ways[entry].end & state.green else RED
            return FOE[mover] if back % 2 else mover
    raise CannotBe("nobody has moved")


def played_again(state: State, memory: tuple[str, ...]) -> State:
    """All entries played again, each legal in its turn and quiet; nothing ends before the last of them."""
    if winners(state):
        raise CannotBe("the game was over before it")
    turned = Turned(state)
    if memory[0] == PASS:
        if can_move(state, state.turn):
            raise CannotBe("the side to move could move")
        turned = forced_pass(state, ())
    while len(turned.state.memory) < len(memory):
        turned = one_more(turned.state, memory)
    after: State = turned.state
    return after


def one_more(state: State, memory: tuple[str, ...]) -> Turned:
    """The next entry played, with the pass that it forces."""
    if state.turn == OVER:
        raise CannotBe("the game was over before its end")
    entry = memory[len(state.memory)]
    if entry == PASS or MOVES[entry] not in legal_from(state, MOVES[entry].start):
        raise CannotBe(f"{entry} was not legal")
    turned = play(state, MOVES[entry])
    written = turned.state.memory
    if len(written) <= len(state.memory) or written != memory[: len(written)]:
        raise CannotBe(f"after {entry} the memory would not go on like this")  # HASAMI-7.3, HASAMI-7.6
    return turned
