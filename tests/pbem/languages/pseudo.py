"""A language that shows what is translated: each message between brackets, what it is filled with outside of them.

Whatever letters stand outside are a word that no catalogue was asked for, or one that a player, a game or an order
brought. A catalogue of this language knows the messages of the sources and no others, as a translator would.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from gettext import NullTranslations
from html.parser import HTMLParser

import pytest

from pbem.reports import environment
from tests.pbem.languages.extracting import folders, messages

LANG = "fr"  # it takes the place of French, whose dates it has
OPEN, CLOSE = "\u27e6", "\u27e7"
HOLE = re.compile(r"(%\(\w+\)[sd]|\{\w*\})")
LETTERS = re.compile(r"[^\W\d_]")
SAID = re.compile(f"{OPEN}[^{OPEN}{CLOSE}]*{CLOSE}")
INITIAL = re.compile(rf"{OPEN}(?=[\s)]|$)")  # of a word that a board shows by its first letter
SPOKEN = ("title", "alt", "aria-label", "placeholder", "summary")
UNSPOKEN = ("style", "script")


class Pseudo(NullTranslations):
    """The catalogue of a folder of templates."""

    def __init__(self, folder: str) -> None:
        super().__init__()
        found = messages(folder) if folder in folders() else []
        self.known = {(one.context, said) for one in found for said in (one.single, one.plural) if said}

    def gettext(self, message: str) -> str:
        return marked(message) if ("", message) in self.known else super().gettext(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        said = msgid1 if n == 1 else msgid2
        return marked(said) if ("", msgid1) in self.known else super().ngettext(msgid1, msgid2, n)

    def pgettext(self, context: str, message: str) -> str:
        return marked(message) if (context, message) in self.known else super().pgettext(context, message)


def marked(message: str) -> str:
    """The message with all its words between brackets, and what is filled in between those."""
    return "".join(part if HOLE.fullmatch(part) or not part else f"{OPEN}{part}{CLOSE}" for part in HOLE.split(message))


@cache
def catalogue(lang: str, folder: str) -> NullTranslations:
    return NullTranslations() if lang == environment.LANGUAGES[0] else Pseudo(folder)


@pytest.fixture
def pseudo(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """French is the language of brackets as long as this lasts."""
    forget()
    monkeypatch.setattr(environment, "_catalogue", catalogue)
    yield
    forget()


def forget() -> None:
    """Nothing of a language is remembered any more."""
    for remembering in (environment._environment, environment.translations, environment.says):
        remembering.cache_clear()


def unsaid(text: str) -> str:
    """What stands outside of the brackets, on one line."""
    left = INITIAL.sub(" ", SAID.sub(" ", " ".join(text.split())))
    torn = re.search(f".{{0,80}}[{OPEN}{CLOSE}].{{0,80}}", left)
    assert torn is None, f"a message in pieces: {torn[0]}"
    return left


class _Spoken(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.inside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.inside.append(tag)
        self.found += [value for name, value in attrs if name in SPOKEN and value]

    def handle_endtag(self, tag: str) -> None:
        if tag in self.inside:
            while self.inside.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        if not set(UNSPOKEN) & set(self.inside):
            self.found.append(data)


def spoken(page: str) -> str:
    """What is seen or heard of a page: its texts, and the names of what has none."""
    reader = _Spoken()
    reader.feed(page)
    return "\n".join(reader.found)
