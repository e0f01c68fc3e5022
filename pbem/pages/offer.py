"""The offer: what a seat may choose from now, choice by choice, with what the rules say of each.

The same question as the menu of a report asks, answered at length: the moves of a seat are made of what it may know.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from engine import Refusal, Seat
from engine.composing import Part, Said
from engine.registry import AnyGame
from pbem.pages.choices import choices
from pbem.reports import environment, plain
from pbem.reports.report import menu
from pbem.reports.words import Memo, Words

MOST = 30_000  # a decision of so many moves is looked through in a second; one of more is written by hand
LONGEST = 1000  # of one message
FEW = 80  # of so many each one is tried, to tell what it would do


def offer(rules: AnyGame, state: Any, seat: Seat, lang: str) -> dict[str, Any] | None:
    """What a page offers; None when the seat has nothing to decide. `choices` None: too many, write by hand."""
    short = menu(rules, state, seat)
    if short is None:
        return None
    said = {"default": short.default, "examples": list(short.examples), "most": MOST, "purse": None, "choices": None}
    found = list(islice(rules.moves(state, seat), MOST + 1))
    if len(found) > MOST:
        return said
    telling = _Telling(rules, state, seat, lang)
    composer = telling.composer
    if composer.purse is not None:
        name, amount, shared = composer.purse
        said["purse"] = {"name": telling.message(name), "amount": amount, "shared": shared}
    net = choices(map(telling.tried if len(found) <= FEW else composer.parts, found), telling.message)
    return {**said, "choices": net.to_json(), "count": len(found), "on_map": net.has_places}


class _Telling:
    """What choices and moves would do, in the words of the game."""

    def __init__(self, rules: AnyGame, state: Any, seat: Seat, lang: str) -> None:
        self.rules, self.state, self.seat = rules, state, seat
        self.lang = environment.language(lang, rules)
        self.view, self.composer = rules.view(state, seat), rules.composer(state, seat)
        self.words = Words(rules, self.lang, Memo())

    def message(self, said: Said) -> str:
        """A message in the language; one without facts may be in its last words already."""
        text = self.words.answer(said.text)
        if said.facts:
            text = str(Refusal("", "", text, {name: self._fact(fact) for name, fact in said.facts}))
        return plain.one_line(text, LONGEST)

    def _fact(self, fact: Any) -> Any:
        if isinstance(fact, Said):
            return self.message(fact)
        if isinstance(fact, str):
            return plain.one_line(self.words.fact(fact))
        return [self._fact(item) for item in fact] if isinstance(fact, tuple | list) else fact

    def tried(self, move: Any) -> tuple[Part, ...]:
        """The choices of the move; what it would do is told with the last of them."""
        *before, last = self.composer.parts(move)
        known = {self.message(note) for part in (*before, last) for note in part.notes}
        more = [note for note in self._does(move) if note.text not in known]
        return (*before, last._replace(notes=(*last.notes, *more)))

    def _does(self, move: Any) -> Iterator[Said]:
        for said, rule, _ in self.words.story(self.rules.preview(self.state, self.seat, move), self.view):
            yield Said(said, rule)
        for warned in self.rules.notices(self.state, self.seat, move):
            yield Said(self.message(Said(warned.text, "", tuple(warned.facts.items()))), warned.rule)
