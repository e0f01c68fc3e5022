"""What a seat is told of its order before it counts, and what might be for all it knows (KHAN-20)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine import BadPosition, Dice
from games.khan import GAME
from games.khan.plans import as_known
from games.khan.state import Needed
from tests.games.khan.table import VECTORS, drawn

HANDS = {"red": "RUS-JO SEL-MO HUN-RI", "yellow": "SON-NB"}
GUARDED = {"yurts": {"red": "B8 B9", "yellow": "C8"}, "active": {"yellow": "protection"}, "hands": HANDS}


def preview(state, order):
    return [(event.kind, event.rule, dict(event.facts)) for event in GAME.preview(state, "red", read(state, order))]


def notices(state, order):
    return [(notice.rule, notice.code, str(notice)) for notice in GAME.notices(state, "red", read(state, order))]


def read(state, order):
    return GAME.read(state, "red", order)


@pytest.mark.parametrize(
    ("order", "told"),
    [
        ("A RUS-JO B2", [("invade", "KHAN-6.2", {"seat": "red", "card": "RUS-JO", "cell": "B2"})]),
        ("B SEL", [("chase", "KHAN-6.3", {"seat": "red", "leader": "SEL"})]),  # the card is turned later
        ("D B2 - SEL-MO", [("anywhere", "KHAN-6.5", {"seat": "red", "cell": "B2", "discarded": ["SEL-MO"]})]),
        (
            "C T2 B8 B9",
            [
                (
                    "conquest",
                    "KHAN-7.8",
                    {"seat": "red", "shape": "T2", "cells": ["B8", "B9"], "owners": ["red"], "each": 2},
                )
            ],
        ),
        (
            "C T2 B8 C8",  # whether yellow agrees is not told, even if it has said so beforehand
            [
                (
                    "proposal",
                    "KHAN-10.1",
                    {
                        "seat": "red",
                        "shape": "T2",
                        "cells": ["B8", "C8"],
                        "sharers": ["red", "yellow"],
                        "need": ["yellow"],
                    },
                )
            ],
        ),
    ],
)
def test_the_first_events_of_an_order_are_certain(order, told):
    """KHAN-20."""
    assert preview(drawn(3, **GUARDED).state, order) == told
    assert preview(drawn(3, **GUARDED, standing={"yellow": "always"}).state, order) == told


def test_the_preview_of_a_special_card_and_of_passing():
    """KHAN-9, KHAN-6.7, KHAN-13.3."""
    five = ["RUS", "HUN", "KIP", "PER", "SEL"]
    special = drawn(at="special").state
    facts = {"seat": "red", "card": "protection", "region": None, "shape": None}
    assert preview(special, "S protection") == [("special", "KHAN-9.4", facts)]
    final = drawn(at="conquer 1", removed=five, yurts={"red": "B8", "yellow": "C8"}, active={"yellow": "protection"})
    assert preview(final.state, "pass") == [("pass", "KHAN-13.3", {"seat": "red"})]
    lost = drawn(at="action 2", removed=five, yurts={"red": "B8", "yellow": "C8"}, active={"yellow": "protection"})
    assert preview(lost.state, "pass") == [("pass", "KHAN-6.7", {"seat": "red"})]


def test_a_joker_is_not_wasted_unwarned():
    """KHAN-6.2: other cards of the hand that allow this very cell, and no jokers among them."""
    state = drawn(3, **GUARDED).state
    assert notices(state, "A RUS-JO J6") == []
    for cell in ("A9", "B13"):  # the first and the last that it allows
        text = f"RUS-JO is a joker; SEL-MO would do as well for {cell}."
        assert notices(state, f"A RUS-JO {cell}") == [("KHAN-6.2", "joker", text)]
    assert notices(state, "A RUS-JO E3") == [
        ("KHAN-6.2", "joker", "RUS-JO is a joker; HUN-RI would do as well for E3.")
    ]
    assert notices(state, "A SEL-MO A9") == []


def test_a_last_yurt_and_a_needed_consent_are_pointed_out():
    """KHAN-5.5, KHAN-10.1."""
    state = drawn(3, **GUARDED, courts={"SEL": 1, "HUN": 2}).state
    text = "SEL has one yurt left at its court: chasing it takes it off the board."
    assert notices(state, "B SEL") == [("KHAN-5.5", "last_yurt", text)]
    assert notices(state, "B HUN") == []
    assert [code for _, code, _ in notices(state, "C T2 B8 C8")] == ["needs_consent"]
    assert notices(state, "C T2 B8 B9") == []


def test_what_is_imagined_fits_what_the_seat_knows():
    """KHAN-20: the own hand stays, what the seat does not see is dealt anew."""
    state = drawn(3, **GUARDED, standing={"yellow": "never"}).state
    imagined = {seed: GAME.imagine(state, "red", Dice(b"%d" % seed)) for seed in range(4)}
    assert all(as_known(other, 0) == as_known(state, 0) for other in imagined.values())
    assert len({other.hands[1] for other in imagined.values()}) > 1
    assert len({other.draw for other in imagined.values()}) == 4
    over = drawn(at="over", removed=["RUS", "HUN", "KIP", "PER", "DAL"]).state
    assert GAME.imagine(over, "red", Dice(b"1")) == over  # KHAN-20.4


def test_in_what_is_imagined_nobody_else_has_answered():
    """KHAN-20, KHAN-17.7: answers are not open before all are given, save that of one who has resigned."""
    four = {"yellow": "B9", "green": "C8", "blue": "D8", "red": "B8", "black": "C9"}
    table = drawn(4, yurts=four, active={"yellow": ["gods", "mountain"], "blue": "protection"})
    table.do("C T5P B8 C8 D8 B9 C9")
    answered = table.state.proposal._replace(need=(Needed(1, "agree"), Needed(2)))
    asked = {"red": ["", ""], "yellow": ["agree", ""], "blue": ["", ""]}
    for seat, answers in asked.items():
        seen = GAME.imagine(replace(table.state, proposal=answered), seat, Dice(b"1")).proposal
        assert [need.answer for need in seen.need] == answers
    gone = drawn(4, yurts=four, active={"yellow": ["gods", "mountain"], "blue": "protection"}, gone=["yellow"])
    gone.do("C T5P B8 C8 D8 B9 C9")
    seen = GAME.imagine(gone.state, "red", Dice(b"1")).proposal
    assert [need.answer for need in seen.need] == ["refuse", ""]


def test_a_line_of_another_version_is_refused_as_such():
    """KHAN-29.1."""
    line = next(each["line"] for each in VECTORS if "line" in each)
    with pytest.raises(BadPosition, match="not of data version 1"):
        GAME.from_position(line.replace("khan=1;", "khan=2;"))
