"""The memo of a turn: what seats share is found once, and nothing is shared that a seat sees differently (G25)."""

from __future__ import annotations

import dataclasses
import gc
import weakref
from typing import Any

import pytest
from jinja2 import DictLoader

from engine import Dice, Event, View
from pbem.reports import environment, html, json, text
from pbem.reports.report import Reader, Step, Taken, menu
from pbem.reports.words import Memo, Words, marks
from tests.pbem.reports import letters
from tests.pbem.reports.letters import VAULT


class Talking:
    """A game whose words look at the view in each possible way."""

    id, version, title = "talking", "1", {"en": "Talking"}


TEMPLATES = {
    "talking/events.j2": (
        "{% macro open(facts, view) %}Opened by {{ facts.by }}.{% endmacro %}"
        "{% macro mine(facts, view) %}{{ 'You' if view.seat == facts.by else facts.by }} did it.{% endmacro %}"
        "{% macro secret(facts, view) %}The card is {{ view.facts.card }}.{% endmacro %}"
    ),
    "talking/words.txt.j2": "Card {{ view.facts.card }}, to decide {{ view.pending | join }}.",
    "talking/board.svg.j2": '<svg viewBox="0 0 1 1"><title>{{ view.facts.shared }}</title></svg>',
}


@pytest.fixture
def talking(monkeypatch) -> Any:
    for html_too in (False, True):
        loader = environment.environment("en", html=html_too).loader
        monkeypatch.setattr(loader, "loaders", [*loader.loaders, DictLoader(TEMPLATES)])
    return Talking()


def view(seat: str | None, card: str = "ace", shared: str = "map", pending: tuple[str, ...] = ("red",)) -> View:
    return View(seat, pending, "bid", "line", {"card": card, "shared": shared})


def test_a_sentence_that_looks_at_nothing_is_made_once(talking):
    memo, made = Memo(), []
    words = Words(talking, "en", memo)
    event = Event("open", "T-1", {"by": "red"})
    for seat in ("red", "blue", None):
        made.append(words.sentence(event, view(seat, card=str(seat))))
    assert made == ["Opened by red."] * 3
    assert made[0] is made[1] is made[2]


def test_a_sentence_that_looks_at_the_seat_is_made_for_each(talking):
    words = Words(talking, "en", Memo())
    event = Event("mine", "T-1", {"by": "red"})
    assert [words.sentence(event, view(seat)) for seat in ("red", "blue", "red")] == [
        "You did it.",
        "red did it.",
        "You did it.",
    ]


def test_a_sentence_that_looks_at_the_facts_is_shared_by_those_who_see_the_same(talking):
    words = Words(talking, "en", Memo())
    event = Event("secret", "T-1", {})
    first, other, again = (words.sentence(event, view("red", card=card)) for card in ("ace", "king", "ace"))
    assert (first, other) == ("The card is ace.", "The card is king.")
    assert again is first


def test_words_and_pictures_follow_what_they_look_at(talking):
    words = Words(talking, "en", Memo())
    assert words.described(view("red")) == "Card ace, to decide red."
    assert words.described(view("blue", card="king")) == "Card king, to decide red."
    assert words.described(view("red", pending=("blue",))) == "Card ace, to decide blue."
    assert words.pictured(view("red"), ()) is words.pictured(view("blue"), ())
    assert words.pictured(view("red"), ()) != words.pictured(view("red", shared="other"), ())


def test_a_memo_keeps_languages_apart(talking):
    memo, event = Memo(), Event("open", "T-1", {"by": "red"})
    english = Words(talking, "en", memo).sentence(event, view("red"))
    assert Words(talking, "en", memo).sentence(event, view("blue")) is english
    assert Words(talking, "fr", memo).sentence(event, view("red")) is not english


def test_events_that_are_gone_leave_nothing_behind(talking):
    """An id is used again once its object is gone, so the memo holds on to what it knows."""
    words = Words(talking, "en", Memo())
    for i in range(2000):
        assert words.sentence(Event("open", "T-1", {"by": str(i)}), view("red")) == f"Opened by {i}."


