"""G32 in the browser's pages: what players give is text in a seat's page, on a site's first page and in its feeds.

Each text is put into every field that players fill; the tags of the page are those of a harmless text, nothing leads
outside, and the block of data says exactly what was given. A usual run does a share of the 10,000 texts.
"""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from engine import Outcome, load
from pbem.config import Config
from pbem.deadlines.calendars import feed
from pbem.deadlines.forecast import Coming
from pbem.deadlines.schedule import Schedule
from pbem.game.overview import Details, Glance, Waiting
from pbem.game.sheet import Host, Sheet, Sitter
from pbem.ledger.matches import MatchRow
from pbem.ledger.openings import Opening
from pbem.matches.standings import Score, Standings
from pbem.pages import document, rules, site, waiting
from pbem.pages.seat import filled, ordering
from pbem.reports import environment, plain
from pbem.reports import json as data
from tests.pages.test_telling import data_of
from tests.pbem.intake.hostile.share import share
from tests.pbem.reports.hostile import NASTY, generated
from tests.pbem.reports.letters import HARMLESS
from tests.pbem.reports.played import Game, play, report
from tests.pbem.reports.tags import Tags, tags
from tests.pbem.test_icalendar import read

TEXTS = [*NASTY, *generated(share(10_000, 40), seed=33)]
NOW = datetime(2026, 11, 18, 20, tzinfo=UTC)
CONFIG = Config(Path("/nowhere"))
GAME = "bagh-chal"  # the frame of a page is the same for all; what games write into it is asked in test_showing


@cache
def played() -> Game:
    return play(GAME, 6)


def sheet(name: str) -> Sheet:
    sitters = {at: Sitter(name, "player@players.example", "en", "UTC") for at in ("1", "2")}
    return Sheet("game", GAME, {}, sitters, Schedule(), Host("pbem", "orders@localhost"), b"s" * 32, b"d" * 32, {}, "")


def page(text: str) -> str:
    """A seat's page with that text wherever its player or another one may have put it."""
    told = data.plain(replace(report(played(), "1"), players={"1": text, "2": text}))
    written = {"orders": [text, {"do": text, text: text}], "draft": [text], "standing": {text: text, "stand": [text]}}
    order = ordering(sheet(text), played().state, written, told | {"key": "k" * 32}, "en")
    return filled(sheet(text), [told], "en", order)


def first_page(text: str) -> str:
    """The first page of a site whose players, and whose host, are called so."""
    asked = Glance("game", GAME, "open", 4, "move", NOW, (Waiting("1", text, False),), 0)
    outcome = Outcome((("1", "2"),), {"1": 1, "2": 1}, "BAGH-7.3", "repetition")
    games = [
        site.shown(CONFIG, load(GAME), Details(one, {"1": text, "2": text}, {}, "", "", "", "", ended))
        for one, ended in ((asked, None), (replace(asked, status="over"), outcome))
    ]
    row = MatchRow("match", GAME, "1", {}, 3, 3, (), "open", 1, (), None, NOW)
    match = Standings(row, (Score(1, "1", (text, text), 1, 2),), True, "")
    named = plain.one_line(text, 60)
    wanted = {"rules": GAME, "options": {}, "seats": ["1", "2"]}
    waits = waiting.shown(CONFIG, Opening("open-hill", wanted, {"1": "c" * 64}, NOW, NOW), {"1": text})
    return site.first_page(replace(CONFIG, host=text), games, [waits], [match], [], [(named, "calendar-of-0.ics")], NOW)


def harmless(text: str) -> str:
    """A harmless text of the same kind: nothing where nothing readable is in it."""
    return HARMLESS if plain.one_line(text, 60) else ""


def outside(found: Tags) -> list[tuple[str, ...]]:
    """What would load or run something, or lead away; a page's own are one script, its data, and its policy."""
    return [tag for tag in found.found if any(part.startswith(("src=", "on", "action=", "style=")) for part in tag[1:])]


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("make", [page, first_page])
def test_the_tags_do_not_depend_on_what_players_give(make: Any) -> None:
    expected = {like: tags(make(like)) for like in {harmless(text) for text in TEXTS}}
    for text in TEXTS:
        found = Tags(make(text))
        assert found.found == expected[harmless(text)], ascii(text)
        assert outside(found) == [], ascii(text)
        assert (found.crossed, found.open) == ([], []), ascii(text)


@pytest.mark.timeout(3600)
def test_the_data_of_a_page_says_what_was_given() -> None:
    for text in TEXTS:
        shown = data_of(page(text))
        assert shown["order"]["stands"]["orders"][0] == clean(text), ascii(text)
        assert set(shown["players"].values()) == {plain.one_line(text, 60)}, ascii(text)


def clean(text: str) -> str:
    """Pages are clean as letters are: JSON escapes what a page may not hold, and so it comes back."""
    return str(json.loads(json.dumps(text)))


@pytest.mark.timeout(3600)
def test_a_feed_has_the_lines_of_a_harmless_one() -> None:
    like = [set(event) for event in read(calendar(HARMLESS))]
    for text in TEXTS:
        assert [set(event) for event in read(calendar(text))] == like, ascii(text)


def calendar(text: str) -> bytes:
    return feed([Coming("game", GAME, 4, NOW, True, waits_for=(("1", text),))], "localhost", NOW)


def test_rules_that_a_package_brings_are_text(monkeypatch: pytest.MonkeyPatch) -> None:
    own = {
        "p",
        "ul",
        "li",
        "h2",
        "code",
        "strong",
        "em",
        "a",
        "span",
        "div",
        "table",
        "blockquote",
        "hr",
        "br",
        "pre",
        "ol",
    }
    for text in TEXTS:
        monkeypatch.setattr(rules, "player_rules", lambda game, lang, text=text: (f"# Title\n\n{text}\n", lang))
        rules.rules_of.cache_clear()
        found = Tags(rules.rules_of("anything", "en").body)
        used = {tag[0].strip("/") for tag in found.found}
        assert used <= own | {"thead", "tbody", "tr", "th", "td", "h1", "h3", "h4", "h5", "h6"}, ascii(text)
        assert outside(found) == [], ascii(text)
    rules.rules_of.cache_clear()


@pytest.mark.parametrize("make", [page, first_page])
def test_weakened_without_autoescape_it_is_found(make: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    real = environment.environment
    monkeypatch.setattr(environment, "environment", lambda lang, html, game="": real(lang, html=False, game=game))
    assert tags(make("</p><h1>You have won</h1>")) != tags(make(HARMLESS))


def test_weakened_a_block_of_plain_json_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document, "inside", lambda value: document.Markup(json.dumps(value)))
    assert tags(page("</script><h1>You have won</h1>")) != tags(page(HARMLESS))


def test_weakened_rules_with_html_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    real = rules.MarkdownIt
    monkeypatch.setattr(rules, "MarkdownIt", lambda kind, options: real(kind, {"html": True}))
    with pytest.raises(AssertionError):
        test_rules_that_a_package_brings_are_text(monkeypatch)
    rules.rules_of.cache_clear()
