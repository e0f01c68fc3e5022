"""The Monte-Carlo player: the moves that look best are played on in thought, again and again, in imagined worlds.

It needs nothing but the interface of a game. What it may not know is drawn anew for every line it plays (`imagine`), so
that a move is judged by what it brings over all that could be the case. Its budget is counted in moves, not in
seconds: the same dice give the same choice on every machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.dice import Dice
from engine.game import Move, Seat
from engine.players.foreseeing import LEAST, Foresight
from engine.players.greedy import best
from engine.players.menu import sampled
from engine.players.worth import after, worth
from engine.registry import AnyGame

CARE = 4  # so many times as many moves are looked at for others who decide at the same moment
LONG = 48  # from so many moves on a guess at somebody's answer is likely to miss the one that matters


@dataclass(frozen=True, slots=True)
class MonteCarlo:
    """How much it thinks: `budget` moves for one choice, of which a third may go into a first look at all moves.

    The `width` best of that look are played on for `depth` decisions (so that where all decide together a line is
    short, and where they take turns it is long), and each of these is the best of `glance` moves. The worse half falls
    away whenever an equal part of the budget is spent. Where nothing is left to guess but the answers, and menus are
    long, answers are looked at whole instead (`foreseeing`).
    """

    budget: int = 1200
    width: int = 8
    depth: int = 6
    glance: int = 3

    def __call__(self, rules: AnyGame, known: Any, seat: Seat, dice: Dice) -> Move:
        moves = sampled(rules.moves(known, seat), max(2, self.budget // 3), dice)
        if len(moves) == 1:
            return moves[0]
        luck = [dice.at("luck") for _ in moves]
        led_to = {move: after(rules, known, seat, move, fell) for move, fell in zip(moves, luck, strict=True)}
        left = self.budget - len(moves)
        certain = not rules.hides and rules.pending(known) == (seat,) and not any(fell.draws for fell in luck)
        if certain and LONG <= len(moves) <= left // (2 * LEAST):
            return Foresight(rules, seat, dice.at("ahead"), left).best(led_to, self.width)
        seen = {move: worth(rules, state, seat) for move, state in led_to.items()}
        kept = sorted(moves, key=lambda move: -seen[move])[: self.width]
        return _Thought(self, rules, known, seat, dice, seen, left).narrowed(kept)


@dataclass(slots=True)
class _Thought:
    """One choice being made: how much of the budget is left, and how many lines have been played."""

    player: MonteCarlo
    rules: AnyGame
    known: Any
    seat: Seat
    dice: Dice
    seen: Mapping[Move, int]
    left: int
    lines: int = 0

    def narrowed(self, kept: list[Move]) -> Move:
        """The move that is left when again and again the worse half has fallen away; of equals the first stays."""
        while len(kept) > 1 and self.left > 0:
            share = self.left // max(1, (len(kept) - 1).bit_length())
            brought = self._tried(kept, self.left - share)
            kept = sorted(kept, key=lambda move: -brought[move])[: (len(kept) + 1) // 2]
        return kept[0]

    def _tried(self, kept: list[Move], until: int) -> dict[Move, int]:
        """What the moves have brought in equally many lines each: always in the same worlds, with the same luck."""
        brought = dict.fromkeys(kept, 0)
        while self.left > until:
            for move in kept:
                brought[move] += self.seen[move]  # lines are played by guesses: the first look weighs as much as they
            self.lines += 1
            dice = self.dice.at(f"line {self.lines}")
            world = self.rules.imagine(self.known, self.seat, dice.at("world"))
            # What others decide at the same moment cannot depend on this move: it is thought of once, and better.
            others = [seat for seat in self.rules.pending(world) if seat != self.seat]
            replies = {seat: self._likely(world, seat, dice.at(seat), CARE * self.player.glance) for seat in others}
            for move in kept:
                brought[move] += self._line(world, {**replies, self.seat: move}, dice)
        return brought

    def _line(self, state: Any, moves: Mapping[Seat, Move], dice: Dice) -> int:
        """What a world is worth after these moves and some more decisions of everybody."""
        made = 0
        while True:
            turn = dice.at(str(made))
            state = self.rules.resolve(state, moves, turn).state
            self.left -= 1
            made += len(moves)
            pending = self.rules.pending(state)
            if not pending or made + len(pending) > self.player.depth:
                return worth(self.rules, state, self.seat)
            moves = {seat: self._likely(state, seat, turn.at(seat), self.player.glance) for seat in pending}

    def _likely(self, state: Any, seat: Seat, dice: Dice, glance: int) -> Move:
        """What a seat does in thought: the best of a few moves."""
        moves = sampled(self.rules.moves(state, seat), glance, dice)
        self.left -= len(moves) if len(moves) > 1 else 0
        return best(self.rules, state, seat, moves, dice)


monte_carlo = MonteCarlo()
