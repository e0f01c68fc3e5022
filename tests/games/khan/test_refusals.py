"""Refusals: each code with its sentence, the paragraph behind it, and what would be legal (KHAN-19)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine import Refusal
from games.khan import GAME, judging
from tests.games.khan.table import drawn

FIVE = ["RUS", "HUN", "KIP", "PER", "SEL"]
SHARED = {"active": {"yellow": "protection"}, "yurts": {"red": "B8 B9", "yellow": "C8 C9 D9"}}

ROWS = [  # position, order, code, paragraph, sentence
    ({}, "yellow: B SEL", "E01", "KHAN-4.1", "It is not your decision now."),
    ({}, "agree", "E01", "KHAN-17.4", "It is not your decision now."),
    ({}, "E B2", "E02", "KHAN-17.1", "I cannot read this order: E B2."),
    ({}, "B XXX", "E03", "KHAN-17.1", "There is no XXX in this game."),
    (
        {},
        "S none",
        "E04",
        "KHAN-4.2",
        "Now you must decide: action 1. S none is not one of the possible orders.",
    ),
    ({"at": "action 2"}, "D B2", "E40", "KHAN-6.5", "D uses both actions; you have only one left."),
    ({"hands": {"red": "RUS-MO"}}, "A SEL-MO A9", "E10", "KHAN-6.2", "You do not hold SEL-MO."),
    (
        {"hands": {"red": "RUS-MO"}},
        "D B2 - RUS-MO RUS-MO",
        "E10",
        "KHAN-6.5",
        "You do not hold RUS-MO (or named it twice).",
    ),
    ({"yurts": {"yellow": "B2"}}, "D B2", "E11", "KHAN-6.5", "B2 is not free: a yellow yurt."),
    ({"yurts": {"black": "B2"}}, "D B2", "E11", "KHAN-6.5", "B2 is not free: a black yurt."),
    ({}, "D H1", "E11", "KHAN-6.5", "H1 is not free: the leader RUS."),
    ({"hands": {"red": "RUS-JO"}}, "A RUS-JO H5", "E11", "KHAN-6.2", "H5 is not free: the river."),
    ({"hands": {"red": "RUS-MO"}}, "A RUS-MO B2", "E12", "KHAN-6.2", "RUS-MO does not allow B2."),
    (
        {"at": "action 2", "removed": FIVE, "hands": {"red": "RUS-MO"}},
        "B DAL",
        "E21",
        "KHAN-6.3",
        "Five leaders are gone; nobody can be chased any more.",
    ),
    ({"removed": ["RUS"]}, "B RUS", "E20", "KHAN-6.3", "RUS is no longer on the board."),
    (
        {"shapes": [{"id": "T4O", "cells": "I1 J1 I2 J2", "owners": ["red"]}], "yurts": {"red": "B8 C8"}},
        "C T4O B8 C8 B9 C9",
        "E30",
        "KHAN-7.1",
        "No T4O is left.",
    ),
    ({"reserved": {"yellow": "T2"}}, "C T2 B8 C8", "E31", "KHAN-9.6", "T2 is reserved by yellow."),
    ({}, "C T2 B8 D8", "E32", "KHAN-1.9", "These cells do not form a T2."),
    (
        {},
        "C B3I E3 E4 E5",
        "E33",
        "KHAN-7.4",
        "The bridge must cover 1 river cell(s) and touch land on both sides.",
    ),
    (
        {"yurts": {"red": "F3 D4"}},
        "C B4L F3 D4 E4 F4",
        "E33",
        "KHAN-7.5",
        "The bridge must cover 1 or 2 river cell(s) and touch land on both sides.",
    ),
    ({"yurts": {"red": "B8"}}, "C T2 B8 C8", "E34", "KHAN-7.2", "C8 cannot be covered: nothing."),
    ({"yurts": {"red": "F3 F5"}}, "C T3I F3 F4 F5", "E34", "KHAN-7.2", "F4 cannot be covered: the river."),
    (
        {"shapes": [{"id": "B3I", "cells": "F3 F4 F5", "owners": ["red"]}]},
        "C B3I F3 F4 F5",
        "E34",
        "KHAN-7.3",
        "F3 cannot be covered: the shape B3I.",
    ),
    (
        {"yurts": {"red": "B8", "yellow": "C8 D8"}},
        "C T3I B8 C8 D8",
        "E35",
        "KHAN-7.6",
        "You do not have the most yurts there (red 1, yellow 2).",
    ),
    (
        {"yurts": {"black": "C8 D8"}},
        "C T2 C8 D8",
        "E35",
        "KHAN-7.6",
        "You do not have the most yurts there (black only).",
    ),
    (SHARED, "C T3V B8 C8 B9", "E36", "KHAN-10.1", "The card protection of yellow forbids this conquest."),
    (
        {"at": "special", "specials": {"red": {"gods": 0}}},
        "S gods",
        "E50",
        "KHAN-9.1",
        "You have no gods card left.",
    ),
    ({"at": "special", "players": 4}, "S gods", "E53", "KHAN-9.5", "Name the region to protect."),
    (
        {"at": "special"},
        "S gods ice",
        "E54",
        "KHAN-9.5",
        "With 2 players all neutral yurts are protected; name no region.",
    ),
    (
        {"at": "special", "last": {"red": {"protection": "previous turn"}}},
        "S protection",
        "E55",
        "KHAN-9.4",
        "You used this card in your last turn.",
    ),
    (
        {"at": "special", "active": {"yellow": "protection"}},
        "S protection",
        "E51",
        "KHAN-9.4",
        "The card protection of yellow is still active.",
    ),
    (
        {"at": "special", "players": 4, "active": {"blue": ["gods", "tundra"]}},
        "S gods tundra",
        "E56",
        "KHAN-9.5",
        "The region tundra is protected by blue already.",
    ),
    (
        {"at": "special", "removed": FIVE},
        "S morale",
        "E52",
        "KHAN-9.3",
        "There is no third action you could take.",
    ),
    ({}, "pass", "E60", "KHAN-6.6", "You may not pass: B RUS is possible."),
    (
        {"at": "conquer 1", "removed": FIVE, "yurts": {"red": "B8 C8"}},
        "pass",
        "E60",
        "KHAN-13.3",
        "You may not pass: C T2 B8 C8 is possible.",
    ),
]


@pytest.mark.parametrize(("given", "order", "code", "rule", "sentence"), ROWS)
def test_refusal(given, order, code, rule, sentence):
    table = drawn(given.get("players", 2), **{key: value for key, value in given.items() if key != "players"})
    refusal = table.read(order)
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.rule, str(refusal)) == (code, rule, sentence)
    assert refusal.to_json()["code"] == code


def test_a_seat_that_has_refused_is_named():
    table = drawn(3, **SHARED)
    table.do("C T4O B8 C8 B9 C9")
    table.do("yellow: refuse")
    refusal = table.read("C T2 B8 C8")
    assert (refusal.code, str(refusal)) == ("E37", "You were refused by yellow and cannot ask again this turn.")
    assert "C T2 B8 B9" in refusal.legal


def test_every_code_of_the_document_is_tried():
    """KHAN-19 has 27 codes; E80 is the organiser's (test_opening.py)."""
    code = re.compile(r'"(E\d\d)"')
    written = set(code.findall(Path(__file__).with_name("test_refusals.py").read_text("utf-8")))
    used = set()
    for file in ("judging.py", "reading.py", "options.py"):
        used |= set(code.findall((Path(judging.__file__).parent / file).read_text("utf-8")))
    assert used == written | {"E80"}
    assert len(used) == 27


