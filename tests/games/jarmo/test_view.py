"""What reports are made of: the facts of a view, and the words, boards and pictures made of them."""

import json
import xml.etree.ElementTree as ET

import pytest

from engine.canon import canonical
from games.jarmo import GAME
from tests.games.jarmo.table import NO_LUCK, START, at, seat
from tests.games.jarmo.test_position import LINES
from tests.games.jarmo.test_random_games import SETTINGS, play
from tests.games.templates import template

BUSY = at("base 3a1/1a3/A2(eEg)1/2G1A/5 g 0.1 1.0 a3+e3 19 - -")
SVG = "{http://www.w3.org/2000/svg}"
KINDS = {
    *("started", "moved", "freed", "captured", "saved", "promoted", "entered", "turned_over", "recovered", "placed"),
    *("kept", "recalled", "camps_removed", "passed", "ended"),
}


def rendered(name, state, html=False, **more):
    return template(f"jarmo/{name}", html).render(view=GAME.view(state, "green"), **more)


def test_facts_are_plain_json_and_the_same_for_all():
    for text in LINES:
        state = GAME.from_position(text)
        facts = GAME.view(state, None).facts
        assert json.loads(canonical(facts)) == facts
        assert facts == GAME.view(state, "green").facts == GAME.view(state, "blue").facts


def test_the_mat_as_it_is_drawn():  # JARMO-1.2
    base, jasyr = (GAME.view(at(f"{name} aaaaa/5/5/5/AAAAA g 0.0 0.0 - 0 - -"), None).facts["board"] for name in NAMES)
    assert [base["points"][point] for point in ("a1", "c2", "e5")] == [[0, 0], [2, 1], [4, 4]]
    assert (len(base["points"]), base["ranks"][0][:2], base["ranks"][-1][-1]) == (25, ["a1", "b1"], "e5")
    assert base["camps"]["green"] == ["a1", "b1", "c1", "d1", "e1"]
    assert set(base["field"]) == {f"{file}{rank}" for file in "abcde" for rank in "234"}
    assert base["dotted"] == []
    assert jasyr["dotted"]
    assert "c2" in base["near"]["a1"]


NAMES = ("base", "jasyr")


def test_facts_of_a_position():
    facts = GAME.view(BUSY, "blue").facts
    assert (facts["side"], facts["turn"], facts["limit"], facts["markers"]) == ("green", 19, 300, ["a3", "e3"])
    assert list(facts["columns"]) == ["c2", "e2", "a3", "d3", "b4", "d5"]
    assert [(one["side"], one["kind"], one["hostage"]) for one in facts["columns"]["d3"]] == [
        ("blue", "golden archer", False),
        ("green", "golden archer", True),
        ("blue", "guard", False),
    ]
    green = facts["sides"]["green"]
    assert (green["hand"], green["pool"], green["hostages"], green["out"], green["points"]) == (1, 0, 1, 0, 3)
    assert green["free"] == ["a1", "b1", "c1", "d1", "e1"]
    assert facts["board"] is GAME.view(BUSY, None).facts["board"]


def test_facts_about_captures_and_repetition():
    facts = GAME.view(at("base aaaa1/4a/2A2/5/1AAAA g 0.0 0.0 - 8 - -"), None).facts
    assert facts["sides"]["green"]["captures"] == [["c3", "e4"]]
    assert facts["sides"]["blue"]["captures"] == [["e4", "c3"]]
    shut = GAME.view(at("jasyr AA2A/5/A4/a1a2/2a2 g 0.0 0.0 - 28 - -"), None).facts
    assert (shut["must_pass"], shut["board"]["dotted"]) == (True, [["b3", "c3"], ["c3", "d3"]])
    again = GAME.view(at("base aaaaa/5/5/5/AAAAA g 0.0 0.0 - 4 a1-c2,a5-c4,c2-a1,c4-a5 -"), None).facts
    assert (again["stood"], again["quiet"], again["last"], again["must_pass"]) == (2, 4, ["c4", "a5"], False)


def test_facts_of_the_end():
    view = GAME.view(at("base aAAaA/5/5/5/2a2 b 2.0 2.0 - 31 - camp:g"), None)
    assert (view.facts["side"], view.facts["winner"], view.facts["reason"], view.facts["rule"]) == (
        *(None, "green", "camp", "JARMO-6.1"),
    )
    assert (view.pending, view.decision) == ((), "over")


