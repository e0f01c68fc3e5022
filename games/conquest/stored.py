"""A state as plain JSON: its fields by name, its units by cell in the words of the position line."""

from __future__ import annotations

from typing import Any

from engine import canon
from games.conquest.board import EMPTY
from games.conquest.geography import COLOURS, INDEX, NAMES
from games.conquest.state import Calm, Exchange, Four, Over, State, Table
from games.conquest.units import parse


def dump(state: State) -> dict[str, Any]:
    exchange, over, calm = state.exchange, state.over, state.calm
    return {
        "table": canon.dump(Table, state.table),
        "round": state.round,
        "starter": COLOURS[state.starter],
        "mover": COLOURS[state.mover],
        "paid": state.paid,
        "risks": state.risks,
        "taken": list(state.taken),
        "kills": list(state.kills),
        "calm": None if calm is None else [COLOURS[calm.owner], calm.turns],
        "exchange": exchange and [COLOURS[exchange.victim], NAMES[exchange.cell], exchange.letter],
        "over": None if over is None else [over.rule, "".join(COLOURS[colour] for colour in over.winners)],
        "units": {NAMES[at]: unit.text for at, unit in state.board.units()},
    }


def restore(data: Any) -> State:
    exchange, over, calm = data["exchange"], data["over"], data["calm"]
    return State(
        table=canon.restore(Table, data["table"]),
        board=EMPTY.put((INDEX[cell], parse(text)) for cell, text in data["units"].items()),
        round=data["round"],
        starter=COLOURS.index(data["starter"]),
        mover=COLOURS.index(data["mover"]),
        paid=data["paid"],
        risks=data["risks"],
        taken=_four(data["taken"]),
        kills=_four(data["kills"]),
        calm=calm and Calm(COLOURS.index(calm[0]), calm[1]),
        exchange=exchange and Exchange(COLOURS.index(exchange[0]), INDEX[exchange[1]], exchange[2]),
        over=over and Over(over[0], tuple(COLOURS.index(colour) for colour in over[1])),
    )


def _four(numbers: list[int]) -> Four:
    south, west, north, east = numbers
    return south, west, north, east
