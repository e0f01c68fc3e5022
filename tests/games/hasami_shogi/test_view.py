"""What reports are made of: the facts of a view, and the words, boards and pictures made of them."""

import json
import xml.etree.ElementTree as ET

import pytest

from engine import Dice
from engine.canon import canonical
from games.hasami_shogi import GAME
from tests.games.hasami_shogi.test_position import LINES
from tests.games.hasami_shogi.test_random_games import SETTINGS, play
from tests.games.templates import template

FIGHT = GAME.from_position("base 1pp1pp1p1/pp1psp2p/4p4/2p2P3/1Pp1P2p1/3P2P2/2p1S4/PP1P2P1P/PPPP3PP g - g2 100")
KINDS = {"sides", "game_started", "moved", "jumped", "left_camp", "captured", "blocked", "game_over"}


def rendered(name, state, html=False, **more):
    return template(f"hasami-shogi/{name}", html).render(view=GAME.view(state, "1"), **more)


def test_facts_are_plain_json_and_the_same_for_all():  # HASAMI-1.1
    for line in LINES:
        state = GAME.from_position(line)
        facts = GAME.view(state, None).facts
        assert json.loads(canonical(facts)) == facts == GAME.view(state, "1").facts == GAME.view(state, "2").facts


def test_facts_of_a_position():
    facts = GAME.view(FIGHT, None).facts
    assert (facts["side"], facts["seats"], facts["five"]) == ("green", {"2": "green", "1": "red"}, 5)
    assert facts["left"] == {"green": 17, "red": 16}
    assert (facts["captured"], facts["to_capture"]) == ({"green": 2, "red": 1}, 14)
    assert (facts["pieces"]["e3"], facts["pieces"]["e8"]) == (["green", "shogun"], ["red", "shogun"])
    assert list(facts["pieces"])[:5] == ["b9", "c9", "e9", "f9", "h9"]
    assert facts["standing"]["green"][-1] == {"row": 1, "runs": [["a", "d"], ["h", "h"], ["i", "i"]]}
    assert facts["can_capture"] == {"green": ["c5"], "red": ["b5"]}
    assert facts["can_win"] == {"green": [], "red": []}
    assert (facts["quiet"], facts["occurrences"], facts["last"]) == (0, 1, [])


def test_facts_of_a_threat():
    facts = GAME.view(GAME.from_position("base 4ppppp/9/9/9/9/1PPPP4/9/5P3/PPPP5 r - g1 100"), None).facts
    assert facts["can_win"] == {"green": ["f2-f4", "a1-a4"], "red": []}


def test_facts_of_the_war():
    facts = GAME.view(GAME.from_position("war 5ppp1/p8/P8/9/9/9/9/2P4P1/9 g - g2 100"), None).facts
    assert (facts["five"], facts["to_capture"], facts["board"]["closed"]) == (None, 8, False)
    assert facts["board"]["camps"] == {"green": [1], "red": [9]}


def test_facts_of_the_end():
    line = "base 4ppppp/9/9/9/9/1PPSPP3/9/9/PPPPP4 over:1 c3-d4 g1 100"
    view = GAME.view(GAME.from_position(line), None)
    facts = view.facts
    assert (view.pending, view.decision, facts["side"]) == ((), "over", None)
    assert (facts["winner"], facts["winning_side"], facts["reason"]) == ("1", "green", "five_in_a_row")
    assert (facts["rule"], facts["line"]) == ("HASAMI-7.1", ["b4", "c4", "d4", "e4", "f4"])
    assert (facts["can_win"], facts["last"]) == ({}, ["c3", "d4"])


def test_the_drawing_is_shared_between_views():
    assert GAME.view(FIGHT, "1").facts["board"] is GAME.view(FIGHT, None).facts["board"]


@pytest.mark.parametrize("html", [False, True])
def test_every_position_is_told_drawn_and_pictured(html):
    for line in LINES:
        state = GAME.from_position(line)
        words = rendered("words.txt.j2", state, html)
        assert "None" not in words
        assert "[" not in words
        board = rendered("board.txt.j2", state, html).splitlines()
        assert max(map(len, board)) <= 78
        picture = ET.fromstring(rendered("board.svg.j2", state, True, marks=("c3", "samurai", "1")))
        assert set(picture.attrib) == {"viewBox", "role", "font-family", "text-anchor"}
        texts = [node.text for node in picture.iter("{http://www.w3.org/2000/svg}text")]
        facts = GAME.view(state, None).facts
        shown = {"G": facts["left"]["green"] + facts["captured"]["red"]}
        shown["R"] = facts["left"]["red"] + facts["captured"]["green"]
        for letter, number in shown.items():
            assert texts.count(letter) == number, "every piece has its letter, those captured too"


