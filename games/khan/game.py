"""Khan (Christwart Conrad), 2 to 4 players: the table of contents. Every answer is given in the file it names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine import BadPosition, Dice, Event, Game, Notice, Outcome, Overtaken, Refusal, Turned, View
from engine.composing import Composer
from engine.game import BrokenInvariant
from games.khan import (
    appraisal,
    composing,
    defaults,
    foretelling,
    imagining,
    judging,
    legal,
    notation,
    opening,
    plans,
    playing,
    reading,
    soundness,
    view,
)
from games.khan.material import SEAT_NUMBER, SEATS
from games.khan.options import Options as Choices
from games.khan.orders import AT_ONCE, Answer, Instruct, Move, Resign, canonical
from games.khan.state import ALWAYS, ASK, NEVER, SKIP
from games.khan.state import State as Position

Order = str | Mapping[str, Any]


class Khan(Game[Position, Move]):
    id = "khan"
    version = "1"
    title = {"en": "Khan", "fr": "Khan", "it": "Khan"}
    Options = Choices
    State = Position
    showcase = ({"players": "3", "leader_setup": "random"},)
    unreadable = frozenset({"E02", "E03"})

    def seats(self, options: Choices) -> tuple[str, ...]:
        return options.seats  # KHAN-1.8

    def setup(self, options: Choices, dice: Dice) -> Turned:
        return opening.setup(options, dice)

    def pending(self, state: Position) -> tuple[str, ...]:
        return tuple([SEATS[seat] for seat in state.asked()])

    def decision(self, state: Position) -> str:
        return state.point.split()[0]  # place, action, special, third, consent, conquer, over

    def moves(self, state: Position, seat: str) -> Iterator[Move]:
        return legal.moves(state, SEAT_NUMBER[seat])

    def read(self, state: Position, seat: str, order: Order) -> Move | Refusal:
        """KHAN-19: whose turn it is comes before the spelling, but for orders that take effect at any time."""
        number, read = SEAT_NUMBER[seat], reading.parse(order, state.options.seats)
        if isinstance(read, Refusal):
            return judging.with_legal(state, number, read) if number in state.asked() else judging.not_yours()
        move = canonical(read)
        return judging.why_not(state, number, move) or move

    def default(self, state: Position, seat: str) -> Move:
        return defaults.default(state, SEAT_NUMBER[seat])

    def resolve(self, state: Position, moves: Mapping[str, Move], dice: Dice) -> Turned:
        return playing.resolve(state, moves, dice)

    def view(self, state: Position, seat: str | None) -> View:
        return view.view(state, seat)

    def outcome(self, state: Position) -> Outcome | None:
        return view.outcome(state)

    def position(self, state: Position) -> str:
        return notation.write(state)

    def from_position(self, line: str) -> Position:
        """KHAN-29.2. Queues are the host's (KHAN-17.3): a line that tells of them is not one of this game's own."""
        state, queues = notation.read(line)
        if queues:
            raise BadPosition("queued orders are kept outside the state")
        for problem in soundness.problems(state):
            raise BadPosition(problem)
        return state

    # --- what the rules know besides moves ------------------------------------------------------------------------

    def at_once(self, state: Position, seat: str, move: Move) -> bool:
        return isinstance(move, AT_ONCE) and judging.why_not(state, SEAT_NUMBER[seat], move) is None

    def resignation(self, state: Position, seat: str) -> Move | None:
        return Resign() if self.at_once(state, seat, Resign()) else None  # KHAN-17.7

    def interrupts(self, state: Position, seat: str) -> bool:
        return plans.interrupts(state, SEAT_NUMBER[seat])

    def is_for_now(self, state: Position, seat: str, order: Order) -> bool:
        return plans.is_for_now(state, SEAT_NUMBER[seat], order)

    def overtaken(self, before: Position, turned: Turned, seat: str, order: Order | None) -> Overtaken | None:
        return plans.overtaken(before, turned, SEAT_NUMBER[seat], order)

    def answer(self, state: Position, seat: str, standing: Mapping[str, Any]) -> Move | None:
        return plans.answer(state, SEAT_NUMBER[seat], standing)

    def kept_standing(self, state: Position, seat: str, standing: Mapping[str, Any]) -> Move | None:
        """KHAN-17.2: standing instructions are part of the state; proposals are answered by them within `resolve`."""
        order = reading.read_standing(standing, state.options.seats)
        return None if isinstance(order, Refusal) else order

    def why_not_standing(self, state: Position, seat: str, standing: Mapping[str, Any]) -> Refusal | None:
        order = reading.read_standing(standing, state.options.seats)  # KHAN-17.2
        return order if isinstance(order, Refusal) else judging.why_not(state, SEAT_NUMBER[seat], order)

    def why_never(self, state: Position, seat: str, order: Order) -> Refusal | None:
        """KHAN-17.3: a file is read when it comes. KHAN-17.4: answers are never queued."""
        number, move = SEAT_NUMBER[seat], reading.parse(order, state.options.seats)
        if number in state.gone or not state.asked():
            return judging.not_yours("KHAN-17.7")
        if isinstance(move, Refusal):
            return move
        return judging.why_not(state, number, move) if isinstance(move, Answer | Instruct | Resign) else None

    def foresee(self, state: Position, seat: str, move: Move) -> Position | None:
        return plans.foresee(state, SEAT_NUMBER[seat], move)

    def notices(self, state: Position, seat: str, move: Move) -> tuple[Notice, ...]:
        return foretelling.notices(state, SEAT_NUMBER[seat], move)

    def preview(self, state: Position, seat: str, move: Move) -> tuple[Event, ...]:
        return foretelling.preview(state, SEAT_NUMBER[seat], move)

    def composer(self, state: Position, seat: str) -> Composer:
        return composing.Orders(state, SEAT_NUMBER[seat])

    def standing_choices(self, state: Position, seat: str) -> Mapping[str, tuple[str, ...]]:
        return {"consent": (ASK, ALWAYS, NEVER), "special": (ASK, SKIP)}  # KHAN-17.2

    def shown(self, state: Position, seat: str, move: Move, reader: str | None) -> str | None:
        """KHAN-20: standing instructions are secret, and so is whether an answer to a proposal was given by hand."""
        return "" if isinstance(move, Instruct | Answer) and reader != seat else str(move)

    def same_move(self, text: str, move: str) -> bool:
        """KHAN-17.1, KHAN-17.6: in any language, and with cells and cards in any order."""
        read = reading.parse(text)
        return not isinstance(read, Refusal) and str(canonical(read)) == move

    def imagine(self, state: Position, seat: str, dice: Dice) -> Position:
        return imagining.imagine(state, SEAT_NUMBER[seat], dice)

    def appraise(self, state: Position, seat: str) -> int:
        return appraisal.appraise(state, SEAT_NUMBER[seat])

    def check(self, state: Position) -> None:
        for problem in soundness.problems(state):
            raise BrokenInvariant(problem)

    def dump(self, state: Position) -> Any:
        """The pairs of the position line."""
        return notation.pairs(state)

    def restore(self, data: Any) -> Position:
        return notation.from_pairs(data)


GAME = Khan()
