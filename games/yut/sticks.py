"""Throwing the four sticks: what a throw is worth, and when another follows (YUT-2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from engine import Coins, Dice, Event, Seat
from games.yut.board import DATA
from games.yut.state import NAMES

if TYPE_CHECKING:
    from games.yut.roles import Role

VALUE_BY_FLATS: Mapping[int, int] = DATA["throw"]["value_by_flats"]  # YUT-2.2
RETHROW_ON: frozenset[int] = frozenset(DATA["throw"]["rethrow_on"])  # YUT-2.4
MAX_RETHROWS: int = DATA["throw"]["max_rethrows_per_turn"]  # YUT-2.5

# A throw as one number: a bit for each stick, the first stick highest, 1 = flat side up (YUT-2.1).
VALUE: tuple[int, ...] = tuple(VALUE_BY_FLATS[number.bit_count()] for number in range(16))

TURN, AGAIN, CATCH = "turn", "again", "catch"
RULES = {TURN: "YUT-2.3", AGAIN: "YUT-2.4", CATCH: "YUT-6.2"}

STICKS: Mapping[Seat, Coins] = {
    seat: Coins(f"{seat}: stick 1", f"{seat}: stick 2", f"{seat}: stick 3", f"{seat}: stick 4") for seat in NAMES
}
"""What each draw is for, as a referee reads it."""


Fall = tuple[Event, tuple[int], bool]
"""What is told of a throw, its value, and whether another follows."""


def _fall(seat: Seat, why: str, number: int) -> Fall:
    sticks = ["flat" if number >> bit & 1 else "round" for bit in (3, 2, 1, 0)]
    facts = {"seat": seat, "sticks": sticks, "value": VALUE[number], "why": why}
    return Event("thrown", RULES[why], facts), (VALUE[number],), VALUE[number] in RETHROW_ON


FALLS: Mapping[Seat, Mapping[str, tuple[Fall, ...]]] = {
    seat: {why: tuple(_fall(seat, why, number) for number in range(16)) for why in RULES} for seat in NAMES
}
"""All the throws there can be."""


def throw(dice: Dice, role: Role, why: str, rethrows: int, story: list[Event]) -> tuple[tuple[int, ...], int]:
    """One throw and the re-throws it brings: the values, the largest first, and how many re-throws the turn has had."""
    thrown, values, again = role.falls[why][dice.toss(role.sticks)]
    story.append(thrown)
    if not again or rethrows >= MAX_RETHROWS:
        return values, rethrows
    more, rethrows = throw(dice, role, AGAIN, rethrows + 1, story)  # YUT-2.4: again, before any move
    return largest_first(values + more), rethrows


def largest_first(values: Sequence[int]) -> tuple[int, ...]:
    return tuple(sorted(values, reverse=True))
