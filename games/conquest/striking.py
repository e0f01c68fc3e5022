"""One step of the mover carried out, up to the question it may raise: the order of effects, steps 1 to 6.

No words are made here: the same code tries out whether a capture would be a second risk (CONQ-13.3).
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from games.conquest.actions import Counter, Step
from games.conquest.board import Board
from games.conquest.ending import after_answer, after_capture, all_nailed
from games.conquest.exchange import answers, barred, set_down
from games.conquest.moving import Moved, carried_out
from games.conquest.state import Calm, Exchange, Over, State, plus
from games.conquest.units import Unit, parted, refunded
from games.conquest.ways import cheapest, sight


class Struck(NamedTuple):
    """The state after a step, what moved, and how the victim of a capture was treated."""

    state: State
    moved: Moved
    answers: int = 0
    """How many legal answers the victim has; none without an exchange."""
    barred: str | None = None
    """Why a capture opened no exchange: last_point, nailed, none, quiet."""
    refund: bool = False
    risked: bool = False


def struck(state: State, step: Step, cost: int) -> Struck:
    """The step with its price."""
    moved = carried_out(state.board, step.piece, step.start, step.to, cost)
    after = replace(state, board=moved.board, paid=state.paid + cost)
    if moved.prey is None:
        return Struck(_over(after, all_nailed(after)), moved)
    after = _booked(after, moved.prey, moved)
    over = after_capture(after, moved.prey.colour) or all_nailed(after)
    if over is not None:
        return Struck(replace(after, over=over), moved)
    return _asked(state, after, step, moved, moved.prey.colour)


def _over(state: State, over: Over | None) -> State:
    return state if over is None else replace(state, over=over)


def _booked(after: State, prey: Unit, moved: Moved) -> State:
    """Taken, kills and calm after a capture by the mover."""
    victim, kills = prey.colour, len(moved.lost)
    return replace(
        after,
        taken=plus(after.taken, victim, prey.count),
        kills=plus(after.kills, after.mover, kills),  # CONQ-8.7: a vessel taken is not a kill
        calm=Calm(victim, 0) if kills else after.calm,  # CONQ-11.4: an empty ship eliminates nothing
    )


def _asked(before: State, after: State, step: Step, moved: Moved, victim: int) -> Struck:
    """Step 6: the victim's decision, or the refund."""
    if moved.ship_taken and not moved.lost and after.table.empty_ship == "quiet":
        return Struck(after, moved, barred="quiet")  # CONQ-8.4: no answer, no refund
    why, found = barred(after, victim), 0
    if why is None:
        found = len(answers(after, victim, step.to))
        why = None if found else "none"  # CONQ-9.11
    if why is not None:
        board = fresh(after.board, step.to, moved.piece.letter)
        return Struck(replace(after, board=board), moved, barred=why, refund=True)
    risk = before.vulnerable  # CONQ-13.3: judged by the pieces just before the capture
    exchange = Exchange(victim, step.to, moved.piece.letter)
    return Struck(replace(after, exchange=exchange, risks=after.risks + risk), moved, answers=found, risked=risk)


def fresh(board: Board, at: int, letter: str) -> Board:
    """The capturing piece has its whole own limit again (CONQ-8.6)."""
    return board.put(((at, refunded(board.unit(at), letter)),))


def answered(state: State, exchange: Exchange, counter: Counter) -> Struck:
    """The answer carried out: it costs nothing, and nobody may answer it (CONQ-9.5, CONQ-9.10)."""
    board = set_down(state.board, counter.start, counter.piece, counter.drops)
    moved = carried_out(board, counter.piece, counter.start, exchange.cell, 0)
    kills = len(moved.lost)
    after = replace(
        state,
        board=moved.board,
        exchange=None,
        kills=plus(state.kills, moved.piece.colour, kills),  # CONQ-14.4: the kill is the answering colour's
        calm=Calm(state.mover, -1) if kills else state.calm,  # it fell in its owner's own, still running turn
    )
    return Struck(_over(after, after_answer(after) or all_nailed(after)), moved)


def price(state: State, step: Step) -> int:
    """What a legal step costs (CONQ-5.7)."""
    whole = state.board.unit(step.start)
    _, piece = parted(whole, step.piece)
    seen = sight(state.board, state.friends(state.mover), piece)
    cost = cheapest(step.piece, step.start, step.to, whole.letter != step.piece, state.points_left, seen)
    assert cost is not None
    return cost


def forbidden(state: State, step: Step) -> bool:
    """Whether a step that is legal otherwise would be a second risk while the mover is vulnerable (CONQ-13.3).

    A capture that wins at once, or that nobody can answer, is no risk.
    """
    return bool(state.risks) and state.vulnerable and struck(state, step, price(state, step)).answers > 0
