"""Random turns against the plain second writing, and what must not depend on who is who (chapter 9.2)."""

from __future__ import annotations

import random
from itertools import product

import pytest

from engine import Dice
from engine.boards.hexes import neighbours
from games.yuan import GAME, pieces
from games.yuan.bits import members
from games.yuan.box import CLANS
from games.yuan.dry import DRY_RUN, alone
from games.yuan.land import MOUNTAINS, Land, Node
from games.yuan.legal import Planner
from games.yuan.moves import PASS, Plan
from games.yuan.options import Options
from games.yuan.pieces import Clan
from games.yuan.powers import power_of
from games.yuan.reach import reach
from games.yuan.state import State
from games.yuan.turn import run
from tests.games.yuan.naive import Piece, World, resolve
from tests.games.yuan.vectors import PLACES, land_of

TURNS = 60  # for each of the seeds below


def random_state(luck: random.Random) -> State:
    """A crowded small board: two to six clans in patches, walls, armies, money, sometimes nearly empty stocks."""
    terrain = " ".join(f"{name}={luck.choice('HHHRRMMFFF~~XV')}" for name in PLACES)
    rivers = [" ".join(luck.sample([f"{a}-{b}" for a, b in (("DC", "DD"), ("DD", "DE"), ("CC", "CD"))], 2))]
    land = land_of({"terrain": terrain.replace("=H", "=R", 3), "rivers": rivers, "options": ["rivers"]})
    names = sorted(luck.sample(list(CLANS), luck.randint(2, 6)), key=list(CLANS).index)
    clans = [Clan(name, str(i + 1), luck.randint(0, 24)) for i, name in enumerate(names)]
    for province in range(len(land.names)):
        if luck.random() < 0.75:
            place = luck.choice([(province // 7) % len(clans), luck.randrange(len(clans))])
            clans[place] = with_province(clans[place], province, luck)
    temples = sum(1 << i for i in range(len(land.names)) if luck.random() < 0.35)
    on = {name: luck.random() < 0.7 for name in ("powers", "volcanoes", "rivers")}
    return State(
        options=Options(players=max(2, len(clans)), **on),
        phase="plan",
        turn=luck.choice((1, 5, 6, 9)),
        land=land,
        temples=temples,
        clans=tuple(clans),
        wheel=(99,) * 16,
    )


def with_province(clan: Clan, province: int, luck: random.Random) -> Clan:
    """A village or city with what the stock allows, and armies now and then."""
    bit = 1 << province
    if luck.random() < 0.5 or clan.city_stock < 2:
        clan = clan._replace(lands=clan.lands | bit) if clan.village_stock else clan
    else:
        doubled = bit if luck.random() < 0.3 else 0
        clan = clan._replace(lands=clan.lands | bit, cities=clan.cities | bit, doubled=clan.doubled | doubled)
        if luck.random() < 0.4 and clan.rampart_stock > 1:
            stone = bit if luck.random() < 0.4 else 0
            clan = clan._replace(walled=clan.walled | bit, stone=clan.stone | stone)
    if clan.lands & bit and luck.random() < 0.6 and clan.army_stock:
        count = min(luck.randint(1, 3), clan.army_stock)
        clan = clan._replace(armies=tuple(sorted((*clan.armies, (province, count)))))
    return clan


def random_moves(state: State, luck: random.Random) -> dict[str, object]:
    """Attacks are rarer on the menu than in games, so they get a second draw."""
    moves = {}
    for clan in state.clans:
        menu = list(GAME.moves(state, clan.seat))
        enemy = [move for move in menu if isinstance(move, Plan) and state.owner_of(state.land.number[move.target])]
        attacks = [move for move in enemy if state.owner_of(state.land.number[move.target]).seat != clan.seat]
        moves[clan.seat] = luck.choice(attacks if attacks and luck.random() < 0.6 else menu)
    return moves


def world_of(state: State) -> World:
    land = state.land

    def named(sets):
        return {name: set(land.named(provinces)) for name, provinces in zip(land.names, sets, strict=True)}

    pieces = {}
    for clan in state.clans:
        armies = {land.names[i]: count for i, count in clan.armies}
        for name in land.named(clan.lands):
            bit = 1 << land.number[name]
            walls = bool(clan.walled & bit) + bool(clan.stone & bit)
            city, doubled = bool(clan.cities & bit), bool(clan.doubled & bit)
            pieces[name] = Piece(clan.id, city, doubled, walls, armies.get(name, 0))
    powers = state.options.powers
    return World(
        terrain={cell.name: cell.terrain for cell in land.provinces},
        adjacent=named(land.neighbours),
        reach={clan.id: named(reach(land, power_of(clan.id, powers))) for clan in state.clans},
        cross=named(land.crossings),
        between=set(land.named(land.between_mountains)),
        burning=set(land.named(land.beside_volcano)),
        powers=powers,
        volcanoes=state.options.volcanoes,
        turn=state.turn,
        temple_limit=state.temple_limit,
        clans=[clan.id for clan in state.clans],
        chao={clan.id: clan.chao for clan in state.clans},
        land=pieces,
        temples=set(land.named(state.temples)),
    )


@pytest.mark.parametrize("seed", range(8))
def test_both_writings_agree(seed):
    luck = random.Random(seed)
    for number in range(TURNS):
        state = random_state(luck)
        GAME.check(state)
        moves = random_moves(state, luck)
        after, _ = GAME.resolve(state, moves, Dice.script([]))
        plans = {
            clan.id: (moves[clan.seat].target, *moves[clan.seat].levels, moves[clan.seat].cross)
            for clan in state.clans
            if moves[clan.seat] != PASS
        }
        expected = resolve(world_of(state), plans)
        found = world_of(after)
        assert found.chao == expected.chao, (seed, number)
        assert found.land == expected.land, (seed, number)
        assert found.temples == expected.temples, (seed, number)
        GAME.check(after)


@pytest.mark.parametrize("seed", range(4))
def test_without_powers_it_does_not_matter_who_is_who(seed):
    """Clans renamed and put in another order come to the same (chapter 9.2)."""
    luck = random.Random(f"who {seed}")
    for _ in range(TURNS):
        state = random_state(luck)
        state = State(**{field: getattr(state, field) for field in State.__slots__} | {"options": Options(players=8)})
        moves = random_moves(state, luck)
        names = sorted(luck.sample(list(CLANS), len(state.clans)), key=list(CLANS).index)
        shuffled = luck.sample(state.clans, len(state.clans))
        renamed = tuple(clan._replace(id=name) for clan, name in zip(shuffled, names, strict=True))
        other = State(**{field: getattr(state, field) for field in State.__slots__} | {"clans": renamed})
        one, _ = GAME.resolve(state, moves, Dice.script([]))
        two, _ = GAME.resolve(other, moves, Dice.script([]))
        assert {clan.seat: clan[2:] for clan in one.clans} == {clan.seat: clan[2:] for clan in two.clans}
        assert one.temples == two.temples
        assert one.winners == two.winners


def walked(land: Land, chain: tuple[Node, ...], kinds: str = "") -> set[str]:
    """The provinces at the end of all simple chains that go on from this one: step by step, each cell but once."""
    found: set[str] = set()
    for near, kind in steps(land, chain[-1]):
        if near in chain:
            continue
        if (kind == "~" and kinds.count("~") < 2) or (kind == "X" and "X" not in kinds):
            found |= walked(land, (*chain, near), kinds + kind)
        elif kind not in "~X" and "X" in kinds:
            found.add(kind)
    return found


def steps(land: Land, node: Node) -> list[tuple[Node, str]]:
    """What touches a cell or a river: `~` for water, `X` for a mountain, else a province's name."""
    kinds = {cell.place: cell.name or ("X" if cell.terrain in MOUNTAINS else "~") for cell in land.cells}
    banks = [
        {cell for pair in river for cell in pair if kinds.get(cell, "X") != "X"} for river in land.rivers
    ]  # YUAN-17.4: provinces and lakes
    if isinstance(node, int):
        return [(bank, kinds[bank]) for bank in banks[node]]
    rivers = [(i, "~") for i in range(len(banks)) if node in banks[i]]
    return [*((near, kinds[near]) for near in neighbours(node) if near in kinds), *rivers]


@pytest.mark.parametrize("seed", range(4))
def test_who_crosses_a_mountain_can_walk_there_cell_by_cell(seed):  # YUAN-16.3
    luck = random.Random(f"walk {seed}")
    for _ in range(10):
        land = random_state(luck).land
        for cell, joined in zip(land.provinces, land.crossings, strict=True):
            assert set(land.named(joined)) == walked(land, (cell.place,)) - {cell.name}


@pytest.mark.parametrize(
    "villages", [18, 6]
)  # with few the target takes the last one, and may be cut off from its city
@pytest.mark.parametrize("seed", range(4))
def test_a_colony_is_a_city_where_the_dry_run_makes_it_one(seed, villages, monkeypatch):  # YUAN-5.6, YUAN-7.9
    monkeypatch.setattr(pieces, "VILLAGES", villages)
    luck, seen = random.Random(f"colony {seed}"), set()
    for _ in range(TURNS):
        state = random_state(luck)
        for place, clan in enumerate(state.clans):
            planner = Planner(state, clan.seat)
            for target in members(planner.free) if clan.city_stock else ():
                course, _ = run(alone(state, clan.seat, Plan(state.land.names[target], dev=1)), DRY_RUN)
                founded = bool(course.clans[place].cities >> target & 1)
                assert planner.founds_city(target) is founded, (seed, clan, state.land.names[target])
                seen.add(founded)
    assert seen == {True, False}


@pytest.mark.parametrize("villages", [18, 3])  # with few some clans can found nothing any more
def test_every_conceivable_plan_is_on_the_menu_or_refused(villages, monkeypatch):  # YUAN-5.5
    monkeypatch.setattr(pieces, "VILLAGES", villages)
    luck = random.Random("menus")
    for _ in range(6):
        state = random_state(luck)
        levels = list(product(range(4), range(4), range(4), (False, True)))
        conceivable = [Plan(name, *planned) for name in state.land.names for planned in levels]
        for clan in state.clans:
            planner = Planner(state, clan.seat)
            legal = [plan for plan in conceivable if planner.fault(plan) is None]
            assert list(GAME.moves(state, clan.seat)) == [PASS, *legal]
