"""The memory of a position line, undone from its end and played again (HASAMI-10.1, HASAMI-10.2)."""

from __future__ import annotations

from engine import Turned
from games.hasami_shogi.board import BOARDS, MOVES, PASS_KEY
from games.hasami_shogi.ending import winners
from games.hasami_shogi.legal import can_move, legal
from games.hasami_shogi.state import BEGIN, FOE, GREEN, OVER, PASS, RED, State, Trail
from games.hasami_shogi.turn import forced_pass, play


class CannotBe(Exception):
    """The memory tells of something that cannot have happened."""


def trail_of(state: State) -> Trail:
    """How the board came to differ from that after the last progress, entry by entry."""
    keys = []
    for entry in reversed(state.memory):
        state, key = step_undone(state, entry)
        keys.append(key)
    trail = BEGIN
    for key in reversed(keys):
        trail = (*trail, trail[-1] ^ key)
    return trail


def step_undone(state: State, entry: str) -> tuple[State, int]:
    """The pieces before an entry, and what it changed in the trail."""
    if entry == PASS:
        return state, PASS_KEY
    way = BOARDS[state.terms.variant].ways[entry]
    if not way.end & (state.green | state.red) or way.start & (state.green | state.red):
        raise CannotBe(f"{entry} cannot be taken back")
    key = way.green_key if way.end & state.green else way.red_key
    if way.end & state.shoguns:
        state, key = state._replace(shoguns=state.shoguns ^ way.span), key ^ way.shogun_key
    if way.end & state.green:
        return state._replace(green=state.green ^ way.span), key
    return state._replace(red=state.red ^ way.span), key


def memory_fault(state: State) -> str | None:
    """Why this memory cannot have led to this position, or None when it did."""
    if not state.memory:
        return None
    try:
        replayed = played_again(undone(state), state.memory)
    except CannotBe as fault:
        return f"The memory cannot be played back: {fault} (HASAMI-7.3, HASAMI-10.2)."
    if replayed != state:
        return "The memory played back leads to another position (HASAMI-7.3, HASAMI-10.2)."
    return None


def undone(state: State) -> State:
    """The position right after the last progress: each piece goes back, and the sides alternate."""
    side = FOE[side_after(state)]
    for entry in reversed(state.memory):
        if entry != PASS:
            own = state.green if side == GREEN else state.red
            if not BOARDS[state.terms.variant].ways[entry].end & own:
                raise CannotBe(f"{entry} cannot be taken back")
        state, _ = step_undone(state, entry)
        side = FOE[side]
    return state._replace(turn=FOE[side], memory=(), trail=BEGIN)


def side_after(state: State) -> str:
    """The side to move after the last entry; when over, the pieces tell."""
    if state.turn != OVER:
        return state.turn
    for back, entry in enumerate(reversed(state.memory), start=1):
        if entry != PASS:
            mover = GREEN if BOARDS[state.terms.variant].ways[entry].end & state.green else RED
            return FOE[mover] if back % 2 else mover
    raise CannotBe("nobody has moved")


def played_again(state: State, memory: tuple[str, ...]) -> State:
    """All entries played again, each legal in its turn and quiet; nothing ends before the last of them."""
    if winners(state):
        raise CannotBe("the game was over before it")
    turned = Turned(state)
    if memory[0] == PASS:
        if can_move(state, state.turn):
            raise CannotBe("the side to move could move")
        turned = forced_pass(state, ())
    while len(turned.state.memory) < len(memory):
        turned = one_more(turned.state, memory)
    after: State = turned.state
    return after


def one_more(state: State, memory: tuple[str, ...]) -> Turned:
    """The next entry played, with the pass that it forces."""
    if state.turn == OVER:
        raise CannotBe("the game was over before its end")
    entry = memory[len(state.memory)]
    if entry == PASS or MOVES[entry] not in legal(state):
        raise CannotBe(f"{entry} was not legal")
    turned = play(state, MOVES[entry])
    written = turned.state.memory
    if len(written) <= len(state.memory) or written != memory[: len(written)]:
        raise CannotBe(f"after {entry} the memory would not go on like this")  # HASAMI-7.3, HASAMI-7.6
    return turned
