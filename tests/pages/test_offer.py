"""What a page offers is what the rules allow: no more, no less, and each of it readable again."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engine import Dice, games, load
from pbem.pages import offer as offering
from pbem.pages.offer import MOST, offer

POSITIONS = 12


def positions(game: str) -> Any:
    """Random positions of one game, from the first on."""
    rules, source = load(game), Random(6)
    dice = Dice(b"pages" * 6, game)
    state = rules.setup(rules.Options(**rules.showcase[0]), dice.at("setup")).state
    for number in range(POSITIONS):
        if not rules.pending(state):
            return
        yield rules, state
        for step in range(3):
            moves = {seat: _any(rules, state, seat, source) for seat in rules.pending(state)}
            state = rules.resolve(state, moves, dice.at(f"{number} {step}")).state
            if not rules.pending(state):
                return


def _any(rules: Any, state: Any, seat: str, source: Random) -> Any:
    found = [move for move, _ in zip(rules.moves(state, seat), range(200), strict=False)]
    return source.choice(found)


def agrees(rules: Any, state: Any, seat: str) -> bool:
    """Whether the offer is the rules' own list; False where it is too long to be one."""
    found = offer(rules, state, seat, "en")
    assert found is not None
    legal = [str(move) for move, _ in zip(rules.moves(state, seat), range(MOST + 1), strict=False)]
    if found["moves"] is None:
        assert len(legal) > MOST
        assert set(found["examples"]) <= set(legal)
        return False
    assert [one["move"] for one in found["moves"]] == legal
    for one in found["moves"]:
        assert str(rules.read(state, seat, one["move"])) == one["move"]
    return True


@pytest.mark.parametrize("game", games())
def test_the_offer_is_the_list_of_legal_moves(game: str) -> None:
    listed = [agrees(rules, state, seat) for rules, state in positions(game) for seat in rules.pending(state)]
    assert any(listed)


@pytest.mark.parametrize("wrong", [slice(1, None), slice(None, None, -1)])
def test_an_offer_that_leaves_out_or_reorders_is_seen(wrong: slice, monkeypatch: pytest.MonkeyPatch) -> None:
    """Weakened builds: one that drops the first move, one that turns the list round."""
    rules, state = next(iter(positions("jarmo")))
    islice = offering.islice
    monkeypatch.setattr(offering, "islice", lambda moves, most: list(islice(moves, most))[wrong])
    with pytest.raises(AssertionError):
        agrees(rules, state, rules.pending(state)[0])


def test_a_seat_that_is_not_asked_is_offered_nothing() -> None:
    rules, state = next(iter(positions("jarmo")))
    [asked] = rules.pending(state)
    [other] = set(rules.seats(rules.Options())) - {asked}
    assert offer(rules, state, other, "en") is None
