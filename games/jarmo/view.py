"""What a seat may know: everything, for nothing is hidden. The facts reports and pages are made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine import Seat, View
from games.jarmo.columns import column
from games.jarmo.ending import stands_again
from games.jarmo.legal import free_camp, legal, steps
from games.jarmo.moves import PASS, PASSING
from games.jarmo.net import BIT, CAMPS, DOTTED, FIELD, NAME, NETS, POINTS, RANKS, SOLID, Net, names_of
from games.jarmo.position import write
from games.jarmo.scoring import in_camp, lost, points, winner
from games.jarmo.silence import captures
from games.jarmo.state import SIDES, Side, State
from games.jarmo.story import PIECES, side_of
from games.jarmo.variants import QUIET_TURNS


def _drawing(net: Net) -> Mapping[str, Any]:
    """What never changes about a mat. All views of a variant share it."""
    return {
        "ranks": [list(rank) for rank in RANKS],
        "points": {point: [place % len(RANKS[0]), place // len(RANKS[0])] for place, point in enumerate(POINTS)},
        "solid": [list(line) for line in SOLID],
        "dotted": [list(line) for line in DOTTED] if net.variant.dotted else [],
        "near": {point: list(net.graph.adjacent[point]) for point in POINTS},
        "camps": {seat: list(names_of(camp)) for seat, camp in zip(SIDES, CAMPS, strict=True)},
        "field": list(names_of(FIELD)),
    }


DRAWINGS: Mapping[str, Mapping[str, Any]] = {key: _drawing(net) for key, net in NETS.items()}


def pending(state: State) -> tuple[Seat, ...]:
    return () if state.end else (SIDES[state.side],)


def view(state: State, seat: Seat | None) -> View:
    """The same facts for every seat and for the public."""
    return View(
        seat=seat,
        pending=pending(state),
        decision="over" if state.end else "move",
        position=write(state),
        facts={
            "variant": state.terms.variant,
            "late": state.terms.late,
            "board": DRAWINGS[state.terms.variant],
            "side": None if state.end else SIDES[state.side],
            "columns": the_columns(state),
            "markers": list(names_of(state.camps)),
            "sides": {seat: the_side(state, side) for side, seat in enumerate(SIDES)},
            **the_course(state),
            **the_end(state),
        },
    )


def the_columns(state: State) -> dict[str, list[dict[str, Any]]]:
    """Point -> its pieces from bottom to top; the last one is the one that counts (JARMO-10.4)."""
    found: dict[str, list[dict[str, Any]]] = {}
    for point in POINTS:
        pieces = column(state.board, BIT[point])
        if pieces:
            found[point] = [_piece(letter, side_of(pieces[-1])) for letter in pieces]
    return found


def _piece(letter: str, top: str) -> dict[str, Any]:
    kind = PIECES[letter.upper()]
    return {
        "side": side_of(letter),
        "kind": kind,
        "guard": letter.upper() in "GD",
        "golden": letter.upper() in "DE",
        "hostage": side_of(letter) != top,  # JARMO-10.7
    }


def the_side(state: State, side: Side) -> dict[str, Any]:
    """What a side has, on the board and beside it (JARMO-1.3)."""
    variant = NETS[state.terms.variant].variant
    return {
        "pool": state.pools[side],
        "hand": state.hands[side],
        "lost": lost(state, side),
        "out": lost(state, side) - state.pools[side] - hostages(state, side),
        "hostages": hostages(state, side),
        "in_camp": in_camp(state.board, side),
        "points": points(state.board, side) if variant.points else None,
        "free": list(names_of(free_camp(state._replace(side=side), PASS))),
        "captures": captures_of(state, side),
    }


def hostages(state: State, side: Side) -> int:
    return sum(1 for at, whose in state.board.under if whose == side and at & state.board.tops[1 - side])


def captures_of(state: State, side: Side) -> list[list[str]]:
    """What the side could capture if it were to move: from where, on which point."""
    if state.end:
        return []
    asked = state._replace(side=side)
    return [[NAME[move.start], NAME[move.end]] for move in steps(asked) if captures(asked, move)]


def the_course(state: State) -> dict[str, Any]:
    """How far the game has come, and what would stop it."""
    last = state.tail[-1][1] if state.tail else ""
    return {
        "turn": state.turn,
        "limit": state.terms.limit,
        "quiet": len(state.tail),
        "quiet_limit": QUIET_TURNS,
        "stood": stands_again(state),
        "last": last.split("-") if "-" in last else [],
        "must_pass": not state.end and legal(state)[0].kind == PASSING,
    }


def the_end(state: State) -> dict[str, Any]:
    if not state.end:
        return {"reason": None, "winner": None, "rule": None}
    reason = state.end.partition(":")[0]
    first = winner(state)
    return {
        "reason": reason,
        "winner": None if first is None else SIDES[first],
        "rule": NETS[state.terms.variant].variant.ends[reason],
    }
