"""The player's rules as HTML: each paragraph id is an anchor where it is told, and a link everywhere else.

The rules are Markdown with tables, in our own files or in those of a package that brings a game; HTML in them is text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, NamedTuple

from markdown_it import MarkdownIt
from markupsafe import Markup

from pbem.errors import Trouble
from pbem.rulebook import player_rules

ID = re.compile(r"\b[A-Z]+-\d+(?:\.\d+)*\b")
_words = re.compile(r">[^<]+")  # what stands between tags
_section = re.compile(r"(?=<h2>)")
_heading = re.compile(r"(</?h)([1-5])(?=>)")
_title = re.compile(r"^#+ +(.*)$", re.MULTILINE)
_code = re.compile(r"(<(?:code|pre)\b.*?</(?:code|pre)>)", re.DOTALL)


class Rules(NamedTuple):
    """The rules of a game: their title, the HTML of all else, the paragraphs that have a place in it, its language."""

    title: str
    body: Markup
    ids: tuple[str, ...]
    lang: str

    def places(self, cited: Iterable[str]) -> dict[str, str]:
        """For each paragraph that is cited the one to look at: itself, or the nearest before it in its section."""
        found = ((name, self._place(name)) for name in cited)
        return {name: place for name, place in found if place}

    def _place(self, name: str) -> str:
        if name in self.ids:
            return name
        word, numbers = _order(name)
        section = [one for one in self.ids if _order(one)[0] == word and _order(one)[1][0] == numbers[0]]
        before = [one for one in section if _order(one)[1] < numbers]
        return before[-1] if before else section[0] if section else ""

    def below(self, levels: int) -> Markup:
        """The same with headings so many levels deeper, for a page that has headings of its own."""
        return Markup(_heading.sub(lambda found: f"{found[1]}{int(found[2]) + levels}", self.body))


def cited(shown: Mapping[str, Any]) -> tuple[str, ...]:
    """The paragraphs that stand in a page's data, each once."""
    return tuple(sorted(set(ID.findall(json.dumps([shown["frames"], shown["order"]])))))


def rules_file(game: str, lang: str) -> str:
    """How the page of a game's rules is called in a site."""
    return f"rules-{game}.{lang}.html"


def has_rules(game: str) -> bool:
    """Whether the game brings rules for its players."""
    try:
        player_rules(game, "en")
    except Trouble:
        return False
    return True


@cache
def rules_of(game: str, lang: str) -> Rules:
    """The rules of a game in that language, or in English where nobody has written them in it."""
    text, spoken = player_rules(game, lang)
    title, _, rest = text.partition("\n")
    html = _html(rest)
    html = html.replace("<table>", '<div class="wide" tabindex="0" role="group"><table>').replace(
        "</table>", "</table></div>"
    )
    body, ids = _anchored(html.replace("<th>", '<th scope="col">').replace("<pre>", '<pre tabindex="0">'))
    return Rules(title.lstrip("# ").strip(), Markup(body), ids, spoken)


def quoted(words: str) -> Markup:
    """Some lines of the rules, set in the middle of something else: what is a heading there is none here."""
    return Markup(_html(_title.sub(r"**\1**\n", words)))


def _html(text: str) -> str:
    return str(MarkdownIt("commonmark", {"html": False}).enable("table").disable("image").render(text))


def _anchored(html: str) -> tuple[str, tuple[str, ...]]:
    """The HTML with its anchors. The first section only says what it is about: what it cites is told further on."""
    opening, *sections = _section.split(html)
    about, told = opening + "".join(sections[:1]), "".join(sections[1:])
    places: dict[str, None] = {}
    told = _marked(told, places)
    about = _marked(about, places)
    return about + told, tuple(sorted(places, key=_order))


def _marked(html: str, places: dict[str, None]) -> str:
    """Paragraph ids in text made anchors, or links where the anchor is elsewhere; code is left as it is."""

    def mark(found: re.Match[str]) -> str:
        name = found[0]
        if name in places:
            return f'<a href="#{name}">{name}</a>'
        places[name] = None
        return f'<span class="rule" id="{name}">{name}</span>'

    pieces = _code.split(html)
    pieces[::2] = [_words.sub(lambda text: ID.sub(mark, text[0]), f">{piece}")[1:] for piece in pieces[::2]]
    return "".join(pieces)


def _order(name: str) -> tuple[str, list[int]]:
    word, _, numbers = name.partition("-")
    return word, [int(number) for number in numbers.split(".")]
