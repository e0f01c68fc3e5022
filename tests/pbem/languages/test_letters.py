"""Whole letters in French and Italian: no sentence of English in them, and times in the reader's zone and language."""

from __future__ import annotations

import dataclasses
import re
from datetime import UTC, datetime
from typing import get_args

import pytest

from engine import Refusal, load
from pbem.reports import environment, html, text
from pbem.reports.report import (
    Answered,
    Letter,
    Notice,
    Place,
    Problem,
    Reader,
    Receipt,
    Stands,
    Told,
    Understood,
    menu,
)
from tests.pbem.languages.extracting import FRAME, folders
from tests.pbem.reports.letters import BARE, bare
from tests.pbem.reports.played import Game, play, report

GAMES = [folder for folder in folders() if folder != FRAME]
TURNS = 30
LANGUAGES = ("fr", "it")
ENGLISH = re.compile(
    r"\b(the|and|of|is|are|was|you|your|with|nothing|has|have|this|that|which|its|not|for|from|by|(?-i:to)|it|seat|turn"
    r"|game|order|legal|move|plays|takes)\b",
    re.IGNORECASE,
)
AT = datetime(2026, 11, 19, 20, 0, tzinfo=UTC)
ZONES = {"fr": "Asia/Kathmandu", "it": "America/St_Johns"}
TIMES = {
    "fr": "vendredi 20 novembre 2026, 01:45 (Asia/Kathmandu, UTC+05:45)",
    "it": "giovedì 19 novembre 2026, 16:30 (America/St_Johns, UTC-03:30)",
}
PLAYED: dict[str, Game] = {}


def game_of(name: str) -> Game:
    if name not in PLAYED:
        PLAYED[name] = play(name, TURNS)
    return PLAYED[name]


def reader(lang: str) -> Reader:
    return Reader("Ann", lang, ZONES[lang])


def receipt(game: Game, lang: str, fate: str, seat: str) -> Receipt:
    """A receipt for the move that silence means, or for orders that the game refuses."""
    rules, state = game.rules, game.state
    asked = menu(rules, state, seat)
    assert asked is not None
    problems, understood = (), ()
    if fate == "refused":
        wrong = [rules.read(state, seat, order) for order in ("zz99", *_elsewhere(asked.examples))]
        refusals = [why for why in wrong if isinstance(why, Refusal)]
        late = Refusal(
            "", "late", LATE, {"turn": 1, "deadline": "2026-11-19T20:00:00Z", "arrived": "2026-11-19T20:00:00Z"}
        )
        problems = tuple(Problem(why, "zz99", Place("mail", 6, 5)) for why in (*refusals, late))
    else:
        move = rules.read(state, seat, asked.default)
        assert not isinstance(move, Refusal)
        events, notices = rules.preview(state, seat, move), rules.notices(state, seat, move)
        understood = (Understood(asked.default, str(move), Place("mail", 6, 5), tuple(events), tuple(notices)),)
    return Receipt(
        game="jade-river",
        rules=rules,
        players={"1": "Ann"},
        seat=seat,
        reader=reader(lang),
        counter=4,
        turn=len(game.turns),
        view=rules.view(state, seat),
        fate=fate,  # type: ignore[arg-type]
        understood=understood,
        problems=problems,
        stands=Stands((asked.default,)),
        silence=asked.default,
        received=AT,
        deadline=AT,
        key="K7Q2-9FXM",
        answer_to="orders@pbem.test",
        menu=asked,
        digest="ef" * 32,
        head="ab" * 32,
    )


LATE = "Decision {turn} was due at {deadline}; this came at {arrived}."


def _elsewhere(examples: tuple[str, ...]) -> list[str]:
    """Orders like legal ones, for other places: most of them cannot stand."""
    return [re.sub(r"\d", digit, example) for example in examples for digit in "159"]


