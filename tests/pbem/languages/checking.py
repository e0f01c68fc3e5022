"""What can be wrong with a catalogue, each thing in a line: a message that is missing, a name lost, a form left out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from babel.messages.catalog import Catalog, Message

from tests.pbem.languages.extracting import Found

NAME = re.compile(r"%\(\w+\)[sd]|\{\w*\}")
LONGEST = 60


def faults(catalog: Catalog, found: Iterable[Found]) -> Iterator[str]:
    """Everything that is wrong with a catalogue, against the messages of the sources."""
    for one in found:
        message = catalog.get(one.single, one.context or None)
        if message is None:
            yield f"missing: {one.single[:LONGEST]!r} of {one.where}:{one.line}"
        else:
            yield from _faults_of(message, one, catalog.num_plurals)


def _faults_of(message: Message, one: Found, forms: int) -> Iterator[str]:
    said = message.string if isinstance(message.string, list | tuple) else (message.string,)
    if message.fuzzy:
        yield f"only a guess: {one.single[:LONGEST]!r}"
    if bool(one.plural) != message.pluralizable or (one.plural and len(said) != forms):
        yield f"not as many forms as the language has: {one.single[:LONGEST]!r}"
    for words in said:
        if not words:
            yield f"nothing said: {one.single[:LONGEST]!r} of {one.where}:{one.line}"
        elif names(words) != names(one.single) and names(words) != names(one.plural or one.single):
            yield f"other names in {words[:LONGEST]!r}: {sorted(names(words) ^ names(one.single))}"


def names(text: str) -> set[str]:
    """The names that are filled in."""
    return {*NAME.findall(text)}
