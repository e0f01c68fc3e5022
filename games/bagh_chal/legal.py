"""Legal actions, in listing order (BAGH-6.4): the one place that knows what each side may do."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from games.bagh_chal.board import BOARDS, PREY
from games.bagh_chal.heroes import may_enter, protected
from games.bagh_chal.moves import CAPTURE, DECLINE, Move
from games.bagh_chal.state import EXTRA, GOATS, OVER, TIGERS, Points, State


def legal(state: State) -> Sequence[Move]:
    """What the side to act may do."""
    found = BY_TURN[state.turn](state)
    return without_way_back(state, found) if state.memory else found


def without_way_back(state: State, found: Sequence[Move]) -> Sequence[Move]:
    """BAGH-5.4: going straight back is legal only when it is all there is; captures and the Bouc's entry count too."""
    back = way_back(state)
    # Each action of a board is one value, shared by all its tables: so it is enough to ask whether it is the same one.
    return found if back is None else [move for move in found if move is not back] or found


def way_back(state: State) -> Move | None:
    """BAGH-5.4: the action that would undo this side's previous turn, the last but one in memory (BAGH-5.5)."""
    memory = state.memory
    return BOARDS[state.terms.variant].back[memory[-2]] if len(memory) >= 2 else None


def goat_actions(state: State) -> Sequence[Move]:
    """Place while goats are in hand, then walk; or let the Bouc enter instead (BAGH-9.5)."""
    found = placings(state) if state.hand else goat_walks(state)  # BAGH-4.1, BAGH-5.2
    return found if not may_enter(state) else [*found, *BOARDS[state.terms.variant].entries.of(state.goats)]


def placings(state: State) -> Sequence[Move]:
    """BAGH-4.1: a goat from the hand on any empty point."""
    return BOARDS[state.terms.variant].placings.of(empty(state))


def goat_walks(state: State) -> list[Move]:
    """BAGH-5.2: a goat or the Bouc (BAGH-9.6) to an adjacent empty point; goats neither jump nor capture."""
    board, free = BOARDS[state.terms.variant], empty(state)
    found: list[Move] = []
    for goat in board.points.of(goats_beside(state, free)):
        reach = board.walks[goat]
        found += reach[free & reach.sight]
    return found


def goats_beside(state: State, points: Points) -> Points:
    """The goats, and the Bouc (BAGH-9.6), that are adjacent to one of these points."""
    board = BOARDS[state.terms.variant]
    beside = 0
    for point in board.points.of(points):
        beside |= board.near[point]
    return beside & (state.goats | state.bouc)


def tiger_actions(state: State) -> Sequence[Move]:
    """BAGH-4.2, BAGH-5.3: one tiger moves, in both phases; the tigers never place and never pass."""
    return tiger_moves(state, state.tigers)


def extra_actions(state: State) -> Sequence[Move]:
    """BAGH-9.2: the Alpha moves once more, captures included, or stays (BAGH-9.3)."""
    return [*tiger_moves(state, state.alpha), DECLINE]


def tiger_moves(state: State, tigers: Points) -> list[Move]:
    """Walks (BAGH-4.3) and jumps (BAGH-4.4) of these tigers: one of them is a turn, and none is forced (BAGH-4.5)."""
    board = BOARDS[state.terms.variant]
    seen = empty(state) | (state.goats | state.bouc) << PREY
    found: list[Move] = []
    for reach, sight in board.hunts(tigers):
        found += reach[seen & sight]
    return found if not state.bouc else [spared(state, move) for move in found]


def spared(state: State, move: Move) -> Move:
    """BAGH-9.7: a normal tiger leaps over a protected goat without capturing it; this is not a choice."""
    if move.kind == CAPTURE and move.over & protected(state) and move.start != state.alpha:
        return BOARDS[state.terms.variant].moves[move.text.replace("x", "-")]
    return move


def empty(state: State) -> Points:
    return BOARDS[state.terms.variant].all ^ (state.tigers | state.goats | state.bouc)


def can_move(state: State, tigers: Points) -> bool:
    """Whether one of these tigers can walk or jump; one that cannot is trapped (BAGH-4.6). BAGH-5.4 has no say."""
    seen = empty(state) | (state.goats | state.bouc) << PREY
    for reach, sight in BOARDS[state.terms.variant].hunts(tigers):  # noqa: SIM110
        if reach[seen & sight]:
            return True
    return False


def are_blocked(state: State) -> bool:
    """BAGH-5.6: the goats are to act and have no legal action at all."""
    if state.hand:
        return False
    board, goats = BOARDS[state.terms.variant], state.goats | state.bouc
    for point in board.points.of(empty(state)):
        if board.near[point] & goats:
            return False  # BAGH-5.2: nearly always the first point says so
    return not may_enter(state)


BY_TURN: Mapping[str, Callable[[State], Sequence[Move]]] = {
    GOATS: goat_actions,
    TIGERS: tiger_actions,
    EXTRA: extra_actions,
    OVER: lambda state: (),
}
