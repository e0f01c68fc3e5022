"""The words and pictures of Khan: a sentence for every event, boards that fit, drawings that are sound."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

import games.khan
from games.khan import GAME
from pbem.reports.environment import _environment, environment
from pbem.reports.plain import wrap
from tests.games.khan.table import drawn
from tests.games.khan.walking import states, walk

TOLD = re.compile(r'(?:tell\(|Event\()\s*"(\w+)"')
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(params=[False, True], ids=["text", "html"])
def pages(request):
    return environment("en", html=request.param)


def some():
    return [*states()[::9], *(list(walk(seed))[-1] for seed in (1, 2, 3))]


def readers(state):
    return (*GAME.seats(state.options), None)


def test_every_kind_of_event_has_a_sentence(pages):
    """KHAN-21: as each seat, the public and a preview see it."""
    macros = pages.get_template("khan/events.j2").make_module({})
    code = "".join(file.read_text("utf-8") for file in Path(games.khan.__file__).parent.glob("*.py"))
    met = set()
    for seed in range(12):
        told = []
        last = list(walk(seed, wild=0.3, quitting=seed % 2 == 0, told=told))[-1]
        views = {seat: GAME.view(last, seat) for seat in readers(last)}
        for event in (event for turned in told for event in turned.events):
            for seat, view in views.items():
                sentence = getattr(macros, event.kind)(event.seen_by(seat).facts, view).strip()
                assert sentence.endswith(".")
                assert "\n" not in sentence
            met.add(event.kind)
    assert set(TOLD.findall(code)) <= met | {"skip", "pass"}
    five = ["RUS", "HUN", "KIP", "PER", "SEL"]
    table = drawn(at="action 2", removed=five)
    (skip,) = [event for event in table.told if event.kind == "skip"]
    assert str(macros.skip(skip.facts, None)).strip() == "Red has no legal action and loses one."
    table = drawn(at="conquer 1", removed=five, active={"yellow": "protection"}, yurts={"red": "B8", "yellow": "C8"})
    table.do("pass")
    assert str(getattr(macros, "pass")(table.told[0].facts, None)).strip() == "Red passes."


def test_boards_and_words_fit_a_mail(pages):
    """KHAN-20.3: at most 78 columns, for every reader and every kind of decision."""
    for state in some():
        for seat in readers(state):
            view = GAME.view(state, seat)
            for part in ("board", "words"):
                text = pages.get_template(f"khan/{part}.txt.j2").render(view=view, marks=[])
                text = "\n".join(wrap(line) for line in text.splitlines()) if part == "words" else text
                assert max(map(len, text.splitlines())) <= 78, text
                assert "  \n\n\n" not in text


def test_the_map_of_the_text_board():
    text = environment("en", html=False).get_template("khan/board.txt.j2")
    shapes = [{"id": "B3I", "cells": "F3 F4 F5", "owners": ["red"]}, {"id": "T2", "cells": "A9 A10", "owners": ["red"]}]
    state = drawn(yurts={"yellow": "B1", "black": "C1"}, shapes=shapes).state
    lines = text.render(view=GAME.view(state, None), marks=[]).splitlines()
    assert lines[0].split() == list("ABCDEFGHIJKLM")
    assert lines[1].rstrip() == " 1     (Y) (#)  i   i   i   t  RUS  t   t   t   t"
    assert lines[4].rstrip() == " 4  i   i   i   i  ~~~ =a= ~~~ ~~~ ~~~ ~~~ ~~~ ~~~  t"
    assert lines[9].startswith(" 9 [b]  m ")
    assert "a B3I F3 F4 F5            Red +3" in lines


def test_the_drawing_is_sound_and_says_the_same():
    page = environment("en", html=True).get_template("khan/board.svg.j2")
    for state in some():
        for seat in readers(state)[::2]:
            view = GAME.view(state, seat)
            drawing = ElementTree.fromstring(page.render(view=view, marks=["B8", "no cell"]))
            assert drawing.get("viewBox")
            assert drawing.get("role") == "img"
            assert drawing.find(f"{SVG}title").text
            words = [each.text for each in drawing.iter(f"{SVG}text")]
            on_board = [leader["id"] for leader in view.facts["leaders"] if leader["cell"]]
            assert all(words.count(leader) == 2 for leader in on_board)  # on the map and at its court
            assert all(shape["id"] in words for shape in view.facts["board"]["shapes"])


@pytest.mark.parametrize("part", ["board.txt", "board.svg"])
def test_what_is_kept_of_the_map_does_not_depend_on_the_first_board(part):
    """A board is the same whether it is the first one that is drawn, when the map is drawn with it, or a later one."""
    views = [GAME.view(state, None) for state in some()[::3]]

    def rendered(some_views):
        page = _environment.__wrapped__("fr", part == "board.svg", "khan").get_template(f"khan/{part}.j2")
        return [page.render(view=view, marks=["B8"]) for view in some_views]

    assert len({*rendered(views)}) == len(views) > 3
    assert rendered(views) == rendered(views[::-1])[::-1] == [rendered([view])[0] for view in views]


def test_nothing_of_a_hand_is_drawn_for_others():
    for state in states()[::17]:
        for part in ("board.txt", "words.txt", "board.svg"):
            page = environment("en", html=True).get_template(f"khan/{part}.j2")
            text = page.render(view=GAME.view(state, None), marks=[])
            held = {card["card"] for seat in readers(state)[:-1] for card in GAME.view(state, seat).facts["hand"]}
            assert not {card for card in held if card in text} - set(GAME.view(state, None).facts["discard"])
