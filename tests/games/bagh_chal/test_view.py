"""What reports are made of: the facts of a view, and the words, boards and pictures made of them."""

import json
import xml.etree.ElementTree as ET

import pytest

from engine import Dice
from engine.canon import canonical
from tests.games.bagh_chal.drawing import GAME
from tests.games.bagh_chal.test_position import LINES
from tests.games.bagh_chal.test_random_games import SETTINGS, play
from tests.games.templates import template

S = "single:1:0-0-0:t1 100"
HEROES = GAME.from_position(f"classic T3T/1g3/1bg2/4g/A2gT g 13 2 used@a1 - {S}")
KINDS = {
    *("roles", "game_started", "placed", "phase_two", "retreat_allowed", "walked", "captured", "leapt", "bouc_entered"),
    *("extra_move", "extra_void", "stayed", "goats_blocked", "game_over", "match_over"),
}


def rendered(name, state, html=False, **more):
    return template(f"bagh-chal/{name}", html).render(view=GAME.view(state, "1"), **more)


def test_facts_are_plain_json():
    for line in LINES:
        facts = GAME.view(GAME.from_position(line), None).facts
        assert json.loads(canonical(facts)) == facts


def test_facts_of_a_position():
    facts = GAME.view(HEROES, None).facts
    assert (facts["side"], facts["phase"], facts["hand"], facts["captured"], facts["to_catch"]) == (
        "goats",
        1,
        13,
        2,
        5,
    )
    assert facts["pieces"]["b3"] == "bouc"
    assert list(facts["pieces"]) == ["a5", "e5", "b4", "b3", "c3", "e2", "a1", "d1", "e1"]
    assert facts["protected"] == ["b4", "c3"]
    assert facts["threats"] == [{"from": "e1", "over": "e2", "to": "e3"}, {"from": "e1", "over": "d1", "to": "c1"}]
    assert facts["heroes"] == {"alpha": "a1", "entered": True}


def test_facts_without_heroes():
    facts = GAME.view(GAME.from_position(f"classic T3T/1g3/5/5/T3T g 19 0 off - {S}"), None).facts
    assert (facts["heroes"], facts["protected"], facts["bouc_may_enter"]) == (None, [], False)
    assert (facts["winner"], facts["reason"], facts["rule"], facts["closed"], facts["last"]) == (*[None] * 4, [])


def test_facts_of_phase_two():
    went = f"classic Tg1gT/ggggg/g1g1g/gg1gg/Tgg1T g 0 4 off b3-b4,d1-e1 {S}"
    facts = GAME.view(GAME.from_position(went), None).facts
    assert (facts["phase"], facts["closed"], facts["last"]) == (2, "b4-b3", ["d1", "e1"])
    assert (facts["memory"], facts["quiet_limit"], facts["trapped"]) == (["b3-b4", "d1-e1"], 100, ["a1"])


def test_facts_of_the_end():
    over = "classic 4T/5/2T2/5/T3T over:1 15 5 off - three:3:2-1-0:t1 60"
    facts = GAME.view(GAME.from_position(over), None).facts
    assert (facts["side"], facts["winner"], facts["reason"], facts["rule"]) == (None, "1", "goats_eaten", "BAGH-7.1")
    assert (facts["match"], facts["game"], facts["wins"], facts["draws"]) == ("three", 3, {"1": 2, "2": 1}, 0)
    assert facts["threats"] == []


@pytest.mark.parametrize(
    ("line", "decision"),
    [
        (f"classic T3T/5/5/5/T3T g 20 0 off - {S}", "place"),
        (f"classic T3T/5/2g2/5/T3T t 19 0 off - {S}", "move"),
        (f"classic A4/g3T/5/5/T3T a 19 0 wait@a5 - {S}", "extra"),
        ("classic 4T/5/2T2/5/T3T over:1 15 5 off - single:1:1-0-0:t1 100", "over"),
    ],
)
def test_kind_of_decision(line, decision):
    state = GAME.from_position(line)
    assert GAME.decision(state) == GAME.view(state, None).decision == decision


def test_the_drawing_is_shared_between_views():
    assert GAME.view(HEROES, "1").facts["board"] is GAME.view(HEROES, None).facts["board"]


