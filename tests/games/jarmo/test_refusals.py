"""Refusals: code and paragraph, the first that applies in the order of section 6, and what would be legal instead."""

import pytest

from engine import Refusal
from games.jarmo import GAME
from tests.games.jarmo.table import START, at, legal, refused

CORNERED = "base aaaaa/5/5/2A2/1AAAA g 0.0 0.0 - 2 - -"
HOLDING = "base aa1a1/4G/A3A/5/2A2 g 1.0 2.0 a3+e3 30 - -"

# Each line: where, the order, code and paragraph, a piece of the message.
CASES = [
    (START, "hello", "unreadable", "2.1", "Not understood: hello. Write for example a1-c2."),
    (START, "flip a1 recall a1", "unreadable", "2.1", "flip a1 recall a1"),
    (START, "recall a1", "unreadable", "2.1", "recall a1"),
    (START, "a1-c2 place b1 place c1", "unreadable", "2.1", ""),
    (START, "a1-z9", "no-such-point", "1.2", "z9 is not a point of the board"),
    (START, "a1-c22", "no-such-point", "1.2", "c22"),
    (START, "a1-c2 place f1", "no-such-point", "1.2", "f1"),
    (START, "a2-c1", "empty", "2.2", "nothing stands on a2"),
    (START, "a2-a2", "empty", "2.2", ""),  # before `no-line`
    (START, "a5-a4", "not-yours", "2.2", "the piece on a5 is the enemy's"),
    ("base aaaAa/5/5/5/1AAAA g 0.0 1.0 - 10 - -", "d5-a1", "immobile", "4.1", "never moves again"),  # before `no-line`
    (START, "a1-a2", "no-line", "2.2", "no line joins a1 and a2. Lines from a1: c2, b3."),
    (START, "a1-a1", "no-line", "2.2", ""),
    ("base aaaaa/5/1AA2/5/A2AA g 0.0 0.0 - 2 - -", "c3-b3", "dotted", "9.2", "for Jasyr only"),  # before `occupied-own`
    ("jasyr aaaaa/5/2A2/5/AAA1A g 0.0 0.0 - 2 - -", "c3-d1", "backward", "9.3", "never back"),
    ("jasyr aaaaa/5/2A2/A4/1AAA1 g 0.0 0.0 - 2 - -", "c3-a2", "backward", "9.3", ""),  # before `occupied-own`
    (CORNERED, "e1xc2", "occupied-own", "2.3", "your own piece stands on c2"),  # before `no-capture`
    ("legendary 1aaaa/5/3A1/5/AAaAA g 0.0 0.0 - 10 - -", "d3-c1", "safe", "8.2", "piece on c1"),
    (START, "a1xc2", "no-capture", "3.1", "nothing to capture on c2"),
    (START, "a1xc2 place a1", "no-capture", "3.1", ""),  # before `empty-hand`
    (START, "a1-c2 place a5", "empty-hand", "5.1", "your hand is empty after this move"),  # before `not-camp`
    ("base,late=turn aaAaa/5/5/5/1AAA1 g 0.1 1.0 - 22 - -", "d1-b2 place a5", "whole-turn", "5.4", "recovers nobody"),
    (START, "a1-c2 recall a5", "no-camps", "11.2", "no retired camps"),
    (HOLDING, "a3-b1 recall a1", "camps-not-held", "11.2", "do not hold both retired camps, a3, e3"),
    (HOLDING, "e4-c5 recall a1", "empty-pool", "11.2", ""),
    ("base aaaa1/5/A4/2A2/1AA2 g 1.0 1.0 a3+e3 20 - -", "c2-e3 recall a5", "not-camp", "5.1", "a1, d1, e1"),
    ("base aaaa1/5/A4/2A2/1AA2 g 1.0 1.0 a3+e3 20 - -", "c2-e3 recall b1", "camp-occupied", "5.1", "a1, d1, e1"),
    ("base aaAaa/5/5/5/1AAA1 g 0.1 1.0 - 22 - -", "d1-b2 +d2", "not-camp", "5.1", "free points of it: a1, d1, e1"),
    (
        "base aaAaa/5/5/5/1AAA1 g 0.1 1.0 - 22 - -",
        "d1-b2 +b1",
        "camp-occupied",
        "5.1",
        "b1 is not empty after the move",
    ),
    (START, "flip a1", "no-flip", "8.3", "legendary variant only"),
    ("legendary aaGaa/5/5/5/1AAA1 g 0.0 1.0 - 22 - -", "flip b1", "no-guard", "8.3", "guards there: c5"),
    ("legendary aaAaa/5/5/5/1AAA1 g 1.0 1.0 - 22 - -", "flip c5", "no-guard", "8.3", "guards there: none"),
    ("legendary aaGaa/5/5/5/AAAA1 g 0.0 1.0 - 22 - -", "flip c5 place b1", "empty-pool", "8.3", "no soldier of yours"),
    ("legendary aaGaa/5/5/5/1AAA1 g 1.0 1.0 - 22 - -", "flip c5 place b2", "not-camp", "5.1", "a1, e1"),
    ("legendary aaGaa/5/5/5/1AAA1 g 1.0 1.0 - 22 - -", "flip c5 place b1", "camp-occupied", "5.1", "a1, e1"),
    (START, "place a1", "empty-hand", "5.1", "your hand is empty"),
    ("base aaAaa/5/5/5/1AAA1 g 0.1 1.0 - 22 - -", "place c3", "move-first", "5.3", "together with a move"),
    ("base aaa2/5/3g1/5/5 g 3.1 1.0 - 41 - -", "place c3", "not-camp", "5.1", "a1, b1, c1, d1, e1"),
    ("base,late=turn aaAaa/5/5/5/1AAA1 g 0.1 1.0 - 22 - -", "place b1", "camp-occupied", "5.1", "a1, e1"),
    (START, "pass", "must-act", "2.4", "only when nothing else is"),
]


