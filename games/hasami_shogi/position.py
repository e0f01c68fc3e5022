"""The position line, written and read (HASAMI-10.1)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from engine import BadPosition
from engine.boards.squares import Mask
from games.hasami_shogi.board import NAME
from games.hasami_shogi.ending import how_it_ended
from games.hasami_shogi.playback import CannotBe, retold
from games.hasami_shogi.soundness import wrong_on_board, wrong_turn
from games.hasami_shogi.state import BEGIN, OVER, State, Terms
from games.hasami_shogi.variants import FILES, ROWS, VARIANTS

LETTERS = "PSps"  # green Samurai, green Shogun, red Samurai, red Shogun

LINE = re.compile(
    rf"(?P<variant>{'|'.join(VARIANTS)}) (?P<board>[{LETTERS}1-9/]+) (?P<turn>[gr]|over:[012])"
    r" (?P<memory>-|[a-z0-9.,-]+) g(?P<green>[12]) (?P<limit>[1-9][0-9]{1,2})"
)


def write(state: State) -> str:
    """Six fields with one blank between them; nothing is hidden, so every seat sees this line."""
    terms = state.terms
    turn = f"over:{winning_seat(state)}" if state.turn == OVER else state.turn
    memory = ",".join(state.memory) or "-"
    return f"{terms.variant} {write_board(state)} {turn} {memory} g{terms.green} {terms.quiet_limit}"


def winning_seat(state: State) -> str:
    ending = how_it_ended(state)
    return state.terms.seat(ending.winner) if ending and ending.winner else "0"


def write_board(state: State) -> str:
    """Nine rows in board order, runs of empty squares as numbers."""
    letters = [letter_at(state, square) for square in NAME]
    rows = ("".join(letters[first : first + len(FILES)]) for first in range(0, len(letters), len(FILES)))
    return "/".join(
        "".join(str(len(list(run))) if letter == "." else "".join(run) for letter, run in groupby(row)) for row in rows
    )


def letter_at(state: State, square: Mask) -> str:
    if not square & (state.green | state.red):
        return "."
    letter = "s" if square & state.shoguns else "p"
    return letter.upper() if square & state.green else letter


def read(line: str) -> State:
    """The state of a line; BadPosition unless all of HASAMI-10.2 holds."""
    found = LINE.fullmatch(line)
    if found is None:
        raise BadPosition("This is not a position line of Hasami Shogi (HASAMI-10.1).")
    part = found.groupdict()
    green, red, shoguns = read_board(part["board"])
    state = State(
        terms=Terms(part["variant"], part["green"], int(part["limit"])),
        turn=part["turn"].partition(":")[0],
        green=green,
        red=red,
        shoguns=shoguns,
        memory=() if part["memory"] == "-" else tuple(part["memory"].split(",")),
        trail=BEGIN,
    )
    return sound(state, line)


def sound(state: State, line: str) -> State:
    """HASAMI-10.2: what is wrong is said of the first thing found; the state comes back with its trail."""
    refuse(wrong_on_board(state))
    try:
        state = retold(state)
    except CannotBe as why:
        raise BadPosition(f"The memory cannot be played back: {why} (HASAMI-7.3, HASAMI-10.2).") from None
    refuse(wrong_turn(state))
    written = write(state)
    if written != line:
        raise BadPosition(f"This line is not written as the rules would write it (HASAMI-10.2): {written}")
    return state


def refuse(faults: Iterator[str]) -> None:
    for fault in faults:
        raise BadPosition(fault)


def read_board(text: str) -> tuple[Mask, Mask, Mask]:
    """The green pieces, the red ones, and the Shoguns of both."""
    rows = [re.sub("[1-9]", lambda run: "." * int(run[0]), row) for row in text.split("/")]
    if [len(row) for row in rows] != [len(FILES)] * ROWS:
        raise BadPosition(f"The board does not have nine rows of nine squares (HASAMI-10.1): {text}")
    at = dict(zip(NAME, "".join(rows), strict=True))
    green, red, shoguns = (
        sum(square for square, letter in at.items() if letter in letters) for letters in ("PS", "ps", "Ss")
    )
    return green, red, shoguns
