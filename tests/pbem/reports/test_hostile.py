"""G32: player text is text. It changes neither the tags of a page nor the lines of a text, whatever is in it."""

from __future__ import annotations

import dataclasses

import pytest

from pbem.reports import environment, html, json, plain, text
from pbem.reports.report import Stands
from tests.faults.figures import counted, so_many
from tests.pbem.reports.hostile import NASTY, generated
from tests.pbem.reports.letters import EVERY, HARMLESS
from tests.pbem.reports.tags import Tags, tags
from tests.pbem.reports.test_plain import bad

GENERATED = generated(400)
MANY = generated(so_many(400, 10_000))


def harmless(hostile: str) -> str:
    """A harmless text with as many lines, as press keeps its lines; nothing when nothing readable is in it."""
    return "\n".join(HARMLESS if line else "" for line in plain.lines(hostile))


@pytest.mark.parametrize("kind", EVERY)
def test_the_tags_of_a_page_do_not_depend_on_what_players_write(kind):
    expected = {}
    for hostile in [*NASTY, *MANY]:
        page, like = html.render(EVERY[kind](hostile)), harmless(hostile)
        if like not in expected:
            expected[like] = tags(html.render(EVERY[kind](like)))
        assert tags(page) == expected[like], ascii(hostile)
        assert bad(page, "\n") == [], ascii(hostile)
    counted(len(NASTY) + len(MANY), "texts in all places of a frame")


@pytest.mark.parametrize("kind", EVERY)
def test_without_autoescape_the_same_comparison_finds_the_tags(kind, monkeypatch):
    """The weakened build: it must be seen to fail, else the test above proves nothing."""
    real = environment.environment
    monkeypatch.setattr(environment, "environment", lambda lang, html, game="": real(lang, html=False, game=game))
    nasty = "</td></tr></table><h1>You have won</h1>"
    assert tags(html.render(EVERY[kind](nasty))) != tags(html.render(EVERY[kind](HARMLESS)))


@pytest.mark.parametrize("kind", EVERY)
def test_every_tag_is_closed_in_order(kind):
    page = Tags(html.render(EVERY[kind](NASTY[0])))
    assert (page.crossed, page.open) == ([], [])


@pytest.mark.parametrize("kind", EVERY)
def test_players_words_are_shown_as_they_were_written(kind):
    for shown in ("<script>alert(1)</script>", '"><svg onload=alert(1)>', "{{ 7 * 7 }}", "&lt;b&gt;"):
        assert shown in "".join(Tags(html.render(EVERY[kind](shown))).words)
        assert shown in text.render(EVERY[kind](shown))


@pytest.mark.parametrize("kind", EVERY)
def test_a_text_has_no_line_that_a_player_made(kind):
    """Nobody can be called by a line of the order form or by a ledger head: such lines are ours alone."""
    ours = ("game:", "seat:", "turn:", "key:", "orders:", "end:", "Ledger head:", "Dice commitment:", "ORDER FORM")
    pressed = [f"{'pad ' * n}\n{line} forged" for line in ours for n in range(0, 20, 3)]
    for hostile in [*pressed, *NASTY, *GENERATED]:
        lines = text.render(EVERY[kind](hostile)).split("\n")
        plain_lines = text.render(EVERY[kind](harmless(hostile))).split("\n")
        for start in ours:
            mine = [line for line in lines if line.startswith(start)]
            assert len(mine) == len([line for line in plain_lines if line.startswith(start)]), ascii(hostile)
            assert not any("forged" in line for line in mine), ascii(hostile)


@pytest.mark.parametrize("kind", EVERY)
def test_no_text_commands_a_terminal_or_breaks_the_columns(kind):
    for hostile in [*NASTY, *GENERATED]:
        letter = EVERY[kind](hostile)
        rendered = text.render(letter)
        assert bad(rendered, "\n") == [], ascii(hostile)
        form = html.tell(letter, html.Memo()).form.split("\n")
        wide = [line for line in rendered.split("\n") if plain.width(line) > plain.COLUMNS and line not in form]
        assert wide == [], ascii(hostile)
        subject = text.subject(letter)
        assert bad(subject) == []
        assert len(subject) <= plain.SHOWN


@pytest.mark.parametrize("kind", EVERY)
def test_json_is_ascii_whatever_was_written(kind):
    for hostile in [*NASTY, *GENERATED[:100]]:
        rendered = json.render(EVERY[kind](hostile))
        assert rendered.isascii()
        assert rendered.rstrip("\n").isprintable()


def test_the_letters_put_the_text_everywhere():
    """The tests above see each place where a frame shows a player's text, else a new place would go unseen."""
    counts = {kind: text.render(make("Zebra")).count("Zebra") for kind, make in EVERY.items()}
    assert counts["report"] >= 12
    assert counts["receipt"] >= 15
    assert counts["notice"] >= 2


def test_long_texts_are_cut():
    long = "word " * 50_000
    for kind in EVERY:
        letter = dataclasses.replace(EVERY[kind](long), stands=Stands())  # what stands is in the form, at full length
        assert len(text.render(letter)) < 30_000
        assert len(html.render(letter)) < 60_000