def asked_in(game: Game) -> tuple[Game, str]:
    """The game at a point where somebody decides, and who."""
    for turn in reversed(game.turns[1:]):
        if turn.before is not None and (pending := game.rules.pending(turn.before)):
            return game._replace(state=turn.before), pending[0]
    raise AssertionError("nobody was ever asked")


def shown(letter: Letter, game: Game) -> str:
    """The letter's words, without what belongs to the language of orders: the form, moves and the position line."""
    orders = words_of_orders(game)
    said = text.render(letter)
    said = re.sub(r"(?s)\ngame: .*?end: orders", "", said)
    if _has_view(letter):
        start = "".join(letter.view.position.split())[:30]
        said = "\n\n".join(part for part in said.split("\n\n") if start not in "".join(part.split()))
    return re.sub("|".join(sorted(map(re.escape, orders), key=len, reverse=True)), " ", said)


def _has_view(letter: Letter) -> bool:
    return not isinstance(letter, Notice)


def words_of_orders(game: Game) -> set[str]:
    found = {str(move) for turn in game.turns for move in turn.moves.values()}
    for turn in game.turns[1:]:
        for seat in game.rules.pending(turn.before):
            asked = menu(game.rules, turn.before, seat)
            found |= {*asked.examples, asked.default} if asked else set()
    return {move for move in found if move}


BOTH = pytest.mark.parametrize("lang", LANGUAGES)
EVERY = pytest.mark.parametrize("name", GAMES)


@BOTH
@EVERY
def test_a_report_has_no_english_in_it(name, lang):
    """A sentence of a template that does not go through `_()`, or that no catalogue has, makes it fail."""
    game = game_of(name)
    for seat in game.rules.seats(game.options):
        letter = dataclasses.replace(report(game, seat, TURNS), reader=reader(lang))
        assert english(shown(letter, game)) == []
        assert f'lang="{lang}"' in html.render(letter)


@BOTH
@EVERY
@pytest.mark.parametrize("fate", ["accepted", "refused"])
def test_a_receipt_has_no_english_in_it_and_names_times_where_the_reader_lives(name, lang, fate):
    game, seat = asked_in(game_of(name))
    letter = receipt(game, lang, fate, seat)
    said = shown(letter, game)
    assert english(said) == []
    unbroken = " ".join(text.render(letter).split())
    assert unbroken.count(TIMES[lang]) == (4 if fate == "refused" else 2)
    assert bool(letter.problems) == (fate == "refused")


@BOTH
@EVERY
@pytest.mark.parametrize("kind", [*get_args(Told), *get_args(Answered)])
def test_a_notice_has_no_english_in_it(name, lang, kind):
    letter = Notice(
        kind=kind,
        game="jade-river",
        rules=load(name),
        seat="1",
        reader=reader(lang),
        turn=2,
        deadline=AT,
        head="ab" * 32,
    )
    assert english(text.render(letter) + text.subject(letter)) == []


@EVERY
def test_no_line_of_a_french_letter_begins_with_a_colon(name):
    """Weakened build, seen red: blanks as the catalogue has them, at which lines are broken."""
    game = game_of(name)
    said = text.render(dataclasses.replace(report(game, game.rules.seats(game.options)[0], TURNS), reader=reader("fr")))
    assert "\u00a0:" in said
    assert re.findall(r"(?m)^ *[:;»](?: .*|$)|.*«\s*$", said) == []


def english(said: str) -> list[str]:
    """The lines with a word of English in them."""
    return [line for line in said.split("\n") if ENGLISH.search(line)]


def test_english_is_found():
    """The weakened build of all these: the same report for a reader whose language has no catalogue."""
    game = game_of(GAMES[0])
    assert len(english(shown(report(game, "1", TURNS), game))) > 10


@BOTH
def test_a_game_without_catalogue_is_told_in_english_alone(lang):
    """Never half of each: its own words are English, so the frame around them is, too."""
    letter = dataclasses.replace(bare(), reader=Reader("Ann", lang, "UTC"))
    assert environment.language(lang, BARE) == "en"
    assert "WHAT HAPPENED" in text.render(letter)
