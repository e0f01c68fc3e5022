"""What composers say of moves: the texts spell the move; costs and effects are those that the rules then apply."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice
from random import Random
from typing import Any

import pytest

from engine import games
from engine.composing import Composer, Part
from pbem.reports.words import Memo, Words
from tests.pages.test_offer import positions

MOVES = 60  # of a position


def moves(game: str, count: int) -> Iterator[tuple[Any, Any, str, Any, Composer]]:
    """Random moves in random positions, with the composer of their seat."""
    source = Random(3)
    for rules, state in positions(game, count):
        seat = rules.pending(state)[0]
        composer, found = rules.composer(state, seat), list(islice(rules.moves(state, seat), 5000))
        for move in source.sample(found, min(MOVES, len(found))):
            yield rules, state, seat, move, composer


@pytest.mark.parametrize("game", games())
def test_the_parts_of_a_move_spell_it(game: str) -> None:
    for _, _, _, move, composer in moves(game, 12):
        parts = composer.parts(move)
        assert "".join(part.text for part in parts) == str(move)
        assert sum(part.cost for part in parts) <= (composer.purse.amount if composer.purse else 0)


PLACES = re.compile(r"<metadata>(.*?)</metadata>", re.DOTALL)
FRAME = re.compile(r'viewBox="(\S+) (\S+) (\S+) (\S+)"')


@pytest.mark.parametrize("game", games())
def test_a_map_declares_the_places_of_all_moves(game: str) -> None:
    """Each place once, on the picture, apart from all others. A move without places is one for the list."""
    for rules, state, seat, move, composer in moves(game, 24):
        named = {place for part in composer.parts(move) for place in part.places}
        at = declared(rules, state, seat)
        assert named <= set(at), move
        if at:
            assert len(set(at.values())) == len(at)


@cache
def declared(rules: Any, state: Any, seat: str) -> dict[str, tuple[float, float]]:
    """The places that the picture of this position declares, and where they lie on it."""
    picture = str(Words(rules, "en", Memo()).pictured(rules.view(state, seat), ()) or "")
    lines = [line.split() for found in PLACES.findall(picture) for line in found.splitlines() if line]
    places = {name: (float(x), float(y)) for name, x, y in lines}
    assert len(places) == len(lines)
    for x, y in places.values():
        left, top, width, height = map(float, FRAME.search(picture).groups())
        assert left < x < left + width
        assert top < y < top + height
    return places


@pytest.mark.parametrize("game", games())
def test_standing_answers_of_one_word_can_stand(game: str) -> None:
    rules, state = next(positions(game, 1))
    for seat in rules.pending(state):
        for name, words in rules.standing_choices(state, seat).items():
            assert [rules.why_not_standing(state, seat, {name: word}) for word in words] == [None] * len(words)


def cost(parts: tuple[Part, ...]) -> int:
    return sum(part.cost for part in parts)


def test_a_plan_costs_what_its_seat_then_pays() -> None:
    """YUAN-4.3, YUAN-6.2."""
    paid = 0
    for rules, state, seat, move, composer in moves("yuan", 60):
        events = rules.preview(state, seat, move)
        found = [event.facts["amount"] for event in events if event.kind == "paid"]
        if found:
            assert [cost(composer.parts(move))] == found
            paid += found[0] > 0
    assert paid > 100


def test_a_step_costs_the_points_that_are_then_gone() -> None:
    """CONQ-4.5; a capture may give points back (CONQ-8.4)."""
    moved = 0
    for rules, state, seat, move, composer in moves("conquest", 24):
        after = rules.foresee(state, seat, move)
        captures = any(event.kind == "captured" for event in rules.preview(state, seat, move))
        if after is not None and after.mover == state.mover and after.over is None and not captures:
            assert after.paid - state.paid == cost(composer.parts(move))
            moved += 1
    assert moved > 100


def test_a_conquest_says_who_will_own_it() -> None:
    """KHAN-7.6, KHAN-14.1."""
    told = 0
    for rules, state, seat, move, composer in moves("khan", 36):
        for event in rules.preview(state, seat, move):
            if event.kind == "conquest":
                facts = dict(composer.parts(move)[-1].notes[0].facts)
                assert list(facts["owners"]) == list(event.facts["owners"])
                assert facts["each"] == event.facts["each"]
                told += 1
    assert told > 10
