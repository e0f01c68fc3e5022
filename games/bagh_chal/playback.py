"""The memory of a position line, undone from its end and played again (BAGH-11.2)."""

from __future__ import annotations

from games.bagh_chal.board import BOARDS
from games.bagh_chal.ending import Ending, ended
from games.bagh_chal.legal import are_blocked, empty, legal
from games.bagh_chal.state import GOATS, OVER, PASS, TIGERS, Points, State
from games.bagh_chal.turn import pass_blocked, play


class CannotBe(Exception):
    """The memory tells of something that cannot have happened."""


def memory_fault(state: State) -> str | None:
    """Why this memory cannot have led to this position, or None when it did."""
    if not state.memory:
        return None
    try:
        reached, ending = replayed(undone(state), state.memory)
    except CannotBe as fault:
        return f"The memory cannot be played back: {fault} (BAGH-5.5, BAGH-11.2)."
    turn = reached.turn if ending is None else OVER
    if reached._replace(turn=turn) != state:
        return "The memory played back leads to another position (BAGH-5.5, BAGH-11.2)."
    return None


def undone(state: State) -> State:
    """The position in which the first entry was played."""
    side = last_side(state)
    for entry in reversed(state.memory):
        if (entry == PASS) and side != GOATS:
            raise CannotBe("only goats pass")
        state = state if entry == PASS else step_undone(state, entry, side)
        side = other(side)
    return state._replace(turn=other(side), memory=())


def last_side(state: State) -> str:
    """Who made the last entry: the side not to act now; when over, the side of the piece that stands there."""
    if state.turn != OVER:
        return other(state.turn)
    last = state.memory[-1]
    return TIGERS if last != PASS and points_of(state, last)[1] & state.tigers else GOATS


def step_undone(state: State, entry: str, side: str) -> State:
    start, end = points_of(state, entry)
    own = state.tigers if side == TIGERS else state.goats | state.bouc
    if not end & own or not start & empty(state):
        raise CannotBe(f"{entry} cannot be taken back")

    def moved(points: Points) -> Points:
        return points ^ end ^ start if points & end else points

    return state._replace(
        tigers=moved(state.tigers), goats=moved(state.goats), bouc=moved(state.bouc), alpha=moved(state.alpha)
    )


def replayed(state: State, memory: tuple[str, ...]) -> tuple[State, Ending | None]:
    """All entries played again, each legal in its turn; nothing ends before the last of them."""
    if ended(state._replace(turn=TIGERS)):
        raise CannotBe("the game was over before it")
    ending: Ending | None = None
    if memory[0] == PASS:
        if not are_blocked(state):
            raise CannotBe("the goats could move")
        state, _, ending = pass_blocked(state, [])
    while len(state.memory) < len(memory):
        if ending:
            raise CannotBe("the game was over before its end")
        entry = memory[len(state.memory)]
        move = BOARDS[state.terms.variant].moves.get(entry)
        if move is None or move not in legal(state):
            raise CannotBe(f"{entry} was not legal")
        state, _, ending = play(state, move)
    return state, ending


def points_of(state: State, entry: str) -> tuple[Points, Points]:
    bit = BOARDS[state.terms.variant].bit
    start, _, end = entry.partition("-")
    return bit[start], bit[end]


def other(side: str) -> str:
    return TIGERS if side == GOATS else GOATS
