"""Questions about what is told afterwards: events with their paragraphs, views in plain JSON, the outcome."""

from __future__ import annotations

from time import process_time

from engine import Dice, Event
from engine.canon import canonical
from engine.events import REFEREE
from engine.registry import AnyGame
from tests.every_game.plain import assert_plain
from tests.every_game.playing import Walk, at, sample
from tests.every_game.rules import is_paragraph

DEAREST_VIEW = 0.020  # seconds on average; a report makes one for each reader
LARGEST_VIEW = 400_000  # bytes of JSON


def every_event_names_its_paragraph_and_plain_facts(game: AnyGame, walks: tuple[Walk, ...]) -> None:
    for one in walks:
        readers = {*one.seats, REFEREE}
        for turned in (one.setup, *(step.turned for step in one.steps)):
            for event in turned.events:
                with at(one):
                    assert event.kind.isidentifier(), event
                    assert is_paragraph(game.id, event.rule), event
                    assert set(event.hidden) <= readers, event
                    assert event.audience is None or set(event.audience) <= readers, event
                    assert_plain(event.to_json(), event.kind)
                    assert Event.from_json(event.to_json()).to_json() == event.to_json()


def a_game_that_says_it_uses_no_dice_draws_nothing(game: AnyGame, walks: tuple[Walk, ...]) -> None:
    for one in walks:
        if not game.uses_dice(one.options):
            with at(one):
                dice = Dice(b"", "")
                game.setup(one.options, dice)
                assert not dice.draws
                assert not any(step.draws for step in one.steps)


def a_view_is_plain_json_and_cheap(game: AnyGame, walks: tuple[Walk, ...]) -> None:
    spent, made = 0.0, 0
    for one, step in sample(walks, 60):
        for seat in (*one.seats, None):
            begun = process_time()
            view = game.view(step.state, seat)
            spent, made = spent + process_time() - begun, made + 1
            with at(one, step):
                assert view.seat == seat
                pending = game.pending(step.state)
                assert set(pending) <= set(view.pending)  # a game may hide which of those who seem asked have answered
                assert (seat in view.pending) == (seat in pending)
                assert view.pending == pending or game.hides
                assert view.decision == game.decision(step.state)
                assert view.position.isprintable()
                assert_plain(view.facts)
                assert len(canonical(view.facts)) < LARGEST_VIEW
                assert made < 20 or spent / made < DEAREST_VIEW, f"{spent / made * 1000:.1f} ms for a view"


def an_outcome_places_every_seat_once(game: AnyGame, walks: tuple[Walk, ...]) -> None:
    for one in walks:
        with at(one):
            outcome = game.outcome(one.last)
            assert outcome is not None
            placed = [seat for place in outcome.places for seat in place]
            assert sorted(placed) == sorted(one.seats)
            assert set(outcome.scores) <= set(one.seats)
            assert all(type(score) is int for score in outcome.scores.values())
            assert is_paragraph(game.id, outcome.rule), outcome
            assert_plain(dict(outcome.details))


def a_move_is_told_to_its_own_seat_in_full(game: AnyGame, walks: tuple[Walk, ...]) -> None:
    for one, step in sample(walks, 100):
        for seat, move in step.moves.items():
            with at(one, step):
                assert game.shown(step.state, seat, move, seat) == str(move)


QUESTIONS = (
    every_event_names_its_paragraph_and_plain_facts,
    a_view_is_plain_json_and_cheap,
    an_outcome_places_every_seat_once,
    a_game_that_says_it_uses_no_dice_draws_nothing,
    a_move_is_told_to_its_own_seat_in_full,
)
