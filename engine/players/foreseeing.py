"""Looking ahead where nothing is hidden and no dice fall: all answers to a move, the likeliest of them further on.

Each round looks one decision deeper and then lets go of the worse half of the moves: positions are only ever compared
at the same depth, for an appraisal leans towards whoever is to move. A guess at an answer is worth little here, since
one answer out of a hundred may refute a move, so a menu is looked at whole.
"""

from __future__ import annotations

from typing import Any

from engine.dice import Dice
from engine.game import Move, Seat
from engine.players.menu import sampled
from engine.players.worth import worth
from engine.registry import AnyGame

MOST = 256  # answers looked at; of a longer menu a sample
LIKELY = 2  # answers that are followed further
LEAST = 2  # moves that are compared, however long their menus


class Foresight:
    """One choice being made, and the positions that were looked at for it.

    `left` is how many moves may still be made in thought, and `spent` whether more would have been needed.
    """

    def __init__(self, rules: AnyGame, seat: Seat, dice: Dice, budget: int) -> None:
        self.rules, self.seat, self.dice = rules, seat, dice
        self.left, self.spent = budget, False
        self.answers: dict[Any, list[Any]] = {}
        self.worths: dict[tuple[Any, Seat], int] = {}

    def best(self, led_to: dict[Move, Any], width: int) -> Move:
        """The best of some moves, given the states they lead to; of equals the first stays."""
        moves = sorted(led_to, key=lambda move: -self.worth(led_to[move], self.seat))
        moves = moves[: max(LEAST, min(width, self.left // (2 * len(moves))))]
        depth = 1
        while len(moves) > 1 and not self.spent:
            found = self.compared(moves, led_to, depth)
            moves = sorted(found, key=lambda move: -found[move])[: (len(moves) + 1) // 2] or moves
            depth += 1
        return moves[0]

    def compared(self, moves: list[Move], led_to: dict[Move, Any], depth: int) -> dict[Move, int]:
        """What the moves bring at that depth; when the budget ends, of as many as were followed to there."""
        found: dict[Move, int] = {}
        for move in moves:
            end = self.outlook(led_to[move], depth)
            if self.spent:
                break
            found[move] = self.worth(end, self.seat)
        return found

    def outlook(self, state: Any, depth: int) -> Any:
        """Where so many more decisions lead when each seat chooses what is best for itself."""
        pending = self.rules.pending(state)
        if depth == 0 or len(pending) != 1:
            return state
        if self.left <= 0 and state not in self.answers:
            self.spent = True
            return state
        (seat,) = pending
        likely = self.answered(state, seat)
        ends = likely[:1] if depth == 1 else [self.outlook(after, depth - 1) for after in likely]
        return max(ends, key=lambda end: self.worth(end, seat))

    def answered(self, state: Any, seat: Seat) -> list[Any]:
        """What the likeliest answers of the seat lead to, the best for it first."""
        if state not in self.answers:
            moves = sampled(self.rules.moves(state, seat), MOST, self.dice)
            self.left -= len(moves)
            found = [self.rules.resolve(state, {seat: move}, self.dice).state for move in moves]
            self.answers[state] = sorted(found, key=lambda after: -self.worth(after, seat))[:LIKELY]
        return self.answers[state]

    def worth(self, state: Any, seat: Seat) -> int:
        if (state, seat) not in self.worths:
            self.worths[state, seat] = worth(self.rules, state, seat)
        return self.worths[state, seat]
