"""What players may write (BAGH-6.2)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Refusal
from games.bagh_chal.moves import Move
from tests.games.bagh_chal.drawing import GAME, NEW, drawn

PLACING = drawn(NEW, "g")
HUNTING = drawn(
    """T . . . T
       . g . . .
       . . . . .
       . . . . .
       T . . . T""",
    "t",
)
ENTERING = GAME.from_position("classic T3T/1g3/5/5/A3T g 17 2 wait@a1 - single:1:0-0-0:t1 100")
EXTRA = GAME.from_position("classic A4/g3T/5/5/T3T a 19 0 wait@a5 - single:1:0-0-0:t1 100")


def read(state, order):
    answer = GAME.read(state, GAME.pending(state)[0], order)
    return answer.code if isinstance(answer, Refusal) else str(answer)


FORMS = [
    (PLACING, "place c3", ["c3", "C3", "place c3", "put c3", "poser c3", "+c3", "+ c3", "@c3", "@ c3", " PLACE\tC3\n"]),
    (PLACING, "place c3", [{"do": "place", "at": "c3"}, {"action": "Put", "at": " C3 "}, {"do": "place c3"}]),
    (PLACING, "place c3", ["place\u00a0c3", "place\u202fc3", "place \r\n c3"]),
    (ENTERING, "bouc b4", ["bouc b4", "buck b4", "billy b4", "bouc@b4", "BILLY@B4", {"do": "bouc", "at": "b4"}]),
    (EXTRA, "stay", ["stay", "pass", "rester", "Stay", {"do": "stay"}, {"action": "pass"}]),
    (HUNTING, "a5-a4", ["a5-a4", "a5 a4", "a5a4", "a5 - a4", "a5->a4", "a5 -> a4", "a5 to a4", "A5 TO A4"]),
    (HUNTING, "a5-a4", [f"a5{dash}a4" for dash in "\u2010\u2011\u2012\u2013\u2014\u2212"]),
    (HUNTING, "a5-a4", ["a5\u2192a4", "a5 \u2192 a4", {"do": "move", "from": "a5", "to": "a4"}, {"do": "a5-a4"}]),
    (HUNTING, "a5xc3", ["a5xc3", "a5 x c3", "a5:c3", "a5\u00d7c3", "a5-c3", "a5c3", "A5XC3", "a5 to c3"]),
    (HUNTING, "a5xc3", [{"do": "move", "from": "a5", "to": "c3"}, {"do": "capture", "from": "a5", "to": "c3"}]),
]


@pytest.mark.parametrize(
    ("state", "meant", "order"), [(state, meant, order) for state, meant, orders in FORMS for order in orders]
)
def test_forms_that_are_understood(state, meant, order):  # BAGH-6.2, BAGH-6.1
    assert read(state, order) == meant


@pytest.mark.parametrize(
    "order",
    [
        *("", " ", "c33", "3c", "c", "place", "placec3", "place  the goat on c3", "c3.", "\u0441" + "3", "c\u0663"),
        *("++c3", "@@c3", "a5toa4", "a5 to  b", "a5--a4", "a5=a4", "a5>a4", "a5-a4-a3", "bouc", "boucb4", "stay a1"),
        *("place c3\x00", "c3;", "c\u200b3"),
        *({}, {"at": "c3"}, {"do": "place"}, {"do": "place", "at": "c3", "to": "c4"}, {"do": "jump", "at": "c3"}),
        *(
            {"do": "place", "action": "place", "at": "c3"},
            {"do": "place", "at": ["c3"]},
            {"do": "place c3", "at": "c3"},
        ),
        *({"do": "move", "from": "a5"}, {"do": "move", "from": "a5", "to": ">a4"}, {"do": "move", "at": "c3"}),
        *({"do": {"a": "b"}}, {"do": "stay", "at": "a5"}, {"do": "place", "at": ""}),
    ],
)
def test_forms_that_are_not(order):  # BAGH-6.2
    for state in (PLACING, HUNTING):
        assert read(state, order) == "unreadable"


@pytest.mark.parametrize(
    ("text", "move", "same"),
    [
        ("A5 C3", "a5xc3", True),
        ("a5xc3", "a5xc3", True),
        ("a5xc3", "a5-c3", False),
        ("c3", "place c3", True),
        ("c3", "bouc c3", False),
        ("pass", "stay", True),
        ("something", "stay", False),
    ],
)
def test_words_for_what_another_seat_did(text, move, same):
    assert GAME.same_move(text, move) is same


@settings(max_examples=200, deadline=None)
@given(
    st.text(max_size=20)
    | st.dictionaries(st.sampled_from(["do", "action", "at", "from", "to", "x"]), st.text(max_size=6))
)
def test_any_words_get_an_answer(order):
    """Nothing a player writes breaks the reader: he gets a legal move or a refusal that can be told."""
    for state in (PLACING, HUNTING, ENTERING, EXTRA):
        (seat,) = GAME.pending(state)
        answer = GAME.read(state, seat, order)
        if isinstance(answer, Refusal):
            assert str(answer)
            assert answer.to_json()["legal"] == [str(move) for move in GAME.moves(state, seat)]
        else:
            assert isinstance(answer, Move)
            assert answer in list(GAME.moves(state, seat))


@pytest.mark.parametrize("order", ["c3", "bouc c3", "stay", "a5-a4", "nonsense", "z9"])
def test_what_no_position_would_take(order):
    """BAGH-6.2, BAGH-2.1: the spelling of an order for later is judged at once, whoever is to act."""
    fault = GAME.why_never(HUNTING, "2", order)
    expected = {"bouc c3": "no_bouc", "nonsense": "unreadable", "z9": "unknown_point"}.get(order)
    assert (fault and fault.code) == expected
