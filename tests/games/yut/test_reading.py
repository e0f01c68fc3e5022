"""Orders in all their spellings (section 6), and the default action."""

import pytest

from engine import Refusal
from games.yut import GAME
from pbem.intake.fields import read_form
from pbem.intake.judge import judge
from tests.games.yut.table import at, line_of, menu

LINE = "2 1 5,3 1 1/0/r5,d1,ob;4/0/- - - 8 -"


def read(line, order):
    answer = GAME.read(at(line), at(line).name, order)
    return answer.code if isinstance(answer, Refusal) else str(answer)


@pytest.mark.parametrize(
    ("order", "meant"),
    [
        *(
            (text, "3 new")
            for text in ("3 new", "3: new", "3 NEW", "  3   new ", "3new", "3 enter", "3:start", "3 Start")
        ),
        *((text, "3 r5") for text in ("3 r5", "3: r5", "3r5", "3:R5", "3 b", "3 B", "3 r5-r8", "3 r5>r8", "3r5->r8")),
        *((text, "3 r5") for text in ("3 r5 to r8", "3 r5 tor8", "3 r5 – r8", "3 r5 → r8", "3b-r8")),
        *((text, "3 r5 short") for text in ("3 r5 short", "3r5short", "3 r5 shortcut", "3 r5 *", "3r5*", "3 b *")),
        *((text, "3 r5 short") for text in ("3 r5-o", "3 r5 short - o", "3 r5 - o short", "3 r5 > o *", "3 b to o")),
        *((text, "5 o short") for text in ("5 o short", "5 o - home", "5 o -> HOME", "5 o to home short")),
        *((text, "5 o") for text in ("5 o", "5 o - r17")),
        ("auto", "5 o short"),
        ("AUTO", "5 o short"),
        ("3 d1", "3 d1"),
        ({"throw": "3", "horse": "r5", "short": "true"}, "3 r5 short"),
        ({"throw": 3, "horse": "r5", "short": True}, "3 r5 short"),
        ({"throw": "3", "horse": "r5", "short": "no"}, "3 r5"),
        ({"throw": "3", "horse": "r5", "to": "o"}, "3 r5 short"),
        ({"throw": "3", "horse": "r5", "to": "home"}, "wrong-landing"),
        ({"throw": "3", "horse": "new"}, "3 new"),
        ({"Throw": "3", "HORSE": "Enter"}, "3 new"),
        ({"3": "r5"}, "3 r5"),
        ({3: "r5 short"}, "3 r5 short"),
        ({"do": "move", "throw": "3", "horse": "r5"}, "3 r5"),
        ({"action": "3 r5 short"}, "3 r5 short"),
        ({"do": "auto"}, "5 o short"),
    ],
)
def test_read(order, meant):
    assert read(LINE, order) == meant


@pytest.mark.parametrize(
    "order",
    [
        *(
            "",
            " ",
            "new",
            "r5",
            "3",
            "3 5",
            "3 r5 r8",
            "3 r5 -",
            "3 r5 short short",
            "3 r5 short - o short",
            "three r5",
        ),
        *("3 r 5", "3 short", "³ r5", "٣ r5", "3 r5 - ", "hurdle", "auto 3", "-3 r5", "3 rr5", "1000 r5", "3 r5; 5 d1"),
        *({}, {"throw": "3"}, {"horse": "r5"}, {"throw": "3", "horse": "r5", "short": "perhaps"}),
        *({"throw": "3", "horse": "r5 short"}, {"throw": "3", "horse": ["r5"]}, {"throw": "3", "horse": None}),
        *({"do": "move"}, {"do": "hurdle", "throw": "3", "horse": "r5"}, {"do": "3 r5", "action": "3 r5"}),
        *({"3": {"r5": "x"}}, {"do": "hurdle", "where": "r4"}, {"x": "r5"}, {"throw": "3", "horse": "r5", "x": "y"}),
    ],
    ids=str,
)
def test_unreadable(order):
    assert read(LINE, order) == "unreadable"
    assert GAME.why_never(at(LINE), "orange", order).code == "unreadable"


