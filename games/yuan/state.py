"""One position: everything the rules may ask about, and nothing else (chapter 7). Nothing in it is hidden."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from engine import Seat
from games.yuan.box import TEMPLES, Placed
from games.yuan.land import Land
from games.yuan.options import Options
from games.yuan.pieces import Clan

Phase = Literal["tiles", "cities", "bids", "capital", "plan", "over"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """What the set-up still needs to remember; each part only while it is needed."""

    order: tuple[Seat, ...] = ()  # seats in placing order (tiles, cities)
    hands: tuple[tuple[Seat, tuple[str, ...]], ...] = ()  # tiles in hand (tiles), emptied hands left out
    clans: tuple[str, ...] = ()  # clans in play, canonical
    capitals: tuple[tuple[str, str], ...] = ()  # (province, clan) no seat has got yet, canonical order of clans
    attempt: int = 0  # number of the open attempt of this bidding round (bids)
    bidders: tuple[Seat, ...] = ()  # seats of the open attempt, resigned ones too (bids)
    won: tuple[Seat, int] | None = None  # winner of the round and the chao left after paying (capital)

    def hand(self, seat: Seat) -> tuple[str, ...]:
        return dict(self.hands).get(seat, ())


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """A value: equal positions are equal, hash equal and print the same line."""

    options: Options
    phase: Phase
    turn: int = 0  # 0 during the set-up
    tiles: tuple[Placed, ...] = ()  # in placing order
    land: Land
    temples: int = 0
    clans: tuple[Clan, ...] = ()  # those that have a seat, in canonical order
    gone: tuple[Seat, ...] = ()  # seats whose resignation has taken effect (YUAN-14.6)
    opening: Opening | None = None
    winners: tuple[Seat, ...] | None = None  # () is nobody
    wheel: tuple[int, ...]

    @property
    def seats(self) -> tuple[Seat, ...]:
        return self.options.seats

    @property
    def remaining(self) -> tuple[Seat, ...]:
        """The seats that have not resigned."""
        return tuple([seat for seat in self.seats if seat not in self.gone])

    @property
    def need(self) -> int:
        """Temples needed this turn; in the set-up, in the first (YUAN-5.2)."""
        return self.wheel[max(self.turn, 1) - 1]

    @property
    def last_turn(self) -> bool:
        return self.turn == len(self.wheel)

    @property
    def temple_limit(self) -> int:
        return TEMPLES * len(self.options.boxes)  # YUAN-2.1, YUAN-17.1: per box in play

    @property
    def temple_stock(self) -> int:
        return self.temple_limit - self.temples.bit_count()

    @property
    def setup(self) -> Opening:
        """The set-up's memory; asked for in its phases only."""
        assert self.opening is not None
        return self.opening

    def place_of(self, seat: Seat) -> int | None:
        """Which of `clans` the seat plays, if it has one yet."""
        for i, clan in enumerate(self.clans):
            if clan.seat == seat:
                return i
        return None

    def clan_of(self, seat: Seat) -> Clan | None:
        place = self.place_of(seat)
        return None if place is None else self.clans[place]

    @property
    def owned(self) -> int:
        owned = 0
        for clan in self.clans:
            owned |= clan.lands
        return owned

    def owner_of(self, province: int) -> Clan | None:
        for clan in self.clans:
            if clan.lands >> province & 1:
                return clan
        return None


def pending(state: State) -> tuple[Seat, ...]:
    """The seats with an open decision, ascending (YUAN-18.2)."""
    if state.phase == "plan":
        return state.remaining  # YUAN-5.3: all clans at once; YUAN-14.6: a resigned seat is not asked
    if state.phase == "over":
        return ()
    setup = state.setup
    if state.phase == "tiles":
        return (setup.order[len(state.tiles) % len(setup.order)],)  # YUAN-3.6: round after round
    if state.phase == "cities":
        return (setup.order[len(setup.capitals)],)  # YUAN-3.9
    if state.phase == "capital":
        assert setup.won is not None
        return (setup.won[0],)  # YUAN-3.13
    return tuple([seat for seat in setup.bidders if seat not in state.gone])  # YUAN-3.13


DECISIONS: Mapping[Phase, str] = {
    "tiles": "tile",
    "cities": "city",
    "bids": "bid",
    "capital": "capital",
    "plan": "plan",
    "over": "over",
}
