"""A state as plain JSON that a referee can read, and back."""

from __future__ import annotations

from typing import Any

from games.hasami_shogi.playback import trail_of
from games.hasami_shogi.position import read_board, write_board
from games.hasami_shogi.state import BEGIN, State, Terms


def dump(state: State) -> dict[str, Any]:
    return {
        "terms": state.terms._asdict(),
        "turn": state.turn,
        "board": write_board(state),
        "memory": list(state.memory),
    }


def restore(data: Any) -> State:
    green, red, shoguns = read_board(data["board"])
    state = State(Terms(**data["terms"]), data["turn"], green, red, shoguns, tuple(data["memory"]), BEGIN)
    return state._replace(trail=trail_of(state))
