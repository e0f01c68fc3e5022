"""What players may write, and what it means (section 6 of the rules document)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Refusal
from games.jarmo import GAME
from games.jarmo.moves import Move
from tests.games.jarmo.table import START, at, legal, seat

OPEN = at(START)
CAPTURING = at("base aaaa1/4a/2A2/5/1AAAA g 0.0 0.0 - 8 - -")
HAND = at("base aaAaa/5/5/5/1AAA1 g 0.1 1.0 - 22 - -")
ALONE = at("base,late=turn aaAaa/5/5/5/1AAA1 g 0.1 1.0 - 22 - -")
CAMPS = at("base aaaa1/5/A4/2A2/1AA2 g 1.0 1.0 a3+e3 20 - -")
FLIP = at("legendary aaGaa/5/5/5/1AAA1 g 1.0 1.0 - 22 - -")
SHUT = at("jasyr AA2A/5/A4/a1a2/2a2 g 0.0 0.0 - 28 - -")
STATES = (OPEN, CAPTURING, HAND, ALONE, CAMPS, FLIP, SHUT)


def read(state, order):
    answer = GAME.read(state, seat(state), order)
    return answer.code if isinstance(answer, Refusal) else str(answer)


FORMS = [
    (
        OPEN,
        "a1-c2",
        ["a1-c2", "A1-C2", "a1 > c2", "a1>c2", "a1->c2", "a1 -> c2", "a1 to c2", "A1TOC2", "a1 c2", "a1c2"],
    ),
    (
        OPEN,
        "a1-c2",
        ["move a1-c2", "move a1 c2", "movea1c2", "m a1c2", "ma1c2", "M A1 TO C2", "  a1  -  c2 \n", "a1\tc2"],
    ),
    (OPEN, "a1-c2", [f"a1{dash}c2" for dash in "\u2010\u2011\u2012\u2013\u2014\u2212\u2192"]),
    (
        OPEN,
        "a1-c2",
        [{"move": ["a1", "c2"]}, {"move": "a1-c2"}, {"do": "move", "from": "A1", "to": "c2"}, {"do": "a1-c2"}],
    ),
    (CAPTURING, "c3-e4", ["c3xe4", "c3 x e4", "C3XE4", "c3\u00d7e4", "c3-e4", "m c3xe4"]),
    (
        HAND,
        "d1-b2 place a1",
        ["d1-b2 place a1", "d1b2+a1", "d1-b2 + a1", "d1-b2 drop a1", "d1 b2 dropa1", "m d1b2placea1"],
    ),
    (HAND, "d1-b2 place a1", [{"move": ["d1", "b2"], "place": "a1"}, {"place": "a1", "move": ["d1", "b2"]}]),
    (HAND, "d1-b2 place a1", [{"do": "move", "from": "d1", "to": "b2", "place": "a1"}, {"action": "d1-b2 +a1"}]),
    (
        ALONE,
        "place a1",
        ["place a1", "+a1", "+ a1", "drop a1", "PLACEA1", {"place": "a1"}, {"do": "place", "at": "a1"}],
    ),
    (CAMPS, "c2-e3 recall e1", ["c2-e3 recall e1", "c2-e3 ^e1", "c2e3^ e1", {"move": ["c2", "e3"], "recall": "e1"}]),
    (CAMPS, "c2-e3 recall e1", [{"do": "move", "from": "c2", "to": "e3", "recall": "e1"}]),
    (FLIP, "flip c5", ["flip c5", "FLIPC5", {"flip": "c5"}, {"do": "flip", "at": "c5"}]),
    (FLIP, "flip c5 place a1", ["flip c5 place a1", "flip c5+a1", "flipc5dropa1", {"flip": "c5", "place": "a1"}]),
    (FLIP, "flip c5 place a1", [{"action": "flip", "at": "c5", "place": "a1"}]),
    (SHUT, "pass", ["pass", "PASS", " pass ", {"do": "pass"}]),
    (OPEN, "a1-c2", ["auto", "Auto", {"do": "auto"}]),
    (HAND, "b1-d2 place a1", ["auto"]),
]


@pytest.mark.parametrize(
    ("state", "meant", "order"), [(state, meant, order) for state, meant, orders in FORMS for order in orders]
)
def test_forms_that_are_understood(state, meant, order):  # JARMO-2.1
    assert read(state, order) == meant


@pytest.mark.parametrize(
    "order",
    [
        *("", " ", "a1", "a1-", "-c2", "a1--c2", "a1=c2", "a1-c2-d2", "go a1 c2", "a 1 c 2", "1a-2c", "a1-c\u0662"),
        *("a1-c2 place", "a1-c2 place b1 place c1", "a1-c2 recall b1 recall c1", "a1-c2 ++b1", "place", "place a1 b1"),
        *("flip", "flip c5 recall a1", "flip c5 c4", "recall a1", "^a1", "p a1", "pass a1", "passe", "auto a1"),
        *("a1-c2\x00", "a1-c2;", "a1-c\u200b2", "\u0430" + "1-c2", "mo ve a1 c2"),
        *(
            {},
            {"move": []},
            {"move": ["a1"]},
            {"move": ["a1", "c2"], "to": "b1"},
            {"move": {"a1": "c2"}},
            {"pass": "x"},
        ),
        *(
            {"recall": "a1"},
            {"flip": "c5", "recall": "a1"},
            {"move": ["a1", "c2"], "place": ""},
            {"move": ["a1", ["c2"]]},
        ),
        *({"do": "move", "from": "a1"}, {"do": "move", "action": "move", "from": "a1", "to": "c2"}, {"do": ["pass"]}),
        *(
            {"do": "jump", "from": "a1", "to": "c2"},
            {"do": "flip", "place": "a1"},
            {"do": "", "at": "a1"},
            {"at": "a1"},
        ),
    ],
)
def test_forms_that_are_not(order):  # JARMO-2.1
    assert read(OPEN, order) == "unreadable"


@pytest.mark.parametrize(
    ("text", "move", "same"),
    [
        ("A1 C2", "a1-c2", True),
        ("a1xc2", "a1-c2", True),
        ("e4c5+a1", "e4-c5 place a1", True),
        ("e4c5", "e4-c5 place a1", False),
        ("drop a1", "place a1", True),
        ("FLIP c5", "flip c5", True),
        ("pass", "pass", True),
        ("something", "pass", False),
    ],
)
def test_words_for_what_the_other_did(text, move, same):
    assert GAME.same_move(text, move) is same


POINT = st.sampled_from(["a1", "c2", "b3", "e4", "c5", "d1", "b2", "e3", "z9", ""])


@settings(max_examples=150, deadline=None)
@given(
    st.text(max_size=20)
    | st.builds(
        "{}{}{}{}{}".format, POINT, st.sampled_from("-x> "), POINT, st.sampled_from([" place ", "^", ""]), POINT
    )
    | st.dictionaries(st.sampled_from(["do", "action", "move", "flip", "place", "recall", "at", "from", "to"]), POINT)
)
def test_any_words_get_an_answer(order):
    """Nothing a player writes breaks the reader: he gets a listed action or a refusal that can be told."""
    for state in STATES:
        answer = GAME.read(state, seat(state), order)
        if isinstance(answer, Refusal):
            assert str(answer)
            assert set(answer.to_json()["legal"]) <= set(legal(state))
        else:
            assert isinstance(answer, Move)
            assert str(answer) in legal(state)