def test_the_marks_of_a_story():
    events = (
        Event("took", "R", {"from": "a1", "to": ["b2", "c3"], "count": 3}),
        Event("gave", "R", {"armies": {"HU": 2, "AN": {"of": "red"}}, "from": "a1", "none": None}),
    )
    assert marks(events) == ("a1", "b2", "c3", "HU", "AN", "of", "red")


# --- whole letters of a game with secrets ----------------------------------------------------------------------------


def vault_reports(seed: bytes = b"vault") -> list[Any]:
    """The reports of all three seats and the public one after the first round of vault."""
    setup = VAULT.setup(VAULT.Options(), Dice(seed))
    moves = {seat: next(iter(VAULT.moves(setup.state, seat))) for seat in VAULT.pending(setup.state)}
    turned = VAULT.resolve(setup.state, moves, Dice(seed))
    return [_seen_by(seat, setup, moves, turned) for seat in ("red", "green", "blue", None)]


def _seen_by(seat: Any, setup: Any, moves: Any, turned: Any) -> Any:
    shown = tuple(Taken(s, VAULT.shown(setup.state, s, move, seat), "given") for s, move in moves.items())
    steps = tuple(
        Step(turn, taken, tuple(seen for event in events if (seen := event.seen_by(seat))))
        for turn, taken, events in ((0, (), setup.events), (1, shown, turned.events))
    )
    return letters.quiet(
        rules=VAULT,
        options=VAULT.Options().to_json(),
        players={"red": "Ann", "green": "Ben", "blue": "Cy"},
        seat=seat,
        reader=Reader({"red": "Ann", "green": "Ben", "blue": "Cy", None: ""}[seat]),
        view=VAULT.view(turned.state, seat),
        steps=steps,
        menu=menu(VAULT, turned.state, seat) if seat else None,
        key="K7Q2-9FXM" if seat else "",
    )


def rendered(report: Any, memo: Memo | None = None) -> tuple[str, ...]:
    return tuple(render(report, memo) for render in (text.render, html.render, json.render, text.subject))


def test_a_shared_memo_changes_no_letter():
    """G25, the other way round: with one memo for all seats each letter is what it is with a memo of its own."""
    for order in (1, -1):
        memo = Memo()
        for report in vault_reports()[::order]:
            assert rendered(report, memo) == rendered(report)


def test_letters_that_a_seat_cannot_tell_apart_are_the_same_bytes():
    """G25: of two tables that differ only in what red may not know, red's letters are equal; and the test can fail."""
    setup = VAULT.setup(VAULT.Options(), Dice(b"vault"))
    state = setup.state
    green, blue = state.player("green"), state.player("blue")
    swapped = dataclasses.replace(
        state,
        players=(
            state.player("red"),
            dataclasses.replace(green, hand=tuple(sorted((blue.hand[0], *green.hand[1:])))),
            dataclasses.replace(blue, hand=tuple(sorted((green.hand[0], *blue.hand[1:])))),
        ),
    )
    tables = [(_quiet_seen(state, seat), _quiet_seen(swapped, seat)) for seat in ("red", "green", None)]
    red, green_sees, public = ([rendered(letter) for letter in pair] for pair in tables)
    assert red[0] == red[1]
    assert public[0] == public[1]
    assert green_sees[0] != green_sees[1]


def _quiet_seen(state: Any, seat: Any) -> Any:
    report = _seen_by(
        seat, VAULT.setup(VAULT.Options(), Dice(b"vault")), {}, VAULT.setup(VAULT.Options(), Dice(b"vault"))
    )
    return dataclasses.replace(report, steps=(), view=VAULT.view(state, seat), menu=None)


def test_what_a_memo_held_is_gone_with_it():
    """No collection is needed to find it, so a child that tells of one game after the other does not grow by it."""
    gc.disable()
    try:
        with Memo() as memo:
            assert text.render(letters.report(), memo)
            held = weakref.ref(memo)
        del memo
        assert held() is None
    finally:
        gc.enable()
