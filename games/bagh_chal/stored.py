"""A state as plain JSON that a referee can read, and back."""

from __future__ import annotations

from typing import Any

from games.bagh_chal.board import BOARDS
from games.bagh_chal.position import read_board, write_board
from games.bagh_chal.state import Score, State, Terms


def dump(state: State) -> dict[str, Any]:
    return {
        "terms": state.terms._asdict(),
        "score": state.score._asdict(),
        "turn": state.turn,
        "board": write_board(state),
        "hand": state.hand,
        "captured": state.captured,
        "entered": state.entered,
        "memory": list(state.memory),
    }


def restore(data: Any) -> State:
    terms = Terms(**data["terms"])
    tigers, goats, bouc, alpha = read_board(BOARDS[terms.variant], data["board"])
    return State(
        terms=terms,
        score=Score(**data["score"]),
        turn=data["turn"],
        tigers=tigers,
        goats=goats,
        bouc=bouc,
        alpha=alpha,
        hand=data["hand"],
        captured=data["captured"],
        entered=data["entered"],
        memory=tuple(data["memory"]),
    )
