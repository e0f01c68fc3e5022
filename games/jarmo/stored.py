"""A state as plain JSON that a referee can read, and back."""

from __future__ import annotations

from typing import Any

from games.jarmo.net import NETS, names_of, set_of
from games.jarmo.position import read_board, write_board
from games.jarmo.state import SIDES, State, Terms
from games.jarmo.walkback import walked_back


def dump(state: State) -> dict[str, Any]:
    """The boards of the quiet turns are left out: they follow from the turns."""
    return {
        "terms": state.terms._asdict(),
        "side": SIDES[state.side],
        "board": write_board(state.board),
        "pools": list(state.pools),
        "hands": list(state.hands),
        "camps": list(names_of(state.camps)),
        "turn": state.turn,
        "tail": [text for _, text in state.tail],
        "end": state.end,
    }


def restore(data: Any) -> State:
    terms = Terms(**data["terms"])
    board, side = read_board(data["board"]), SIDES.index(data["side"])
    return State(
        terms=terms,
        side=side,
        board=board,
        pools=(data["pools"][0], data["pools"][1]),
        hands=(data["hands"][0], data["hands"][1]),
        camps=set_of(data["camps"]),
        turn=data["turn"],
        tail=walked_back(NETS[terms.variant], board, side, data["tail"]),
        end=data["end"],
    )
