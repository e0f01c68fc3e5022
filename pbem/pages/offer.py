"""The offer: what a seat may choose from now, with what the rules say each move would do.

The same question as the menu of a report asks, answered at length: the moves of a seat are made of what it may know.
"""

from __future__ import annotations

from itertools import islice
from typing import Any

from engine import Notice as Warned
from engine import Seat
from engine.registry import AnyGame
from pbem.reports import environment, plain
from pbem.reports.report import menu
from pbem.reports.words import Memo, Words

MOST = 600  # of more moves nobody finds his own in a list
FEW = 80  # of so many each one is tried, to tell what it would do


def offer(rules: AnyGame, state: Any, seat: Seat, lang: str) -> dict[str, Any] | None:
    """The moves a page offers; None when the seat has nothing to decide. `moves` None: too many, write by hand."""
    short = menu(rules, state, seat)
    if short is None:
        return None
    found = list(islice(rules.moves(state, seat), MOST + 1))
    said = {"default": short.default, "examples": list(short.examples), "most": MOST}
    if len(found) > MOST:
        return {**said, "moves": None}
    told = _Telling(rules, state, seat, lang).told if len(found) <= FEW else _untold
    return {**said, "moves": [told(move) for move in found]}


def _untold(move: Any) -> dict[str, Any]:
    return {"move": str(move), "does": [], "warns": []}


class _Telling:
    """What each move would do, in the words of the game."""

    def __init__(self, rules: AnyGame, state: Any, seat: Seat, lang: str) -> None:
        self.rules, self.state, self.seat, self.lang = rules, state, seat, environment.language(lang, rules)
        self.view = rules.view(state, seat)
        self.memo = Memo()

    def told(self, move: Any) -> dict[str, Any]:
        words = Words(self.rules, self.lang, self.memo)
        events = self.rules.preview(self.state, self.seat, move)
        does = [[words.sentence(event, self.view), event.rule] for event in events]
        warns = [[self._warning(said), said.rule] for said in self.rules.notices(self.state, self.seat, move)]
        return {"move": str(move), "does": does, "warns": warns}

    def _warning(self, said: Warned) -> str:
        text = environment.translations(self.lang, self.rules.id).gettext(said.text)
        return plain.one_line(str(Warned(said.rule, said.code, text, said.facts)), 1000)
