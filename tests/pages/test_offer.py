"""What a page offers is what the rules allow: no more, no less, and each of it readable again.

`python -m tests.pages.test_offer [POSITIONS]` looks at so many positions of each game (200), and tells what it saw.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from random import Random
from typing import Any, NamedTuple

import pytest

from engine import Dice, Refusal, games, load
from engine.composing import Composer, Part
from pbem.pages import offer as offering
from pbem.pages.offer import MOST, offer
from tests.every_game.option_sets import option_sets
from tests.pages.walking import Walk

POSITIONS = 12
EACH = 6  # positions, at least, of each set of options
STEPS = 7  # decisions between two positions that are looked at
SAMPLES = 40  # compositions of an offer that are read by the rules
QUEUES = 6  # files of several orders, composed in each position where that can be done


class Position(NamedTuple):
    """A state in which somebody is asked."""

    rules: Any
    state: Any


def positions(game: str, count: int) -> Iterator[Position]:
    """Random positions of games with several sets of options, begun anew when they are over."""
    rules, source = load(game), Random(6)
    sets = option_sets(game)[: max(1, count // EACH)]
    share = -(-count // len(sets))
    found = (
        one for number, options in enumerate(sets) for one in islice(_along(rules, options, number, source), share)
    )
    return islice(found, count)


def _along(rules: Any, options: Any, number: int, source: Random) -> Iterator[Position]:
    game = 0
    while True:
        game += 1
        dice = Dice(b"pages" * 6, f"{rules.id} {number} {game}")
        state = rules.setup(options, dice.at("setup")).state
        step = 0
        while rules.pending(state):
            if step % STEPS == 0:
                yield Position(rules, state)
            moves = {seat: _any(rules, state, seat, source) for seat in rules.pending(state)}
            state = rules.resolve(state, moves, dice.at(str(step))).state
            step += 1


def _any(rules: Any, state: Any, seat: str, source: Random) -> Any:
    return source.choice(list(islice(rules.moves(state, seat), 3000)))


def agrees(rules: Any, state: Any, seat: str, source: Random) -> int:
    """Holds what a page offers against the rules; how many moves that were."""
    found = offer(rules, state, seat, "en")
    assert found is not None
    legal = [str(move) for move in islice(rules.moves(state, seat), MOST + 1)]
    if found["choices"] is None:
        assert len(legal) > MOST
        return 0
    walk = Walk(found["choices"])
    composed = list(walk.texts())
    assert len(composed) == walk.size == found["count"]
    assert sorted(composed) == sorted(legal)
    for text in source.sample(composed, min(SAMPLES, len(composed))):
        assert str(rules.read(state, seat, text)) == text
        assert walk.reaches(text)
    assert walk.is_sound()
    return len(composed)


def stand_together(rules: Any, state: Any, seat: str, source: Random) -> int:
    """Whether orders that a page lets go together are legal one after the other, as far as can be foreseen."""
    found = offer(rules, state, seat, "en")
    assert found is not None
    if not (found["purse"] and found["purse"]["shared"]):
        return 0
    walk, judged = Walk(found["choices"]), 0
    for _ in range(QUEUES):
        here = state
        for text in walk.several(source, found["purse"]["amount"]):
            if here is None or seat not in rules.pending(here):
                break
            move = rules.read(here, seat, text)
            assert not isinstance(move, Refusal), (rules.position(state), text, str(move))
            judged += 1
            here = rules.foresee(here, seat, move)
    return judged


def looked_at(game: str, count: int) -> Mapping[str, int]:
    """All of it for so many positions."""
    source = Random(7)
    seen = {"positions": 0, "offers": 0, "moves": 0, "most": 0, "judged together": 0}
    for rules, state in positions(game, count):
        seen["positions"] += 1
        for seat in rules.pending(state):
            moves = agrees(rules, state, seat, source)
            seen["offers"] += 1
            seen["moves"] += moves
            seen["most"] = max(seen["most"], moves)
            seen["judged together"] += stand_together(rules, state, seat, source)
    return seen


@pytest.mark.parametrize("game", games())
def test_the_offer_is_the_list_of_legal_moves(game: str) -> None:
    seen = looked_at(game, POSITIONS)
    assert seen["positions"] == POSITIONS
    assert seen["moves"] > seen["offers"]
    assert (seen["judged together"] > 20) == (game in ("khan", "conquest"))


@pytest.mark.parametrize("wrong", ["drops", "repeats"])
def test_an_offer_that_leaves_out_or_invents_is_seen(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Weakened builds: one that drops the first move, one whose composer spells two moves alike."""
    rules, state = next(positions("jarmo", 1))
    choices = offering.choices
    changed = {"drops": lambda parts: list(parts)[1:], "repeats": lambda parts: [*list(parts)[1:], (Part("x"),)]}[wrong]
    monkeypatch.setattr(offering, "choices", lambda parts, told: choices(changed(parts), told))
    with pytest.raises(AssertionError):
        agrees(rules, state, rules.pending(state)[0], Random(1))


def test_orders_that_hinder_each_other_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Weakened build: a walk that lets any two orders go together."""
    monkeypatch.setattr(Walk, "hinders", lambda *_: False)
    with pytest.raises(AssertionError):
        looked_at("conquest", 30)


def test_a_game_that_says_nothing_of_its_moves_offers_them_whole() -> None:
    assert Composer().parts("a1-a2") == (Part("a1-a2"),)


def test_a_seat_that_is_not_asked_is_offered_nothing() -> None:
    rules, state = next(positions("jarmo", 1))
    [asked] = rules.pending(state)
    [other] = set(rules.seats(rules.Options())) - {asked}
    assert offer(rules, state, other, "en") is None


def main(words: Sequence[str]) -> None:
    for game in games():
        seen = looked_at(game, int(words[0]) if words else 200)
        sys.stdout.write(f"{game}: {', '.join(f'{name} {number}' for name, number in seen.items())}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
