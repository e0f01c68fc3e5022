"""The set-up: parameters, draws, hands, tiles, capitals, colours, auction, first turn (YUAN-3)."""

import pytest

from engine import BadOption, Dice
from games.yuan import GAME
from games.yuan.box import CLANS, SCENARIOS, SLOTS
from games.yuan.moves import Bid, LayTile
from games.yuan.options import Options
from tests.games.yuan.scripted import Picks, dice
from tests.games.yuan.table import Table


def begun(seed: bytes = b"opening", **params) -> Table:
    draws = Dice(seed)
    state, events = GAME.setup(Options(**params), draws)
    table = Table(state, draws)
    table.events += events
    return table


def closed(table: Table, phase: str) -> Table:
    """Silent seats until a phase is reached."""
    while table.state.phase != phase:
        table.close()
    return table


@pytest.mark.parametrize(
    ("params", "about"),
    [
        ({"players": 1}, "players"),
        ({"players": 9}, "players"),
        ({"scenario": "islands"}, "scenario"),
        ({"players": 3, "scenario": "crossing"}, "auction"),
        ({"players": 3, "scenario": "river_control"}, "players"),
        ({"players": 4, "scenario": "general_conflict"}, "players"),
        ({"scenario": "river_control", "base_box": "china"}, "base_box"),
        ({"scenario": "river_control", "tile_setup": "dealt"}, "tile_setup"),
        ({"auction": "perhaps"}, "auction"),
        ({"players": 2, "clans": "mu"}, "clans"),
        ({"players": 2, "clans": ["mu", "mu"]}, "clans"),
        ({"players": 2, "clans": "mu,ming"}, "clans"),
        ({"players": 2, "clans": "mu,jinhe"}, "clans"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_anything_else_is_refused(params, about):  # YUAN-3.1
    with pytest.raises(BadOption) as bad:
        Options(**params)
    assert (bad.value.code, bad.value.option) == ("Y-PARAM", about)
    assert str(bad.value).startswith(f"{about}: ")


def test_booleans_default_to_false_and_seats_are_numbered():  # YUAN-3.1
    options = Options()
    assert not any((options.auction, options.powers, options.volcanoes, options.rivers))
    assert (options.scenario, options.base_box, options.tile_setup, options.clans) == (
        "free",
        "mongolia",
        "players",
        (),
    )
    assert Options(players="8").seats == tuple("12345678")


@pytest.mark.parametrize(("players", "tiles"), [(2, 8), (3, 12), (4, 15), (5, 19), (6, 22), (7, 27), (8, 30)])
def test_tiles_in_play(players, tiles):  # YUAN-3.2
    assert len(Options(players=players).tiles) == tiles
    boxes = {tile[0] for tile in Options(players=players, base_box="china").tiles}
    assert boxes == ({"C"} if players < 5 else {"C", "M"})


@pytest.mark.parametrize("players", range(2, 9))
@pytest.mark.parametrize("box", ["mongolia", "china"])
def test_clans_in_play(players, box):  # YUAN-3.3
    table = begun(players=players, base_box=box)
    clans = table.state.setup.clans
    assert len(set(clans)) == players
    assert list(clans) == [clan for clan in CLANS if clan in clans]  # canonical order
    of_base = [clan for clan in clans if CLANS[clan].box == box]
    assert len(of_base) == min(players, 4)
    assert begun(players=2, clans="weyu,xiangi").state.setup.clans == ("weyu", "xiangi")


def test_draws_are_made_only_when_needed():  # YUAN-3.4
    def whys(**params):
        table = begun(**params)
        return [draw.why for draw in table.dice.draws]

    assert set(whys(players=4)) == {"placing order", "tiles"}
    assert set(whys(players=3)) == {"clans", "placing order", "tiles"}
    assert set(whys(players=4, tile_setup="dealt", auction=True)) == {"tiles", "rotation", "capitals"}
    assert set(whys(players=3, scenario="crossing", auction=True)) == {"clans"}
    assert set(whys(players=5, scenario="general_conflict")) == {"clans", "placing order", "colours"}
    assert set(whys(players=4, auction=True)) == {"placing order", "tiles"}  # the order lays the tiles


def test_hands_differ_by_at_most_one_tile():  # YUAN-3.5
    table = begun(players=4)
    setup = table.state.setup
    assert [len(setup.hand(seat)) for seat in setup.order] == [4, 4, 4, 3]
    (dealt,) = [event for event in table.events if event.kind == "tiles_dealt"]
    assert {seat: list(hand) for seat, hand in setup.hands} == dealt.facts["hands"]


def test_tiles_are_laid_in_turn_beside_the_map():  # YUAN-3.6
    table = begun(players=2)
    first, second = table.state.setup.order
    assert GAME.pending(table.state) == (first,)
    hand = table.state.setup.hand(first)
    assert [str(move) for move in GAME.moves(table.state, first)] == [f"TILE {tile} 0,0 R0" for tile in hand]
    assert table.file(first, f"tile {hand[1]} 0,0 r0") is None
    table.close()
    assert GAME.pending(table.state) == (second,)
    menu = list(GAME.moves(table.state, second))
    assert len(menu) == 4 * 6 * 6  # tiles, slots, rotations
    default = GAME.default(table.state, second)
    assert default == menu[0] == LayTile(table.state.setup.hand(second)[0], (-1, 0), 0)
    table.close()
    assert table.events[-1].facts["defaulted"] is True
    assert table.events[-2].facts["defaulted"] is False


def test_dealt_tiles_lie_in_the_slots_of_the_data():  # YUAN-3.7
    table = begun(players=8, tile_setup="dealt")
    assert tuple(placed.slot for placed in table.state.tiles) == SLOTS[30]
    placed = [event for event in table.events if event.kind == "tile_placed"]
    assert len(placed) == 30
    assert {event.rule for event in placed} == {"YUAN-3.7"}
    assert {event.facts["seat"] for event in placed} == {None}


def test_a_temple_on_every_hills_province():  # YUAN-3.8
    state = closed(begun(players=2), "cities").state
    hills = [cell.name for cell in state.land.provinces if cell.terrain == "H"]
    assert state.land.named(state.temples) == hills


def test_capitals_in_placing_order():  # YUAN-3.9
    table = closed(begun(players=3), "cities")
    order = table.state.setup.order
    assert GAME.pending(table.state) == (order[0],)
    first = table.state.land.names[0]
    assert str(GAME.default(table.state, order[0])) == f"CITY {first}"
    table.close()
    assert table.state.setup.capitals == ((first, table.state.setup.clans[0]),)
    assert table.file(order[1], f"CITY {first}") == "Y-CITY"
    neighbour = table.state.land.named(table.state.land.neighbours[0])[0]
    assert table.file(order[1], f"CITY {neighbour}") is None  # hills and neighbours of capitals are allowed


def test_colours_are_drawn_after_the_capitals():  # YUAN-3.10
    table = closed(begun(players=3), "plan")
    (drawn,) = [event.facts["clans"] for event in table.events if event.kind == "colours_drawn"]
    assert {clan.seat: clan.id for clan in table.state.clans} == drawn
    imposed = begun(players=5, scenario="general_conflict").state
    capitals = [imposed.land.named(clan.lands)[0] for clan in imposed.clans]
    assert tuple(capitals) == SCENARIOS["general_conflict"].capitals  # the i-th belongs to the i-th clan in play


def test_start_without_auction():  # YUAN-3.11
    table = closed(begun(players=4, powers=True), "plan")
    assert {clan.id: clan.chao for clan in table.state.clans} == {"mu": 2, "suhey": 3, "weyu": 4, "xiangi": 4}
    plain = closed(begun(players=4), "plan")
    assert {clan.chao for clan in plain.state.clans} == {4}


def test_capitals_of_the_auction():  # YUAN-3.12
    crossing = begun(players=3, scenario="crossing", auction=True).state
    assert tuple(name for name, _ in crossing.setup.capitals) == SCENARIOS["crossing"].capitals
    table = begun(players=4, scenario="river_control", auction=True, powers=True)
    assert len({name for name, _ in table.state.setup.capitals}) == 4
    assert {event.rule for event in table.events if event.kind == "city_set"} == {"YUAN-3.12"}
    done = closed(table, "plan").state
    assert {clan.chao for clan in done.clans} == {6}  # nobody bid; no clan adjustments


def test_rounds_until_one_seat_is_left():  # YUAN-3.13
    table = begun(players=3, scenario="crossing", auction=True)
    assert list(GAME.moves(table.state, "1")) == [Bid(chao) for chao in range(7)]
    assert [GAME.read(table.state, "1", f"BID {chao}") for chao in range(7)] == [Bid(chao) for chao in range(7)]
    assert str(GAME.default(table.state, "1")) == "BID 0"
    for seat, bid in (("1", 2), ("2", 5), ("3", 4)):
        assert table.file(seat, {"do": "bid", "chao": bid}) is None
    table.close()
    assert (table.state.phase, GAME.pending(table.state)) == ("capital", ("2",))
    assert [str(move) for move in GAME.moves(table.state, "2")] == ["CAPITAL BAI", "CAPITAL NE", "CAPITAL PO"]
    assert table.file("2", "CAPITAL PO") is None
    table.close()
    assert GAME.pending(table.state) == ("1", "3")
    assert table.file("3", "BID 1") is None
    table.close()
    table.close()  # the default: the first capital left
    seats = {clan.seat: (clan.chao, table.state.land.named(clan.lands)[0]) for clan in table.state.clans}
    assert seats == {"2": (1, "PO"), "3": (5, "BAI"), "1": (6, "NE")}


def test_ties_bid_again_among_themselves():  # YUAN-3.14
    table = begun(players=3, scenario="crossing", auction=True)
    for seat, bid in (("1", 3), ("2", 3), ("3", 1)):
        table.file(seat, f"BID {bid}")
    table.close()
    assert (table.state.setup.attempt, GAME.pending(table.state)) == (2, ("1", "2"))
    assert table.file("3", "BID 6") == "Y-SEAT"
    table.file("2", "BID 1")  # no relation to earlier bids
    table.close()
    assert table.state.setup.won == ("2", 5)


def test_every_clan_starts_with_one_single_city():  # YUAN-3.15
    state = closed(begun(players=4), "plan").state
    assert (state.turn, state.need) == (1, 8)
    for clan in state.clans:
        assert clan.lands == clan.cities
        assert clan.lands.bit_count() == 1
        assert (clan.doubled, clan.walled, clan.armies) == (0, 0, ())


def test_shuffles_and_choices_ask_for_nothing_more():  # YUAN-3.16
    picks = Picks([[4, 0], [3, 0], [2, 0], {"times": 14, "pick": "highest"}])
    state, _ = GAME.setup(Options(players=4), dice(picks))
    assert not picks.left
    assert state.setup.order == ("2", "3", "4", "1")  # i = 3: 1 and 4 change places, then 4 and 3, then 3 and 2
    with pytest.raises(AssertionError):
        GAME.setup(Options(players=4), dice(Picks([[4, 0]])))
    table = closed(begun(players=4), "plan")
    before = len(table.dice.draws)
    for _ in range(3):
        table.close()
    assert len(table.dice.draws) == before  # after the set-up nothing is drawn
