"""The auction of capitals: bids, ties, re-bids, the winner's choice (YUAN-3.12 to 3.14)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from engine import Dice, Event, Seat
from games.yuan.box import AUCTION_CHAO
from games.yuan.course import told
from games.yuan.moves import TakeCapital
from games.yuan.options import canonical
from games.yuan.pieces import Clan
from games.yuan.state import State

LAST_ATTEMPT = 3  # YUAN-3.14 (ii)
NO_BID = 0  # YUAN-3.13: the default, and the bid of a seat that resigned (YUAN-14.6)


class Result(NamedTuple):
    """What one attempt decides: a winner and its price, or who bids again."""

    winner: Seat | None
    price: int
    tied: tuple[Seat, ...]
    drawn: bool


def decide(attempt: int, bids: Mapping[Seat, int], dice: Dice) -> Result:
    """The single highest bid wins (YUAN-3.13); ties bid again, or are drawn (YUAN-3.14)."""
    top = max(bids.values())
    tied = tuple(sorted(seat for seat, bid in bids.items() if bid == top))
    if len(tied) == 1:
        return Result(tied[0], top, tied, False)
    re_bid_at_six = attempt > 1 and top == AUCTION_CHAO  # YUAN-3.14 (i)
    if re_bid_at_six or attempt == LAST_ATTEMPT:  # YUAN-3.14 (ii): tied at any value
        return Result(dice.choice(tied, "auction"), top, tied, True)  # draw (g)
    return Result(None, top, tied, False)


def open_round(state: State) -> State:
    """All seats without a clan bid at once (YUAN-3.13)."""
    seated = {clan.seat for clan in state.clans}
    bidders = tuple(seat for seat in state.seats if seat not in seated)
    return replace(state, phase="bids", opening=replace(state.setup, attempt=1, bidders=bidders, won=None))


def close_attempt(state: State, bids: Mapping[Seat, int], dice: Dice) -> tuple[State, list[Event]]:
    """All bids of an attempt become public together."""
    setup = state.setup
    bids = {seat: bids.get(seat, NO_BID) for seat in setup.bidders}
    story = [told("bids_opened", "YUAN-3.13", attempt=setup.attempt, bids=bids)]
    found = decide(setup.attempt, bids, dice)
    if len(found.tied) > 1:
        kind = "bid_drawn" if found.drawn else "bid_tied"
        story.append(told(kind, "YUAN-3.14", seats=list(found.tied)))
    if found.winner is None:  # YUAN-3.14: only the tied bid again
        opening = replace(setup, attempt=setup.attempt + 1, bidders=found.tied)
        return replace(state, opening=opening), story
    story.append(told("bid_won", "YUAN-3.13", seat=found.winner, price=found.price))
    won = (found.winner, AUCTION_CHAO - found.price)  # the winner pays it, the others pay nothing
    opening = replace(setup, attempt=0, bidders=(), won=won)
    return replace(state, phase="capital", opening=opening), story


def default_capital(state: State) -> TakeCapital:
    """The first capital left, alphabetical (YUAN-3.13)."""
    return TakeCapital(min(name for name, _ in state.setup.capitals))


def take_capital(state: State, seat: Seat, move: TakeCapital) -> tuple[State, list[Event]]:
    """The winner gets the clan of the capital; the last seat left gets the last one and keeps its 6 (YUAN-3.13)."""
    assert state.setup.won is not None
    state, story = seated(state, seat, move.province, state.setup.won[1])
    if len(state.setup.capitals) > 1:
        return open_round(state), story
    last = next(other for other in state.seats if state.place_of(other) is None)
    state, rest = seated(state, last, state.setup.capitals[0][0], AUCTION_CHAO)
    return state, story + rest


def seated(state: State, seat: Seat, province: str, chao: int) -> tuple[State, list[Event]]:
    """A seat gets the clan of a capital."""
    setup = state.setup
    name = dict(setup.capitals)[province]
    capital = 1 << state.land.number[province]
    others = {clan.id: clan for clan in state.clans}
    others[name] = Clan(name, seat, chao, lands=capital, cities=capital)
    clans = tuple(others[each] for each in canonical(tuple(others)))
    left = tuple(pair for pair in setup.capitals if pair[0] != province)
    state = replace(state, clans=clans, opening=replace(setup, capitals=left))
    return state, [told("capital_chosen", "YUAN-3.13", seat=seat, clan=name, province=province)]
