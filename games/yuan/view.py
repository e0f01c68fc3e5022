"""What a seat may know: all but filed orders, which are the host's (chapter 6). Made once, shared by all seats."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from engine import Seat, View
from games.yuan.bits import halo, members, parts
from games.yuan.box import CLANS, EDITION, Slot
from games.yuan.costs import cost, levels
from games.yuan.drawing import box, drawn, slot_facts
from games.yuan.ending import qualifies
from games.yuan.notation import PUBLIC, Line
from games.yuan.pieces import Clan
from games.yuan.powers import power_of
from games.yuan.reach import reach
from games.yuan.state import DECISIONS, State, pending
from games.yuan.tiles import open_slots

Facts = dict[str, Any]
CARDS: dict[str, Facts] = {
    card.id: {"name": card.name, "letter": card.letter, "colour": card.colour} for card in CLANS.values()
}


def view(state: State, seat: Seat | None) -> View:
    """The same facts for every reader; the position line says whose view it is."""
    facts, line = shared(state)
    head = f"yuan={EDITION};"
    position = f"{head}view={seat or PUBLIC};{line.removeprefix(head)}"  # YUAN-18.3
    return View(seat, pending(state), DECISIONS[state.phase], position, facts)


@lru_cache(maxsize=16)
def shared(state: State) -> tuple[Facts, str]:
    """What is the same for every reader, and the position line. Readers must not change it."""
    opening, cards = state.opening, CARDS
    facts = {
        "game": "yuan",
        "phase": state.phase,
        "turn": state.turn,
        "last_turn": len(state.wheel),
        "need": state.need,
        "options": state.options.to_json(),
        "seats": list(state.seats),
        "map": drawn(state.land),
        "box": box(state.land, slots_open(state)),
        "tiles": [{"tile": placed.tile, "slot": list(placed.slot), "rot": placed.rot} for placed in state.tiles],
        "provinces": owned_provinces(state),
        "temples": state.land.named(state.temples),
        "temple_stock": state.temple_stock,
        "cards": {clan: cards[clan] for clan in playing(state)},
        "clans": [clan_facts(state, clan) for clan in state.clans],
        "resigned": list(state.gone),
        "setup": None if opening is None else setup_facts(state),
        "winners": None if state.winners is None else list(state.winners),
    }
    return facts, str(Line(state))


def playing(state: State) -> tuple[str, ...]:
    """The clans in play, with a seat or not yet."""
    return state.setup.clans if state.opening else tuple(clan.id for clan in state.clans)


def slots_open(state: State) -> tuple[Slot, ...]:
    """Where the next tile may lie, while tiles are laid."""
    return open_slots([placed.slot for placed in state.tiles]) if state.phase == "tiles" else ()


def owned_provinces(state: State) -> Facts:
    """Each owned province with its pieces, by name (chapter 7)."""
    names = state.land.names
    found = {}
    for clan in state.clans:
        armies, letter = dict(clan.armies), CLANS[clan.id].letter
        for province in members(clan.lands):
            found[names[province]] = {
                "owner": clan.id,
                "letter": letter,
                "city": bool(clan.cities >> province & 1),
                "doubled": bool(clan.doubled >> province & 1),
                "ramparts": (clan.walled >> province & 1) + (clan.stone >> province & 1),
                "armies": armies.get(province, 0),
            }
    return found


def clan_facts(state: State, clan: Clan) -> Facts:
    """A clan's money, levels, prices, stocks, groups, and what lies in its reach."""
    land, card = state.land, CLANS[clan.id]
    level = levels(clan, land, state.temples, state.options.volcanoes)
    around = halo(clan.lands, reach(land, power_of(clan.id, state.options.powers)))
    return {
        "id": clan.id,
        "name": card.name,
        "letter": card.letter,
        "colour": card.colour,
        "seat": clan.seat,
        "chao": clan.chao,
        "levels": level._asdict(),
        "prices": {
            "dev": [cost(i, level.R) for i in (1, 2, 3)],
            "fort": [cost(i, level.F) for i in (1, 2, 3)],
            "mil": [cost(i, level.M) for i in (1, 2, 3)],
        },
        "stock": {
            "villages": clan.village_stock,
            "cities": clan.city_stock,
            "armies": clan.army_stock,
            "ramparts": clan.rampart_stock,
        },
        "groups": [land.named(group) for group in parts(clan.lands, land.neighbours)],
        "reach_free": land.named(around & ~state.owned),
        "reach_enemy": land.named(around & state.owned & ~clan.lands),
        "armies": clan.army_count,
        "qualifies": state.turn > 0 and clan.seat not in state.gone and qualifies(state, clan),
        "resigned": clan.seat in state.gone,
    }


def setup_facts(state: State) -> Facts:
    """The memory of the set-up, all of it public; who has filed a bid is the host's to say."""
    setup = state.setup
    return {
        "order": list(setup.order),
        "hands": {seat: list(hand) for seat, hand in setup.hands},
        "clans": list(setup.clans),
        "capitals": dict(setup.capitals),
        "attempt": setup.attempt,
        "bidders": list(setup.bidders),
        "winner": None if setup.won is None else setup.won[0],
        "winner_chao": None if setup.won is None else setup.won[1],
        "open_slots": [slot_facts(slot) for slot in slots_open(state)],
    }
