"""What a seat is told of its order before it counts: the first events that are certain, and warnings (KHAN-20)."""

from __future__ import annotations

from engine import Dice, Event, Notice
from games.khan.actions import conquer, invade, invade_anywhere, place
from games.khan.conquest import sharers, touched
from games.khan.material import BOARD, CARD_NUMBER, CARDS, JOKER, LEADER_NUMBER, NUMBERS, SEATS, SHAPE_NUMBER
from games.khan.orders import Anywhere, Chase, Conquer, Invade, Move, Pass, Place, Special, order_of
from games.khan.specials import use
from games.khan.state import FINAL, State
from games.khan.telling import Telling, seat_names


def preview(state: State, seat: int, move: Move) -> tuple[Event, ...]:
    """What the order itself does. Cards that are flipped and answers of others are not known to anybody yet."""
    telling = Telling(state, Dice.script(()))
    match order := order_of(move):
        case Place():
            place(telling, NUMBERS[order.cell])
        case Invade():
            invade(telling, CARD_NUMBER[order.card], NUMBERS[order.cell])
        case Anywhere():
            invade_anywhere(telling, NUMBERS[order.cell], tuple(CARD_NUMBER[card] for card in order.discard))
        case Special():
            use(telling, order)
        case Chase():
            telling.tell("chase", "KHAN-6.3", seat=SEATS[seat], leader=order.leader)
        case Conquer():
            _foretell_conquest(telling, seat, order)
        case Pass():
            telling.tell("pass", "KHAN-13.3" if state.phase == FINAL else "KHAN-6.7", seat=SEATS[seat])
        case _:
            pass
    return tuple(telling.events)


def _foretell_conquest(telling: Telling, seat: int, move: Conquer) -> None:
    """KHAN-10.1: nothing of a standing answer may show, so the preview of a proposal ends with the proposal."""
    mask = BOARD.mask(move.cells)
    need = touched(telling.state, seat, mask)
    if not need:
        return conquer(telling, SHAPE_NUMBER[move.shape], mask)
    sharing = seat_names(sharers(telling.state, mask))
    facts = {"seat": SEATS[seat], "shape": move.shape, "cells": list(move.cells)}
    telling.events.append(Event("proposal", "KHAN-10.1", facts | {"sharers": sharing, "need": seat_names(need)}))


def notices(state: State, seat: int, move: Move) -> tuple[Notice, ...]:
    """Legal, but perhaps not meant."""
    if isinstance(move, Chase) and state.courts[LEADER_NUMBER[move.leader]] == 1:
        text = "{leader} has one yurt left at its court: chasing it takes it off the board."
        return (Notice("KHAN-5.5", "last_yurt", text, {"leader": move.leader}),)
    if isinstance(move, Conquer) and (need := touched(state, seat, BOARD.mask(move.cells))):
        text = "This needs the consent of {seats}; orders behind it wait, and fall away if it is refused."
        return (Notice("KHAN-10.1", "needs_consent", text, {"seats": seat_names(need)}),)
    if isinstance(move, Invade) and (better := _instead_of_joker(state, seat, move)):
        text = "{card} is a joker; {others} would do as well for {cell}."
        return (Notice("KHAN-6.2", "joker", text, {"card": move.card, "others": better, "cell": move.cell}),)
    return ()


def _instead_of_joker(state: State, seat: int, move: Invade) -> list[str]:
    if CARDS[CARD_NUMBER[move.card]].face != JOKER:
        return []
    cell = NUMBERS[move.cell]
    held = [CARDS[card] for card in state.hands[seat]]
    return [card.id for card in held if card.face != JOKER and card.allowed >> cell & 1]
