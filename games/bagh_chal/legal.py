"""Legal actions, in listing order (BAGH-6.4): the one place that knows what each side may do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from games.bagh_chal.board import BOARDS
from games.bagh_chal.heroes import may_enter, protected
from games.bagh_chal.moves import CAPTURE, DECLINE, PREY, Move
from games.bagh_chal.state import EXTRA, GOATS, OVER, TIGERS, Points, State


def legal(state: State) -> Sequence[Move]:
    """What the side to act may do."""
    found = BY_TURN[state.turn](state)
    return without_way_back(state, found) if state.memory else found


def without_way_back(state: State, found: Sequence[Move]) -> Sequence[Move]:
    """BAGH-5.4: going straight back is legal only when it is all there is; captures and the Bouc's entry count too."""
    back = way_back(state)
    # Each action of a board is one value, shared by all its lists: so it is enough to ask whether it is the same one.
    return found if back is None else [move for move in found if move is not back] or found


def way_back(state: State) -> Move | None:
    """BAGH-5.4: the action that would undo this side's previous turn, the last but one in memory (BAGH-5.5)."""
    memory = state.memory
    return BOARDS[state.terms.variant].back[memory[-2]] if len(memory) >= 2 else None


def goat_actions(state: State) -> Sequence[Move]:
    """Place while goats are in hand, then walk; or let the Bouc enter instead (BAGH-9.5)."""
    found = placings(state) if state.hand else goat_walks(state)  # BAGH-4.1, BAGH-5.2
    return [*found, *entries(state)] if may_enter(state) else found


def placings(state: State) -> list[Move]:
    """BAGH-4.1: a goat from the hand on any empty point."""
    free = empty(state)
    return [move for move in BOARDS[state.terms.variant].placings if move.end & free]


def entries(state: State) -> list[Move]:
    """BAGH-9.5: the Bouc in place of any goat."""
    return [move for move in BOARDS[state.terms.variant].entries if move.end & state.goats]


def goat_walks(state: State) -> list[Move]:
    """BAGH-5.2: a goat or the Bouc (BAGH-9.6) to an adjacent empty point; goats neither jump nor capture."""
    walks, free, goats = BOARDS[state.terms.variant].walks, empty(state), state.goats | state.bouc
    found: list[Move] = []
    while goats:
        goat = goats & -goats  # the first of them in board order
        goats ^= goat
        for move in walks[goat]:
            if move.end & free:
                found.append(move)
    return found


def goats_beside(state: State, points: Points) -> Points:
    """The goats, and the Bouc (BAGH-9.6), that are adjacent to one of these points."""
    board = BOARDS[state.terms.variant]
    beside: Points = 0
    for point in board.points_of(points):
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
    hunts, lacking = BOARDS[state.terms.variant].hunts, lacks(state)
    found: list[Move] = []
    while tigers:
        tiger = tigers & -tigers
        tigers ^= tiger
        for move in hunts[tiger]:
            if not move.needs & lacking:
                found.append(move)
    return found if not state.bouc else [spared(state, move) for move in found]


def spared(state: State, move: Move) -> Move:
    """BAGH-9.7: a normal tiger leaps over a protected goat without capturing it; this is not a choice."""
    if move.kind == CAPTURE and move.over & protected(state) and move.start != state.alpha:
        return BOARDS[state.terms.variant].moves[move.text.replace("x", "-")]
    return move


def empty(state: State) -> Points:
    return BOARDS[state.terms.variant].all ^ (state.tigers | state.goats | state.bouc)


def lacks(state: State) -> Points:
    """All that a tiger may need and does not find: the points that are taken, and above them those without prey."""
    prey = state.goats | state.bouc
    return state.tigers | prey | ~prey << PREY


def can_move(state: State, tigers: Points) -> bool:
    """Whether one of these tigers can walk or jump; one that cannot is trapped (BAGH-4.6). BAGH-5.4 has no say."""
    hunts, lacking = BOARDS[state.terms.variant].hunts, lacks(state)
    while tigers:
        tiger = tigers & -tigers
        tigers ^= tiger
        for move in hunts[tiger]:
            if not move.needs & lacking:
                return True
    return False


def are_blocked(state: State) -> bool:
    """BAGH-5.6: the goats are to act and have no legal action at all."""
    if state.hand:
        return False
    near, free, goats = BOARDS[state.terms.variant].near, empty(state), state.goats | state.bouc
    while goats:
        goat = goats & -goats
        goats ^= goat
        if near[goat] & free:
            return False  # BAGH-5.2: nearly always one of the first says so
    return not may_enter(state)


BY_TURN: Final[dict[str, Callable[[State], Sequence[Move]]]] = {
    GOATS: goat_actions,
    TIGERS: tiger_actions,
    EXTRA: extra_actions,
    OVER: lambda state: (),
}
