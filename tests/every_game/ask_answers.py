"""Questions about what a player is told: refusals with paragraph and reason, previews, notices, standing answers."""

from __future__ import annotations

import random
from typing import Any

from engine import Event, Notice, Refusal
from engine.registry import AnyGame
from tests.every_game.plain import assert_plain
from tests.every_game.playing import Walk, at, sample, turns
from tests.every_game.probes import VALUES, garbage, menu_texts
from tests.every_game.rules import is_paragraph


def garbage_is_refused_and_never_breaks_the_game(game: AnyGame, walks: tuple[Walk, ...]) -> None:
    luck = random.Random("garbage")
    for one, step, asked in turns(walks, 200):
        some = menu_texts(game, step.state, asked, 8, luck)
        for seat in (asked, luck.choice(one.seats)):
            for order in garbage(luck, some, 15):
                with at(one, step):
                    _right(game, step.state, seat, order)


def _right(game: AnyGame, state: Any, seat: str, order: Any) -> None:
    """Refused in words, or else legal: on the menu, a resignation, or a move that takes effect at once."""
    answer = game.read(state, seat, order)
    if isinstance(answer, Refusal):
        assert_refusal(game, answer, order)
    elif answer != game.resignation(state, seat) and not game.at_once(state, seat, answer):
        menu = game.moves(state, seat) if seat in game.pending(state) else ()
        assert answer in menu, f"seat {seat}: {order!r} was read as {answer}"


def assert_refusal(game: AnyGame, refusal: Refusal, order: Any = "") -> None:
    """It names a paragraph that exists, a code, and says a whole sentence."""
    said = f"{order!r}: {refusal!r}"
    assert is_paragraph(game.id, refusal.rule), said
    assert refusal.code.replace("_", "").replace("-", "").isalnum(), said
    assert str(refusal).strip(), said
    assert len(str(refusal)) < 5000, said
    assert all(isinstance(text, str) and text for text in refusal.legal), said
    assert_plain(refusal.to_json(), said)


def a_preview_and_a_notice_are_for_the_seat_itself(game: AnyGame, walks: tuple[Walk, ...]) -> None:
    luck = random.Random("preview")
    for one, step, seat in turns(walks, 150):
        with at(one, step):
            for text in menu_texts(game, step.state, seat, 8, luck):
                move = game.read(step.state, seat, text)
                for event in game.preview(step.state, seat, move):
                    assert isinstance(event, Event)
                    assert is_paragraph(game.id, event.rule), event
                    assert event.seen_by(seat) is not None, event
                    assert_plain(event.to_json())
                for notice in game.notices(step.state, seat, move):
                    assert isinstance(notice, Notice)
                    assert is_paragraph(game.id, notice.rule), notice
                    assert str(notice).strip()


def standing_answers_are_checked_before_they_serve(game: AnyGame, walks: tuple[Walk, ...]) -> None:
    """Whatever passes the check gives a legal move or none; the rest is refused in words."""
    luck = random.Random("standing")
    words = ("always", "never", "ask", "yes", "no", "3", {"from": "3"}, {"from": "x"}, {"to": []}, *VALUES)
    keys = ("challenge", "counter", "answer", "consent", "x", "")
    for one, step in sample(walks, 100):
        for seat in one.seats:
            with at(one, step):
                standing = {luck.choice(keys): luck.choice(words) for _ in range(luck.randrange(1, 3))}
                refusal = game.why_not_standing(step.state, seat, standing)
                if refusal is not None:
                    assert str(refusal).strip(), standing
                elif seat in game.pending(step.state):
                    move = game.answer(step.state, seat, standing)
                    assert move is None or move in game.moves(step.state, seat), standing


def what_no_position_takes_is_never_taken(game: AnyGame, walks: tuple[Walk, ...]) -> None:
    """An order said to be hopeless is refused now and at other times too; a legal one is never said to be so."""
    luck = random.Random("never")
    hopeless: list[Any] = []
    for one, step, seat in turns(walks, 200):
        with at(one, step):
            some = menu_texts(game, step.state, seat, 8, luck)
            assert not [text for text in some if game.why_never(step.state, seat, text)]
            for order in hopeless[-30:]:
                assert isinstance(game.read(step.state, seat, order), Refusal), order
            for order in garbage(luck, some, 10):
                refusal = game.why_never(step.state, seat, order)
                if refusal is not None:
                    assert_refusal(game, refusal, order)
                    hopeless.append(order)
    assert hopeless


def what_is_foreseen_comes_true(game: AnyGame, walks: tuple[Walk, ...]) -> None:
    for one, step in sample(walks, 300):
        with at(one, step):
            for seat, move in step.moves.items():
                ahead = game.foresee(step.state, seat, move)
                if ahead is not None:
                    assert game.view(ahead, seat) == game.view(step.turned.state, seat)
                    assert ahead == step.turned.state or game.hides


QUESTIONS = (
    garbage_is_refused_and_never_breaks_the_game,
    a_preview_and_a_notice_are_for_the_seat_itself,
    standing_answers_are_checked_before_they_serve,
    what_no_position_takes_is_never_taken,
    what_is_foreseen_comes_true,
)
