"""Reports of every installed game, all along a game: they fit, they are whole, and every event has its sentence."""

from __future__ import annotations

import json as stdlib_json
from xml.etree import ElementTree

import pytest

from engine import games
from pbem.reports import environment, html, json, text
from pbem.reports.plain import COLUMNS, width
from pbem.reports.words import Memo
from tests.pbem.reports.played import Game, play, report
from tests.pbem.reports.tags import Tags
from tests.pbem.reports.test_json import of_kind

TURNS = 40
LARGEST = 100_000  # bytes of a page: some mail programs cut off what is longer

PLAYED = {game: play(game, TURNS) for game in games()}
STORIES = [
    *((game, {}) for game in games()),
    ("bagh-chal", {"heroes": "true"}),
    ("bagh-chal", {"variant": "pulijudam", "match": "three"}),
    ("yuan", {"auction": "true", "powers": "true", "volcanoes": "true"}),
]


def until(game: Game, turn: int) -> Game:
    """The game as it stood after so many turns."""
    if turn + 1 >= len(game.turns):
        return game
    return game._replace(turns=game.turns[: turn + 1], state=game.turns[turn + 1].before)


@pytest.mark.parametrize(("name", "choices"), STORIES)
def test_reports_all_along_a_game(name, choices):
    game = play(name, TURNS, **choices)
    seats = [*game.rules.seats(game.options), None]
    for turn in range(0, len(game.turns), 3):
        memo, now = Memo(), until(game, turn)
        for seat in seats:
            letter = report(now, seat, last=3)
            rendered = text.render(letter, memo)
            form = json.plain(letter, memo)["form"].split("\n")
            wide = [line for line in rendered.split("\n") if width(line) > COLUMNS and line not in form]
            assert wide == [], (name, turn, seat)
            assert "\n\n\n" not in rendered.replace(memo.told[id(letter)][1].drawn, "the board"), (name, turn, seat)
            page = html.render(letter, memo)
            read = Tags(page)
            assert (read.crossed, read.open) == ([], []), (name, turn, seat)
            assert len(page.encode()) < LARGEST, (name, turn, seat)
            assert of_kind(stdlib_json.loads(json.render(letter, memo))) == [], (name, turn, seat)


@pytest.mark.parametrize(("name", "choices"), STORIES)
def test_every_event_has_a_sentence_of_its_own(name, choices):
    game = play(name, TURNS * 3, **choices)
    environment.brought().add(game.rules)
    sentences = environment.environment("en", html=False).get_template(f"{name}/events.j2").module
    told = {event.kind for turn in game.turns for event in turn.events}
    assert {kind for kind in told if not hasattr(sentences, kind)} == set()
    for step in report(game, None, last=len(game.turns)).steps:
        for event in step.events:
            sentence = " ".join(getattr(sentences, event.kind)(event.facts, report(game, None).view).split())
            assert sentence.endswith((".", "!", "?")), (event, sentence)
            assert "None" not in sentence, (event, sentence)


@pytest.mark.parametrize(("name", "choices"), STORIES)
def test_every_picture_is_whole_and_named(name, choices):
    game = play(name, TURNS, **choices)
    for turn in range(0, len(game.turns), 8):
        page = html.render(report(until(game, turn), None))
        picture = ElementTree.fromstring(page[page.index("<svg") : page.index("</svg>") + len("</svg>")])
        parts = {part.tag.rpartition("}")[2] for part in picture.iter()}
        assert {"title", "desc"} <= parts
        assert not parts & {"script", "style", "image", "foreignObject", "a"}
        assert picture.get("role") == "img"
        assert picture.get("viewBox")
        for part in picture.iter():
            assert not [
                name for name in part.attrib if name.rpartition("}")[2] == "href" and part.attrib[name][:1] != "#"
            ]


def test_the_second_report_of_a_game_is_not_the_first():
    """What the tests above look at does change from turn to turn."""
    for name, game in PLAYED.items():
        pages = {text.render(report(until(game, turn), None)) for turn in range(min(5, len(game.turns)))}
        assert len(pages) == min(5, len(game.turns)), name
