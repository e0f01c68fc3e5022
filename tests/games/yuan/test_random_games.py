"""Whole random games in every set-up: they end with the wheel, lose no piece, and read back at every step."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import islice

import pytest

from engine import Dice, View
from engine.game import BrokenInvariant
from games.yuan import GAME
from games.yuan.box import ARMIES, CITIES, RAMPARTS, VILLAGES, WHEEL
from games.yuan.state import State

SETUPS = [
    {"players": 2},
    {"players": 3, "auction": True, "powers": True, "base_box": "china", "rivers": True},
    {"players": 3, "scenario": "crossing", "auction": True, "powers": True, "volcanoes": True},
    {"players": 4, "scenario": "river_control", "powers": True, "volcanoes": True},
    {"players": 4, "tile_setup": "dealt", "volcanoes": True},
    {"players": 5, "scenario": "general_conflict", "auction": True, "powers": True, "rivers": True},
    {"players": 6, "base_box": "china", "tile_setup": "dealt", "auction": True},
    {"players": 7, "tile_setup": "dealt", "powers": True},
    {"players": 8, "tile_setup": "dealt", "powers": True, "volcanoes": True, "rivers": True},
]
LONGEST = 30 + 8 + 3 * 7 * 2 + 16  # tiles, capitals, attempts and choices, turns


def pieces(state: State) -> None:
    """Stock and map together are always the pieces in the box."""
    for clan in state.clans:
        on_map = clan.lands.bit_count() - clan.cities.bit_count(), clan.army_count
        assert (clan.village_stock + on_map[0], clan.army_stock + on_map[1]) == (VILLAGES, ARMIES)
        assert clan.city_stock + clan.cities.bit_count() + clan.doubled.bit_count() == CITIES
        assert clan.rampart_stock + clan.walled.bit_count() + clan.stone.bit_count() == RAMPARTS


def money(before: State, after: State, events) -> None:
    """Every chao that comes or goes is told."""
    if before.phase != "plan":
        return
    told = dict.fromkeys((clan.id for clan in before.clans), 0)
    for event in events:
        if event.kind in ("income_dev", "income_pass", "fort_refunded"):
            told[event.facts["clan"]] += event.facts["amount"]
        elif event.kind == "paid":
            told[event.facts["clan"]] -= event.facts["amount"]
        elif event.kind == "theft":
            told[event.facts["clan"]] += event.facts["amount"]
            told[event.facts["victim"]] -= event.facts["amount"]
    balances = {clan.id: clan.chao for clan in before.clans}
    assert {clan.id: clan.chao for clan in after.clans} == {clan: balances[clan] + told[clan] for clan in told}


def there_and_back(state: State) -> None:
    line = GAME.position(state)
    assert GAME.from_position(line) == state
    assert GAME.position(GAME.from_position(line)) == line
    assert GAME.restore(GAME.dump(state)) == state
    assert hash(GAME.restore(GAME.dump(state))) == hash(state)


def chosen(state: State, seat: str, luck: random.Random):
    """One of the first moves of the menu, from a random place: random enough, and no long menus are made whole."""
    few = list(islice(GAME.moves(state, seat), luck.randrange(1, 60)))
    return few[-1] if luck.random() < 0.7 else luck.choice(few)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("setup", SETUPS, ids=lambda setup: "-".join(map(str, setup.values())))
def test_a_random_game(setup, seed):
    luck = random.Random(f"{setup} {seed}")
    dice = Dice(f"{setup} {seed}".encode())
    state, _ = GAME.setup(GAME.Options(**setup), dice)
    steps = 0
    while seats := GAME.pending(state):
        there_and_back(state)
        moves = {seat: chosen(state, seat, luck) for seat in seats}
        for seat, move in moves.items():
            assert GAME.read(state, seat, str(move)) == move
        after, events = GAME.resolve(state, moves, dice)
        GAME.check(after)
        pieces(after)
        money(state, after, events)
        state, steps = after, steps + 1
    there_and_back(state)
    assert steps <= LONGEST
    assert state.turn <= len(WHEEL[setup["players"]])
    outcome = GAME.outcome(state)
    assert sorted(seat for place in outcome.places for seat in place) == list(GAME.seats(state.options))
    assert outcome.places[0] == state.winners


def test_views_hold_the_same_for_all_and_are_made_once():
    state, _ = GAME.setup(GAME.Options(players=4, tile_setup="dealt"), Dice(b"views"))
    views = [GAME.view(state, seat) for seat in (*GAME.seats(state.options), None)]
    assert all(isinstance(view, View) for view in views)
    assert len({id(view.facts) for view in views}) == 1
    assert [view.position.split(";")[1] for view in views] == ["view=1", "view=2", "view=3", "view=4", "view=public"]


def test_broken_states_are_found():
    state, _ = GAME.setup(GAME.Options(players=5, scenario="general_conflict"), Dice(b"broken"))
    clan, other, *rest = state.clans
    broken = [
        clan._replace(chao=-1),
        clan._replace(lands=clan.lands | other.lands),
        clan._replace(lands=state.land.all & ~other.lands),  # more villages than there are
        clan._replace(doubled=clan.lands << 1),
        clan._replace(stone=clan.lands),  # stone without wood
        clan._replace(armies=((0, 4),)),
        clan._replace(armies=((state.land.all.bit_length() - 1, 1),)),
    ]
    for wrong in broken:
        with pytest.raises(BrokenInvariant):
            GAME.check(replace(state, clans=(wrong, other, *rest)))
    with pytest.raises(BrokenInvariant):
        GAME.check(replace(state, temples=state.land.all))
    GAME.check(state)
