"""Pieces and their limits: what is left in stock, and what happens when it is not enough (YUAN-2)."""

import pytest

from games.yuan.box import TEMPLES
from games.yuan.pieces import Clan, bereft, raised, settled
from tests.games.yuan.board import code, drawn, holding, kinds, play, told

SEVENTEEN = "AA=v AB=v AC=v AD=v BA=v BB=v BC=v BD=v BE=v CA=v CB=v CC=v CD=v CE=v CF=v DA=v DB=v"


def stocks(clan: Clan) -> tuple[int, int, int, int]:
    return clan.village_stock, clan.city_stock, clan.army_stock, clan.rampart_stock


def test_the_pieces_of_a_clan_and_of_a_box():  # YUAN-2.1
    assert stocks(Clan("mu", "1", 0)) == (18, 14, 9, 6)
    assert TEMPLES == 18


def test_what_stands_on_the_map_is_not_in_stock():  # YUAN-2.2
    clan = drawn("S4: AA=v AB=c AC=cc/w+2 AD=c/s+1").clans[0]
    assert stocks(clan) == (17, 10, 6, 3)  # a doubled city uses 2, an indestructible one 2 ramparts
    assert stocks(bereft(clan, clan.lands)) == (18, 14, 9, 6)  # at once


@pytest.mark.parametrize(
    ("stock", "placed"), [(0, 0b00000), (1, 0b01000), (2, 0b01001), (3, 0b01011), (4, 0b11011), (9, 0b11011)]
)
def test_villages_go_to_the_target_first_then_alphabetically(stock, placed):  # YUAN-2.3
    clan = Clan("mu", "1", 0, lands=((1 << (18 - stock)) - 1) << 10)
    after, found = settled(clan, 0b11011, 0b01000)
    assert found == placed
    assert after.village_stock == stock - placed.bit_count()


def test_provinces_without_a_village_stay_free_and_are_told():  # YUAN-2.3
    after, events = play(drawn(f"S0: {SEVENTEEN}"), "S DC D1")
    assert [fact["province"] for fact in told(events, "village_placed")] == ["DC"]
    assert {fact["province"] for fact in told(events, "village_short")} == {"DD", "EB", "EC"}
    assert after.owner_of(after.land.number["DD"]) is None


def test_a_village_that_should_become_a_city_stays_one():  # YUAN-2.4
    thirteen = "AA=cc AB=cc AC=cc AD=cc BA=cc BB=cc BC=c"
    after, events = play(drawn(f"S4: {thirteen} DA=c DG=v"), "S DG F2")
    assert told(events, "city_short") == [{"clan": "suhey", "province": "DG", "missing": 1}]
    assert "DG=v" in holding(after, "S")
    after, events = play(drawn(f"S0: {thirteen} DG=c"), "S DG F1")
    assert kinds(events) == ["reinforce", "city_short"]  # a city that should be doubled stays single
    assert "DG=c" in holding(after, "S").split()


def test_the_wall_is_raised_as_far_as_the_stock_goes():  # YUAN-2.5
    after, events = play(drawn("S7: AA=c/s AB=c/s AC=c/w DD=c"), "S DD F3")
    assert told(events, "rampart_short") == [{"clan": "suhey", "province": "DD", "missing": 1}]
    assert holding(after, "S").endswith("DD=c/w+1")  # the army comes all the same


def test_as_many_armies_as_there_are():  # YUAN-2.6
    after, events = play(drawn("S7: AA=c+3 AB=c+3 AC=c+2 DD=c"), "S DD M3")
    assert told(events, "army_short") == [{"clan": "suhey", "province": "DD", "missing": 2}]
    assert after.clans[0].army_stock == 0
    assert raised(after.clans[0], 0, 3) == (after.clans[0], 3)  # possibly none


def test_with_too_few_temples_nobody_builds():  # YUAN-2.7, YUAN-7.5
    seventeen = "AA AB AC AD BA BB BC BD BE CA CB CC CD CE CF DA DB"
    after, events = play(drawn("S7: FA=c\nX7: FE=c", temples=seventeen), "S FA D3", "X FE D3")
    assert kinds(events) == ["expand", "expand", "temple_short", "temple_short"]
    assert after.temples.bit_count() == 17
    assert [clan.chao for clan in after.clans] == [0, 0]


def test_balances_are_never_negative_and_have_no_upper_end():  # YUAN-2.8
    state = drawn("S999: DD=c\nX1: DG=c")
    assert code(state, "X DG D2") == "Y-NOCHAO"
    after, _ = play(state)
    assert [clan.chao for clan in after.clans] == [1005, 7]


def test_walls_that_stand_already_are_not_missing():  # YUAN-8.3
    for standing, order in (("c/w", "S DD F2"), ("c/s", "S DD F2"), ("c/s", "S DD F3")):
        after, events = play(drawn(f"S7: DD={standing}"), order)
        assert kinds(events) == ["reinforce"]
        assert standing in holding(after, "S")


def test_armies_stand_in_the_order_of_their_provinces():  # YUAN-1.10
    """Equal positions are equal states, in whatever order the armies came."""
    after, _ = play(drawn("S9: DB=c DE=c+1"), "S DB M2")
    camps = [(after.land.names[province], count) for province, count in after.clans[0].armies]
    assert camps == [("DB", 1), ("DE", 1)]