@pytest.mark.parametrize("html", [False, True])
@pytest.mark.parametrize("line", LINES)
def test_every_position_is_told_drawn_and_pictured(line, html):
    state = GAME.from_position(line)
    words = rendered("words.txt.j2", state, html)
    assert "None" not in words
    assert "Undefined" not in words
    board = rendered("board.txt.j2", state, html).splitlines()
    assert max(map(len, board)) <= 78
    assert [row for row in board if row != row.rstrip()] == []
    picture = ET.fromstring(rendered("board.svg.j2", state, True, marks=("c3", "alpha", "1")))
    assert picture.attrib["role"] == "img"
    assert {"viewBox", "role"} == set(picture.attrib)
    texts = [node.text for node in picture.iter("{http://www.w3.org/2000/svg}text")]
    for point, kind in GAME.view(state, None).facts["pieces"].items():
        assert texts.count(point) == 2, "every point has its name, once as a halo"
        assert {"goat": "G", "bouc": "B", "tiger": "T", "alpha": "A"}[kind] in texts


def test_the_board_in_letters():
    assert rendered("board.txt.j2", HEROES).rstrip().splitlines() == [
        "Ta5-----.b5-----.c5-----.d5-----Te5",
        " |   \\   |   /   |   \\   |   /   |",
        ".a4-----gb4-----.c4-----.d4-----.e4",
        " |   /   |   \\   |   /   |   \\   |",
        ".a3-----bb3-----gc3-----.d3-----.e3",
        " |   \\   |   /   |   \\   |   /   |",
        ".a2-----.b2-----.c2-----.d2-----ge2",
        " |   /   |   \\   |   /   |   \\   |",
        "Aa1-----.b1-----.c1-----gd1-----Te1",
        "",
        "T tiger, A Alpha, g goat, b Bouc, . empty point",
        "Goats in hand 13, captured 2 of 5",
    ]


def test_the_board_in_words():
    assert rendered("words.txt.j2", HEROES).strip().splitlines() == [
        "The goats, seat 2, are to place a goat.",
        "Phase I: goats are still being placed. Goats in hand: 13. Goats captured: 2 of the 5 that the tigers need.",
        "Tigers: a5, e5, e1. The Alpha: a1. No tiger is trapped.",
        "Goats: b4, c3, e2, d1.",
        "The Bouc: b3. It protects: b4, c3.",
        "In danger if the tigers move: e2, jumped from e1 to e3; d1, jumped from e1 to c1.",
    ]


def test_the_last_changes_are_marked():
    picture = rendered("board.svg.j2", HEROES, True, marks=("b4", "c2"))
    assert picture.count("stroke-dasharray") - rendered("board.svg.j2", HEROES, True, marks=()).count(
        "stroke-dasharray"
    ) == len(("b4", "c2"))


def test_every_event_has_its_sentence():
    """Every kind of event in many games: one plain sentence each, the same for text and HTML."""
    told = {}

    def tell(state, seat, moves, move, turned):
        view = GAME.view(turned.state, seat)
        for event in turned.events:
            texts = {html: macros[html](event.kind, event.facts, view) for html in (False, True)}
            assert texts[False] == texts[True].replace("&#39;", "'"), event
            assert texts[False].endswith(".")
            assert "\n" not in texts[False]
            assert "None" not in texts[False]
            told[event.kind] = texts[False]

    modules = {html: template("bagh-chal/events.j2", html).module for html in (False, True)}
    macros = {
        html: lambda kind, facts, view, module=module: str(getattr(module, kind)(facts, view)).strip()
        for html, module in modules.items()
    }
    for setting in SETTINGS:
        for seed in range(4):
            play(setting, seed, tell)
    vectors = (
        ("classic TgggT/gg1gg/g1g1g/Tgggg/2ggT t 0 4 off a1-a2,b1-c1 " + S, "a2-a1"),
        ("classic ggggT/ggggg/ggggg/T1ggg/TTggg t 0 0 off - " + S, "a1-b2"),
        ("classic Agg1T/gg3/g1g2/5/T3T t 14 0 wait@a5 - " + S, "e5-e4"),
        ("classic T3T/1g3/1b3/5/A3T t 16 2 used@a1 - " + S, "a5-c3"),
    )
    for line, order in vectors:
        state = GAME.from_position(line)
        (seat,) = GAME.pending(state)
        move = GAME.read(state, seat, order)
        tell(state, seat, (), move, GAME.resolve(state, {seat: move}, Dice()))
    assert set(told) == KINDS
    assert told["leapt"] == "A tiger leaps from a5 over the protected goat on b4 to c3; the goat stays."
