"""Conquest: the table of contents. Every question about the game, and the file that answers it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine import Dice, Event, Outcome, Refusal, Seat, Turned, View
from engine.composing import Composer
from engine.entries import Deed, TurnFile
from engine.game import BrokenInvariant, Game
from games.conquest import (
    appraisal,
    composing,
    filing,
    legal,
    line,
    ranking,
    reading,
    refusing,
    standing,
    stored,
    turn,
    view,
)
from games.conquest.actions import DECLINE, SILENCE, Action
from games.conquest.geography import COLOURS
from games.conquest.options import Choices, seats
from games.conquest.state import State as Position


class Conquest(Game[Position, Action]):
    """Four islands, 104 pieces and the Grail. All is open; pacts are the players' own (CONQ-16.1)."""

    id = "conquest"
    version = "1"
    title = {"en": "Conquest", "fr": "Conquest", "it": "Conquest"}
    Options = Choices
    State = Position
    showcase = ({"players": "2", "alliance_win": "land"},)
    showcase_standing = {
        "counter": {"rules": [{"when": {"at": ["capital", "grail"]}, "answer": "always"}], "else": "never"}
    }
    hides = False
    unreadable = frozenset({"unreadable", "unknown_cell"})
    order_keys = filing.KEYS
    conditions = filing.CONDITIONS

    def seats(self, options: Choices) -> tuple[Seat, ...]:
        return tuple(seats(options.players))

    def setup(self, options: Choices, dice: Dice) -> Turned:
        return turn.setup(options, dice)

    def pending(self, state: Position) -> tuple[Seat, ...]:
        return view.pending(state)

    def decision(self, state: Position) -> str:
        return "over" if state.over else "counter" if state.exchange else "move"

    def moves(self, state: Position, seat: Seat) -> Iterator[Action]:
        return legal.actions(state) if seat in self.pending(state) else iter(())

    def read(self, state: Position, seat: Seat, order: str | Mapping[str, Any]) -> Action | Refusal:
        return refusing.read(state, seat, order)

    def why_never(self, state: Position, seat: Seat, order: str | Mapping[str, Any]) -> Refusal | None:
        return refusing.why_never(state, order)

    def default(self, state: Position, seat: Seat) -> Action:
        """CONQ-17.3: silence ends a turn and declines an exchange. What was moved before stays moved (CONQ-17.1)."""
        return SILENCE if state.exchange is None else DECLINE

    def resolve(self, state: Position, moves: Mapping[Seat, Action], dice: Dice) -> Turned:
        (action,) = moves.values()  # CONQ-18.3: one seat decides at a time
        return turn.resolve(state, action)

    def preview(self, state: Position, seat: Seat, move: Action) -> tuple[Event, ...]:
        return turn.resolve(state, move).events if seat in self.pending(state) else ()

    def composer(self, state: Position, seat: Seat) -> Composer:
        return composing.composer(state)

    def standing_choices(self, state: Position, seat: Seat) -> Mapping[str, tuple[str, ...]]:
        return {"counter": ("ask", "always", "never")}  # CONQ-18.6

    def interrupts(self, state: Position, seat: Seat) -> bool:
        """An exchange breaks into the turn of another: orders for one's own turn wait for it (CONQ-17.2, CONQ-18.7)."""
        return state.exchange is not None and seat in self.pending(state)

    def is_for_now(self, state: Position, seat: Seat, order: str | Mapping[str, Any]) -> bool:
        return refusing.is_answer(order)

    def answer(self, state: Position, seat: Seat, wishes: Mapping[str, Any]) -> Action | None:
        return standing.answer(state, seat, wishes)

    def why_not_standing(self, state: Position, seat: Seat, wishes: Mapping[str, Any]) -> Refusal | None:
        return standing.why_not(wishes)

    def why_not_say(self, state: Position, seat: Seat, to: Seat | None) -> Refusal | None:
        return refusing.why_not_say(state, seat, to)

    # --- order files (CONQ-18.5) -------------------------------------------------------------------------------------

    def bound(self, state: Position, seat: Seat, keys: Mapping[str, str]) -> TurnFile | Refusal | None:
        return filing.bound(state, seat, keys)

    def turn_now(self, state: Position) -> str:
        return COLOURS[state.mover]

    def turns_ended(self, before: Position, after: Position) -> tuple[str, ...]:
        return filing.turns_ended(before, after)

    def remembered(self, before: Position, after: Position, seat: Seat) -> bool:
        return not filing.turns_ended(before, after)

    def noted(self, events: Sequence[Event], seat: Seat) -> tuple[str, ...]:
        return filing.noted(events, seat)

    def holds(self, state: Position, seat: Seat, condition: Mapping[str, str], done: Sequence[Deed]) -> bool:
        return filing.holds(state, seat, condition, done)

    def why_not_condition(self, condition: Mapping[str, str]) -> Refusal | None:
        return filing.why_not(condition)

    def same_move(self, text: str, move: str) -> bool:
        return reading.means(text, move)

    # --- what is seen, and how it ends ------------------------------------------------------------------------------

    def view(self, state: Position, seat: Seat | None) -> View:
        return view.view(state, seat)

    def outcome(self, state: Position) -> Outcome | None:
        return ranking.outcome(state)

    def position(self, state: Position) -> str:
        return line.write(state)

    def from_position(self, text: str) -> Position:
        return line.read(text)

    def appraise(self, state: Position, seat: Seat) -> int:
        return appraisal.appraise(state, seat)

    def check(self, state: Position) -> None:
        try:
            line.read(line.write(state))
        except ValueError as wrong:
            raise BrokenInvariant(str(wrong)) from None

    def dump(self, state: Position) -> Any:
        return stored.dump(state)

    def restore(self, data: Any) -> Position:
        return stored.restore(data)
