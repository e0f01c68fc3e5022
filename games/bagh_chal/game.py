"""Bagh Chal: the table of contents. Every question about the game, and the file that answers it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from engine import Dice, Event, Outcome, Refusal, Seat, Turned, View
from engine.composing import Composer
from engine.game import BrokenInvariant, Game, turned
from games.bagh_chal import appraisal, composing, judging, opening, position, reading, silence, soundness, stored, view
from games.bagh_chal.legal import legal
from games.bagh_chal.match import conclude, winner
from games.bagh_chal.moves import Move
from games.bagh_chal.options import Options as Choices
from games.bagh_chal.state import EXTRA, GOATS, OTHER, OVER, TIGERS
from games.bagh_chal.state import State as Position
from games.bagh_chal.turn import play

SEATS: tuple[Seat, ...] = ("1", "2")  # BAGH-1.1

# BAGH-1.3: whose turn it is -> the seat of the tigers -> the one pending seat.
_GOATS: Final[dict[Seat, tuple[Seat, ...]]] = {"1": ("2",), "2": ("1",)}
_TIGERS: Final[dict[Seat, tuple[Seat, ...]]] = {"1": ("1",), "2": ("2",)}
_NOBODY: Final[dict[Seat, tuple[Seat, ...]]] = {"1": (), "2": ()}
PENDING: Final = {GOATS: _GOATS, TIGERS: _TIGERS, EXTRA: _TIGERS, OVER: _NOBODY}


class BaghChal(Game[Position, Move]):
    """Goats and tigers on a net of lines; the goats want to trap all tigers, the tigers five goats (BAGH-1.2)."""

    id = "bagh-chal"
    version = "1"
    title = {"en": "Bagh Chal", "fr": "Bagh Chal", "it": "Bagh Chal"}
    Options = Choices
    State = Position
    hides = False  # BAGH-1.1: all information is open

    def seats(self, options: Choices) -> tuple[Seat, ...]:
        return SEATS

    def setup(self, options: Choices, dice: Dice) -> Turned:
        return opening.first_game(options, dice)

    def uses_dice(self, options: Choices) -> bool:
        return options.tigers == "random" or options.match == "three"  # BAGH-3.2, BAGH-10.4

    def pending(self, state: Position) -> tuple[Seat, ...]:
        return PENDING[state.turn][state.score.tigers]

    def moves(self, state: Position, seat: Seat) -> Iterator[Move]:
        return iter(legal(state) if seat in self.pending(state) else ())

    def read(self, state: Position, seat: Seat, order: str | Mapping[str, Any]) -> Move | Refusal:
        return judging.read(state, seat, order)

    def why_never(self, state: Position, seat: Seat, order: str | Mapping[str, Any]) -> Refusal | None:
        return judging.why_never(state, seat, order)

    def default(self, state: Position, seat: Seat) -> Move:
        return silence.default(state)

    def resolve(self, state: Position, moves: Mapping[Seat, Move], dice: Dice) -> Turned:
        (move,) = moves.values()  # BAGH-1.3: exactly one seat is pending
        after, story, ending = play(state, move)
        if ending is not None:
            after = conclude(after, ending, story, dice)
        return turned((after, tuple(story)))

    def preview(self, state: Position, seat: Seat, move: Move) -> tuple[Event, ...]:
        """All that the move causes; the roles of a third game are drawn only when it is resolved."""
        if seat not in self.pending(state) or move not in legal(state):
            return ()
        after, story, ending = play(state, move)
        if ending is not None:
            conclude(after, ending, story, None)
        return tuple(story)

    def decision(self, state: Position) -> str:
        return view.decision(state)

    def view(self, state: Position, seat: Seat | None) -> View:
        return view.view(state, seat)

    def outcome(self, state: Position) -> Outcome | None:
        """Section 9: the winner first, without one both share first place; the score is games won."""
        if state.turn != OVER:
            return None
        ending = soundness.how_it_ended(state)
        if ending is None:
            raise BrokenInvariant("the game is over, but nothing has ended it")
        first = winner(state.score)
        return Outcome(
            places=((first,), (OTHER[first],)) if first else (SEATS,),
            scores={seat: state.score.wins(seat) for seat in SEATS},
            rule=ending.rule,
            reason=ending.reason,
            details={"wins": [state.score.wins(seat) for seat in SEATS], "draws": state.score.draws},
        )

    def position(self, state: Position) -> str:
        return position.write(state)

    def from_position(self, line: str) -> Position:
        return position.read(line)

    def same_move(self, text: str, move: str) -> bool:
        return reading.means(text, move)

    def asks_anew(self, before: Position, after: Position, seat: Seat, answered: bool) -> bool:
        """BAGH-5.6, BAGH-10.2: goats without an action pass, and a new game starts at once; BAGH-9.2 goes on."""
        return after.turn != EXTRA

    def composer(self, state: Position, seat: Seat) -> Composer:
        return composing.Taps(state)

    def appraise(self, state: Position, seat: Seat) -> int:
        return appraisal.appraise(state, seat)

    def check(self, state: Position) -> None:
        for fault in soundness.faults(state):
            raise BrokenInvariant(fault)

    def dump(self, state: Position) -> Any:
        return stored.dump(state)

    def restore(self, data: Any) -> Position:
        return stored.restore(data)


GAME = BaghChal()
