"""Defaults: what is done for a seat that says nothing, or has resigned (KHAN-18)."""

from __future__ import annotations

from engine.boards.squares import Cell, Mask
from games.khan.conquest import Conquest, conquests, points_each
from games.khan.legal import ANSWERS, CONQUERING, PASS, chases
from games.khan.material import BESIDE, CARDS, JOKER, NAMES, SHAPES, cells_of
from games.khan.orders import INVASIONS, NO_SPECIAL, PLACES, Anywhere, Conquer, Invade, Move
from games.khan.state import ACTION_1, CONQUESTS, CONSENT, PLACE, SPECIAL, State


def default(state: State, seat: int) -> Move:
    """The default at the open point. It uses no special card and asks for no consent."""
    if state.point == CONSENT:
        return ANSWERS[1]  # KHAN-18.5: the card was played to protect
    if state.point == SPECIAL:
        return NO_SPECIAL  # KHAN-18.4
    if state.point in CONQUESTS:
        return best_conquest(state, seat) or PASS  # KHAN-18.6
    if state.point == PLACE:
        return PLACES[best_cell(state, seat, state.free)]  # KHAN-18.1
    if state.point == ACTION_1 and state.free:
        return str(Anywhere(NAMES[best_cell(state, seat, state.free)]))  # KHAN-18.2: the hand is kept
    return _invasion(state, seat) or best_conquest(state, seat) or next(chases(state), PASS)  # KHAN-18.3


def best_cell(state: State, seat: int, candidates: Mask) -> Cell:
    """The cell with the most own and black yurts beside it, then the most free cells, then the first one."""
    wanted, free = state.yurts[seat] | state.black, state.free

    def worth(cell: Cell) -> tuple[int, int]:
        return (BESIDE[cell] & wanted).bit_count(), (BESIDE[cell] & free).bit_count()

    return max(cells_of(candidates), key=worth)  # the first of equals


def _invasion(state: State, seat: int) -> Invade | None:
    """KHAN-18.3: not with a joker if another card will do."""
    free = state.free
    usable = [card for card in state.hands[seat] if CARDS[card].allowed & free]
    usable = [card for card in usable if CARDS[card].face != JOKER] or usable
    if not usable:
        return None
    allowed = 0
    for card in usable:
        allowed |= CARDS[card].allowed & free
    cell = best_cell(state, seat, allowed)
    return next(INVASIONS[card][cell] for card in usable if CARDS[card].allowed >> cell & 1)


def best_conquest(state: State, seat: int) -> Conquer | None:
    """Among those that need no consent: most points, most cells, fewest owners, then the first."""
    found = [conquest for conquest in conquests(state, seat) if not conquest.need]
    return CONQUERING[max(found, key=value).placement.number] if found else None


def value(conquest: Conquest) -> tuple[int, int, int]:
    """What a conquest is worth to one of its owners."""
    shape, owners = conquest.placement.shape, len(conquest.sharers)
    return points_each(shape, owners), SHAPES[shape].size, -owners