@pytest.mark.parametrize("html", [False, True])
@pytest.mark.parametrize("text", [*LINES[::3], GAME.position(BUSY)])
def test_every_position_is_told_drawn_and_pictured(text, html):
    state = GAME.from_position(text)
    words = rendered("words.txt.j2", state, html)
    assert "None" not in words
    assert "  " not in words.replace("\n  ", "\n")  # what belongs to a side is set in below its line
    board = rendered("board.txt.j2", state, html).splitlines()
    assert max(map(len, board)) <= 78
    assert [row for row in board if row != row.rstrip()] == []
    picture = ET.fromstring(rendered("board.svg.j2", state, True, marks=("c3", "guard", "1")))
    assert set(picture.attrib) == {"viewBox", "role", "font-family", "text-anchor"}
    texts = [node.text for node in picture.iter(f"{SVG}text")]
    columns = GAME.view(state, None).facts["columns"]
    for point in GAME.view(state, None).facts["board"]["points"]:
        assert texts.count(point) == 2, "every point has its name, once as a halo"
    tops = [column[-1] for column in columns.values()]
    assert texts.count("G") == sum(one["guard"] for one in tops)
    assert texts.count("A") == sum(not one["guard"] for one in tops)
    covered = [one for column in columns.values() for one in column[:-1]]
    assert all(one["golden"] for one in covered), "what lies below has no letter: its golden rim says what it is"
    assert texts.count("H") == sum(any(one["hostage"] for one in column) for column in columns.values())


def test_the_board_in_letters():
    assert rendered("board.txt.j2", BUSY).splitlines()[:15] == [
        ".a5        .b5        .c5        ad5        .e5",
        "",
        ".a4        ab4        .c4        .d4        .e4",
        "",
        "Aa3^       .b3        .c3        (eEg)d3    .e3^",
        "",
        ".a2        .b2        Gc2        .d2        Ae2",
        "",
        ".a1        .b1        .c1        .d1        .e1",
        "",
        "Green in capitals, blue in small letters: A archer, G guard; . empty point",
        "Golden soldiers: D guard, E archer; (Eg) a column, the last letter on top",
        "^ retired camp",
        "Green: in hand 1, captured 0, in the enemy camp 0, points 3",
        "Blue: in hand 0, captured 1, in the enemy camp 0, points 4",
    ]


def test_the_board_in_words():
    assert rendered("words.txt.j2", BUSY).strip().splitlines() == [
        "Green is to move.",
        "Turns played: 19 of at most 300.",
        "Green: archers on e2, a3; guards on c2.",
        "  In hand 1, captured and recoverable 0, gone for good 0, in the enemy camp 0. That makes 3 points.",
        "Blue: archers on b4, d5; guards on d3.",
        "  In hand 0, captured and recoverable 1, gone for good 0, in the enemy camp 0. That makes 4 points.",
        "On d3 the golden archer of blue stands below its own piece, free.",
        "On d3 the golden archer of green is a hostage below another piece.",
        "Retired camps lie on a3, e3: who holds both after a move may recall a captured soldier.",
        "Nobody could capture anything now.",
    ]


def test_the_last_changes_are_marked():
    marked, plain = (rendered("board.svg.j2", BUSY, True, marks=marks) for marks in (("d3", "a1"), ()))
    assert marked.count('stroke-dasharray="4 3"') - plain.count('stroke-dasharray="4 3"') == 2


def test_every_event_has_its_sentence():
    """Every kind of event in many games: one plain sentence each, the same for text and HTML."""
    modules = {html: template("jarmo/events.j2", html).module for html in (False, True)}
    told = {}

    def reported(turned):
        return turned.events, GAME.view(turned.state, "blue")

    def tell(events, view):
        for event in events:
            texts = {
                html: str(getattr(module, event.kind)(event.facts, view)).strip() for html, module in modules.items()
            }
            assert texts[False] == texts[True].replace("&#39;", "'"), event
            assert texts[False].endswith(".")
            assert texts[False].isprintable()
            assert "  " not in texts[False]
            assert "None" not in texts[False]
            told[event.kind] = texts[False]

    for setting in SETTINGS:
        state, events = GAME.setup(GAME.Options(**setting), NO_LUCK)
        tell(events, GAME.view(state, None))
        for seed in range(2):
            play(
                setting,
                seed,
                lambda state, moves, move, turned: tell(turned.events, GAME.view(turned.state, "blue")),
                0.8,
            )
    rare = at("base d1aa1/1a3/3(Eg)1/5/AAAA1 g 0.0 0.0 - 13 - -")
    for order in ("c1-d3", "b4-d3"):
        state, events = GAME.resolve(rare, {seat(rare): GAME.read(rare, seat(rare), order)}, NO_LUCK)
        tell(events, GAME.view(state, None))
        rare = state
    assert set(told) == KINDS
    assert told["saved"] == "With that the golden soldier of green on d3 is saved."


def test_the_start_is_told():
    (event,) = GAME.setup(GAME.Options(golden=True, camps="default"), NO_LUCK).events
    module = template("jarmo/events.j2").module
    assert str(module.started(event.facts, GAME.view(at(START), None))).strip() == (
        "The game begins; green moves first. Golden soldiers stand on e1 and a5. Retired camps lie on a3, e3."
        " At most 300 turns are played."
    )
