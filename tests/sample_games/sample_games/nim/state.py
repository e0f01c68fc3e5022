"""Nim's pieces: the options, the position and its line of text (NIM-1, NIM-2)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from engine import BadOption, BadPosition, OptionSet, flag, text, whole

SEATS = ("1", "2")
LINE = re.compile(r"nim1 ((?:0|[1-9]\d?)(?:-(?:0|[1-9]\d?))*) ([12]) (normal|misere) (0|[1-9]) ([12-])")


@dataclass(frozen=True)
class Choices(OptionSet):
    """How many heaps, how much may be taken, and who loses."""

    heaps: str = text("3-4-5", values="heap sizes, 1 to 20 each, at most 6 heaps", help="the heaps at the start")
    misere: bool = flag(False, help="who takes the last object loses")
    most: int = whole(0, 0, 9, help="the most one may take at once; 0: no limit")

    def check(self) -> None:
        words = str(self.heaps).replace(",", "-").split("-")
        good = all(word.strip().isascii() and word.strip().isdecimal() for word in words)
        if not good or not 1 <= len(words) <= 6 or not all(1 <= int(word) <= 20 for word in words):
            raise BadOption("heaps", self.heaps, "write up to 6 numbers from 1 to 20, such as 3-4-5")
        object.__setattr__(self, "heaps", "-".join(str(int(word)) for word in words))


@dataclass(frozen=True, slots=True)
class Position:
    """The heaps, whose turn it is, the two rules that can differ, and who gave up."""

    heaps: tuple[int, ...]
    to_move: str
    misere: bool
    most: int
    resigned: str | None = None

    @property
    def over(self) -> bool:
        return self.resigned is not None or not any(self.heaps)  # NIM-3.1, NIM-3.3


class Take(NamedTuple):
    """So many objects from one heap, written as the heap's letter and the number: `b3`."""

    heap: int
    number: int

    def __str__(self) -> str:
        return f"{letter(self.heap)}{self.number}"


class Resign(NamedTuple):
    """To give up (NIM-3.3)."""

    word: str = "resign"

    def __str__(self) -> str:
        return self.word


Move = Take | Resign


def letter(heap: int) -> str:
    """The name of a heap: a, b, c, ..."""
    return chr(ord("a") + heap)


def other(seat: str) -> str:
    return SEATS[1 - SEATS.index(seat)]


def write(state: Position) -> str:
    """The position line: heaps, seat to move, who loses, limit, who resigned."""
    heaps = "-".join(map(str, state.heaps))
    return f"nim1 {heaps} {state.to_move} {'misere' if state.misere else 'normal'} {state.most} {state.resigned or '-'}"


def parse(line: str) -> Position:
    """The position of a line, which must be written exactly as `write` does."""
    found = LINE.fullmatch(line)
    if found is None:
        raise BadPosition(f"not a position of nim: {line[:80]!r}")
    heaps, to_move, ends, most, resigned = found.groups()
    sizes = tuple(int(size) for size in heaps.split("-"))
    if len(sizes) > 6 or max(sizes) > 20:
        raise BadPosition("nim has at most 6 heaps of at most 20 objects")
    return Position(sizes, to_move, ends == "misere", int(most), None if resigned == "-" else resigned)
