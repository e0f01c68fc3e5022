"""What a seat may know: everything, for all information is open (BAGH-1.1). The facts reports and pages are made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine import Seat, View
from games.bagh_chal.board import BOARDS, Board
from games.bagh_chal.heroes import may_enter, protected
from games.bagh_chal.judging import seat_to_act
from games.bagh_chal.legal import can_move, legal, tiger_moves, way_back
from games.bagh_chal.match import winner
from games.bagh_chal.moves import CAPTURE
from games.bagh_chal.position import write
from games.bagh_chal.soundness import how_it_ended
from games.bagh_chal.state import EXTRA, GOATS, OTHER, OVER, State
from games.bagh_chal.variants import GOATS_TO_CATCH

SIDES = {GOATS: "goats", "t": "tigers", EXTRA: "tigers", OVER: None}


def _drawing(board: Board) -> Mapping[str, Any]:
    """What never changes about a board. All views of a variant share it."""
    graph = board.variant.graph
    return {
        "rows": [list(row) for row in graph.rows],
        "points": {point: list(xy) for point, xy in board.variant.xy.items()},
        "lines": [list(line) for line in graph.lines],
        "segments": [list(pair) for pair in graph.segments()],
        "size": [max(side) for side in zip(*board.variant.xy.values(), strict=True)],
    }


DRAWINGS: Mapping[str, Mapping[str, Any]] = {key: _drawing(board) for key, board in BOARDS.items()}


def view(state: State, seat: Seat | None) -> View:
    """The same facts for every seat and for the public."""
    pending = seat_to_act(state)
    return View(
        seat=seat,
        pending=() if pending is None else (pending,),
        decision=decision(state),
        position=write(state),
        facts={
            "variant": state.terms.variant,
            "board": DRAWINGS[state.terms.variant],
            "side": SIDES[state.turn],
            "extra": state.turn == EXTRA,
            "seats": {state.score.tigers: "tigers", OTHER[state.score.tigers]: "goats"},
            **the_pieces(state),
            **the_score(state),
            **what_matters(state),
        },
    )


def decision(state: State) -> str:
    if state.turn == OVER:
        return "over"
    if state.turn == EXTRA:
        return "extra"
    return "place" if state.turn == GOATS and state.placing else "move"


def the_pieces(state: State) -> dict[str, Any]:
    board = BOARDS[state.terms.variant]
    on = {
        "goat": state.goats,
        "bouc": state.bouc,
        "tiger": state.tigers ^ state.alpha,
        "alpha": state.alpha,
    }
    at = {point: kind for kind, points in on.items() for point in board.names_of(points)}
    return {
        "pieces": {point: at[point] for point in board.variant.graph.points if point in at},
        "phase": 1 if state.placing else 2,
        "hand": state.hand,
        "captured": state.captured,
        "to_catch": GOATS_TO_CATCH,
        "heroes": {"alpha": state.terms.alpha, "entered": state.entered} if state.terms.heroes else None,
    }


def the_score(state: State) -> dict[str, Any]:
    score, over = state.score, state.turn == OVER
    ending = how_it_ended(state) if over else None
    return {
        "match": state.terms.match,
        "game": score.game,
        "wins": {"1": score.wins_1, "2": score.wins_2},
        "draws": score.draws,
        "winner": winner(score) if over else None,
        "reason": ending.reason if ending else None,
        "rule": ending.rule if ending else None,
    }


def what_matters(state: State) -> dict[str, Any]:
    """What a good reader of the board would see at once."""
    board = BOARDS[state.terms.variant]
    back = way_back(state)
    tigers = board.points_of(state.tigers)
    return {
        "memory": list(state.memory),
        "quiet_limit": state.terms.quiet_limit,
        "last": list(state.memory[-1].partition("-")[::2]) if state.memory and state.memory[-1] != "." else [],
        "trapped": [board.name[tiger] for tiger in tigers if not can_move(state, tiger)],
        "threats": threats(state),
        "protected": list(board.names_of(protected(state))),
        "bouc_may_enter": state.turn == GOATS and may_enter(state),
        "closed": back.text if back is not None and back not in legal(state) else None,
    }


def threats(state: State) -> list[dict[str, str]]:
    """What the tigers could capture if it were their turn now, by the names of the three points."""
    if state.turn == OVER:
        return []
    name = BOARDS[state.terms.variant].name
    captures = (move for move in tiger_moves(state, state.tigers) if move.kind == CAPTURE)
    return [{"from": name[move.start], "over": name[move.over], "to": name[move.end]} for move in captures]
