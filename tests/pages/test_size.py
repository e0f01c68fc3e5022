"""A page of sixty turns is small enough for a mail, and each of its turns is shown as it was."""

from __future__ import annotations

from functools import cache
from itertools import islice
from random import Random
from typing import Any, NamedTuple

import pytest

from engine import Dice, Event, load
from pbem.pages.document import document
from pbem.pages.frames import packed
from pbem.pages.offer import offer
from pbem.pages.rules import cited, rules_of
from pbem.reports import json as json_report
from pbem.reports.report import Report, Step, Taken
from pbem.reports.words import Memo, Words, marks
from tests.pages.test_telling import frames_of

LARGEST = 400_000
TURNS = 60
GAMES = {  # with as many seats and pieces as a game may have
    "bagh-chal": {},
    "hasami-shogi": {},
    "jarmo": {},
    "yut": {"players": "4"},
    "khan": {"players": "4"},
    "conquest": {"players": "4"},
    "yuan": {"players": "8", "auction": "true", "powers": "true", "volcanoes": "true", "rivers": "true"},
}


class Played(NamedTuple):
    """A decision of a game, as a seat was told of it."""

    told: Any
    picture: str


class Game(NamedTuple):
    """A game of sixty decisions, or one that came to its end before."""

    rules: Any
    state: Any  # in which somebody is asked
    seat: str
    played: list[Played]


@cache
def long_game(game: str) -> Game:
    """The longest of a few games of random moves."""
    return max((_game(game, seed) for seed in range(4)), key=lambda one: len(one.played))


def _game(game: str, seed: int) -> Game:
    rules, source, dice = load(game), Random(seed), Dice(b"sixty turns!" * 3, f"{game} {seed}")
    options = rules.Options(**GAMES[game])
    state, asked = rules.setup(options, dice.at("setup")).state, None
    seat, played = rules.seats(options)[0], list[Played]()
    while (pending := rules.pending(state)) and len(played) < TURNS:
        asked = state
        moves = {mover: source.choice(list(islice(rules.moves(state, mover), 5000))) for mover in pending}
        state, events = rules.resolve(state, moves, dice.at(str(len(played))))
        taken = tuple(Taken(mover, rules.shown(asked, mover, move, seat), "given") for mover, move in moves.items())
        played.append(_told(rules, state, seat, len(played) + 1, taken, events))
    return Game(rules, asked, seat, played)


def _told(rules: Any, state: Any, seat: str, turn: int, taken: Any, events: tuple[Event, ...]) -> Played:
    seen = tuple(known for event in events if (known := event.seen_by(seat)) is not None)
    view = rules.view(state, seat)
    report = Report(game="coral", rules=rules, seat=seat, turn=turn, view=view, steps=(Step(turn, taken, seen),))
    return Played(json_report.plain(report), str(Words(rules, "en", Memo()).pictured(view, marks(seen))))


def page(game: str) -> str:
    """The page of the last of these turns, with everything that its seat may order."""
    found = long_game(game)
    return page_of(found.rules, found.state, found.rules.pending(found.state)[0], [one.told for one in found.played])


def page_of(rules: Any, state: Any, asked: str, told: list[Any]) -> str:
    """A page of this state after these reports, for a seat that is asked."""
    order = {
        "key": "k" * 32,
        "to": "orders+" + "k" * 32 + "@example.org",
        "offer": offer(rules, state, asked, "en"),
        "stands": {"orders": [], "draft": False},
        "standing": {},
        "standing_choices": {"consent": ("ask", "always", "never")},
        "conditions": [],
        "file_keys": {},
        "asks_standing": True,
        "may_write": ["all"],
        "others": [],
    }
    shown = {
        "game": "coral",
        "seat": asked,
        "turn": len(told),
        "players": {},
        "called": {seat: seat for seat in rules.seats(rules.Options())} | {asked: asked},
        "named": {seat: f"Seat {seat}" for seat in rules.seats(rules.Options())},
        "order": order,
        "frames": packed(rules, told),
    }
    ruled = rules_of(rules.id, "en")
    shown["rules"] = {"page": "", "places": ruled.places(cited(shown))}
    texts = {"title": rules.id, "deadlines": (), "home": "", "rules": ruled}
    return document("page.html.j2", "en", script="page.js", shown=shown, **texts)


@pytest.mark.parametrize("game", list(GAMES))
def test_sixty_turns_take_less_than_they_may(game: str) -> None:
    """Weakened build: pictures stored whole, turn by turn, as `whole` counts them."""
    whole = sum(len(one.picture) for one in long_game(game).played)
    assert len(long_game(game).played) > 40
    assert len(page(game).encode()) < LARGEST < whole


@pytest.mark.parametrize("game", list(GAMES))
def test_each_turn_is_shown_as_it_was(game: str) -> None:
    found = long_game(game)
    frames = packed(found.rules, [one.told for one in found.played])
    for one, (frame, picture, words) in zip(found.played, frames_of({"frames": frames}), strict=True):
        assert "\n".join(picture) == one.picture
        assert "\n".join(words) == "\n".join(one.told["words"])
        assert frame["position"] == one.told["position"]
