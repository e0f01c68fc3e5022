"""What everybody may know of a game of Conquest: all of it, in plain facts for reports, pages and bots (CONQ-16.1)."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, lru_cache
from typing import Any

from engine import View
from games.conquest.ending import held_prizes, victory_points
from games.conquest.exchange import answers
from games.conquest.geography import CAPITAL, COLOURS, DATA, EDGES, GRAIL, KIND, NAMES, XY, cells_in, names_in
from games.conquest.legal import captures_by_piece
from games.conquest.line import write
from games.conquest.options import seats
from games.conquest.state import ALL, CALM, NOTHING, Exchange, State, partner
from games.conquest.units import LIMIT, PIECE, Unit

NAMED_COLOURS: dict[str, str] = DATA["colour_names"]
MAP: dict[str, Any] = {
    "edition": "house",  # the rule book's own drawing is lost
    "cells": [[name, kind, x, y] for name, kind, (x, y) in zip(NAMES, KIND, XY, strict=True)],
    "lines": [[kind, *XY[one], *XY[other]] for kind, pairs in EDGES.items() for one, other in pairs],
    "capital": {colour: names_in(CAPITAL[at]) for at, colour in enumerate(COLOURS)},
    "grail": names_in(GRAIL),
}


def view(state: State, seat: str | None) -> View:
    """The same for every seat and for the public: nothing in Conquest is hidden."""
    asked = pending(state)
    decision = "over" if state.over else "counter" if state.exchange else "move"
    facts = {**_facts(state), "own": [COLOURS[colour] for colour in seats(state.table.players).get(seat or "", ())]}
    return View(seat, asked, decision, write(state), facts)


def pending(state: State) -> tuple[str, ...]:
    """CONQ-18.3: the seat of the mover, or in an exchange the seat of the victim."""
    if state.over is not None:
        return ()
    return (state.seat_of(state.mover if state.exchange is None else state.exchange.victim),)


@lru_cache(maxsize=4)
def _facts(state: State) -> dict[str, Any]:
    """What all views of a state share, found once."""
    points = victory_points(state)
    calm, over = state.calm, state.over
    return {
        "map": MAP,
        "mode": state.table.mode,
        "empty_ship": state.table.empty_ship,
        "alliance_win": state.table.alliance_win,
        "opening_limit": state.table.opening_limit,
        "seats": {
            seat: [COLOURS[colour] for colour in colours] for seat, colours in seats(state.table.players).items()
        },
        "round": state.round,
        "starter": COLOURS[state.starter],
        "mover": COLOURS[state.mover],
        "base": state.base,
        "paid": state.paid,
        "points_left": state.points_left,
        "risks": state.risks,
        "vulnerable": state.vulnerable,
        "units": {NAMES[at]: _unit(unit) for at, unit in state.board.units()},
        "colours": {COLOURS[colour]: _colour(state, colour, points[colour]) for colour in ALL},
        "threatened": threatened(state),
        "exchange": None if state.exchange is None else _exchange(state, state.exchange),
        "calm": None if calm is None else {"owner": COLOURS[calm.owner], "turns": calm.turns, "of": CALM},
        "over": None if over is None else {"rule": over.rule, "winners": [COLOURS[one] for one in over.winners]},
    }


@cache
def _unit(unit: Unit) -> dict[str, Any]:
    return {
        "colour": COLOURS[unit.colour],
        "letter": unit.letter,
        "piece": PIECE[unit.letter],
        "hold": unit.hold,
        "carries": [PIECE[letter] for letter in unit.pieces[1:]],
        "pieces": unit.count,
        "left": {letter: LIMIT[letter] - spent for letter, spent in unit.named},
        "tired": unit.tired,
    }


def _colour(state: State, colour: int, points: int) -> dict[str, Any]:
    """Where a colour stands: its pieces, what it has lost and holds, its points."""
    hostile = state.hostile(colour)
    return {
        "name": NAMED_COLOURS[COLOURS[colour]],
        "seat": state.seat_of(colour),
        "partner": COLOURS[partner(colour)] if state.table.allied else None,
        "pieces": state.board.pieces[colour],
        "kills": state.kills[colour],
        "lost_this_turn": state.taken[colour],
        "victory_points": points,
        "held": [NAMES[cell] for cell in held_prizes(state, colour)],
        "capital_lost": names_in(hostile & CAPITAL[colour]),
        "grail_lost": names_in(hostile & GRAIL),
        "nailed": state.nailed(colour),
        "next_base": _at_turn(state, colour).base,
        "next_points": _at_turn(state, colour).points_left,
    }


def _exchange(state: State, exchange: Exchange) -> dict[str, Any]:
    return {
        "victim": COLOURS[exchange.victim],
        "seat": state.seat_of(exchange.victim),
        "by": COLOURS[state.mover],
        "cell": NAMES[exchange.cell],
        "piece": PIECE[exchange.letter],
        "answers": ["decline", *map(str, answers(state, exchange.victim, exchange.cell))],
    }


def _at_turn(state: State, colour: int) -> State:
    """The board as it stands, at that colour's turn: the running one, or its next."""
    if colour == state.mover:
        return state
    passed = (colour - state.starter) % len(COLOURS) < (state.mover - state.starter) % len(COLOURS)
    return replace(state, mover=colour, round=state.round + passed, paid=0, risks=0, taken=NOTHING, exchange=None)


def threatened(state: State) -> dict[str, list[dict[str, Any]]]:
    """Units of each colour that some enemy could take by one action at its turn, were the board as it stands now."""
    found: dict[int, dict[int, list[dict[str, str]]]] = {colour: {} for colour in ALL}
    for enemy in ALL:
        there = _at_turn(state, enemy)
        if state.over is not None or there.nailed(enemy):
            continue
        for letter, at, prey in captures_by_piece(there):
            for cell in cells_in(prey):
                by = {"colour": COLOURS[enemy], "piece": PIECE[letter], "from": NAMES[at]}
                found[state.board.unit(cell).colour].setdefault(cell, []).append(by)
    return {
        COLOURS[colour]: [{"cell": NAMES[cell], "by": by} for cell, by in sorted(cells.items())]
        for colour, cells in found.items()
    }
