"""Warnings about moves that are legal but may be slips: a piece moved into a capture, a draw by repetition at hand."""

from __future__ import annotations

from collections.abc import Iterator

from engine import Notice
from games.hasami_shogi.board import NAME
from games.hasami_shogi.moves import Move
from games.hasami_shogi.silence import takes_it
from games.hasami_shogi.state import OVER, State
from games.hasami_shogi.turn import play
from games.hasami_shogi.variants import SAME_POSITION


def notices(state: State, move: Move) -> Iterator[Notice]:
    after: State = play(state, move).state
    if after.turn == OVER:
        return
    reply = takes_it(state, move)
    if reply is not None:  # HASAMI-5.1
        text = "The piece on {to} could then be captured by {reply}."
        yield Notice("HASAMI-5.1", "can_be_captured", text, {"to": NAME[move.end], "reply": reply.text})
    if after.trail.count(after.trail[-1]) == SAME_POSITION - 1:  # HASAMI-7.4
        text = "This position has occurred before; the next time the game is drawn."
        yield Notice("HASAMI-7.4", "repetition", text, {})
