"""Nothing is told in words that no catalogue was asked for: all letters of all games, read in a language of brackets.

`pseudo` says why this shows everything. What players, hosts and rules bring is cut out first: names, orders, positions,
boards in letters, the keys of the order form, and dates, which Babel tells.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator
from typing import Any, get_args

import pytest
from babel.dates import get_day_names, get_month_names

from games.yuan.box import CLANS
from games.yut.moves import NEW
from pbem.reports import environment, html, text
from pbem.reports.report import Answered, Letter, News, Notice, Reader, Stands, Told
from pbem.reports.telling import Telling, tell
from pbem.reports.words import Memo
from tests.pbem.languages.pseudo import LANG, pseudo, spoken, unsaid
from tests.pbem.languages.test_letters import (
    AT,
    GAMES,
    TURNS,
    ZONES,
    asked_in,
    game_of,
    receipt,
    words_of_orders,
)
from tests.pbem.reports.played import NAMES, Game, report

__all__ = ["pseudo"]

EVERY = pytest.mark.parametrize("name", GAMES)
USING = pytest.mark.usefixtures("pseudo")
SMALL = frozenset(["of", "to", "is", "in", "on", "it", "no", "or", "by", "at", "as", "be", "we", "an", "if"])
NAMED = (*NAMES, "jade-river", "Asia/Kathmandu", "UTC", "K7Q2-9FXM", "ab" * 32, "ef" * 32)
DATES = tuple(word for table in (get_day_names, get_month_names) for word in table("wide", locale=LANG).values())
PROPER = {"yuan": tuple(card.name for card in CLANS.values()), "yut": (NEW,)}
"""Names, and words of orders, that are the same in every language."""
KEY = re.compile(r"(?m)^(?:game|seat|turn|key|end): .*$|^(?:orders|standing):|^ *- .*$")


def left(said: str, told: Telling, cut: Iterable[str]) -> list[str]:
    """The words of a text that stand outside of brackets and are nobody's name, order, board or position."""
    rest = " ".join(said.split())
    if told.position:  # which a letter breaks where a line is full
        rest = re.sub(r"\s*".join(map(re.escape, "".join(told.position.split()))), " ", rest)
    board = (line for line in told.drawn.split("\n") if line.strip())
    for other in filter(None, (told.form, *board, *sorted({*cut, *_orders(told)}, key=len, reverse=True))):
        rest = rest.replace(" ".join(other.split()), " ")
    return words(unsaid(rest))


def _orders(told: Telling) -> Iterator[str]:
    """The orders that a letter shows."""
    for trouble in told.troubles:
        yield from (trouble.order, *trouble.legal)
    if told.menu:
        yield from (told.menu.default, *told.menu.examples)
    yield told.silence


def words(rest: str) -> list[str]:
    """What is written in letters alone, and is no number of a place and no abbreviation."""
    found = re.findall(r"(?<![\w-])[^\W\d_]+(?![\w-])", rest)
    return [word for word in found if word in SMALL or len(word) > (4 if word.isupper() else 2)]


def known(game: Game) -> list[str]:
    return [*NAMED, *DATES, *PROPER.get(game.rules.id, ()), game.rules.title.get(LANG, game.rules.title["en"])]


def missed(letter: Letter, game: Game, cut: Iterable[str] = ()) -> Iterator[str]:
    """Every word of a letter that would stay English in any language."""
    told = tell(letter, Memo())
    names = [*known(game), *cut]
    for said in (text.from_told(told), spoken(html.render(letter)), text.subject(letter)):
        yield from left(said, told, names)
    form = KEY.sub("", re.sub("(?m)^# ?", "", told.form))
    yield from left(form, dataclasses.replace(told, form=""), names)
    yield from (word for word in words(unsaid(told.drawn)) if len(word) > 4 and word not in names)


def reader() -> Reader:
    return Reader("Ann", LANG, ZONES[LANG])


def notice(game: Game, kind: str, **more: Any) -> Notice:
    return Notice(
        kind=kind,  # type: ignore[arg-type]
        game="jade-river",
        rules=game.rules,
        players=dict(zip(game.rules.seats(game.options), NAMES, strict=False)),
        seat="1",
        reader=reader(),
        turn=2,
        deadline=AT,
        head="ab" * 32,
        **more,
    )


def test_english_outside_of_brackets_is_found() -> None:
    """The weakened build of all of these: letters in English, of which no word stands in brackets."""
    game = game_of(GAMES[0])
    assert len([*missed(report(game, "1", TURNS), game, words_of_orders(game))]) > 100
    assert len([*missed(notice(game, "help"), game)]) > 10


@USING
@EVERY
def test_reports(name: str) -> None:
    """A sentence of a template without `_()`, or one that the extraction passes over, makes it fail."""
    game = game_of(name)
    for seat in game.rules.seats(game.options):
        letter = dataclasses.replace(report(game, seat, TURNS), reader=reader())
        assert [*missed(letter, game, words_of_orders(game))] == []


@USING
@EVERY
@pytest.mark.parametrize("fate", ["accepted", "refused"])
def test_receipts(name: str, fate: str) -> None:
    game, seat = asked_in(game_of(name))
    letter = receipt(game, LANG, fate, seat)
    assert [*missed(letter, game, words_of_orders(game))] == []


@USING
@EVERY
@pytest.mark.parametrize("kind", [*get_args(Told), *get_args(Answered)])
def test_notices(name: str, kind: str) -> None:
    game = game_of(name)
    assert [*missed(notice(game, kind), game)] == []


NEWS = {
    "gone": {"times": 3},
    "held": {"until_at": "2026-11-19T20:00:00Z"},
    "absent": {"mode": "wait", "first_at": "2026-11-19T20:00:00Z", "last_at": "2026-11-29T20:00:00Z"},
    "substitute": {"player": "Ben"},
    "taken_back": {"turn": 1},
    "moved": {"until_at": "2026-11-19T20:00:00Z"},
    "void": {"reason": "Ben"},
    "ruled": {"reason": "Ben"},
    "schedule": {"words": "Ben"},
    "silence": {"words": "Ben"},
    "looked": {"by": "Ben"},
    "disputed": {"number": 1},
    "asked_back": {"turn": 1, "agreed": ["2"], "reason": "Ben"},
    "asked_draw": {"agreed": ["2"]},
    "settled": {"number": 1, "reason": "Ben"},
}
"""What news tell of; kinds that are not here tell of nothing but a seat."""


@USING
@pytest.mark.parametrize("mode", ["wait", "stand-in", "standing"])
def test_news(mode: str) -> None:
    """A new kind of news is found in the template."""
    game = game_of(GAMES[0])
    template = environment.environment("en", html=False).get_template("frame/news.j2").module
    kinds = {name for name in vars(template) if not name.startswith("_")} - {"named", "agreed", "away"}
    assert set(NEWS) <= kinds
    news = [News(kind, "2", {"mode": mode} | NEWS.get(kind, {})) for kind in sorted(kinds)]
    said = [*missed(notice(game, "news", news=tuple(news)), game)]
    assert [word for word in said if word not in ("take", "back", "draw", "no")] == []


@USING
def test_standing_answers_that_are_yes_or_no() -> None:
    game, seat = asked_in(game_of(GAMES[0]))
    stands = Stands((), (), {"raid": True, "wait": False, "for": None, "who": []})
    letter = dataclasses.replace(receipt(game, LANG, "accepted", seat), stands=stands)
    assert [*missed(letter, game, ("raid", "wait", "for", "who", "true", "false"))] == []
