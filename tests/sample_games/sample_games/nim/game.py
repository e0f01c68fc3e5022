"""Nim as the host asks for it: every answer of the Game interface, for two seats in turn and with nothing hidden."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from engine import Dice, Event, Game, Notice, Outcome, Refusal, Turned, View
from engine.game import BrokenInvariant
from sample_games.nim.state import SEATS, Choices, Move, Position, Resign, Take, letter, other, parse, write

SHORT = re.compile(r"([a-z])\s*(\d{1,3})", re.ASCII)
LONG = re.compile(r"(?:take|remove)\s+(\d{1,3})\s+(?:from|of)\s+(?:heap\s+)?([a-z])", re.ASCII)


class Nim(Game[Position, Move]):
    id = "nim"
    version = "1"
    title = {"en": "Nim"}
    Options = Choices
    State = Position
    hides = False

    def seats(self, options: Choices) -> tuple[str, ...]:
        return SEATS

    def setup(self, options: Choices, dice: Dice) -> Turned:
        heaps = tuple(int(size) for size in options.heaps.split("-"))
        state = Position(heaps, "1", options.misere, options.most)
        return Turned(state, (Event("laid_out", "NIM-1.1", {"heaps": list(heaps)}),))

    def pending(self, state: Position) -> tuple[str, ...]:
        return () if state.over else (state.to_move,)

    def moves(self, state: Position, seat: str) -> Iterator[Move]:
        for heap, size in enumerate(state.heaps):
            for count in range(1, _allowed(state, size) + 1):
                yield Take(heap, count)

    def read(self, state: Position, seat: str, order: str | Mapping[str, Any]) -> Move | Refusal:
        asked = _mapped(order) if isinstance(order, Mapping) else _worded(order)
        if isinstance(asked, Refusal):
            return asked
        if state.over:
            return Refusal("NIM-3.1", "over", "The game is over.")
        return asked if isinstance(asked, Resign) else _why_not(state, seat, asked) or asked

    def default(self, state: Position, seat: str) -> Move:
        return next(self.moves(state, seat))  # NIM-2.4

    def at_once(self, state: Position, seat: str, move: Move) -> bool:
        return isinstance(move, Resign) and not state.over  # NIM-3.3

    def resignation(self, state: Position, seat: str) -> Move | None:
        return None if state.over else Resign()

    def resolve(self, state: Position, moves: Mapping[str, Move], dice: Dice) -> Turned:
        ((seat, move),) = moves.items()
        if isinstance(move, Resign):
            after = replace(state, resigned=seat)
            return Turned(after, (Event("resigned", "NIM-3.3", {"seat": seat}), self._ended(after)))
        after = _taken(state, move)
        story = [_took(seat, move, after)]
        return Turned(after, (*story, self._ended(after)) if after.over else tuple(story))

    def view(self, state: Position, seat: str | None) -> View:
        heaps = [{"name": letter(heap), "size": size} for heap, size in enumerate(state.heaps)]
        facts = {"heaps": heaps, "to_move": state.to_move, "misere": state.misere, "most": state.most}
        facts |= {"over": state.over, "winner": _winner(state), "resigned": state.resigned}
        return View(seat, self.pending(state), self.decision(state), write(state), facts)

    def outcome(self, state: Position) -> Outcome | None:
        winner = _winner(state)
        if winner is None:
            return None
        rule, reason = _why_over(state)
        return Outcome(((winner,), (other(winner),)), {winner: 1, other(winner): 0}, rule, reason)

    def position(self, state: Position) -> str:
        return write(state)

    def from_position(self, line: str) -> Position:
        return parse(line)

    def notices(self, state: Position, seat: str, move: Move) -> tuple[Notice, ...]:
        if isinstance(move, Take) and _taken(state, move).over and state.misere:
            return (Notice("NIM-3.2", "loses", "This takes the last object: you lose.", {}),)
        return ()

    def preview(self, state: Position, seat: str, move: Move) -> tuple[Event, ...]:
        return self.resolve(state, {seat: move}, Dice()).events

    def check(self, state: Position) -> None:
        if not 1 <= len(state.heaps) <= 6 or not all(0 <= size <= 20 for size in state.heaps):
            raise BrokenInvariant(f"heaps {state.heaps}")

    def _ended(self, state: Position) -> Event:
        rule, reason = _why_over(state)
        return Event("ended", rule, {"winner": _winner(state), "reason": reason})


def _allowed(state: Position, size: int) -> int:
    return min(size, state.most) if state.most else size  # NIM-2.3


def _mapped(order: Mapping[str, Any]) -> Move | Refusal:
    """The mapping form: {do: take, heap: b, count: 3}."""
    kind = str(order.get("do", order.get("action", "take"))).strip().lower()
    if kind == "resign":
        return Resign()
    return _worded(f"{order.get('heap', '')}{order.get('count', '')}" if kind == "take" else kind)


def _worded(order: str) -> Move | Refusal:
    words = " ".join(order.lower().split())
    if words == "resign":
        return Resign()
    if found := SHORT.fullmatch(words):
        return Take(ord(found[1]) - ord("a"), int(found[2]))
    if found := LONG.fullmatch(words):
        return Take(ord(found[2]) - ord("a"), int(found[1]))
    return Refusal("NIM-2.1", "unreadable", "{order} is no move: name a heap and a number.", {"order": order}, ("b3",))


def _why_not(state: Position, seat: str, move: Take) -> Refusal | None:
    if seat != state.to_move:
        return Refusal("NIM-1.2", "not_your_turn", "It is the turn of seat {to_move}.", {"to_move": state.to_move})
    names = tuple(letter(heap) for heap, size in enumerate(state.heaps) if size)
    if letter(move.heap) not in names:
        gone = {"heap": letter(move.heap), "heaps": names}
        return Refusal("NIM-2.1", "no_heap", "Heap {heap} holds nothing; there are objects in {heaps}.", gone, names)
    most = _allowed(state, state.heaps[move.heap])
    if not 1 <= move.number <= most:
        facts: dict[str, Any] = {"heap": letter(move.heap), "count": move.number, "most": most}
        rule = "NIM-2.3" if most < state.heaps[move.heap] else "NIM-2.2"
        legal = tuple(str(Take(move.heap, count)) for count in range(1, most + 1))
        return Refusal(rule, "count", "From heap {heap} you may take 1 to {most}, not {count}.", facts, legal)
    return None


def _taken(state: Position, move: Take) -> Position:
    heaps = tuple(size - move.number if heap == move.heap else size for heap, size in enumerate(state.heaps))
    return replace(state, heaps=heaps, to_move=other(state.to_move))


def _took(seat: str, move: Take, after: Position) -> Event:
    facts = {"seat": seat, "heap": letter(move.heap), "count": move.number, "left": after.heaps[move.heap]}
    return Event("took", "NIM-2.1", facts)


def _winner(state: Position) -> str | None:
    if state.resigned is not None:
        return other(state.resigned)  # NIM-3.3
    if any(state.heaps):
        return None
    return state.to_move if state.misere else other(state.to_move)  # NIM-3.2, NIM-3.1


def _why_over(state: Position) -> tuple[str, str]:
    if state.resigned is not None:
        return "NIM-3.3", "resigned"
    return ("NIM-3.2", "last object loses") if state.misere else ("NIM-3.1", "last object wins")
