"""Yuan, the art of war: the table of contents. Each answer is one call into the file that knows it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine import Dice, Event, Game, Notice, Outcome, Refusal, Seat, Turned, View
from engine.composing import Composer
from games.yuan import appraisal, composing, decide, dry, ending, invariants, notation, opening, orders, saving, view
from games.yuan.moves import RESIGN, Move, Resign
from games.yuan.options import Options as Choices
from games.yuan.state import DECISIONS, pending
from games.yuan.state import State as Position


class Yuan(Game[Position, Move]):
    """2 to 8 seats, simultaneous plans; tiles, auctions, scenarios, volcanoes, rivers, clan powers."""

    id = "yuan"
    version = "1"
    title = {"en": "Yuan, the Art of War", "fr": "Yuan, l’Art de la Guerre", "it": "Yuan, l’Arte della Guerra"}
    showcase = (
        {"players": "4", "scenario": "river_control", "powers": "true", "volcanoes": "true"},
        {"players": "2"},  # the players lay the tiles
    )
    hides = False  # filed orders are the host's; nothing else is hidden (chapter 6)
    unreadable = frozenset({"Y-FORMAT"})
    Options = Choices
    State = Position

    def seats(self, options: Choices) -> tuple[Seat, ...]:
        return options.seats

    def setup(self, options: Choices, dice: Dice) -> Turned:
        return opening.setup(options, dice)

    def pending(self, state: Position) -> tuple[Seat, ...]:
        return pending(state)

    def decision(self, state: Position) -> str:
        return DECISIONS[state.phase]

    def moves(self, state: Position, seat: Seat) -> Iterator[Move]:
        return decide.moves(state, seat)

    def read(self, state: Position, seat: Seat, order: str | Mapping[str, Any]) -> Move | Refusal:
        return orders.read(state, seat, order)

    def why_never(self, state: Position, seat: Seat, order: str | Mapping[str, Any]) -> Refusal | None:
        return orders.why_never(state, order)

    def default(self, state: Position, seat: Seat) -> Move:
        return decide.default(state, seat)

    def at_once(self, state: Position, seat: Seat, move: Move) -> bool:
        """A resignation, except while planning, when it is the seat's filed order (YUAN-14.6)."""
        return isinstance(move, Resign) and (state.phase != "plan" or seat in state.gone)

    def resignation(self, state: Position, seat: Seat) -> Move | None:
        return None if state.phase == "over" else RESIGN

    def resolve(self, state: Position, moves: Mapping[Seat, Move], dice: Dice) -> Turned:
        return decide.resolve(state, moves, dice)

    def view(self, state: Position, seat: Seat | None) -> View:
        return view.view(state, seat)

    def outcome(self, state: Position) -> Outcome | None:
        return ending.outcome(state)

    def position(self, state: Position) -> str:
        return str(notation.Line(state))

    def from_position(self, line: str) -> Position:
        return notation.from_position(line)

    def notices(self, state: Position, seat: Seat, move: Move) -> tuple[Notice, ...]:
        return dry.notices(state, seat, move)

    def preview(self, state: Position, seat: Seat, move: Move) -> tuple[Event, ...]:
        return dry.preview(state, seat, move)

    def composer(self, state: Position, seat: Seat) -> Composer:
        return composing.composer(state, seat)

    def same_move(self, text: str, move: str) -> bool:
        """Words mean a move when they read as it: synonyms and any order of actions included."""
        return orders.canonical_text(text) == move

    def appraise(self, state: Position, seat: Seat) -> int:
        return appraisal.appraise(state, seat)

    def check(self, state: Position) -> None:
        invariants.check(state)

    def dump(self, state: Position) -> Any:
        return saving.dump(state)

    def restore(self, data: Any) -> Position:
        return saving.restore(data)


GAME = Yuan()
