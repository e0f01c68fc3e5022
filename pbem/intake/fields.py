"""Fields: a file is read as an order form. All that is wrong is told at once; nothing is dropped in silence."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from datetime import date
from typing import Any, TypeVar

from engine.entries import ELSE, IF, THEN, Entry, Path, read_entry
from engine.refusal import Refusal
from pbem.intake import masks
from pbem.intake.away import MODES, mode_of
from pbem.intake.characters import decode, visible, words
from pbem.intake.form import (
    ABSENT,
    DRAFT,
    END,
    GAME,
    KEY,
    KEYS,
    NONCE,
    ORDERS,
    SAY,
    SEAT,
    STANDING,
    TO_ALL,
    TURN,
    Absence,
    Form,
    Reading,
)
from pbem.intake.limits import USUAL, Limits
from pbem.intake.mail.forms import forms
from pbem.intake.mail.quoting import lines_of
from pbem.intake.mail.reading import TWO_FORMS
from pbem.intake.near import nearest
from pbem.intake.problems import Mark, Problem, Subject, Unreadable, listed, problem
from pbem.intake.sketch import sketch
from pbem.intake.values import Values
from pbem.intake.yaml_events import Tree, parse, text_of

YES = frozenset({"true", "yes", "y", "on", "1", "oui", "vrai", "sì", "si", "vero"})
NO = frozenset({"false", "no", "n", "off", "0", "non", "faux", "falso"})
ARMS = frozenset({IF, THEN, ELSE})
NOTHING_GIVEN: Mapping[str, str] = {}
DAYS_AWAY = "{since: 2026-12-20, until: 2026-12-31, mode: stand-in}"
T = TypeVar("T")


def read_form(
    raw: bytes,
    *,
    body: bool = False,
    game_keys: Collection[str] = (),
    conditions: Collection[str] = (),
    given: Mapping[str, str] = NOTHING_GIVEN,
    limits: Limits = USUAL,
) -> Reading:
    """The form in a file, and everything that is wrong with it.

    In the `body` of a mail the line `end: orders` is required, so that a mail cut short is never a shorter order.
    `game_keys` are the keys that rules of games add to the host's own, `conditions` what their `if:` may ask about.
    `given` are game, seat, turn and key as the address says them that the form came to; what the form says goes first.
    """
    try:
        if len(raw) <= limits.order_bytes and (twice := _several(decode(raw), game_keys)) is not None:
            return twice
        tree = parse(raw, limits)
    except Unreadable as error:
        # Whoever sent it is told, when the key in it is right.
        return Reading(sketch(text_of(raw[: limits.order_bytes])), (error.problem,))
    if not isinstance(tree.data, dict) or not tree.data:
        return Reading(None, (_no_order(tree),))
    fields = _Fields(tree, frozenset(game_keys), frozenset(conditions), given, limits)
    form = fields.form(body)
    problems = listed(fields.values.problems, limits.problems)
    if not problems and not form.says_something:
        problems = (_no_order(tree),)
    return Reading(form if form.game and form.seat else None, problems)


def _several(text: str, game_keys: Collection[str]) -> Reading | None:
    """The refusal of a text in which two new forms stand that differ, below each other or as two YAML documents.

    They are found as in a mail, so that the same text comes to the same whichever way it is sent.
    """
    if len(_begun.findall(text)) < 3:  # `game:` and `orders:` of one form are two
        return None
    found = [form for form in forms(lines_of(text), game_keys) if not form.depth and not form.forwarded]
    other = next((form for form in found[1:] if form.words != found[0].words), None)
    if other is None:
        return None
    sentence = (
        "Two different order forms stand here, on line {first} and on line {second}. Send only the one that counts."
    )
    mark = Mark(other.line, 1, other.line, 2)
    why = problem(TWO_FORMS, sentence, mark, first=found[0].line, second=other.line)
    return Reading(sketch(found[0].text), (why,))


_begun = re.compile(rf"^[ \t]*[\"']?(?:{GAME}|{ORDERS})[\"']?[ ]*:", re.M | re.I)


def _no_order(tree: Tree) -> Problem:
    sentence = "No order was found here. An order form has the keys {keys}."
    return problem("no_order", sentence, tree.mark(()), keys=[GAME, SEAT, TURN, KEY, ORDERS, END])


class _Fields:
    """Goes through the keys of one file."""

    def __init__(
        self,
        tree: Tree,
        game_keys: frozenset[str],
        conditions: frozenset[str],
        given: Mapping[str, str],
        limits: Limits,
    ) -> None:
        self.conditions, self.given = conditions, given
        self.tree, self.known = tree, (*KEYS, *sorted(game_keys - set(KEYS)))
        self.values = Values(tree, limits)
        self.written = self._written()

    def form(self, body: bool) -> Form:
        """The form as far as it can be read."""
        orders, places, count = self._orders()
        extra = {key: self._deep(key) for key in self.known[len(KEYS) :] if key in self.written}
        return Form(
            game=(self._needed(GAME) or "").lower(),  # as the names of all games are
            seat=self._needed(SEAT) or "",
            turn=self._turn(self._needed(TURN)),
            key=self.values.name(self.written[KEY]) if KEY in self.written else self.given.get(KEY),
            orders=orders,
            places=places,
            written=count,
            draft=self._given(DRAFT, self._draft) or False,
            standing=self._given(STANDING, self._standing),
            say=self._given(SAY, self._press) or {},
            nonce=self._given(NONCE, self.values.name),
            absent=self._given(ABSENT, self._absence),
            extra=extra,
            ended=self._end(body),
            marks=self._marks(count),
        )

    def _written(self) -> dict[str, str]:
        """Each key that is there -> as it was written. Phones begin lines with a capital, so case does not count."""
        found: dict[str, str] = {}
        for written in self.tree.data:
            key, mark = words(written).casefold(), self.tree.key_mark((written,))
            if key in found:
                sentence = "`{key}` stands here for the second time; the first is on line {first}. Keep one of them."
                first = self.tree.key_mark((found[key],)).line
                self.values.problems.append(problem("duplicate", sentence, mark, key=key, first=first))
            elif key in self.known:
                found[key] = written
            else:
                self.values.problems.append(self._unknown(written, nearest(key, self.known), mark))
        return found

    def _unknown(self, written: str, near: str | None, mark: Mark) -> Problem:
        facts: dict[str, Any] = {"key": visible(written), "known": list(self.known)}
        if near is None:
            return problem("unknown_key", "There is no key `{key}`. The keys are {known}.", mark, **facts)
        sentence = "There is no key `{key}`. Did you mean `{near}`? The keys are {known}."
        return problem("unknown_key", sentence, mark, near=near, **facts)

    def _given(self, key: str, read: Callable[[str], T]) -> T | None:
        """The value of a key; None when it was left out or nothing was written behind it."""
        if key not in self.written or self.tree.letters.get((self.written[key],)) == "":
            return None
        return read(self.written[key])

    def _deep(self, key: str) -> Any:
        written = self.written[key]
        return self.values.deep(self.tree.data[written], (written,), (key,))

    # --- single values ---

    def _needed(self, key: str) -> str | None:
        if key in self.written:
            return self.values.name(self.written[key])
        if key in self.given:
            return self.given[key]
        self.values.wrong("missing", "The line `{key}:` is missing; copy it from your last report.", (), key=key)
        return None

    def _turn(self, text: str | None) -> int | None:
        if text is None:
            return None
        if text.isascii() and text.isdecimal() and len(text) < 10 and int(text) <= self.values.limits.number:
            return int(text)
        sentence = "`turn:` is a whole number; here stands {text}."
        self.values.wrong("turn", sentence, (self.written[TURN],), text=visible(text))
        return None

    def _draft(self, key: str) -> bool:
        text = (self.values.name(key) or "").casefold()
        if text and text not in YES | NO:
            sentence = "`draft:` is `true` or `false`; here stands {text}."
            self.values.wrong("draft", sentence, (key,), text=visible(text))
        return text in YES

    def _standing(self, key: str) -> Mapping[str, Any] | None:
        if isinstance(self.tree.data[key], dict):
            found: Mapping[str, Any] = self._deep(STANDING)
            return found
        sentence = "`standing:` takes keys with their values, on lines of their own and further in."
        self.values.wrong("standing", sentence, (key,))
        return None

    def _press(self, key: str) -> Mapping[str, str]:
        """What is said to whom: a text for all, or a text for each seat named."""
        said = self.tree.data[key]
        said = self.tree.letters[(key,)] if said is None else said
        if isinstance(said, str):
            return {TO_ALL: said.strip()} if said.strip() else {}
        if isinstance(said, dict) and all(isinstance(text, str) and text.strip() for text in said.values()):
            return self._addressed(key, said)
        sentence = "`say:` takes a text, or `seat: text` on lines of their own and further in."
        self.values.wrong("say", sentence, (key,))
        return {}

    def _addressed(self, key: str, said: Mapping[str, str]) -> Mapping[str, str]:
        """The texts by the seat they are for; two ways to write one seat are not two seats."""
        found: dict[str, str] = {}
        for written, text in said.items():
            seat = masks.settled(words(written))
            if seat in found:
                same = (other for other in said if masks.settled(words(other)) == seat)
                first = self.tree.key_mark((key, next(same))).line
                sentence = "`{key}` stands here for the second time; the first is on line {first}. Keep one of them."
                mark = self.tree.key_mark((key, written))
                self.values.problems.append(problem("duplicate", sentence, mark, key=visible(seat), first=first))
            found.setdefault(seat, text.strip())
        return found

    def _absence(self, key: str) -> Absence | None:
        found = _absence(self.tree.data[key])
        if found is None:
            sentence = (
                "`absent:` is your last day away, such as 2026-12-31; or {days}, where the mode is one of {modes}; or"
                " `no` to take it back."
            )
            self.values.wrong("absent", sentence, (key,), days=DAYS_AWAY, modes=list(MODES))
        return found

    def _end(self, body: bool) -> bool:
        if END not in self.written:
            if body:
                sentence = "The line `end: orders` is missing, so this may be cut short. Put it below your orders."
                last = len(self.tree.lines)
                self.values.problems.append(problem("no_end", sentence, Mark(last, 1, last, 1)))
            return False
        text = self.values.name(self.written[END])
        if text is not None and text.casefold() != ORDERS:
            sentence = "The last line is `end: orders`; here stands `end: {text}`."
            self.values.wrong("end", sentence, (self.written[END],), text=visible(text))
        return True

    # --- orders ---

    def _orders(self) -> tuple[tuple[Entry, ...] | None, tuple[Path, ...], int]:
        """The orders that can be read, the path of each, and how many stand in the file."""
        if ORDERS not in self.written:
            return None, (), 0
        written = self.written[ORDERS]
        data = self.tree.data[written]
        if data or data == []:
            data = self.values.orders(written, (ORDERS,))
        if not data and self.tree.data[written] != []:  # nothing, or a text with lines of comments only
            sentence = "No order was found here. If there is nothing to order, write `orders: []`."
            self.values.wrong("no_order", sentence, (written,))
            return None, (), 0
        listed = isinstance(data, list)
        items: list[Any] = data if listed else [data]
        entries: list[Entry] = []
        places: list[Path] = []
        for index, item in enumerate(items):
            place: Path = (ORDERS, index) if listed else (ORDERS,)
            found, faults = read_entry(item, place, self.conditions)
            for fault in faults:
                self._fault(fault.path, fault.why, Subject(index + 1, len(items), "", item))
            if found is not None:
                entries.append(found)
                places.append(place)
        return tuple(entries), tuple(places), len(items)

    def _fault(self, path: Path, why: Refusal, subject: Subject) -> None:
        shown = subject if subject.order else None
        self.values.problems.append(Problem(why, self.values.key_mark(path), shown, path))

    def _marks(self, count: int) -> dict[Path, Mark]:
        """The places that a judge may point at: top keys, orders, and all that is inside of conditionals."""
        marks: dict[Path, Mark] = {(key,): self.tree.mark((written,)) for key, written in self.written.items()}
        marks |= {(ORDERS, index): self.values.mark((ORDERS, index)) for index in range(count)}
        return marks | {place: self.values.mark(place) for place in self.values.paths if ARMS & set(place)}


def _absence(data: Any) -> Absence | None:
    """An absence as a player writes it, or None when it cannot be read."""
    if isinstance(data, str) and words(data).casefold() in YES | NO:
        return Absence(words(data).casefold() in YES)
    days = data if isinstance(data, dict) else {"until": data}
    if not days or set(days) - {"since", "until", "mode"}:
        return None
    try:
        mode = mode_of(words(days["mode"])) if "mode" in days else None
        since, until = (date.fromisoformat(words(days[name])) if name in days else None for name in ("since", "until"))
    except (ValueError, AttributeError, TypeError):
        return None
    if ("mode" in days and mode is None) or (since and until and since > until):
        return None
    return Absence(True, since, until, mode)
