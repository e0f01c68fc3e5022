"""Maps of every game along games that chance plays: all option sets, early, in the middle and at the end."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from engine import Event, View, games, load
from pbem.paths import data
from pbem.reports.environment import LANGUAGES
from pbem.reports.words import Memo, Words, marks
from tests.every_game.option_sets import option_sets
from tests.every_game.playing import dice_of

LONGEST = 400  # decision points that are played
SETS = 8  # option sets of a game
CROWDED = 830  # units: so wide are maps of six seats and more, where names of four letters touch those beside them


OURS = [game for game in games() if (data("templates") / game / "board.svg.j2").is_file()]


class Board(NamedTuple):
    """One map and what it was drawn from."""

    game: str
    options: Any
    number: int
    view: View
    svg: str

    def __str__(self) -> str:
        return f"{self.game} {self.options.to_json()} after {self.number} decisions"


def drawn(game: str, state: Any, events: tuple[Event, ...], seat: str | None = None) -> str:
    return pictured(game, load(game).view(state, seat), marks(events))


def pictured(game: str, view: View, changed: tuple[str, ...], lang: str = "en") -> str:
    return str(Words(load(game), lang, Memo()).pictured(view, changed))


@cache
def boards(game: str) -> tuple[Board, ...]:
    return tuple(board for options in option_sets(game)[:SETS] for board in _along(game, options))


def spoken(game: str) -> Iterator[Board]:
    """The later boards with the words of the other languages, which are longer."""
    for board in boards(game)[4::5]:
        for lang in LANGUAGES[1:]:
            yield board._replace(svg=pictured(game, board.view, (), lang))


def _along(game: str, options: Any) -> Iterator[Board]:
    rules = load(game)
    played = list(_played(game, options))
    for number in sorted({0, 3, len(played) // 3, 2 * len(played) // 3, len(played) - 1}):
        if number < len(played):
            state, events = played[number]
            yield Board(game, options, number, rules.view(state, None), drawn(game, state, events))


def _played(game: str, options: Any) -> Iterator[tuple[Any, tuple[Event, ...]]]:
    rules, luck = load(game), random.Random(7)
    turned = rules.setup(options, dice_of(7, 0))
    yield turned.state, tuple(turned.events)
    for number in range(1, LONGEST + 1):
        pending = rules.pending(turned.state)
        if not pending:
            return
        moves = {seat: luck.choice(list(rules.moves(turned.state, seat))) for seat in pending}
        turned = rules.resolve(turned.state, moves, dice_of(7, number))
        yield turned.state, tuple(turned.events)


@cache
def story(game: str) -> tuple[tuple[Any, tuple[Event, ...]], ...]:
    """Every state of one game of the default options, with the events that led to it."""
    return tuple(_played(game, load(game).Options()))
