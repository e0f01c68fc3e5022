"""What a seat can do: a step, the end of its turn, an answer to a capture, or none (section 6.1 of the rules)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from games.conquest.geography import NAMES
from games.conquest.units import RANK


class Step(NamedTuple):
    """A piece goes from cell to cell; what stands there it boards or captures."""

    piece: str
    start: int
    to: int

    def __str__(self) -> str:
        return f"{self.piece} {NAMES[self.start]}-{NAMES[self.to]}"


class Drop(NamedTuple):
    """A carried piece that is set down before its carrier answers."""

    piece: str
    cell: int

    def __str__(self) -> str:
        return f"{self.piece} {NAMES[self.cell]}"


class Counter(NamedTuple):
    """A piece takes the unit on the capture cell, after setting down some of what it carries."""

    piece: str
    start: int
    drops: tuple[Drop, ...] = ()

    def __str__(self) -> str:
        dropped = " drop " + " ".join(map(str, self.drops)) if self.drops else ""
        return f"counter {self.piece} {NAMES[self.start]}{dropped}"


@dataclass(frozen=True, slots=True)
class Word:
    """An action of one word. Silence does the same as the word, but the story may say that it was silence."""

    word: str
    silent: bool = field(default=False, compare=False)

    def __str__(self) -> str:
        return self.word


Action = Step | Counter | Word
END, DECLINE = Word("end"), Word("decline")
SILENCE = Word("end", silent=True)  # CONQ-17.3


def in_text_order(drops: tuple[Drop, ...]) -> tuple[Drop, ...]:
    """Soldiers first, then knight, chariot, elephant; equals in canonical cell order."""
    return tuple(sorted(drops, key=lambda drop: ("skce".index(drop.piece), drop.cell)))


def answer_order(counter: Counter) -> tuple[int, int, int, tuple[tuple[int, int], ...]]:
    """Where an answer stands in the list (CONQ-18.4)."""
    pairs = tuple((RANK[drop.piece], drop.cell) for drop in counter.drops)
    return counter.start, RANK[counter.piece], len(counter.drops), pairs
