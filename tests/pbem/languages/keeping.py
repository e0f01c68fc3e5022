"""The catalogues beside the sources: `python -m tests.pbem.languages.keeping [FOLDER ...]` brings them up to date.

New messages are put where the sources have them, with nothing said yet; what is not said any more falls away. Words of
facts and names (contexts `fact` and `name`), which no source marks, stay as their translators wrote them.
"""

from __future__ import annotations

import sys
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po

from pbem.reports.translating import FACT, LOCALE, NAME
from tests.pbem.languages.extracting import TEMPLATES, Found, folders, messages

LANGUAGES = ("fr", "it")
HEADER = "# {lang}: the words of {folder}. msgid is the English text; names in braces or %(brackets)s stay as they are."
KEPT = {FACT, NAME}
QUIET = ("POT-Creation-Date", "PO-Revision-Date", "Last-Translator", "Language-Team", "Generated-By",
         "Project-Id-Version", "Report-Msgid")  # fmt: skip
"""Lines of the head that would change with every run."""


def path_of(folder: str, lang: str) -> Path:
    return TEMPLATES / folder / LOCALE / f"{lang}.po"


def read(folder: str, lang: str) -> Catalog:
    """The catalogue as it lies there; an empty one when there is none."""
    path = path_of(folder, lang)
    if not path.is_file():
        return Catalog(locale=lang)
    return read_po(BytesIO(path.read_bytes()), locale=lang)


def renewed(folder: str, lang: str, found: list[Found]) -> bytes:
    """The catalogue with exactly the messages of the sources, and with what is said of them already."""
    old = read(folder, lang)
    new = Catalog(locale=lang, fuzzy=False, header_comment=HEADER.format(lang=lang, folder=folder), project=folder)
    for one in found:
        said = _said(old, one, new.num_plurals)
        words = (one.single, one.plural) if one.plural else one.single
        new.add(words, said, locations=[(one.where, None)], context=one.context or None)
    for message in old:
        if message.id and message.context in KEPT and new.get(message.id, message.context) is None:
            new.add(message.id, message.string, context=message.context)
    out = BytesIO()
    write_po(out, new, width=120, omit_header=False, include_lineno=False, ignore_obsolete=True)
    lines = out.getvalue().decode().split("\n")
    return "\n".join(line for line in lines if not line.startswith(tuple(f'"{word}' for word in QUIET))).encode()


def _said(old: Catalog, one: Found, forms: int) -> str | tuple[str, ...]:
    known: Message | None = old.get(one.single, one.context or None)
    if known is None or bool(one.plural) != bool(known.pluralizable):
        return ("",) * forms if one.plural else ""
    return tuple(known.string) if one.plural else known.string


def main(names: list[str]) -> None:
    for folder in names or folders():
        found = messages(folder)
        for lang in LANGUAGES:
            path = path_of(folder, lang)
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(renewed(folder, lang, found))


if __name__ == "__main__":
    main(sys.argv[1:])
