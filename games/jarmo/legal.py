"""Legal actions, in listing order (section 6 of the rules document): the one place that knows what a side may do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.jarmo.columns import covers
from games.jarmo.moves import PASS, PLACE, RECALL, STEP, Move
from games.jarmo.net import ADDED, BITS, CAMPS, MOVES, NAME, NETS, OUTSIDE
from games.jarmo.state import Points, Side, State


def legal(state: State) -> Sequence[Move]:
    """Moves with what may be added to them, then turning-over, then placing alone; a pass only if there is nothing."""
    if state.end:
        return ()  # JARMO-6.8
    found = steps(state)
    side = state.side
    pool, hand = state.pools[side], state.hands[side]
    if not pool and not hand:
        return found or [PASS]  # JARMO-2.4
    can_move = bool(found)
    if (hand and state.terms.late == "move") or (pool and may_bring_back(state)):
        found = [each for move in found for each in with_additions(state, move)]
    if pool:
        found += flips(state)
    if hand and (not can_move or state.terms.late == "turn"):
        found += placings(state)
    return found or [PASS]


def steps(state: State) -> list[Move]:
    """JARMO-2.2: each own piece outside the enemy camp (JARMO-4.1), along each line, by origin and then destination."""
    side, board = state.side, state.board
    net = NETS[state.terms.variant]
    own = board.tops[side]
    closed = own  # JARMO-2.3
    if net.variant.safe_in_camp:
        closed |= board.tops[1 - side] & CAMPS[side]  # JARMO-8.2: enemies in the own camp are safe
    found: list[Move] = []
    for reach, sight in net.movers[side][own & OUTSIDE[side]]:
        found += reach[sight & ~closed]
    return found


def may_bring_back(state: State) -> bool:
    """Whether a move might bring a soldier of the pool back: by recall, or because a guard can enter the enemy camp."""
    if state.camps:
        return True
    net, side = NETS[state.terms.variant], state.side
    return net.demotes and bool(state.board.tops[side] & state.board.guards & net.doorsteps[side])


def with_additions(state: State, move: Move) -> Iterator[Move]:
    """The move alone, then with each placing, then with each recall."""
    yield move
    side = state.side
    recovers = recovers_by(state, move)
    free = free_camp(state, move)
    # JARMO-5.3: now or earlier recovered; with late placing as a whole turn only the one of this very move (JARMO-5.4).
    if recovers or (state.hands[side] and state.terms.late == "move"):
        yield from ADDED[move.text, PLACE, free]
    if state.pools[side] > recovers and holds_camps(state, move):
        yield from ADDED[move.text, RECALL, free]  # JARMO-11.2


def recovers_by(state: State, move: Move) -> bool:
    """JARMO-4.3: a guard that enters brings a soldier from the pool to the hand. An archer recovers nobody."""
    enters = move.kind == STEP and not move.end & OUTSIDE[state.side]
    guard = move.start & state.board.guards
    return bool(enters and guard and state.pools[state.side] and NETS[state.terms.variant].demotes)


def free_camp(state: State, move: Move) -> Points:
    """JARMO-5.1: the empty points of the own camp, judged after the move: the point just left is empty."""
    board = state.board
    taken = board.taken
    if move.start and not covers(board.under, move.start):
        taken ^= move.start
    return CAMPS[state.side] & ~(taken | move.end)


def holds_camps(state: State, move: Move) -> bool:
    """JARMO-11.2: after its move the side has the top piece on both marker points."""
    # The own golden soldier below holds the point that was left (JARMO-10.4).
    left = 0 if top_below(state, move.start) == state.side else move.start
    own = state.board.tops[state.side] & ~left | move.end
    return state.camps != 0 and not state.camps & ~own


def top_below(state: State, point: Points) -> Side | None:
    """Whose golden soldier is uncovered when the top piece of this point leaves."""
    below = [whose for at, whose in state.board.under if at == point]
    return below[-1] if below else None


def flips(state: State) -> list[Move]:
    """JARMO-8.3: one guard on top in the enemy camp is turned over, alone or with a placing. The pool is not empty."""
    side, board = state.side, state.board
    if NETS[state.terms.variant].demotes:
        return []
    found: list[Move] = []
    for point in BITS[board.tops[side] & board.guards & ~OUTSIDE[side]]:
        flip = MOVES[f"flip {NAME[point]}"]
        found += (flip, *ADDED[flip.text, PLACE, free_camp(state, flip)])
    return found


def placings(state: State) -> Sequence[Move]:
    """A placing that is the whole turn (JARMO-5.4, JARMO-5.5). The hand is not empty."""
    return ADDED["", PLACE, free_camp(state, PASS)]