@pytest.mark.parametrize(
    ("order", "code"),
    [
        ("", "E02"),
        ("# only a comment", "E02"),
        ("A SEL-MO", "E02"),
        ("A SEL-MO G4 G5", "E02"),
        ("C T2", "E02"),
        ("B", "E02"),
        ("S", "E02"),
        ("S foo", "E03"),
        ("S explore", "E02"),
        ("S gods nowhere", "E03"),
        ("S morale ice", "E02"),
        ("pass now", "E02"),
        ("resign now", "E02"),
        ("standing", "E02"),
        ("standing consent never green", "E03"),
        ("standing consent never red", "E02"),
        ("D G6 -", "E02"),
        ("P G6 G7", "E02"),
        ("B ſEL", "E03"),
        ({}, "E02"),
        ({"do": "invade", "cell": "G6"}, "E02"),
        ({"do": ["invade"], "cell": "G6", "card": "RUS-JO"}, "E02"),
        ({"do": "conquer", "shape": "T2", "cells": []}, "E02"),
        ({"do": "conquer", "shape": "T2", "cells": {"a": "b"}}, "E02"),
        ({"do": "special", "card": "gods", "shape": "T2"}, "E02"),
        ({"do": "special", "card": "explore", "region": "ice"}, "E02"),
        ({"do": "consent", "answer": "maybe"}, "E02"),
        ({"do": "standing"}, "E02"),
        ({"do": "standing", "consent_to": {}}, "E02"),
        ({"do": "anywhere", "cell": "G6", "discard": ["XX"]}, "E03"),
        ({"do": "chase", "leader": "SEL", "more": "x"}, "E02"),
    ],
)
def test_what_cannot_be_read(order, code):
    """KHAN-17.1."""
    refusal = GAME.read(drawn().state, "red", order)
    assert (refusal.code, GAME.why_never(drawn().state, "red", order).code) == (code, code)
    assert len(str(refusal)) < 200


def test_beside_what_cannot_be_read_stands_what_could_be_ordered_here():
    """KHAN-17.1: an order of each kind that is legal in this position, and none of a kind that is not."""
    state = drawn().state
    for order in ("foo bar", "B ZZZ"):
        shown = GAME.read(state, "red", order).legal
        legal = {str(move) for move in GAME.moves(state, "red")}
        assert shown
        assert set(shown) <= legal
        assert {move[0] for move in legal} == {move[0] for move in shown}
