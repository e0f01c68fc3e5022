"""What a game's own templates say: its sentences, its position in words, its board drawn and pictured.

A game without such templates is told in plain facts. Nothing here knows a game: everything goes through its templates'
names and the view.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Self, TypeVar

from jinja2 import TemplateNotFound
from markupsafe import Markup

from engine import Event, Game, Outcome, Seat, View
from pbem.reports import environment, fallback, plain, translating

Rules = Game[Any, Any]
Text = TypeVar("Text", bound=str)


class Memo:
    """What the reports of one game's turn have in common, found once. Hand the same memo to all reports of a turn.

    What was rendered is used again for another seat only when everything its template looked at is the same there.
    A memo holds on to what it was shown, so keep it no longer than the turn.
    """

    def __init__(self) -> None:
        self._known: dict[Any, list[tuple[Any, dict[str, Any], Any]]] = {}
        self.told: dict[int, tuple[Any, Any]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Let go of what was told, which refers to the memo again: else it lies about until a collection finds it."""
        self.told.clear()

    def once(self, key: Any, holding: Any, view: View, make: Callable[[Watched], Text]) -> Text:
        """What `make` makes of the view, made anew only when the view differs in something it looked at.

        `key` may contain the id of `holding`, which is kept alive here so that the id stays its own.
        """
        known = self._known.setdefault(key, [])
        for _, seen, made in known:
            if all(_same(value, getattr(view, name)) for name, value in seen.items()):
                return made  # type: ignore[no-any-return]
        watched = Watched(view)
        made = make(watched)
        known.append((holding, watched.seen, made))
        return made


def _same(one: Any, other: Any) -> bool:
    return one is other or one == other


class Watched:
    """A view that notes which of its fields a template looks at."""

    __slots__ = ("__view", "seen")

    def __init__(self, view: View) -> None:
        self.__view = view
        self.seen: dict[str, Any] = {}

    def __look(self, name: str) -> Any:
        value = self.seen[name] = getattr(self.__view, name)
        return value

    @property
    def seat(self) -> Seat | None:
        return self.__look("seat")  # type: ignore[no-any-return]

    @property
    def pending(self) -> tuple[Seat, ...]:
        return self.__look("pending")  # type: ignore[no-any-return]

    @property
    def decision(self) -> str:
        return self.__look("decision")  # type: ignore[no-any-return]

    @property
    def position(self) -> str:
        return self.__look("position")  # type: ignore[no-any-return]

    @property
    def facts(self) -> Mapping[str, Any]:
        return self.__look("facts")  # type: ignore[no-any-return]


