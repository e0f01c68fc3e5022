"""Catalogues: the words of a language for the frame and for each game, read as gettext keeps them.

A game's own sentences lie in its own folder, so that a game of somebody else's brings its own. What a game does not
say itself, it says in the words of the frame. A catalogue counts only when nothing in it is missing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from copy import copy
from functools import cache
from gettext import GNUTranslations, NullTranslations
from importlib.resources.abc import Traversable
from io import BytesIO
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

FACT = "fact"  # the context of words that stand in the facts of an answer, such as what is on a square
NAME = "name"  # the context of what a game calls its decisions
LOCALE = "locale"


def is_complete(catalog: Catalog) -> bool:
    """Whether every message has all its forms, and no form is only somebody's guess."""
    return all(_is_said(message, catalog.num_plurals) for message in catalog if message.id)


def _is_said(message: Message, forms: int) -> bool:
    said = message.string if isinstance(message.string, list | tuple) else (message.string,)
    return not message.fuzzy and all(said) and (not message.pluralizable or len(said) == forms)


def compiled(catalog: Catalog) -> bytes:
    """The catalogue as gettext reads it."""
    out = BytesIO()
    write_mo(out, catalog)
    return out.getvalue()


def french(text: str) -> str:
    """No line begins with a colon, and none ends with a guillemet that opens: the blanks there do not break."""
    return _french.sub("\u00a0", text)


_french = re.compile(r" (?=[:;!?»])|(?<=«) ")
BINDING: dict[str, Callable[[str], str]] = {"fr": french}


class Spaced(GNUTranslations):
    """A catalogue with the blanks of its language, which translators type as plain ones."""

    def __init__(self, made: bytes, lang: str) -> None:
        self._bind = BINDING.get(lang)
        super().__init__(BytesIO(made))

    def _parse(self, fp: Any) -> None:
        super()._parse(fp)
        if self._bind is not None:
            said: dict[Any, str] = self._catalog  # type: ignore[has-type]
            self._catalog = {key: self._bind(words) for key, words in said.items()}


def load(folders: tuple[Traversable, ...], lang: str) -> GNUTranslations | None:
    """The first complete catalogue of that language in these folders; None when there is none.

    A wheel holds compiled ones, made of complete ones only. A checkout holds sources alone, which are read as they are.
    """
    for folder in folders:
        made, source = folder / LOCALE / f"{lang}.mo", folder / LOCALE / f"{lang}.po"
        if made.is_file():
            return Spaced(made.read_bytes(), lang)
        if source.is_file():
            catalog = read_po(BytesIO(source.read_bytes()), locale=lang)
            return Spaced(compiled(catalog), lang) if is_complete(catalog) else None
    return None


def chained(own: NullTranslations, frame: NullTranslations) -> NullTranslations:
    """One that asks the game's words first. A copy, as the frame's own must stay as they are for other games."""
    both = copy(own)
    both.add_fallback(frame)
    return both


@cache
def nothing() -> NullTranslations:
    """The catalogue of English, which needs none."""
    return NullTranslations()
