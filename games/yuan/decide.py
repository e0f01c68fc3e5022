"""From decision to decision: what each phase does with its moves, and what resigned seats leave to the default."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from engine import Dice, Event, Seat, Turned
from games.yuan import auction, ending, legal, opening
from games.yuan.box import AUCTION_CHAO
from games.yuan.course import told
from games.yuan.moves import SILENCE, Bid, LayTile, Move, Resign, SetCity, TakeCapital
from games.yuan.state import State, pending
from games.yuan.tiles import open_slots
from games.yuan.turn import resolve_turn

Told = tuple[State, list[Event]]


def resolve(state: State, moves: Mapping[Seat, Move], dice: Dice) -> Turned:
    """All pending seats' moves; a seat without one is silent. A resignation out of turn stands alone."""
    if state.phase == "over":
        return Turned(state)
    if state.phase == "plan":
        if moves and all(seat in state.gone for seat in moves):
            return Turned(state)  # YUAN-14.6: from a resigned seat it changes nothing
        return resolve_turn(state, moves)
    resigning = [seat for seat, move in moves.items() if isinstance(move, Resign)]  # alone: it is a move `at_once`
    state, story = resign(state, resigning[0]) if resigning else answer(state, moves, dice)
    return settled(state, story, dice)


def answer(state: State, moves: Mapping[Seat, Move], dice: Dice) -> Told:
    """What the seats asked in the set-up have decided."""
    if state.phase == "bids":
        bids = {seat: move.chao for seat, move in moves.items() if isinstance(move, Bid)}
        return auction.close_attempt(state, bids, dice)
    (seat,) = pending(state)
    move = moves.get(seat) or default(state, seat)
    if isinstance(move, LayTile):
        return opening.lay_tile(state, seat, move, dice)
    if isinstance(move, SetCity):
        return opening.set_city(state, seat, move, dice)
    assert isinstance(move, TakeCapital)
    state, story = auction.take_capital(state, seat, move)
    if state.setup.capitals:
        return state, story
    state, started = opening.after_auction(state)
    return state, story + started


def settled(state: State, story: list[Event], dice: Dice) -> Turned:
    """Resigned seats are not asked: their decisions of the set-up take the default at once (YUAN-14.6)."""
    while state.phase not in ("plan", "over"):
        asked = pending(state)
        if asked and asked[0] not in state.gone:
            break
        state, more = answer(state, {}, dice)
        story = story + more
    return Turned(state, tuple(story))


def resign(state: State, seat: Seat) -> Told:
    """A resignation in the set-up takes effect at once (YUAN-14.6)."""
    if seat in state.gone:
        return state, []
    state = replace(state, gone=tuple(sorted((*state.gone, seat))))
    story = [told("resigned", "YUAN-14.6", seat=seat)]
    found = ending.by_resignation(state)
    if found is None:
        return state, story
    state = replace(state, phase="over", winners=found.seats)
    return state, [*story, ending.tell(state, found)]


def default(state: State, seat: Seat) -> Move:
    """What silence means, for each decision (chapter 5)."""
    if state.phase == "tiles":
        return opening.default_tile(state, seat)
    if state.phase == "cities":
        return opening.default_city(state)
    if state.phase == "bids":
        return Bid(auction.NO_BID)
    if state.phase == "capital":
        return auction.default_capital(state)
    return SILENCE  # YUAN-5.7: at the deadline a seat without a legal order passes


def moves(state: State, seat: Seat) -> Iterator[Move]:
    """The legal moves of a pending seat, in canonical order. Resigning is not among them (YUAN-14.6)."""
    if seat not in pending(state):
        return
    if state.phase == "plan":
        yield from legal.plans(state, seat)
    elif state.phase == "tiles":
        yield from tile_moves(state, seat)
    elif state.phase == "cities":
        taken = {name for name, _ in state.setup.capitals}
        yield from (SetCity(name) for name in state.land.names if name not in taken)
    elif state.phase == "bids":
        yield from (Bid(chao) for chao in range(AUCTION_CHAO + 1))
    else:
        yield from (TakeCapital(name) for name in sorted(name for name, _ in state.setup.capitals))


def tile_moves(state: State, seat: Seat) -> Iterator[LayTile]:
    """By tile id, a, b, rotation; the first tile lies unturned (YUAN-3.6)."""
    slots = open_slots([placed.slot for placed in state.tiles])
    for tile in state.setup.hand(seat):
        for slot in slots:
            for rot in range(opening.SIXTHS if state.tiles else 1):
                yield LayTile(tile, slot, rot)
