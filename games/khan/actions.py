"""The actions: invade, chase, conquer, invade anywhere (KHAN-6, KHAN-7.8), and which of them a seat could take."""

from __future__ import annotations

from engine.boards.squares import Cell, Mask
from games.khan.conquest import free_conquests, legal_conquests, points_each, sharers
from games.khan.leaders import RESERVE, flee
from games.khan.material import CARDS, LEADERS, NAMES, SEATS, SHAPES
from games.khan.piles import card_ids, flip, leave_hand
from games.khan.state import ACTION_1, Laid, State, names
from games.khan.telling import Telling, changed, seat_names


def place(telling: Telling, cell: Cell) -> None:
    """KHAN-3.1: an initial yurt."""
    state = telling.state
    telling.put(state.seat, 1 << cell)
    telling.change(todo=state.todo[1:])
    telling.tell("place", "KHAN-3.1", seat=SEATS[state.seat], cell=NAMES[cell])


def invade(telling: Telling, card: int, cell: Cell) -> None:
    """KHAN-6.2: action A."""
    seat = telling.state.seat
    leave_hand(telling, seat, (card,))
    telling.put(seat, 1 << cell)
    telling.tell("invade", "KHAN-6.2", seat=SEATS[seat], card=CARDS[card].id, cell=NAMES[cell])


def chase(telling: Telling, leader: int) -> None:
    """KHAN-6.3: action B. The leader is named before the card is turned."""
    telling.tell("chase", "KHAN-6.3", seat=SEATS[telling.state.seat], leader=LEADERS[leader].id)
    card = CARDS[flip(telling)]
    telling.tell("flip", "KHAN-6.3", card=card.id, void=False)
    flee(telling, leader, card.direction, RESERVE)


def conquer(telling: Telling, shape: int, mask: Mask) -> None:
    """KHAN-7.8: the shape covers the yurts, and every sharer owns it."""
    state = telling.state
    owners = sharers(state, mask)
    telling.take(mask)
    telling.change(
        shapes=(*state.shapes, Laid(shape, mask, owners, state.turn)),
        supply=changed(state.supply, shape, state.supply[shape] - 1),
        covered=state.covered | mask,
    )
    telling.tell(
        "conquest",
        "KHAN-7.8",
        seat=SEATS[state.seat],
        shape=SHAPES[shape].id,
        cells=names(mask),
        owners=seat_names(owners),
        each=points_each(shape, len(owners)),
    )


def invade_anywhere(telling: Telling, cell: Cell, cards: tuple[int, ...]) -> None:
    """KHAN-6.5: action D, the yurt first, then the discards."""
    seat = telling.state.seat
    telling.put(seat, 1 << cell)
    leave_hand(telling, seat, cards)
    discarded = card_ids(sorted(cards))
    telling.tell("anywhere", "KHAN-6.5", seat=SEATS[seat], cell=NAMES[cell], discarded=discarded)


# --- what is possible ---------------------------------------------------------------------------------------------


def can_invade(state: State, seat: int) -> bool:
    """KHAN-6.2: whether some card of the hand allows a free cell."""
    free = state.free
    return any(CARDS[card].allowed & free for card in state.hands[seat])


def can_chase(state: State) -> bool:
    return not state.final_prepared  # KHAN-6.3: until KHAN-12.1 there are leaders on the board


def can_invade_anywhere(state: State) -> bool:
    return state.point == ACTION_1 and state.free != 0  # KHAN-6.5


def can_act_freely(state: State, seat: int) -> bool:
    """Whether there is an action that needs nobody's consent (KHAN-6.6)."""
    return can_chase(state) or can_invade_anywhere(state) or can_invade(state, seat) or free_conquests(state, seat) != 0


def can_act(state: State, seat: int) -> bool:
    """Whether there is any action, one that needs consent included (KHAN-6.6, KHAN-9.3)."""
    return (
        can_chase(state) or can_invade_anywhere(state) or can_invade(state, seat) or legal_conquests(state, seat) != 0
    )


def may_pass_action(state: State, seat: int) -> bool:
    """KHAN-6.7: only when every legal action needs a consent."""
    return not can_act_freely(state, seat) and can_act(state, seat)


def may_pass_conquest(state: State, seat: int) -> bool:
    """KHAN-13.3: only when every legal conquest needs a consent."""
    return not free_conquests(state, seat) and legal_conquests(state, seat) != 0