@pytest.mark.parametrize(("position", "order", "code", "rule", "said"), CASES)
def test_the_first_refusal_that_applies(position, order, code, rule, said):
    state = at(position)
    refusal = refused(state, order)
    assert (refusal.code, refusal.rule) == (code, f"JARMO-{rule}")
    assert said in str(refusal)
    assert order.split()[0][:2] in str(refusal), "the message names the action"
    assert refusal.legal
    assert set(refusal.legal) <= set(legal(state))


def test_every_code_of_the_table_is_met():
    assert {code for _, _, code, _, _ in CASES} | {"over", "not-your-turn"} == {
        *(
            "over",
            "not-your-turn",
            "unreadable",
            "no-such-point",
            "empty",
            "not-yours",
            "immobile",
            "dotted",
            "no-line",
        ),
        *("backward", "occupied-own", "safe", "no-capture", "empty-hand", "whole-turn", "no-camps", "camps-not-held"),
        *("empty-pool", "no-flip", "no-guard", "move-first", "not-camp", "camp-occupied", "must-act"),
    }


@pytest.mark.parametrize("order", ["a5-c4", "nonsense", "a1-z9", {"x": "y"}])
def test_the_end_and_the_turn_come_before_the_words(order):  # JARMO-6.8, JARMO-1.5
    over = at("base 2A2/5/3G1/5/5 b 3.0 5.0 - 61 - capture:g")
    for seat in ("green", "blue"):
        assert (refused(over, order, seat).code, refused(over, order, seat).rule) == ("over", "JARMO-6.8")
    assert "green has won" in str(refused(over, order, "blue"))
    drawn = at("base aaaaa/5/5/5/AAAAA g 0.0 0.0 - 300 pass,pass limit:=")
    assert "drawn" in str(refused(drawn, order, "blue"))
    waiting = refused(at(START), order, "blue")
    assert (waiting.code, waiting.rule) == ("not-your-turn", "JARMO-1.5")
    assert "green is to move" in str(waiting)


def test_who_is_recovered_by_the_move_is_recalled_no_more():  # JARMO-11.2
    """The last soldier of the pool comes to the hand; before that move it could be recalled."""
    menu = legal(at(HOLDING))
    assert any(move.startswith("e4-c5 place") for move in menu)
    assert not [move for move in menu if move.startswith("e4-c5 recall")]
    assert [move for move in menu if " recall " in move], "others recall it"


def test_legal_instead_are_the_actions_of_that_piece():
    state = at(CORNERED)
    assert refused(state, "e1-c2").legal == ("e1-d3",)
    assert refused(state, "b1-b2").legal == ("b1-d2", "b1-a3")
    assert refused(state, "e2-c1").legal == tuple(legal(state))
    holding = at("base aaAaa/5/5/5/1AAA1 g 0.1 1.0 - 22 - -")
    assert refused(holding, "d1-b2 place b1").legal == (
        *("d1-b2", "d1-b2 place a1", "d1-b2 place d1", "d1-b2 place e1"),
    )


@pytest.mark.parametrize(
    ("position", "seat", "order", "code"),
    [
        (START, "green", "hello", "unreadable"),
        (START, "blue", "a1-f2", "no-such-point"),
        (START, "blue", "a1-a2", "no-line"),
        (START, "blue", "c3-d3", "dotted"),
        (START, "blue", "flip c1", "no-flip"),
        (START, "blue", "place a1", "not-camp"),
        (START, "green", "e4-c5 place a5", "not-camp"),
        ("jasyr aaaaa/5/5/5/AAAAA g 0.0 0.0 - 0 - -", "blue", "c3-a4", "backward"),
        ("jasyr aaaaa/5/5/5/AAAAA g 0.0 0.0 - 0 - -", "green", "c3-a4 recall a1", "no-camps"),
        (START, "blue", "c5-e4", None),
        (START, "blue", "place a5", None),
        (START, "blue", "c3-a4 recall a5", None),
        (START, "blue", "pass", None),
        ("jasyr aaaaa/5/5/5/AAAAA g 0.0 0.0 - 0 - -", "blue", "a4-c3", None),
        ("legendary aaaaa/5/5/5/AAAAA g 0.0 0.0 - 0 - -", "blue", "flip c1 +a5", None),
        ("base 2A2/5/3G1/5/5 b 3.0 5.0 - 61 - capture:g", "blue", "nonsense", "unreadable"),
    ],
)
def test_what_no_position_would_take(position, seat, order, code):
    """An order for later is judged by its words and by the lines, whoever is to move."""
    refusal = GAME.why_never(at(position), seat, order)
    assert (refusal and refusal.code) == code


def test_a_long_order_is_quoted_in_part():
    assert len(str(refused(at(START), "x" * 4000))) < 200
    assert isinstance(GAME.read(at(START), "green", {"do": ["a"] * 500}), Refusal)
