"""What must hold of every position, so that the game it belongs to can have been played (HASAMI-10.2)."""

from __future__ import annotations

from collections.abc import Iterator

from games.hasami_shogi.board import BOARDS
from games.hasami_shogi.ending import how_it_ended, winners
from games.hasami_shogi.legal import can_move
from games.hasami_shogi.playback import CannotBe, trail_of
from games.hasami_shogi.state import FOE, GREEN, NAMES, OVER, PASS, RED, State
from games.hasami_shogi.variants import SQUARES


def faults(state: State) -> Iterator[str]:
    """Everything that is wrong with a state, short of playing its memory again.

    The later tests rely on the earlier ones: only the first fault is worth telling.
    """
    yield from wrong_on_board(state)
    yield from wrong_trail(state)
    yield from wrong_turn(state)


def wrong_on_board(state: State) -> Iterator[str]:
    """What can be seen without looking back."""
    yield from wrong_pieces(state)
    yield from wrong_numbers(state)
    yield from unknown_entries(state)


def wrong_pieces(state: State) -> Iterator[str]:
    board = BOARDS[state.terms.variant]
    pieces = {GREEN: state.green, RED: state.red}
    if (state.green | state.red) & ~SQUARES.whole or state.green & state.red:
        yield "Two pieces stand on one square, or one stands off the board (HASAMI-10.2)."
    if state.shoguns & ~(state.green | state.red):
        yield "A Shogun stands where no piece stands (HASAMI-10.2)."
    for side, own in pieces.items():
        if own.bit_count() > board.variant.pieces:
            yield f"No side has more than {board.variant.pieces} pieces (HASAMI-3.1, HASAMI-10.2)."
        if (own & state.shoguns).bit_count() > 1:
            yield "No side has more than one Shogun (HASAMI-9.1, HASAMI-10.2)."
        if own & board.camps & board.variant.camps[FOE[side]]:
            yield "No piece stands in the enemy camp (HASAMI-4.6, HASAMI-10.2)."


def wrong_numbers(state: State) -> Iterator[str]:
    length, limit = len(state.memory), state.terms.quiet_limit
    if not 20 <= limit <= 400:
        yield "The quiet limit lies between 20 and 400 (HASAMI-7.5, HASAMI-10.2)."
    if length > limit or (length == limit and state.turn != OVER):
        yield "The memory has reached the quiet limit (HASAMI-7.5, HASAMI-10.2)."


def unknown_entries(state: State) -> Iterator[str]:
    ways = BOARDS[state.terms.variant].ways
    for entry in state.memory:
        if entry != PASS and entry not in ways:
            yield f"No piece can ever move {entry} (HASAMI-4.2, HASAMI-10.2)."


def wrong_trail(state: State) -> Iterator[str]:
    try:
        trail = trail_of(state)
    except CannotBe as why:
        yield f"The memory cannot be played back: {why} (HASAMI-7.3, HASAMI-10.2)."
    else:
        if trail != state.trail:
            yield "The trail is not that of the memory (HASAMI-7.3)."


def wrong_turn(state: State) -> Iterator[str]:
    found = winners(state)
    if state.turn == OVER:
        yield from wrong_end(state)
    elif state.turn not in (GREEN, RED):
        yield "It is nobody's turn (HASAMI-3.3, HASAMI-10.2)."
    elif found:
        yield f"The game is over: {NAMES[found[0].winner]} has won ({found[0].rule}, HASAMI-10.2)."
    elif not can_move(state, state.turn):
        yield "The side to move has no legal move (HASAMI-7.6, HASAMI-10.2)."


def wrong_end(state: State) -> Iterator[str]:
    if len(winners(state)) > 1:
        yield "Both sides have won (HASAMI-7.3, HASAMI-10.2)."
    elif how_it_ended(state) is None:
        yield "Nothing has ended this game (HASAMI-7.3, HASAMI-10.2)."
