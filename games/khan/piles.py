"""The piles: shuffling, drawing, flipping and laying open cards (KHAN-3.2, KHAN-4.3 to KHAN-4.5, KHAN-16.3)."""

from __future__ import annotations

from collections.abc import Iterable

from engine.events import REFEREE
from games.khan.material import CARD_IDS, CARDS, HAND, SEATS
from games.khan.telling import Telling, changed

ALL_CARDS = tuple(range(len(CARDS)))


def card_ids(cards: Iterable[int]) -> list[str]:
    return [CARD_IDS[card] for card in cards]


def shuffle_all(telling: Telling) -> None:
    """KHAN-3.2: all cards become the draw pile. KHAN-16.4: the result stands in the event, for the referee alone."""
    pile = telling.dice.shuffle(ALL_CARDS, "shuffle")
    telling.change(draw=pile, discard=())
    telling.tell("shuffle", "KHAN-3.2", {REFEREE: {"order": card_ids(pile)}}, cards=len(pile))


def deal(telling: Telling) -> None:
    """KHAN-3.3: one at a time from the top, clockwise from the first seat, four each."""
    state = telling.state
    order = [(state.first + step) % state.players for step in state.seats]
    hands: list[tuple[int, ...]] = [()] * state.players
    for place, seat in enumerate(order):
        hands[seat] = tuple(sorted(state.draw[place : HAND * state.players : state.players]))
    telling.change(hands=tuple(hands), draw=state.draw[HAND * state.players :])
    for seat in order:
        shown = {SEATS[seat]: {"cards": card_ids(hands[seat])}}
        telling.tell("deal", "KHAN-3.3", shown, seat=SEATS[seat], count=HAND)


def draw(telling: Telling, count: int) -> tuple[int, ...]:
    """So many cards from the top; they are in nobody's hand yet. KHAN-4.5: the discards come in when none is left."""
    drawn: list[int] = []
    for _ in range(count):
        if not telling.state.draw:
            reshuffle(telling)
        drawn.append(telling.state.draw[0])
        telling.change(draw=telling.state.draw[1:])
    return tuple(drawn)


def reshuffle(telling: Telling) -> None:
    """KHAN-4.5, KHAN-16.3: canonical order first, so that the order of the discards never matters."""
    pile = telling.dice.shuffle(tuple(sorted(telling.state.discard)), "reshuffle")
    telling.change(draw=pile, discard=())
    telling.tell("reshuffle", "KHAN-4.5", {REFEREE: {"order": card_ids(pile)}}, cards=len(pile))


def flip(telling: Telling) -> int:
    """KHAN-4.4: the top card, face up on the discards before it has any effect."""
    (card,) = draw(telling, 1)
    lay_open(telling, (card,))
    return card


def lay_open(telling: Telling, cards: tuple[int, ...]) -> None:
    """KHAN-4.4: onto the discards, several in canonical order; from now on everybody knows them (KHAN-20.1)."""
    telling.change(discard=telling.state.discard + tuple(sorted(cards)))


def leave_hand(telling: Telling, seat: int, cards: tuple[int, ...]) -> None:
    """Cards played or discarded by a seat."""
    if not cards:
        return
    state = telling.state
    kept = tuple([card for card in state.hands[seat] if card not in cards])
    telling.change(hands=changed(state.hands, seat, kept), discard=state.discard + tuple(sorted(cards)))


def refill(telling: Telling) -> None:
    """KHAN-11.1: the acting seat draws until it has four cards. KHAN-20.2: which ones is told to it alone."""
    seat = telling.state.seat
    drawn = draw(telling, max(0, HAND - len(telling.state.hands[seat])))
    hands = telling.state.hands
    telling.change(hands=changed(hands, seat, tuple(sorted(hands[seat] + drawn))))
    telling.tell("refill", "KHAN-11.1", {SEATS[seat]: {"cards": card_ids(drawn)}}, seat=SEATS[seat], count=len(drawn))
