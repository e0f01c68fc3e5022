"""The menu: the legal orders of a seat that is asked, in canonical order, found as they are wanted (KHAN-17.6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain, combinations

from games.khan.actions import can_chase, may_pass_action, may_pass_conquest
from games.khan.conquest import legal_conquests
from games.khan.material import BOARD, CARD_IDS, CARDS, LEADERS, SHAPES, cells_of
from games.khan.orders import INVASIONS, PLACES, Answer, Chase, Conquer, Invade, Move, Pass
from games.khan.placements import PLACEMENTS, numbers_of
from games.khan.specials import specials
from games.khan.state import ACTION_1, AGREE, CONQUESTS, CONSENT, NOWHERE, PLACE, REFUSE, SPECIAL, State

ANSWERS = (Answer(AGREE), Answer(REFUSE))
PASS = Pass()
CHASES = tuple(Chase(leader.id) for leader in LEADERS)
CONQUERING = tuple(Conquer(SHAPES[placement.shape].id, placement.cells) for placement in PLACEMENTS)


def moves(state: State, seat: int) -> Iterator[Move]:
    """Every legal order, part by part: a part is found when it is reached."""
    return chain.from_iterable(kinds(state, seat))


def kinds(state: State, seat: int) -> Iterator[Iterable[Move]]:
    """The legal orders kind by kind; KHAN-17 says which kinds belong to which point."""
    if state.point == CONSENT:
        yield ANSWERS
    elif state.point == PLACE:
        yield [PLACES[cell] for cell in cells_of(state.free)]  # KHAN-3.1
    elif state.point == SPECIAL:
        yield specials(state)
    elif state.point in CONQUESTS:
        yield conquering(state, seat)
        if may_pass_conquest(state, seat):
            yield (PASS,)  # KHAN-13.3
    else:
        yield from _actions(state, seat)


def _actions(state: State, seat: int) -> Iterator[Iterable[Move]]:
    yield invasions(state, seat)
    yield chases(state)
    yield conquering(state, seat)
    if state.point == ACTION_1:
        yield _anywheres(state, seat)
    if may_pass_action(state, seat):
        yield (PASS,)  # KHAN-6.7


def invasions(state: State, seat: int) -> list[Invade]:
    """KHAN-6.2: by card, then cell."""
    free = state.free
    return [INVASIONS[card][cell] for card in state.hands[seat] for cell in cells_of(free & CARDS[card].allowed)]


def chases(state: State) -> Iterator[Chase]:
    """KHAN-6.3: by leader."""
    if can_chase(state):
        yield from [chase for chase, cell in zip(CHASES, state.leaders, strict=True) if cell != NOWHERE]


def conquering(state: State, seat: int) -> Iterator[Conquer]:
    """KHAN-6.4: by shape, then cells."""
    return map(CONQUERING.__getitem__, numbers_of(legal_conquests(state, seat)))


def _anywheres(state: State, seat: int) -> list[str]:
    """KHAN-6.5: by cell, then number of discards, then cards."""
    endings = _discards(state.hands[seat])
    return [cell + ending for cell in map("D ".__add__, BOARD.names_of(state.free)) for ending in endings]


@lru_cache(maxsize=1024)
def _discards(hand: tuple[int, ...]) -> tuple[str, ...]:
    """How orders of action D end: with every part of a hand, small ones first, each in canonical order."""
    ids = [CARD_IDS[card] for card in hand]
    parts = [part for size in range(1, len(ids) + 1) for part in combinations(ids, size)]
    return ("", *(f" - {' '.join(part)}" for part in parts))
