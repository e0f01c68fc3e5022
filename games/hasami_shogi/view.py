"""What a seat may know: everything, for all information is open (HASAMI-1.1). Reports and pages are made of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine import Seat, View
from engine.boards.squares import Mask
from games.hasami_shogi.board import BOARDS, NAME, SHOGUN, Board
from games.hasami_shogi.ending import how_it_ended
from games.hasami_shogi.judging import captures, seat_to_move
from games.hasami_shogi.legal import legal
from games.hasami_shogi.position import write
from games.hasami_shogi.silence import wins
from games.hasami_shogi.state import GREEN, NAMES, OTHER, OVER, PASS, RED, State
from games.hasami_shogi.variants import FILES, LINE, ROWS, SAME_POSITION, SQUARES


def _drawing(board: Board) -> Mapping[str, Any]:
    """What never changes about a board. All views of a variant share it."""
    return {
        "files": list(FILES),
        "rows": list(range(ROWS, 0, -1)),
        "squares": {name: list(SQUARES.xy(SQUARES.numbers[name])) for name in NAME.values()},
        "camps": {NAMES[side]: list(rows) for side, rows in board.variant.camp_rows.items()},
        "closed": board.variant.camps_closed,
    }


DRAWINGS: Mapping[str, Mapping[str, Any]] = {key: _drawing(board) for key, board in BOARDS.items()}


def view(state: State, seat: Seat | None) -> View:
    """The same facts for every seat and for the public."""
    pending = seat_to_move(state)
    green = state.terms.green
    return View(
        seat=seat,
        pending=() if pending is None else (pending,),
        decision="over" if state.turn == OVER else "move",
        position=write(state),
        facts={
            "variant": state.terms.variant,
            "board": DRAWINGS[state.terms.variant],
            "side": NAMES.get(state.turn),
            "seats": {green: "green", OTHER[green]: "red"},
            **the_pieces(state),
            **the_memory(state),
            **the_end(state),
            **what_matters(state),
        },
    )


def the_pieces(state: State) -> dict[str, Any]:
    variant = BOARDS[state.terms.variant].variant
    occupied = state.green | state.red
    left = {"green": state.green.bit_count(), "red": state.red.bit_count()}
    return {
        "pieces": {name: piece(state, square) for square, name in NAME.items() if square & occupied},
        "standing": {"green": standing(state.green), "red": standing(state.red)},
        "left": left,
        "captured": {"green": variant.pieces - left["red"], "red": variant.pieces - left["green"]},
        "to_capture": variant.pieces - variant.loses_with,
        "five": LINE if variant.five_wins else None,
    }


def piece(state: State, square: Mask) -> list[str]:
    """Side and kind."""
    return ["green" if square & state.green else "red", SHOGUN if square & state.shoguns else "samurai"]


def standing(own: Mask) -> list[dict[str, Any]]:
    """Row by row the files in which pieces stand, neighbours taken together: short to say and to hear."""
    files: dict[int, list[str]] = {}
    for name in SQUARES.names_of(own):
        files.setdefault(int(name[1]), []).append(name[0])
    return [{"row": row, "runs": runs(letters)} for row, letters in files.items()]


def runs(letters: list[str]) -> list[list[str]]:
    """The first and the last of letters that follow each other without a gap; two are named one by one."""
    found: list[list[str]] = []
    for letter in letters:
        if found and FILES.index(letter) == FILES.index(found[-1][1]) + 1:
            found[-1][1] = letter
        else:
            found.append([letter, letter])
    return [part for first, last in found for part in _short(first, last)]


def _short(first: str, last: str) -> list[list[str]]:
    return [[first, first], [last, last]] if FILES.index(last) == FILES.index(first) + 1 else [[first, last]]


def the_memory(state: State) -> dict[str, Any]:
    last = next((entry for entry in reversed(state.memory) if entry != PASS), None)
    return {
        "quiet": len(state.memory),
        "quiet_limit": state.terms.quiet_limit,
        "occurrences": state.trail.count(state.trail[-1]),
        "draw_at": SAME_POSITION,
        "last": last.split("-") if last else [],
        "passed": bool(state.memory) and state.memory[-1] == PASS,
    }


def the_end(state: State) -> dict[str, Any]:
    ending = how_it_ended(state) if state.turn == OVER else None
    return {
        "winner": state.terms.seat(ending.winner) if ending and ending.winner else None,
        "winning_side": NAMES.get(ending.winner) if ending else None,
        "reason": ending.reason if ending else None,
        "rule": ending.rule if ending else None,
        "line": list(ending.five) if ending else [],
    }


def what_matters(state: State) -> dict[str, Any]:
    """What a good reader of the board would see at once: for each side, as if it were to move."""
    sides = () if state.turn == OVER else (GREEN, RED)
    asked = {side: state._replace(turn=side) for side in sides}
    return {
        "can_capture": {NAMES[side]: list(SQUARES.names_of(in_danger(asked[side]))) for side in sides},
        "can_win": {NAMES[side]: wins_now(asked[side]) for side in sides},
    }


def in_danger(state: State) -> Mask:
    """All enemy pieces that some move of the side to move would capture."""
    found = 0
    for move in legal(state):
        found |= captures(state, move)
    return found


def wins_now(state: State) -> list[str]:
    """The moves that would win at once."""
    return [move.text for move in legal(state) if wins(state, move)]
