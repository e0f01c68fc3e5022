"""How a game of Yuan stands, for players that are programs: temples first, then land, cities, chao, and pieces."""

from __future__ import annotations

from engine import Seat
from games.yuan.bits import halo
from games.yuan.costs import levels
from games.yuan.ending import qualifies
from games.yuan.pieces import Clan
from games.yuan.state import State

TEMPLE, PROVINCE, CITY, CHAO, LEVEL, ROOM, ARMY, WALL, QUALIFIES = 80, 14, 16, 2, 9, 2, 7, 3, 150


def appraise(state: State, seat: Seat) -> int:
    """The seat's clan less the best other one; in the set-up only who has got a capital yet has a clan to look at."""
    others = [worth(state, clan) for clan in state.clans if clan.seat != seat and clan.seat not in state.gone]
    own = state.clan_of(seat)
    return (worth(state, own) if own is not None else 0) - max(others, default=0)


def worth(state: State, clan: Clan) -> int:
    level = levels(clan, state.land, state.temples, state.options.volcanoes)
    room = (halo(clan.lands, state.land.neighbours) & ~state.owned).bit_count()
    stones = clan.walled.bit_count() + clan.stone.bit_count()
    found = TEMPLE * level.T + LEVEL * (level.R + level.F + level.M) + PROVINCE * clan.lands.bit_count()
    found += CITY * (clan.cities.bit_count() + clan.doubled.bit_count()) + CHAO * clan.chao + ROOM * room
    found += ARMY * clan.army_count + WALL * stones
    return found + (QUALIFIES if state.turn > 0 and qualifies(state, clan) else 0)
