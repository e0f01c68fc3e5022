"""Yut: the table of contents. Every question about the game, and the file that answers it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from engine import Dice, Event, Notice, Outcome, Refusal, Seat, Turned, View
from engine.composing import Composer
from engine.game import BrokenInvariant, Game
from engine.series import Series
from games.yut import (
    appraisal,
    composing,
    foretelling,
    judging,
    match,
    opening,
    position,
    reading,
    silence,
    soundness,
    stored,
    turn,
    view,
)
from games.yut.ending import RULES
from games.yut.legal import legal
from games.yut.moves import PLACING, Move
from games.yut.options import Options as Choices
from games.yut.state import SEATS, SIDE_OF
from games.yut.state import State as Position

turned: Callable[[tuple[Position, tuple[Event, ...]]], Turned] = partial(tuple.__new__, Turned)
"""What `Turned(...)` does, in half the time."""


class Yut(Game[Position, Move]):
    """A race of horses by four sticks, with shortcuts, piles and captures; who is home first wins (YUT-8.1)."""

    id = "yut"
    version = "1"
    title = {"en": "Yut", "fr": "Yut", "it": "Yut"}
    Options = Choices
    State = Position
    showcase = ({}, {"favourite": "true", "wild": "true", "hurdles": "default"})
    hides = False  # all information is open

    def seats(self, options: Choices) -> tuple[Seat, ...]:
        return SEATS[options.players]  # YUT-1.1, YUT-9.2

    def teams(self, options: Choices) -> tuple[tuple[Seat, ...], ...]:
        return match.teams(options)

    def series(self, options: Choices) -> Series | None:
        return match.series(options)

    def setup(self, options: Choices, dice: Dice) -> Turned:
        return opening.new_game(options, dice)

    def pending(self, state: Position) -> tuple[Seat, ...]:
        return state.role.pending if state.end is None else ()  # YUT-1.5, YUT-8.4

    def moves(self, state: Position, seat: Seat) -> Iterator[Move]:
        return iter(legal(state) if seat == state.role.name else ())

    def read(self, state: Position, seat: Seat, order: str | Mapping[str, Any]) -> Move | Refusal:
        return judging.read(state, seat, order)

    def why_never(self, state: Position, seat: Seat, order: str | Mapping[str, Any]) -> Refusal | None:
        return judging.why_never(order)

    def default(self, state: Position, seat: Seat) -> Move:
        return silence.default(state)

    def resolve(self, state: Position, moves: Mapping[Seat, Move], dice: Dice) -> Turned:
        move = moves[state.role.name]  # YUT-1.5: no other seat is pending
        story: turn.Story = []
        play = opening.place_hurdle if move.throw == PLACING else turn.play
        return turned((play(state, move, story, dice), tuple(story)))

    def preview(self, state: Position, seat: Seat, move: Move) -> tuple[Event, ...]:
        return foretelling.preview(state, move) if seat in self.pending(state) and move in legal(state) else ()

    def notices(self, state: Position, seat: Seat, move: Move) -> tuple[Notice, ...]:
        return foretelling.notices(state, move) if seat in self.pending(state) and move in legal(state) else ()

    def decision(self, state: Position) -> str:
        return view.decision(state)

    def view(self, state: Position, seat: Seat | None) -> View:
        return view.view(state, seat)

    def outcome(self, state: Position) -> Outcome | None:
        """Section 9: sides as they are ranked, both seats of a team together; the score is horses in the stable."""
        end = state.end
        if end is None:
            return None
        seats, side_of = SEATS[state.terms.players], SIDE_OF[state.terms.players]
        side = {seat: side_of[number] for number, seat in enumerate(seats, 1)}
        return Outcome(
            places=tuple(tuple(seat for seat in seats if side[seat] in rank) for rank in end.ranking),
            scores={seat: state.stable[side[seat]] for seat in seats},
            rule=RULES[end.reason],
            reason=end.reason,
            details={"ranking": position.write_ranking(end.ranking), "turns": state.turns},
        )

    def asks_anew(self, before: Position, after: Position, seat: Seat, answered: bool) -> bool:
        """YUT-13.1: nobody has seen the throws of a new turn, behind forfeited ones or behind hurdles; nor the extra
        throw (YUT-6.2) that its orders have brought."""
        extra = len(after.throws) >= len(before.throws)
        return before.placing or after.turns != before.turns or (answered and extra)

    def composer(self, state: Position, seat: Seat) -> Composer:
        return composing.Taps()

    def appraise(self, state: Position, seat: Seat) -> int:
        terms = state.terms
        return appraisal.appraise(state, SIDE_OF[terms.players][SEATS[terms.players].index(seat) + 1])

    def position(self, state: Position) -> str:
        return position.write(state)

    def from_position(self, line: str) -> Position:
        return position.read(line)

    def same_move(self, text: str, move: str) -> bool:
        return reading.means(text, move)

    def why_no_deed(self, text: str) -> Refusal | None:
        return judging.why_no_deed(text)

    def check(self, state: Position) -> None:
        for fault in soundness.faults(state):
            raise BrokenInvariant(fault)

    def dump(self, state: Position) -> Any:
        return stored.dump(state)

    def restore(self, data: Any) -> Position:
        return stored.restore(data)


GAME = Yut()