def test_the_board_in_letters():
    assert rendered("board.txt.j2", FIGHT).rstrip().splitlines() == [
        "     a  b  c  d  e  f  g  h  i",
        "9    .  r  r  .  r  r  .  r  .    9  red's camp",
        "8    r  r  .  r  R  r  .  .  r    8  red's camp",
        "7    .  .  .  .  r  .  .  .  .    7",
        "6    .  .  r  .  .  g  .  .  .    6",
        "5    .  g  r  .  g  .  .  r  .    5",
        "4    .  .  .  g  .  .  g  .  .    4",
        "3    .  .  r  .  G  .  .  .  .    3",
        "2    g  g  .  g  .  .  g  .  g    2  green's camp",
        "1    g  g  g  g  .  .  .  g  g    1  green's camp",
        "     a  b  c  d  e  f  g  h  i",
        "",
        "g green Samurai, G green Shogun, r red Samurai, R red Shogun, . empty",
        "Captured by green 2, by red 1; 14 win",
    ]


def test_the_board_in_words():
    assert rendered("words.txt.j2", FIGHT).strip().splitlines() == [
        "Green, seat 2, is to move.",
        "Five in a row on the battlefield, rows 3 to 7, win; so do 14 captures.",
        "Green has 17 pieces and has captured 2. They stand in row 6: f; row 5: b, e; row 4: d, g; row 3: e; "
        "row 2: a, b, d, g, i; row 1: a to d, h, i.",
        "Red has 16 pieces and has captured 1. They stand in row 9: b, c, e, f, h; row 8: a, b, d to f, i; row 7: e; "
        "row 6: c; row 5: c, h; row 3: c.",
        "The green Shogun: e3. The red Shogun: e8.",
        "Green can capture on c5.",
        "Red threatens to capture on b5.",
    ]


def test_a_single_piece_in_words():
    state = GAME.from_position("war 7p1/9/9/9/9/1P1P5/9/9/P8 over:1 - g1 100")
    assert "Red has 1 piece and has captured 6. It stands in row 9: h." in rendered("words.txt.j2", state)


def test_the_last_changes_are_marked():
    plain, marked = (rendered("board.svg.j2", FIGHT, True, marks=marks) for marks in ((), ("e2", "e5", "captured")))
    assert marked.count("<rect") - plain.count("<rect") == len(("e2", "e5"))


def test_every_event_has_its_sentence():
    """Every kind of event in many games: one plain sentence each, the same for text and HTML."""
    told = {}
    modules = {html: template("hasami-shogi/events.j2", html).module for html in (False, True)}

    def tell(events, view):
        for event in events:
            texts = {html: str(getattr(made, event.kind)(event.facts, view)).strip() for html, made in modules.items()}
            assert texts[False] == texts[True].replace("&#39;", "'"), event
            assert texts[False].endswith(".")
            assert "\n" not in texts[False]
            assert "None" not in texts[False]
            told.setdefault(event.kind, set()).add(texts[False])

    for setting in SETTINGS:
        tell(GAME.setup(GAME.Options(**setting), Dice(b"story")).events, None)
        play(setting, 1, lambda state, seat, moves, move, turned: tell(turned.events, None), greed=0.5, limit=40)
    vectors = (
        ("base 9/9/ppPP2PPp/ppPP4P/PP2P4/PP7/9/9/9 g - g1 100", "e5-i5"),
        ("base 4pppp1/9/9/9/1Pp6/9/9/3P5/PPPP5 g - g1 100", "d2-d5"),
        ("base 4ppppp/9/9/9/9/1PPPP4/9/5P3/PPPPP4 g - g1 100", "f2-f4"),
        ("base 6pp1/9/9/9/Pppp5/9/9/4P4/PPPP5 g - g1 100", "e2-e5"),
    )
    for line, order in vectors:
        state = GAME.from_position(line)
        (seat,) = GAME.pending(state)
        tell(GAME.resolve(state, {seat: GAME.read(state, seat, order)}, Dice()).events, GAME.view(state, seat))
    assert set(told) == KINDS
    assert told["blocked"] == {"Red has no legal move and passes."}
    assert "3 pieces are captured, on b5, c5, d5; this side has captured 16 so far." in told["captured"]
    assert "The piece on c5 is captured; this side has captured 14 so far." in told["captured"]
