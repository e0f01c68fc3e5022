"""Letters as HTML: whole documents that need nothing from outside, and that a screen reader can walk through."""

from __future__ import annotations

import re
from itertools import pairwise
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from pbem.reports import html, json, text
from pbem.reports.report import Stands
from pbem.reports.words import Memo
from tests.pbem.reports import letters
from tests.pbem.reports.letters import EVERY
from tests.pbem.reports.tags import Tags


@pytest.mark.parametrize("kind", EVERY)
def test_a_letter_is_one_document_with_nothing_from_outside(kind):
    page = html.render(EVERY[kind]("Word"))
    assert page.startswith('<!DOCTYPE html>\n<html lang="en">')
    outside = re.findall(r"(?:src|href|action|xlink:href)=\"([^\"]*)\"|url\(([^)]*)\)|@import", page)
    assert all(link.startswith("mailto:orders@pbem.test?") for link, _ in outside)
    assert re.findall(r"https?://[^\s\"<]+", page) in ([], ["http://www.w3.org/2000/svg"])
    assert not re.search(r"<(script|link|iframe|object|embed|form|img)\b", page)


@pytest.mark.parametrize("kind", EVERY)
def test_mail_programs_get_no_style_they_do_not_know(kind):
    page = html.render(EVERY[kind]("Word"))
    assert not re.search(r"var\(--|display:\s*(flex|grid|inline-grid)|position:\s*(fixed|absolute)", page)


@pytest.mark.parametrize("kind", EVERY)
def test_headings_step_down_one_by_one_from_a_single_first(kind):
    levels = [int(tag[0][1]) for tag in Tags(html.render(EVERY[kind]("Word"))).found if re.fullmatch(r"h[1-6]", tag[0])]
    assert levels.count(1) == 1
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


@pytest.mark.parametrize("kind", EVERY)
def test_tables_are_either_layout_and_say_so_or_have_headers(kind):
    page = html.render(EVERY[kind]("Word"))
    for table in re.findall(r"<table[^>]*>", page):
        assert 'role="presentation"' in table or 'class="moves"' in table
    for moves in re.findall(r'<table class="moves">.*?</table>', page, re.DOTALL):
        assert '<th scope="col">' in moves


def test_the_picture_has_a_name_and_a_description():
    page = html.render(letters.quiet())
    picture = page[page.index("<svg") : page.index("</svg>")]
    assert 'role="img"' in picture
    assert "<title>" in picture
    assert "<desc>" in picture


def test_what_changed_is_marked_in_the_picture():
    page = html.render(letters.quiet())
    assert 'font-weight="bold">b</text>' in page
    assert 'font-weight="normal">a</text>' in page


@pytest.mark.parametrize("kind", EVERY)
def test_text_and_page_and_json_say_the_same(kind):
    letter = EVERY[kind]("Word")
    said = " ".join(text.render(letter).split())
    page = " ".join("".join(Tags(html.render(letter)).words).split())
    facts = json.plain(letter)
    told = [event["told"] for step in facts.get("steps", ()) for event in step["events"]]
    told += [problem["told"] for problem in facts.get("problems", ())]
    told += [*facts["deadline_told"], *map(str.strip, facts.get("words", ())), facts["head"], *facts["form"].split()]
    for part in told:
        assert part in said
        assert part in page


def test_the_link_opens_a_mail_with_the_form_in_it():
    letter = letters.quiet(stands=Stands(("a & b? #1 +é",)))
    link = re.search(r'href="(mailto:[^"]*)"', html.render(letter))[1].replace("&amp;", "&")
    parts = urlsplit(link)
    fields = parse_qs(parts.query, strict_parsing=True)
    assert unquote(parts.path) == "orders@pbem.test"
    assert fields["subject"] == ["Re: [jade-river] Decision 2 is yours"]
    assert fields["body"] == [html.tell(letter, Memo()).form.replace("\n", "\r\n")]


def test_without_an_address_to_answer_to_there_is_no_link():
    assert "mailto:" not in html.render(letters.quiet(answer_to=""))


@pytest.mark.parametrize("lang", ["en", "fr", "xx", "", '"><b>'])
def test_a_page_names_the_language_it_is_written_in(lang):
    """A screen reader would read English words in a French voice if the page said what the reader had asked for."""
    page = html.render(letters.quiet(reader=letters.Reader("Anne", lang, "Europe/Paris")))
    assert re.findall(r' lang="([^"]*)"', page) == ["en", "en"]
