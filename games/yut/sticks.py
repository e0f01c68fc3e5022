"""Throwing the four sticks: what a throw is worth, and when another follows (YUT-2)."""

from __future__ import annotations

from collections.abc import Mapping

from engine import Dice, Event, Seat
from games.yut.board import DATA
from games.yut.state import SEATS

VALUE_BY_FLATS: Mapping[int, int] = DATA["throw"]["value_by_flats"]  # YUT-2.2
RETHROW_ON: frozenset[int] = frozenset(DATA["throw"]["rethrow_on"])  # YUT-2.4
MAX_RETHROWS: int = DATA["throw"]["max_rethrows_per_turn"]  # YUT-2.5

# A throw as one number: a bit for each stick, the first stick highest, 1 = flat side up (YUT-2.1).
VALUE: tuple[int, ...] = tuple(VALUE_BY_FLATS[number.bit_count()] for number in range(16))

TURN, AGAIN, CATCH = "turn", "again", "catch"
RULES = {TURN: "YUT-2.3", AGAIN: "YUT-2.4", CATCH: "YUT-6.2"}
NAMES: tuple[Seat, ...] = tuple(dict.fromkeys(seat for seats in SEATS.values() for seat in seats))

LABELS: Mapping[Seat, tuple[str, str, str, str]] = {
    seat: (f"{seat}: stick 1", f"{seat}: stick 2", f"{seat}: stick 3", f"{seat}: stick 4") for seat in NAMES
}
"""What each draw is for, as a referee reads it."""


def _thrown(seat: Seat, why: str, number: int) -> Event:
    sticks = ["flat" if number >> bit & 1 else "round" for bit in (3, 2, 1, 0)]
    return Event("thrown", RULES[why], {"seat": seat, "sticks": sticks, "value": VALUE[number], "why": why})


THROWN: Mapping[tuple[Seat, str], tuple[Event, ...]] = {
    (seat, why): tuple(_thrown(seat, why, number) for number in range(16)) for seat in NAMES for why in RULES
}
"""All the throws there can be, told once."""


def throw(dice: Dice, seat: Seat, why: str, rethrows: int, story: list[Event]) -> tuple[list[int], int]:
    """One throw and the re-throws it brings: their values, and how many re-throws the turn has had by then."""
    pick, (one, two, three, four) = dice.pick, LABELS[seat]
    values = []
    while True:
        number = pick(2, one) << 3 | pick(2, two) << 2 | pick(2, three) << 1 | pick(2, four)
        story.append(THROWN[seat, why][number])
        value = VALUE[number]
        values.append(value)
        if value not in RETHROW_ON or rethrows >= MAX_RETHROWS:
            return values, rethrows
        rethrows += 1  # YUT-2.4: again, before any move
        why = AGAIN