class Words:
    """The words of one game in one language."""

    def __init__(self, rules: Rules, lang: str, memo: Memo) -> None:
        self.rules, self.lang, self.memo = rules, lang, memo
        environment.brought().add(rules)
        self._text = environment.environment(lang, html=False, game=rules.id)
        self._catalogue = environment.translations(lang, rules.id)
        self._macros = self._module("events.j2")
        self._together: Mapping[str, str] = getattr(self._macros, "together", {})

    def story(self, events: Iterable[Event], view: View) -> Iterator[tuple[str, str, int]]:
        """The events in plain sentences, each with its rule and how many of them it tells: `together` in a game's
        templates names kinds of which a row that differs in one fact alone is told at once."""
        for row in self._rows(events):
            said = self.sentence(row[0], view) if len(row) == 1 else self._at_once(row, view)
            yield said, row[0].rule, len(row)

    def _rows(self, events: Iterable[Event]) -> Iterator[list[Event]]:
        row: list[Event] = []
        for event in events:
            if row and _goes_on(row[-1], event, self._together.get(event.kind)):
                row.append(event)
                continue
            if row:
                yield row
            row = [event]
        if row:
            yield row

    def _at_once(self, row: list[Event], view: View) -> str:
        """The sentence of the first, the fact in which they differ being the list of all."""
        first, name = row[0], self._together[row[0].kind]

        def make(watched: Watched) -> str:
            facts = {**first.facts, name: [event.facts[name] for event in row]}
            return plain.one_line(str(getattr(self._macros, first.kind)(facts, watched)), 1000)

        return self.memo.once((self.lang, *map(id, row)), row, view, make)

    def sentence(self, event: Event, view: View) -> str:
        """One plain sentence for an event, without its rule id."""

        def make(watched: Watched) -> str:
            macro = getattr(self._macros, event.kind, None)
            said = fallback.sentence(event) if macro is None else str(macro(event.facts, watched))
            return plain.one_line(said, 1000)

        return self.memo.once((self.lang, id(event)), event, view, make)

    def answer(self, text: str) -> str:
        """A refusal's or notice's text, whose facts are still to be filled in."""
        return self._catalogue.gettext(text)

    def fact(self, word: str) -> str:
        """A word of an answer's facts: in the language when it is one of the game's own, else as it is."""
        return self._catalogue.pgettext(translating.FACT, word)

    def name(self, name: str) -> str:
        """What a decision is called."""
        return self._catalogue.pgettext(translating.NAME, fallback.spaced(name))

    def ending(self, outcome: Outcome) -> str:
        """Why the game is over, in one plain sentence; "" when nothing is known of it. The host ends games, too."""
        for folder in (environment.FRAME, self.rules.id):
            said = self._rendered("ending.txt.j2", folder, outcome=outcome)
            if said and said.strip():
                return plain.one_line(said, 1000)
        return fallback.ending(outcome.reason)

    def described(self, view: View) -> str:
        """The position in words, paragraphs or lines: what is the reader's own, then what all are told."""

        def own(watched: Watched) -> str:
            return self._rendered("you.txt.j2", view=watched) or ""

        def make(watched: Watched) -> str:
            said = self._rendered("words.txt.j2", view=watched)
            return plain.clean(fallback.words(watched.facts) if said is None else said)

        before = plain.clean(self.memo.once((self.lang, "you"), None, view, own))
        return (before + self.memo.once((self.lang, "words"), None, view, make)).strip()

    def drawn(self, view: View) -> str:
        """The board in text; "" when the game draws none."""

        def make(watched: Watched) -> str:
            return self._rendered("board.txt.j2", view=watched) or ""

        return plain.clean(self.memo.once((self.lang, "board"), None, view, make)).strip("\n").rstrip()

    def pictured(self, view: View, marks: tuple[str, ...]) -> Markup | None:
        """The board as SVG; None when the game has no picture. `marks` are the places of the last changes."""
        name = f"{self.rules.id}/board.svg.j2"

        def make(watched: Watched) -> Markup:
            try:
                template = environment.environment(self.lang, html=True, game=self.rules.id).get_template(name)
            except TemplateNotFound:
                return Markup("")
            # Everything in it that is not the template's own has been escaped by autoescape, so it is markup now.
            return Markup(template.render(view=watched, marks=marks).strip())

        return self.memo.once((self.lang, "picture", marks), None, view, make) or None

    def _rendered(self, name: str, folder: str = "", **context: Any) -> str | None:
        try:
            template = self._text.get_template(f"{folder or self.rules.id}/{name}")
        except TemplateNotFound:
            return None
        return template.render(**context)

    def _module(self, name: str) -> Any:
        try:
            return self._text.get_template(f"{self.rules.id}/{name}").module
        except TemplateNotFound:
            return None


def _goes_on(before: Event, event: Event, name: str | None) -> bool:
    """Whether the two differ in nothing but that fact."""
    if name is None or (before.kind, before.rule) != (event.kind, event.rule):
        return False
    return {**before.facts, name: None} == {**event.facts, name: None}


def marks(events: Iterable[Event]) -> tuple[str, ...]:
    """Every word in the facts of these events, once, in order: a game's picture marks those that are its places."""
    found: dict[str, None] = {}
    for event in events:
        for fact in event.facts.values():
            _collect(fact, found)
    return tuple(found)


def _collect(fact: Any, found: dict[str, None]) -> None:
    if isinstance(fact, str):
        found[fact] = None
    elif isinstance(fact, Mapping):
        for name, item in fact.items():
            found[str(name)] = None  # as in {place: how many}
            _collect(item, found)
    elif isinstance(fact, list | tuple):
        for item in fact:
            _collect(item, found)
