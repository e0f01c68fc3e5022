"""Hasami Shogi, the table of contents: name, seats, options, and where each answer is found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine import Dice, Event, Game, Notice, Outcome, Refusal, Seat, Turned, View
from engine.composing import Composer
from engine.game import BrokenInvariant
from games.hasami_shogi import (
    appraisal,
    composing,
    judging,
    opening,
    position,
    reading,
    silence,
    soundness,
    stored,
    view,
    warnings,
)
from games.hasami_shogi.ending import how_it_ended
from games.hasami_shogi.legal import legal, legal_from
from games.hasami_shogi.moves import Move
from games.hasami_shogi.options import Options as Choices
from games.hasami_shogi.state import GREEN, OTHER, OVER, RED, SEATS
from games.hasami_shogi.state import State as Position
from games.hasami_shogi.turn import play
from games.hasami_shogi.variants import VARIANTS

# HASAMI-1.1: exactly one seat is pending, until the end. By the turn, then by the seat that has green.
PENDING: Mapping[str, Mapping[Seat, tuple[Seat, ...]]] = {
    GREEN: {seat: (seat,) for seat in SEATS},
    RED: {seat: (OTHER[seat],) for seat in SEATS},
    OVER: dict.fromkeys(SEATS, ()),
}


class HasamiShogi(Game[Position, Move]):
    """Catching pieces between one's own; five in a row, fourteen captures, or the whole army win (HASAMI-1.2)."""

    id = "hasami-shogi"
    version = "1"
    title = {"en": "Hasami Shogi", "fr": "Hasami Shogi", "it": "Hasami Shogi"}
    Options = Choices
    State = Position
    showcase = ({"shogun": "front", "quiet_limit": "20"}, {"variant": "war", "quiet_limit": "20"})
    hides = False  # HASAMI-1.1: all information is open

    def seats(self, options: Choices) -> tuple[Seat, ...]:
        return SEATS

    def setup(self, options: Choices, dice: Dice) -> Turned:
        return opening.new_game(options, dice)

    def uses_dice(self, options: Choices) -> bool:
        return options.green == "random"  # HASAMI-3.2

    def pending(self, state: Position) -> tuple[Seat, ...]:
        return PENDING[state.turn][state.terms.green]

    def moves(self, state: Position, seat: Seat) -> Iterator[Move]:
        return iter(legal(state) if seat in PENDING[state.turn][state.terms.green] else ())

    def read(self, state: Position, seat: Seat, order: str | Mapping[str, Any]) -> Move | Refusal:
        return judging.read(state, seat, order)

    def why_never(self, state: Position, seat: Seat, order: str | Mapping[str, Any]) -> Refusal | None:
        return judging.why_never(state, seat, order)

    def default(self, state: Position, seat: Seat) -> Move:
        return silence.default(state)

    def resolve(self, state: Position, moves: Mapping[Seat, Move], dice: Dice) -> Turned:
        (move,) = moves.values()  # HASAMI-1.1: exactly one seat is pending
        return play(state, move)

    def preview(self, state: Position, seat: Seat, move: Move) -> tuple[Event, ...]:
        """All that the move causes; nothing is left to chance."""
        return play(state, move).events if self._may(state, seat, move) else ()

    def notices(self, state: Position, seat: Seat, move: Move) -> tuple[Notice, ...]:
        return tuple(warnings.notices(state, move)) if self._may(state, seat, move) else ()

    def _may(self, state: Position, seat: Seat, move: Move) -> bool:
        return seat in self.pending(state) and move in legal_from(state, move.start)

    def view(self, state: Position, seat: Seat | None) -> View:
        return view.view(state, seat)

    def outcome(self, state: Position) -> Outcome | None:
        """Section 9: the winner first, without one both share first place; 1 for the winner."""
        if state.turn != OVER:
            return None
        ending = how_it_ended(state)
        if ending is None:
            raise BrokenInvariant("the game is over, but nothing has ended it")
        first = state.terms.seat(ending.winner) if ending.winner else None
        pieces = VARIANTS[state.terms.variant].pieces
        captured = {GREEN: pieces - state.red.bit_count(), RED: pieces - state.green.bit_count()}
        return Outcome(
            places=((first,), (OTHER[first],)) if first else (SEATS,),
            scores={seat: int(seat == first) for seat in SEATS},
            rule=ending.rule,
            reason=ending.reason,
            details={"captured": {state.terms.seat(side): number for side, number in captured.items()}},
        )

    def position(self, state: Position) -> str:
        return position.write(state)

    def from_position(self, line: str) -> Position:
        return position.read(line)

    def same_move(self, text: str, move: str) -> bool:
        return reading.means(text, move)

    def asks_anew(self, before: Position, after: Position, seat: Seat, answered: bool) -> bool:
        """HASAMI-4.1: a turn is one move; HASAMI-7.6: the other side may have passed without a decision."""
        return True

    def check(self, state: Position) -> None:
        for fault in soundness.faults(state):
            raise BrokenInvariant(fault)

    def composer(self, state: Position, seat: Seat) -> Composer:
        return composing.Taps()

    def appraise(self, state: Position, seat: Seat) -> int:
        return appraisal.appraise(state, seat)

    def dump(self, state: Position) -> Any:
        return stored.dump(state)

    def restore(self, data: Any) -> Position:
        return stored.restore(data)


GAME = HasamiShogi()