@pytest.mark.parametrize(
    "order",
    [
        "hurdle r4",
        "haie r4",
        "HURDLE: R4",
        "hurdler4",
        {"hurdle": "r4"},
        {"haie": "r4"},
        {"do": "hurdle", "space": "r4"},
    ],
    ids=str,
)
def test_hurdles_are_read(order):
    assert read("2 2 hurdle 0 4/0/-;4/0/- - - 0 -", order) == "hurdle r4"


def test_a_letter_is_a_corner_for_hurdles_too():
    assert read("2 2 hurdle 0 4/0/-;4/0/- - - 0 -", "hurdle b") == "hurdle r5"


def test_short_in_a_centre_without_choice_is_read_as_without():  # YUT-4.3
    assert read("2 1 1 0 3/0/o;4/0/- - - 4 -", "1 o short") == "1 o"
    assert read("2 1 1 0 3/0/o;4/0/- - - 4 -", "1 o short - a2") == "1 o"


@pytest.mark.parametrize(
    ("order", "code"),
    [("3 z9", "no-such-space"), ("3 r5-x", "no-such-space"), ("6 r5", "no-such-throw"), ("0 new", "no-such-throw")],
)
def test_what_no_position_takes(order, code):
    assert GAME.why_never(at(LINE), "blue", order).code == code


def test_what_some_position_may_take():
    for order in ("1 a2 short", "2 new", "hurdle r4", "auto", "5 r18-home"):
        assert GAME.why_never(at(LINE), "blue", order) is None


@pytest.mark.parametrize(
    ("text", "example"),
    [("3 r5-r8", "3 r5"), ("3: B * to a3", "3 r5 short"), ("5 r18 > home", "5 r18"), ("auto", "3 r5")],
)
def test_an_if_cannot_ask_where_a_move_stops(text, example):
    """Another's move is known by its canonical text, so that such a condition would never be met."""
    assert GAME.why_no_deed(text).facts["example"] == example
    assert GAME.why_no_deed(example) is None
    found = read_form(f"game: g\nseat: blue\norders:\n  - {{if: '{text}', then: 2 new}}\n".encode())
    verdict = judge(GAME, at(LINE), found.form, turns=range(1, 2), seats=("orange", "blue"))
    assert [problem.why.code for problem in verdict.problems] == ["if-landing"]


def test_an_if_means_the_same_move_in_any_spelling():
    assert GAME.same_move("3: B *", "3 r5 short")
    assert GAME.same_move("3 enter", "3 new")
    assert not GAME.same_move("3 r5", "3 r5 short")
    assert not GAME.same_move("auto", "3 r5")
    assert not GAME.same_move("nonsense", "3 r5")


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("2 2 hurdle 0 4/0/-;4/0/- - - 0 -", "hurdle r8"),
        ("2 1 hurdle 0 4/0/-;4/0/- - r8 0 -", "hurdle r18"),
        ("2 1 hurdle 0 4/0/-;4/0/- - r18 0 -", "hurdle r8"),
        ("2 1 3,1 1 1/1/r18,r20;4/0/- - - 9 -", "3 r18"),  # home: equal gain, the first in the list
        ("2 1 3 0 1/0/r18x2,r19;4/0/- - - 9 -", "3 r18"),  # a pile of two brings more home
        ("2 1 3,1 1 3/0/r1;2/0/r3,r2 - - 9 -".replace("r3,r2", "r2,r3"), "3 new"),  # a catch each: more steps saved
        ("2 1 1 0 2/0/r1,r3;1/0/r2,r4x2 - - 9 -", "1 r3"),  # two rivals rather than one
        ("2 1 1 0 3/0/r15;4/0/- - - 9 -", "1 new"),  # one step saved by each but the shortcut
    ],
)
def test_default(line, text):
    state = at(line)
    assert str(GAME.default(state, state.name)) == text
    assert text in menu(line)
    assert line_of(state) == line
