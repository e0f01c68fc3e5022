"""Questions about a game's own templates: a sentence for every event, a board for the eye and one for the ear."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jinja2 import Environment, Template, TemplateNotFound

from engine import Event, View, load
from engine.registry import AnyGame
from pbem.reports import words
from pbem.reports.environment import brought, environment
from tests.every_game.playing import Walk, at, sample
from tests.every_game.rules import PARAGRAPH, is_paragraph

WIDEST = 78
SVG = "{http://www.w3.org/2000/svg}"
OF_EACH_KIND = 40  # events of one kind that are told, in different walks


def templates(game: AnyGame, html: bool = False) -> Environment:
    brought().add(load(game.id))
    return environment("en", html=html)


def template(game: AnyGame, name: str, html: bool = False) -> Template:
    try:
        return templates(game, html).get_template(f"{game.id}/{name}")
    except TemplateNotFound:
        raise AssertionError(f"{game.id} brings no {name}: its reports tell plain facts") from None


def every_event_is_told_in_one_plain_sentence(game: AnyGame, walks: tuple[Walk, ...]) -> None:
    """For the text and for the page, to each reader as he sees it."""
    told = {html: template(game, "events.j2", html).module for html in (False, True)}
    for one, event, view in _tales(game, walks):
        with at(one):
            for html, macros in told.items():
                said = str(getattr(macros, event.kind)(event.facts, view)).strip()
                assert said, event
                assert said[-1] in ".!?:)", f"{said!r} of {event}"
                assert said.isprintable(), f"{said!r} of {event}"
                assert html or "&" not in said, f"{said!r} of {event}"
                assert "<" not in said, f"{said!r} of {event}"
                assert not re.search(r"[;,] (Seat|The|A) ", said), f"{said!r}: a sentence begins behind no full stop"
                assert not re.search(r"\bNone\b|\bTrue\b|\bFalse\b|[\[{(]'|\s\s|\s[.,]", said), f"{said!r} of {event}"


def every_end_is_told_in_one_plain_sentence(game: AnyGame, walks: tuple[Walk, ...]) -> None:
    """In the game's own words: its name for the reason is no sentence."""
    told = template(game, "ending.txt.j2")
    for one in walks:
        with at(one):
            outcome = game.outcome(one.last)
            if outcome is not None:
                assert_sentence(told.render(outcome=outcome).strip(), f"{outcome.rule} {outcome.reason}")


def assert_sentence(said: str, of: str) -> None:
    assert re.fullmatch(r"[A-ZÀ-Ý].*\.", said), f"{said!r} of {of}"
    assert said.replace("\u00a0", " ").isprintable(), f"{said!r} of {of}"
    assert len(said.split()) > 3, f"{said!r} of {of}"


def _tales(game: AnyGame, walks: tuple[Walk, ...]) -> Iterator[tuple[Walk, Event, View]]:
    """Events with a reader's view, of every kind some."""
    count: Counter[tuple[str, bool]] = Counter()
    for one in walks:
        for state, events in _chapters(game, one):
            for event in events:
                for reader in (*one.seats, None):
                    seen = event.seen_by(reader)
                    key = (event.kind, reader is None or seen != event.seen_by(None))
                    if seen is None or count[key] >= OF_EACH_KIND:
                        continue
                    count[key] += 1
                    yield one, seen, game.view(state, reader)


def _chapters(game: AnyGame, one: Walk) -> Iterator[tuple[Any, tuple[Event, ...]]]:
    yield one.setup
    for step in one.steps:
        yield step.turned
        for seat, move in step.moves.items():
            yield step.state, game.preview(step.state, seat, move)


def the_board_is_drawn_in_text_and_said_in_words(game: AnyGame, walks: tuple[Walk, ...]) -> None:
    board, said = template(game, "board.txt.j2"), template(game, "words.txt.j2")
    for one, view in _scenes(game, walks):
        with at(one):
            drawn = board.render(view=view).rstrip("\n")
            assert drawn.strip()
            assert max(map(len, drawn.splitlines())) <= WIDEST, drawn
            assert "\t" not in drawn
            assert all(line.isprintable() for line in drawn.splitlines()), drawn
            spoken = said.render(view=view).strip()
            assert len(spoken.split()) > 3, spoken
            assert not re.search(r"\bNone\b|\bTrue\b|\bFalse\b|[\[{]'", spoken), spoken


def the_board_is_pictured_with_a_title_and_a_description(game: AnyGame, walks: tuple[Walk, ...]) -> None:
    """One svg element that stands alone: no style, no script, nothing from elsewhere."""
    picture = template(game, "board.svg.j2", html=True)
    for one, view in _scenes(game, walks):
        with at(one):
            changed = words.marks(one.steps[-1].turned.events) if one.steps else ()
            root = ElementTree.fromstring(picture.render(view=view, marks=changed).strip())
            assert root.tag == f"{SVG}svg"
            assert root.get("role") == "img"
            assert re.fullmatch(r"(-?[\d.]+ ){3}[\d.]+", root.get("viewBox", ""))
            for part in ("title", "desc"):
                element = root.find(f"{SVG}{part}")
                assert element is not None, part
                assert "".join(element.itertext()).strip(), part
            names = {element.tag.removeprefix(SVG) for element in root.iter()}
            assert not names & {"style", "script", "image", "foreignObject", "a"}, names
            assert not any("href" in key or "var(" in value for e in root.iter() for key, value in e.attrib.items())


def _scenes(game: AnyGame, walks: tuple[Walk, ...]) -> Iterator[tuple[Walk, View]]:
    """Views from the beginning, the middle and the end of games, of a seat and of the public."""
    for one in walks[:12]:
        states = list(one.states)
        for state in {id(state): state for state in (states[0], states[len(states) // 2], states[-1])}.values():
            for reader in (one.seats[0], None):
                yield one, game.view(state, reader)
    for one, step in sample(walks, 30):
        yield one, game.view(step.state, one.seats[-1])


def the_players_rules_cite_paragraphs_that_exist(game: AnyGame, walks: tuple[Walk, ...]) -> None:
    file = template(game, "rules.en.md").filename
    assert file is not None
    cited = PARAGRAPH.findall(Path(file).read_text("utf-8"))
    assert len(set(cited)) >= 5
    assert all(is_paragraph(game.id, rule) for rule in cited), [r for r in cited if not is_paragraph(game.id, r)]


QUESTIONS = (
    every_event_is_told_in_one_plain_sentence,
    every_end_is_told_in_one_plain_sentence,
    the_board_is_drawn_in_text_and_said_in_words,
    the_board_is_pictured_with_a_title_and_a_description,
    the_players_rules_cite_paragraphs_that_exist,
)
