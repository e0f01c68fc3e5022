"""Orders: the moves of the game as values, each with its one canonical text (KHAN-17.1, KHAN-17.6).

The moves of action D are these texts themselves: a seat has up to two thousand of them, and one is looked into.
"""

from __future__ import annotations

from typing import NamedTuple

from games.khan.material import CARD_NUMBER, CARDS, NAMES, NUMBERS, SEAT_NUMBER, SEATS
from games.khan.state import ASK

# The last field of each tells kinds apart, since tuples are equal when their parts are.


class Place(NamedTuple):
    """An initial yurt (KHAN-3.1)."""

    cell: str
    do: str = "P"

    def __str__(self) -> str:
        return f"P {self.cell}"


class Invade(NamedTuple):
    """A: a card of the hand and a cell that it allows (KHAN-6.2)."""

    card: str
    cell: str
    do: str = "A"

    def __str__(self) -> str:
        return f"A {self.card} {self.cell}"


class Chase(NamedTuple):
    """B: a leader has to flee (KHAN-6.3)."""

    leader: str
    do: str = "B"

    def __str__(self) -> str:
        return f"B {self.leader}"


class Conquer(NamedTuple):
    """C: a shape and the cells it is to cover (KHAN-7.1)."""

    shape: str
    cells: tuple[str, ...]
    do: str = "C"

    def __str__(self) -> str:
        return f"C {self.shape} {' '.join(self.cells)}"


class Anywhere(NamedTuple):
    """D: a yurt on any free cell and discards (KHAN-6.5)."""

    cell: str
    discard: tuple[str, ...] = ()
    do: str = "D"

    def __str__(self) -> str:
        return f"D {self.cell} - {' '.join(self.discard)}" if self.discard else f"D {self.cell}"


class Special(NamedTuple):
    """S: a special card, with a region or a shape, or none (KHAN-9)."""

    card: str
    region: str = ""
    shape: str = ""
    do: str = "S"

    def __str__(self) -> str:
        return " ".join(filter(None, ("S", self.card, self.region, self.shape)))


class Answer(NamedTuple):
    """Agree to a proposal or refuse it (KHAN-10.2)."""

    answer: str
    do: str = "consent"

    def __str__(self) -> str:
        return self.answer


class Pass(NamedTuple):
    """Give up what is left of the step (KHAN-6.7, KHAN-13.3)."""

    do: str = "pass"

    def __str__(self) -> str:
        return "pass"


class Instruction(NamedTuple):
    """One standing instruction: the answer to consent, to that of one seat, or to step 4 (KHAN-17.2)."""

    about: str
    answer: str
    seat: str = ""

    def __str__(self) -> str:
        return " ".join(filter(None, (self.about, self.answer, self.seat)))


class Instruct(NamedTuple):
    """New standing instructions; they hold at once and until changed (KHAN-17.2)."""

    instructions: tuple[Instruction, ...]
    do: str = "standing"

    def __str__(self) -> str:
        return f"standing {', '.join(map(str, self.instructions))}"


class Resign(NamedTuple):
    """Leave the game for good (KHAN-17.7)."""

    do: str = "resign"

    def __str__(self) -> str:
        return "resign"


Order = Place | Invade | Chase | Conquer | Anywhere | Special | Answer | Pass | Instruct | Resign
Move = Place | Invade | Chase | Conquer | str | Special | Answer | Pass | Instruct | Resign
AT_ONCE = (Instruct, Resign)

PLACES: dict[int, Place] = {cell: Place(name) for cell, name in NAMES.items()}
INVASIONS: tuple[dict[int, Invade], ...] = tuple(
    {cell: Invade(card.id, name) for cell, name in NAMES.items() if card.allowed >> cell & 1} for card in CARDS
)
"""The orders of action A, by card and cell; moves are values, so each needs to be made only once."""

NO_SPECIAL = Special("none")


def canonical(order: Order) -> Move:
    """KHAN-17.6: cells and cards in canonical order, so that equal orders are equal moves."""
    if isinstance(order, Conquer):
        return order._replace(cells=tuple(sorted(order.cells, key=NUMBERS.__getitem__)))
    if isinstance(order, Anywhere):
        return str(order._replace(discard=tuple(sorted(order.discard, key=CARD_NUMBER.__getitem__))))
    return order


def order_of(move: Move | Order) -> Order:
    """The order that a move is: one of action D is taken apart."""
    if not isinstance(move, str):
        return move
    _, cell, *discards = move.split(" ")
    return Anywhere(cell, tuple(discards[1:]))


def instructions_in_order(instructions: tuple[Instruction, ...]) -> tuple[Instruction, ...]:
    """One for each subject, the last word of each: general consent, consent to seats, step 4."""
    last = {(each.about, each.seat): each for each in instructions}
    return tuple(sorted(last.values(), key=lambda each: (each.about == "special", SEAT_NUMBER.get(each.seat, -1))))


def standing_text(consent: str, to: tuple[str, ...], special: str) -> tuple[Instruction, ...]:
    """What of standing instructions is worth saying: general `ask` and `special ask` are left out (KHAN-29.1)."""
    general = () if consent == ASK else (Instruction("consent", consent),)
    single = tuple(Instruction("consent", answer, SEATS[seat]) for seat, answer in enumerate(to) if answer)
    step_4 = () if special == ASK else (Instruction("special", special),)
    return general + single + step_4
