"""Who wins, and how everyone ranks (YUAN-14)."""

from __future__ import annotations

from typing import NamedTuple

from engine import Event, Outcome, Seat
from games.yuan.costs import levels
from games.yuan.course import told
from games.yuan.pieces import Clan
from games.yuan.powers import power_of
from games.yuan.state import State

Standing = tuple[int, int, int, int]
MU_PROVINCES = 3  # YUAN-16.1: (provinces) + (T) >= 3 x need
NOTHING: Standing = (0, 0, 0, 0)


class Verdict(NamedTuple):
    """Who won, by which event and paragraph."""

    kind: str
    rule: str
    seats: tuple[Seat, ...]


def verdict(state: State) -> Verdict | None:
    """Phase IV at the end of a turn (YUAN-14.1 to 14.5); None: the next turn starts (YUAN-14.4)."""
    rivals = [clan for clan in state.clans if clan.seat not in state.gone]  # YUAN-14.6: resigned seats are left out
    qualified = [clan for clan in rivals if qualifies(state, clan)]
    if not qualified:
        return last_turn(state, rivals) if state.last_turn else None
    favoured = [clan for clan in qualified if wins_ties(state, clan)]
    if favoured and (len(qualified) > 1 or temples(state, favoured[0]) < state.need):
        return Verdict("victory", "YUAN-16.1", (favoured[0].seat,))  # YUAN-14.2: Mu wins if it qualifies
    if len(qualified) == 1:
        return Verdict("victory", "YUAN-14.1", (qualified[0].seat,))
    best = foremost(state, qualified)  # YUAN-14.2: temples, mines, chao, armies
    return Verdict("victory", "YUAN-14.2" if len(best) == 1 else "YUAN-14.3", seats_of(best))


def last_turn(state: State, rivals: list[Clan]) -> Verdict:
    """Nobody qualifies on the last turn: most temples; Mu wins that equality; else as in 14.2 (YUAN-14.5)."""
    most = max(temples(state, clan) for clan in rivals)
    level = [clan for clan in rivals if temples(state, clan) == most]
    favoured = [clan for clan in level if wins_ties(state, clan)]
    return Verdict("victory_last_turn", "YUAN-14.5", seats_of(favoured or foremost(state, level)))


def qualifies(state: State, clan: Clan) -> bool:
    """T >= need (YUAN-14.1); Mu also by provinces, where a temple counts once more (YUAN-16.1)."""
    owned = temples(state, clan)
    if owned >= state.need:
        return True
    by_provinces = power_of(clan.id, state.options.powers).counts_provinces
    return by_provinces and clan.lands.bit_count() + owned >= MU_PROVINCES * state.need


def wins_ties(state: State, clan: Clan) -> bool:
    return power_of(clan.id, state.options.powers).wins_ties


def temples(state: State, clan: Clan) -> int:
    return (clan.lands & state.temples).bit_count()  # YUAN-1.7


def standing(state: State, clan: Clan | None) -> Standing:
    """What decides between clans: temples, mine level, chao, armies on the map (YUAN-14.2)."""
    if clan is None:
        return NOTHING
    level = levels(clan, state.land, state.temples, state.options.volcanoes)
    return level.T, level.M, clan.chao, clan.army_count


def foremost(state: State, clans: list[Clan]) -> list[Clan]:
    """The best by 14.2; several when they are equal to the end (YUAN-14.3)."""
    best = max(standing(state, clan) for clan in clans)
    return [clan for clan in clans if standing(state, clan) == best]


def seats_of(clans: list[Clan]) -> tuple[Seat, ...]:
    return tuple(sorted(clan.seat for clan in clans))


def by_resignation(state: State) -> Verdict | None:
    """One seat that has not resigned wins at once; with none left nobody does (YUAN-14.6)."""
    left = state.remaining
    return Verdict("victory", "YUAN-14.6", left) if len(left) <= 1 else None


def tell(state: State, found: Verdict) -> Event:
    """The clans are left out while the winners have none (YUAN-14.6)."""
    clans = [clan.id for clan in state.clans if clan.seat in found.seats]
    return told(found.kind, found.rule, seats=list(found.seats), clans=clans)


def outcome(state: State) -> Outcome | None:
    """Winners first, then the others by 14.2, equal ones together, the resigned last (YUAN-14.7)."""
    if state.winners is None:
        return None
    others = [seat for seat in state.seats if seat not in state.winners and seat not in state.gone]
    ranks = {seat: standing(state, state.clan_of(seat)) for seat in others}
    places = [
        tuple(seat for seat in others if ranks[seat] == rank) for rank in sorted(set(ranks.values()), reverse=True)
    ]
    groups = (state.winners, *places, state.gone)
    # What ended it follows from the position: a game with fewer than two seats left ended by resignation.
    found = by_resignation(state) or (verdict(state) if state.turn else None)
    scores = {seat: standing(state, state.clan_of(seat))[0] for seat in state.seats}
    return Outcome(tuple(group for group in groups if group), scores, found.rule if found else "YUAN-14.6")
