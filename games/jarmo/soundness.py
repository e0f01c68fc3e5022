"""What must hold of every position: what section 7 refuses in a line, and the game checks of itself."""

from __future__ import annotations

from collections.abc import Iterator

from games.jarmo.net import ALL, FIELD, NETS
from games.jarmo.state import BLUE, GREEN, SIDES, State
from games.jarmo.variants import LIMITS, SOLDIERS, VARIANTS
from games.jarmo.walkback import walked_back


def faults(state: State) -> Iterator[str]:
    """Everything that is wrong with a position, the first fault first."""
    yield from wrong_board(state)
    yield from wrong_numbers(state)
    yield from wrong_camps(state)
    if len(state.tail) > state.turn:
        yield "More quiet turns than turns (JARMO-6.3)."


def wrong_board(state: State) -> Iterator[str]:
    board = state.board
    tops = board.taken
    if tops & ~ALL or board.tops[GREEN] & board.tops[BLUE]:
        yield "Two pieces are on top of one point, or one stands off the board (JARMO-1.2)."
    if (board.guards | board.gold) & ~tops or any(not at & tops for at, _ in board.under):
        yield "A face or a covered piece without a piece on top (JARMO-10.4)."
    for side, seat in enumerate(SIDES):
        golden = (board.tops[side] & board.gold).bit_count() + sum(whose == side for _, whose in board.under)
        if golden > 1:
            yield f"{seat} has more than one golden soldier (JARMO-10.1)."


def wrong_numbers(state: State) -> Iterator[str]:
    """JARMO-1.1, JARMO-11.4: five soldiers each, so never a sixth on the board; covered ones and hostages count."""
    for side in (GREEN, BLUE):
        on_board = state.board.tops[side].bit_count() + sum(whose == side for _, whose in state.board.under)
        beside = state.pools[side], state.hands[side]
        if on_board + sum(beside) > SOLDIERS or min(beside) < 0:
            yield f"{SIDES[side]} has more than five soldiers, or fewer than none (JARMO-1.1, JARMO-11.4)."
    if not LIMITS[0] <= state.terms.limit <= LIMITS[1]:
        yield f"The limit lies between {LIMITS[0]} and {LIMITS[1]} (JARMO-6.6)."


def wrong_camps(state: State) -> Iterator[str]:
    if state.camps and (state.camps & ~FIELD or state.camps.bit_count() != 2):
        yield "The markers lie on two points of ranks 2 to 4 (JARMO-11.1)."
    if state.camps and not VARIANTS[state.terms.variant].recalls:
        yield "In Jasyr there are no retired camps (JARMO-9.5)."


def has_wrong_memory(state: State) -> bool:
    """Whether the boards kept with the quiet turns are not those that walking back gives; may raise BadPosition."""
    texts = [text for _, text in state.tail]
    return walked_back(NETS[state.terms.variant], state.board, state.side, texts) != state.tail
