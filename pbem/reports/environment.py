"""The two Jinja environments: one for text, one for HTML that escapes everything, over the same templates.

Templates are looked for in the program's own folder first, then in the package of the game itself, so that a game of
somebody else's brings its own words and drawings.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from gettext import NullTranslations
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from jinja2 import BaseLoader, ChoiceLoader, Environment, FileSystemBytecodeCache, FileSystemLoader, StrictUndefined
from jinja2.bccache import Bucket
from jinja2.exceptions import TemplateError, TemplateNotFound

from engine import Game
from pbem.paths import data
from pbem.reports import plain, quick, translating
from pbem.sharing import make_folder

FRAME = "frame"  # the folder of the templates that no game owns
LANGUAGES = ("en", "fr", "it")
Uptodate = Callable[[], bool]

_bytecode: list[Path] = []


class Brought(BaseLoader):
    """Templates that games bring along: `<game id>/<name>` is `templates/<game id>/<name>` or `templates/<name>`
    beside the module of the game, or beside one of the packages around it.
    """

    def __init__(self) -> None:
        self.folders: dict[str, tuple[Traversable, ...]] = {}

    def add(self, rules: Game[Any, Any]) -> None:
        if rules.id not in self.folders:
            self.folders[rules.id] = tuple(_folders(type(rules).__module__))

    def get_source(self, environment: Environment, template: str) -> tuple[str, str | None, Uptodate | None]:
        game, _, name = template.partition("/")
        if ".." not in template and "\\" not in template:
            for folder in self.folders.get(game, ()):
                for file in (folder / game / name, folder / name):
                    if file.is_file():
                        return file.read_text("utf-8"), str(file), None
        raise TemplateNotFound(template)


def _folders(module: str) -> list[Traversable]:
    """The `templates` folders of a module's package and of the packages around it, nearest first."""
    found = []
    package = module if hasattr(sys.modules.get(module), "__path__") else module.rpartition(".")[0]
    while package:
        folder = resources.files(package) / "templates"
        if folder.is_dir():
            found.append(folder)
        package = package.rpartition(".")[0]
    return found


@cache
def brought() -> Brought:
    return Brought()


def environment(lang: str, *, html: bool, game: str = "") -> Environment:
    """The environment of a language, with autoescape for HTML and without for text; that of a game has its words too.

    English needs no words, so that all games share it.
    """
    return _environment(lang, html, "" if lang == LANGUAGES[0] else game)


@cache  # of a function without names and defaults: one thing asked in two ways would be made and loaded twice
def _environment(lang: str, html: bool, game: str) -> Environment:
    made = quick.QuickEnvironment(
        loader=ChoiceLoader([FileSystemLoader(data("templates")), brought()]),
        autoescape=html,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        cache_size=-1,
        extensions=["jinja2.ext.i18n"],
        bytecode_cache=_kept(html),
    )
    made.code_generator_class = quick.QuickCode
    made.escaped = quick.escaped  # type: ignore[attr-defined]
    made.context_class = quick.QuickContext
    made.template_class = quick.QuickTemplate
    made.newstyle_gettext = True  # type: ignore[attr-defined]
    made.globals |= quick.spoken(translations(lang, game), html)
    made.globals["tenths"] = quick.tenths
    made.filters |= {"wrap": plain.wrap, "begun": plain.begun}
    return made


@cache
def load_all(lang: str, game: str) -> None:
    """Load what letters of that game are made of in that language, to be done before children are made: they find it
    loaded. They may write no file, so that none of them could keep for the next one what it has compiled."""
    for folder, words in ((FRAME, ""), (FRAME, game), (game, game)):  # a game's templates use the frame's macros
        for name in sorted({file.name for source in _sources(folder) if source.is_dir() for file in source.iterdir()}):
            for html in _environments_of(folder, name, words):
                with suppress(TemplateError, OSError, ValueError):  # it is told when something is made of it
                    environment(lang, html=html, game=words).get_template(f"{folder}/{name}")


def _sources(folder: str) -> list[Traversable]:
    """Where the templates of the frame or of a game may lie."""
    brings = brought().folders.get(folder, ())
    return [data("templates") / folder, *(place / folder for place in brings), *brings]


def _environments_of(folder: str, name: str, words: str) -> tuple[bool, ...]:
    """In which environments a template is used, for HTML or not: the frame's macros in both, as a game's own sentences
    are made as text; and nothing else of the frame among the words of a game."""
    kind = name.removesuffix(".j2").partition(".")[2]
    if not name.endswith(".j2") or (folder == FRAME and words and kind):
        return ()
    return (False, True) if folder == FRAME and not kind else (kind in ("html", "svg"),)


def language(wanted: str, rules: Game[Any, Any] | None = None) -> str:
    """The language a reader gets: his own once its words and those of the game are written, and never half of each."""
    if wanted not in LANGUAGES or _catalogue(wanted, FRAME) is None:
        return LANGUAGES[0]
    if rules is not None:
        brought().add(rules)
        if _catalogue(wanted, rules.id) is None:
            return LANGUAGES[0]
    return wanted


@cache
def _catalogue(lang: str, game: str) -> NullTranslations | None:
    """The words of a game, or of the frame, in a language; None when they are not all written."""
    if lang == LANGUAGES[0]:
        return translating.nothing()
    return translating.load(tuple(_sources(game)), lang)


@cache
def translations(lang: str, game: str = "") -> NullTranslations:
    """What a language says: the words of the game, and those of the frame behind them."""
    frame = _catalogue(lang, FRAME) or translating.nothing()
    own = _catalogue(lang, game) if game else None
    if own is None or lang == LANGUAGES[0]:
        return frame
    return translating.chained(own, frame)


@cache
def says(lang: str) -> Callable[..., str]:
    """Words that no template holds: the message in that language, with its `%(names)s` filled in."""
    gettext = translations(lang).gettext
    return lambda message, **facts: gettext(message) % facts


def called(seat: str, lang: str) -> str:
    """A seat in a sentence, as `seat` in frame/words.j2 has it: a number or two letters alone are no name."""
    return says(lang)("seat %(seat)s", seat=seat) if seat.isdecimal() or len(seat) < 3 else seat


def keep_bytecode(folder: Path) -> None:
    """Keep compiled templates in this folder, which must be the host's own: what lies there is run."""
    make_folder(folder)
    _bytecode[:] = [folder]
    _environment.cache_clear()
    load_all.cache_clear()


class _Kept(FileSystemBytecodeCache):
    """The kept templates. Who may not write there, as a bounded process at night, compiles for himself."""

    def dump_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            super().dump_bytecode(bucket)


def _kept(html: bool) -> FileSystemBytecodeCache | None:
    # Jinja names a compiled template after its source alone. The same source compiles differently with autoescape, so
    # each environment has names of its own: else the HTML environment could be served code that does not escape.
    pattern = "html_%s.cache" if html else "text_%s.cache"
    return _Kept(str(_bytecode[0]), pattern) if _bytecode else None
