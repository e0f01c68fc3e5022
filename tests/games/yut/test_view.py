"""What reports are made of: the facts of a view, and the words, boards and pictures made of them."""

import json
import xml.etree.ElementTree as ET

import pytest

from engine.canon import canonical
from games.yut import GAME
from tests.games.templates import TEMPLATES, template
from tests.games.yut.table import at, play
from tests.games.yut.test_position import GOOD

RICH = "2f 1 5,4,1 2 0/1/r5*x2,o;1/0/r13x2,b1i r9/r5/1 r8+r18 30 -"
KINDS = {
    *("hurdle_placed", "thrown", "entered", "moved", "jumped", "home", "piled", "caught", "no_extra_throw"),
    *("forfeited", "wild_moved", "wild_jumped", "wild_struck", "wild_circle", "ended"),
}


def rendered(name, line, html=False, **more):
    return template(f"yut/{name}", html).render(view=GAME.view(at(line), None), **more)


@pytest.mark.parametrize("line", GOOD)
def test_facts_are_plain_json_and_the_same_for_all(line):
    state = at(line)
    facts = GAME.view(state, None).facts
    assert json.loads(canonical(facts)) == facts
    assert GAME.view(state, "orange").facts == facts


def test_facts_of_a_position():
    facts = GAME.view(at(RICH), None).facts
    assert facts["at"]["r5"] == {"side": "orange", "letter": "O", "horses": 2, "mark": "*"}
    assert facts["at"]["b1"]["mark"] == "i"
    assert facts["wild"] == {"space": "r9", "start": "r5", "circles": 1, "next": "r7"}
    assert (facts["throws"], facts["jump"], facts["sides"]["blue"]["post"]) == ([5, 4, 1], 1, "r10")
    assert facts["sides"]["orange"]["left"] == [16, 16, 4]
    assert [option["text"] for option in facts["menu"] if option["home"]] == ["5 o", "4 o"]
    assert [option["text"] for option in facts["menu"] if option["catches"]] == ["1 r5 short"]


@pytest.mark.parametrize(
    ("line", "jump", "choices"),
    [
        ("2 1 4,3 1 4/0/-;4/0/- - - 0 -", None, 2),  # no hurdles
        ("2 1 4 0 4/0/-;2/2/- - r8+r18 4 -", 3, 1),  # YUT-12.3: two horses behind
        ("2 1 hurdle 0 4/0/-;4/0/- - r4 0 -", None, 0),  # still being placed
        ("2 2 - 0 2/1/r3;3/0/r1 r10/r10/2 r8+r18 40 wild:1>2", None, 0),  # over
    ],
)
def test_how_far_a_jump_goes_where_there_is_one(line, jump, choices):
    facts = GAME.view(at(line), None).facts
    assert (facts["jump"], len(facts["menu"])) == (jump, choices)


def test_the_board_has_all_its_spaces_and_lines():
    board = GAME.view(at(GOOD[0]), None).facts["board"]
    assert len(board["xy"]) == 29
    assert len(board["lines"]) == 20 + 12
    assert sorted(space for row in board["rows"] for _, space in row) == sorted(board["xy"])


def test_the_board_in_letters():
    drawn = rendered("board.txt.j2", RICH)
    assert max(map(len, drawn.splitlines())) <= 78
    for part in ("r5=O2*", "r13=B2", "b1=Bi", "o=O", "r9=W", "r8#", "r18#", "Throws of orange: 5, 4, 1"):
        assert part in drawn
    assert all(space in drawn for space in GAME.view(at(RICH), None).facts["board"]["xy"])


def test_the_position_in_words():
    said = rendered("words.txt.j2", RICH)
    for part in (
        "Orange is to move, with the throws 5, 4, 1. A catch would bring no extra throw any more.",
        "a pile of 2 on r5 (with the right to the first shortcut)",
        "The hindmost has 16 steps to the stable.",
        "Hurdles: r8, r18. Who ends on one now jumps 1 space on.",
        "The wild horse is on r9. At the end of this turn it goes to r7.",
        "To the stable: 5 o, 4 o.",
        "With a catch: 1 r5 short.",
    ):
        assert part in said
    over = rendered("words.txt.j2", GOOD[-1])
    assert "It is over: the last horse of orange is home." in over
    assert "The order: orange, then green, then blue." in over


@pytest.mark.parametrize("line", GOOD)
def test_the_picture(line):
    root = ET.fromstring(rendered("board.svg.j2", line, html=True, marks=("r9", "o", "orange")))
    assert root.tag.endswith("svg")
    assert root.get("role") == "img"
    texts = [text for element in root.iter() for text in [element.text] if text]
    assert {"r2", "c2", "r19"} <= set(texts) or "r2" not in GAME.view(at(line), None).facts["at"]
    dashed = [element for element in root.iter() if element.get("stroke-dasharray") == "4 3"]
    assert len(dashed) == 2


def test_every_kind_of_event_is_told_in_one_sentence():
    told = set()
    for html in (False, True):
        macros = template("yut/events.j2", html).module
        for view, event in tales():
            said = str(getattr(macros, event.kind)(event.facts, view)).strip()
            assert said.endswith("."), said
            assert "\n" not in said
            assert "  " not in said
            told.add(event.kind)
    assert told == KINDS


def tales():
    """Events of every kind, with the view of those who read them."""
    for line, orders, then in (
        ("2 2 hurdle 0 4/0/-;4/0/- - r4 0 -".replace("2 2", "2 1"), ["hurdle r9"], (1,)),
        ("2 1 3 2 0/3/r5;2/0/r9,r17 r19/r10/0 r8+r18 9 -", ["3 r5"], (4, 1)),
        ("2 1 4,1 1 0/3/r15;4/0/- r20/r10/0 - 10 -", ["4 r15"], (1,)),
        ("2 1 2 0 2/0/r1,r3;4/0/- - - 4 -", ["2 r1"], (1,)),
        ("2 1 2 0 3/0/r1;3/0/r3 - - 4 -", ["2 r1"], (1,)),
        ("2 1 1 0 4/0/-;4/0/- r11/r10/1 - 39 -", ["1 new"], ()),
        ("2f 2 2 0 3/0/r4;3/0/r12 r6/r5/1 - 39 -", ["2 r12"], ()),
        ("2 1 5,3 1 0/3/r18;3/0/r2 - - 40 -", ["5 r18"], ()),
        ("2 1 3 0 2/0/r5x2;4/0/- - - 4 -", ["3 r5 short"], (1,)),
    ):
        _, story = play(line, *orders, then=then)
        for event in story:
            yield GAME.view(at(line), "orange"), event


def test_the_first_tale_in_words():
    macros = template("yut/events.j2").module
    _, story = play("2 1 3 0 2/0/r5x2;3/0/o - - 4 -", "3 r5 short", then=(4, 1))
    assert [str(getattr(macros, event.kind)(event.facts, None)).strip() for event in story] == [
        "Orange moves a pile of 2 from r5 by the shortcut with the 3, to o.",
        "Orange catches a horse of blue on o, which has to wait again.",
        "Orange has an extra throw for the catch: a 4 (flat, flat, flat, flat).",
        "Orange throws again: a 1 (flat, round, round, round).",
    ]


def test_the_players_rules_name_the_orders_that_are_read():
    text = (TEMPLATES / "yut" / "rules.en.md").read_text(encoding="utf-8")
    for written in ("4 new", "3 r5 short", "5 r18 - home", "hurdle r8", "{throw: 3, horse: r5, short: true}"):
        assert written in text
