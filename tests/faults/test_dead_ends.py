"""G22, weakened: rules that lose a piece, leave a seat without a move, or never end are found by playing games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from engine import Turned, load
from engine.game import BrokenInvariant
from tests.every_game import long_run, playing
from tests.every_game.wrapped import Wrapped


class LeavesNoMove(Wrapped):
    """A dead end: after some turns there is nothing on the menu."""

    def moves(self, state: Any, seat: str) -> Iterator[Any]:
        menu = list(self.inner.moves(state, seat))
        return iter(menu if sum(1 for _ in menu) > 6 else ())


class NeverEnds(Wrapped):
    """What was taken is put back."""

    def resolve(self, state: Any, moves: Mapping[str, Any], dice: Any) -> Turned:
        turned = self.inner.resolve(state, moves, dice)
        return turned if self.inner.pending(turned.state) else Turned(state, turned.events)


class LosesAPiece(Wrapped):
    """Its own count does not come out; a host halts such a match and never guesses on."""

    def check(self, state: Any) -> None:
        self.inner.check(state)
        if len(list(self.inner.moves(state, self.inner.pending(state)[0]))) < 5 if self.inner.pending(state) else True:
            raise BrokenInvariant("a piece is missing")


class Breaks(Wrapped):
    def resolve(self, state: Any, moves: Mapping[str, Any], dice: Any) -> Turned:
        if len(list(self.inner.moves(state, self.inner.pending(state)[0]))) < 4:
            raise IndexError("nowhere")
        return self.inner.resolve(state, moves, dice)


@pytest.mark.parametrize(
    ("weakened", "says"),
    [
        (LeavesNoMove, "has no legal move"),
        (NeverEnds, "no end after"),
        (LosesAPiece, "a piece is missing"),
        (Breaks, "nowhere"),
    ],
)
def test_g22_weakened_rules_are_found_by_playing(monkeypatch: pytest.MonkeyPatch, weakened: Any, says: str) -> None:
    monkeypatch.setattr(playing, "BOUND", 200)
    monkeypatch.setattr(long_run, "load", lambda game: weakened(load(game)))
    with pytest.raises((AssertionError, IndexError, BrokenInvariant), match=says) as failure:
        long_run.play_portion("nim", 0, range(20))
    assert any("repeat with" in note for note in failure.value.__notes__)


def test_g22_as_they_are_they_pass() -> None:
    decisions, longest = long_run.play_portion("nim", 0, range(20))
    assert decisions > longest > 1
