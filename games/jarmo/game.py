"""Jarmo: the table of contents. Every question about the game, and the file that answers it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine import BadPosition, Dice, Event, Notice, Outcome, Refusal, Seat, Turned, View
from engine.composing import Composer
from engine.game import BrokenInvariant, Game
from engine.series import Series
from games.jarmo import (
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
from games.jarmo import series as matches
from games.jarmo.legal import legal
from games.jarmo.moves import PASS, Move
from games.jarmo.options import Options as Choices
from games.jarmo.scoring import in_camp, lost, scores, winner
from games.jarmo.state import SIDES
from games.jarmo.state import State as Position
from games.jarmo.turn import play
from games.jarmo.variants import VARIANTS

_TO_MOVE: tuple[tuple[Seat, ...], ...] = tuple((seat,) for seat in SIDES)


class Jarmo(Game[Position, Move]):
    """Archers and guards on an uneven net; both sides want to bring their soldiers into the enemy camp (JARMO-1, 6)."""

    id = "jarmo"
    version = "1"
    title = {"en": "Jarmo", "fr": "Jarmo", "it": "Jarmo"}
    Options = Choices
    State = Position
    showcase = ({"golden": "true", "camps": "default"}, {"variant": "jasyr"})
    hides = False

    def seats(self, options: Choices) -> tuple[Seat, ...]:
        return SIDES  # JARMO-1.1

    def setup(self, options: Choices, dice: Dice) -> Turned:
        return opening.opening(options)

    def uses_dice(self, options: Choices) -> bool:
        return False  # nothing is left to chance

    def pending(self, state: Position) -> tuple[Seat, ...]:
        return () if state.end else _TO_MOVE[state.side]  # JARMO-1.5, JARMO-6.8

    def moves(self, state: Position, seat: Seat) -> Iterator[Move]:
        return iter(legal(state) if seat == SIDES[state.side] else ())

    def read(self, state: Position, seat: Seat, order: str | Mapping[str, Any]) -> Move | Refusal:
        return judging.read(state, seat, order)

    def why_never(self, state: Position, seat: Seat, order: str | Mapping[str, Any]) -> Refusal | None:
        return judging.why_never(state, seat, order)

    def default(self, state: Position, seat: Seat) -> Move:
        return silence.default(state)

    def answer(self, state: Position, seat: Seat, standing: Mapping[str, Any]) -> Move | None:
        """JARMO-2.4: a lone pass is taken without asking for it."""
        menu = legal(state) if seat in self.pending(state) else ()
        return PASS if len(menu) == 1 and menu[0] is PASS else None

    def resolve(self, state: Position, moves: Mapping[Seat, Move], dice: Dice) -> Turned:
        (move,) = moves.values()  # JARMO-1.5: exactly one seat is pending
        after, story = play(state, move)
        return Turned(after, tuple(story))

    def preview(self, state: Position, seat: Seat, move: Move) -> tuple[Event, ...]:
        """All that the move causes: there is no chance and nothing hidden."""
        return tuple(play(state, move).story) if self._may(state, seat, move) else ()

    def notices(self, state: Position, seat: Seat, move: Move) -> tuple[Notice, ...]:
        return tuple(warnings.warnings(state, move)) if self._may(state, seat, move) else ()

    def series(self, options: Choices) -> Series | None:
        return matches.series(options)

    def composer(self, state: Position, seat: Seat) -> Composer:
        return composing.Taps()

    def appraise(self, state: Position, seat: Seat) -> int:
        return appraisal.appraise(state, seat)

    def view(self, state: Position, seat: Seat | None) -> View:
        return view.view(state, seat)

    def outcome(self, state: Position) -> Outcome | None:
        """Section 9: winner and loser, or both first when drawn; the score is what counts in a series (JARMO-7.2)."""
        if not state.end:
            return None
        first = winner(state)
        reason = state.end.partition(":")[0]
        return Outcome(
            places=(SIDES,) if first is None else ((SIDES[first],), (SIDES[1 - first],)),
            scores=scores(state),
            rule=VARIANTS[state.terms.variant].ends[reason],
            reason=reason,
            details={
                "in_camp": {seat: in_camp(state.board, side) for side, seat in enumerate(SIDES)},
                "lost": {seat: lost(state, side) for side, seat in enumerate(SIDES)},
            },
        )

    def position(self, state: Position) -> str:
        return position.write(state)

    def from_position(self, line: str) -> Position:
        return position.read(line)

    def same_move(self, text: str, move: str) -> bool:
        return reading.means(text, move)

    def check(self, state: Position) -> None:
        for fault in soundness.faults(state):
            raise BrokenInvariant(fault)
        try:
            wrong = soundness.has_wrong_memory(state)
        except BadPosition as fault:
            raise BrokenInvariant(str(fault)) from fault
        if wrong:
            raise BrokenInvariant("The quiet turns do not lead to this board (JARMO-6.3).")

    def dump(self, state: Position) -> Any:
        return stored.dump(state)

    def restore(self, data: Any) -> Position:
        return stored.restore(data)

    def _may(self, state: Position, seat: Seat, move: Move) -> bool:
        return seat in self.pending(state) and move in legal(state)


GAME = Jarmo()
