"""A state as plain JSON that a referee can read, and back."""

from __future__ import annotations

from typing import Any

from games.yut.position import read_end, read_group, write_end, write_group
from games.yut.roles import role_of
from games.yut.state import Side, State, Terms, in_columns


def dump(state: State) -> dict[str, Any]:
    return {
        "terms": state.terms._asdict(),
        "seat": state.seat,
        "throws": list(state.throws),
        "rethrows": state.rethrows,
        "sides": [
            {"waiting": side.waiting, "stable": side.stable, "track": [write_group(group) for group in side.groups]}
            for side in state.sides
        ],
        "wild": state.wild,
        "circles": state.circles,
        "hurdles": list(state.hurdles),
        "turns": state.turns,
        "end": write_end(state.end),
    }


def restore(data: Any) -> State:
    return State(
        role=role_of(Terms(**data["terms"]), data["seat"]),
        throws=tuple(data["throws"]),
        rethrows=data["rethrows"],
        **in_columns(
            Side(side["waiting"], side["stable"], tuple(map(read_group, side["track"]))) for side in data["sides"]
        ),
        wild=data["wild"],
        circles=data["circles"],
        hurdles=tuple(data["hurdles"]),
        turns=data["turns"],
        end=read_end(data["end"]),
    )
