"""What games answer to orders, right and wrong ones, in a language of brackets: refusals and warnings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

import pytest

from engine import Notice, Refusal, Seat
from pbem.reports.telling import tell
from pbem.reports.words import Memo
from tests.every_game.probes import probes
from tests.pbem.languages.pseudo import pseudo, unsaid
from tests.pbem.languages.test_brackets import PROPER, notice, words
from tests.pbem.languages.test_letters import GAMES, game_of
from tests.pbem.reports.played import Game

__all__ = ["pseudo"]

ORDER = re.compile(r"[^\W\d_]+")


def answers(game: Game, state: Any, seat: Seat, luck: Random) -> Iterator[tuple[Any, Refusal | Notice]]:
    """Orders, and what the game says of each."""
    for order in probes(game.rules, state, (seat,), luck, 60):
        move = game.rules.read(state, seat, order)
        if isinstance(move, Refusal):
            yield order, move
        elif seat in game.rules.pending(state):
            yield from ((order, warned) for warned in game.rules.notices(state, seat, move))


LONG = 30  # what somebody wrote is cut short


def in_any_case(order: str) -> list[str]:
    return ORDER.findall(f"{order} {order.lower()} {order.upper()}")


def menu(game: Game, state: Any) -> set[str]:
    """The words of legal orders."""
    legal = (move for seat in game.rules.pending(state) for move in islice(game.rules.moves(state, seat), 300))
    return {word for move in legal for word in in_any_case(str(move))}


def missed(game: Game, said: Refusal | Notice, own: set[str]) -> set[str]:
    """The words of an answer that would stay English in any language."""
    line = Notice(said.rule, said.code, said.text, said.facts)
    [told] = tell(notice(game, "message", lines=(line,)), Memo()).notices
    return {word for word in words(unsaid(told.text)) if len(word) < LONG and word not in own}


@pytest.mark.usefixtures("pseudo")
@pytest.mark.parametrize("name", GAMES)
def test_answers(name: str) -> None:
    """A fact in English makes it fail, as `a goat` that is not among a game's words."""
    game, luck, codes = game_of(name), Random(3), set()
    seats = game.rules.seats(game.options)
    for turn in game.turns[1::2]:
        legal = {*menu(game, turn.before), *seats, *PROPER.get(name, ())}
        for seat in seats:
            for order, said in answers(game, turn.before, seat, luck):
                codes.add(said.code)
                written = {*in_any_case(str(order))}
                assert missed(game, said, legal | written) == set(), (order, str(said))
    assert len(codes) >= 4, "many kinds of answers"
