"""Examples of orders in the player's rules, in every language: each is read by the game as it stands there.

An example counts as read when the game knows what is meant, whether it can stand in this position or not: a word that
no reader knows, a cell that is none or a key that is none makes it fail, and so does a language that shows less than
English.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import pytest
import yaml

from engine import Dice, Refusal, load
from games.khan.material import REGIONS
from games.khan.words import LANDS, meaning
from pbem.reports.environment import LANGUAGES
from tests.pbem.languages.extracting import FRAME, TEMPLATES, folders

GAMES = [folder for folder in folders() if folder != FRAME]
ORDERS = re.compile(r"^## .*\b(?:orders|ordres|ordini)\b.*$", re.MULTILINE)
LISTED = re.compile(r"```\n(.*?)```", re.DOTALL)
BLOCK = re.compile(r"```yaml\n(.*?)```", re.DOTALL)
SPAN = re.compile(r"`([^`]+)`")
ROW = re.compile(r"^\|(.+)\|$", re.MULTILINE)
LANGUAGE = pytest.mark.parametrize("lang", LANGUAGES)
GAME = pytest.mark.parametrize("name", GAMES)


@cache
def section(name: str, lang: str) -> str:
    """What the rules say of writing orders, up to the next heading."""
    text = (TEMPLATES / name / f"rules.{lang}.md").read_text("utf-8")
    found = ORDERS.search(text)
    assert found is not None, f"{name}, {lang}: nothing on how to write orders"
    return text[found.end() :].split("\n## ")[0]


def rows(name: str, lang: str) -> list[list[str]]:
    """The examples of each row of the tables, without the column of what one wants, and of each line of a list."""
    tables = ROW.findall(section(name, lang))
    lines = [line for listed in LISTED.findall(BLOCK.sub("", section(name, lang))) for line in listed.splitlines()]
    found = [[span for cell in row.split("|")[1:] for span in SPAN.findall(cell)] for row in tables if "`" in row]
    return [*found, *([re.split(r"\s{2,}", line)[0]] for line in lines)]


def written(name: str, lang: str) -> list[str | Mapping[str, Any]]:
    """Orders of the tables, and the mappings in the text."""
    lines = [line for line in section(name, lang).split("\n") if not line.startswith("|")]
    mappings = [span for line in lines for span in SPAN.findall(line) if span.startswith("{")]
    return [_read(span) for span in (*(span for row in rows(name, lang) for span in row), *mappings)]


def _read(span: str) -> str | Mapping[str, Any]:
    """As a line of the order form is read, where some signs stand only in quotes."""
    return yaml.load(span, yaml.BaseLoader)  # type: ignore[no-any-return]


def blocks(name: str, lang: str) -> list[dict[str, Any]]:
    """The pieces of order files in the whole of the rules."""
    text = (TEMPLATES / name / f"rules.{lang}.md").read_text("utf-8")
    return [yaml.load(block, yaml.BaseLoader) for block in BLOCK.findall(text)]


def refusals(name: str, form: Mapping[str, Any]) -> Iterator[Refusal]:
    """Why a piece of an order file cannot be read."""
    rules = load(name)
    state = rules.setup(rules.Options(), Dice(b"examples", name)).state
    seat = rules.seats(rules.Options())[0]
    for entry in _entries(form.get("orders", ())):
        if isinstance(entry, Mapping) and "if" in entry:
            yield from _found(rules.why_not_condition(entry["if"]))
        else:
            read = rules.why_never(state, seat, entry)
            yield from (why for why in _found(read) if why.code in rules.unreadable)
    if "standing" in form:
        yield from _found(rules.why_not_standing(state, seat, form["standing"]))
    keys = {key: value for key, value in form.items() if key not in ("orders", "standing")}
    if keys:
        assert set(keys) <= set(rules.order_keys)
        yield from _found(rules.bound(state, seat, keys))


def _entries(orders: Any) -> Iterator[str | Mapping[str, Any]]:
    for entry in orders:
        yield entry
        if isinstance(entry, Mapping) and "if" in entry:
            yield from _entries([*entry.get("then", ()), *entry.get("else", ())])


def _found(answer: object) -> Iterator[Refusal]:
    if isinstance(answer, Refusal):
        yield answer


@LANGUAGE
@GAME
def test_each_example_is_read(name, lang):
    """Weakened build, seen red: French words taken out of a game's list."""
    orders = written(name, lang)
    assert orders
    for order in orders:
        assert [*refusals(name, {"orders": [order]})] == [], order


@LANGUAGE
@GAME
def test_each_piece_of_a_file_is_read(name, lang):
    for form in blocks(name, lang):
        assert [*refusals(name, form)] == [], form


@LANGUAGE
@GAME
def test_every_language_shows_as_much_as_english(name, lang):
    assert len(rows(name, lang)) == len(rows(name, "en"))
    assert [set(form) for form in blocks(name, lang)] == [set(form) for form in blocks(name, "en")]
    assert [len(form.get("orders", ())) for form in blocks(name, lang)] == [
        len(form.get("orders", ())) for form in blocks(name, "en")
    ]


@LANGUAGE
def test_every_region_of_khan_is_written_as_it_is_read(lang):
    """Seen red in English, where reports say `rain forest`, which no order may."""
    words = {meaning(span, LANDS) for span in SPAN.findall(section("khan", lang))}
    assert words >= set(REGIONS)


@GAME
def test_an_order_that_is_none_is_found(name):
    """Weakened build: a game whose reader takes anything."""
    assert [*refusals(name, {"orders": ["? ?"]})] != []


def test_what_is_wrong_is_found():
    """Weakened builds: a word that is none, a cell that is none, a standing answer and a key that are none."""
    wrong = ({"orders": ["poser z9"]}, {"orders": ["marcher c4"]}, {"standing": {"consent": "peut-être"}})
    for form in wrong:
        assert [*refusals("khan", form)] != []
    assert [*refusals("conquest", {"orders": [], "at_end": "stop"})] != []
