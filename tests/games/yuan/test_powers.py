"""Volcanoes and clan powers: with the option, without it, and for another clan (YUAN-15, YUAN-16)."""

import pytest

from games.yuan import GAME
from games.yuan.box import CLANS
from games.yuan.powers import NO_POWER, POWERS, power_of
from tests.games.yuan.board import code, drawn, holding, play, told

ON = {"options": ["powers"]}


def test_powers_are_off_unless_the_option_is_on():
    assert list(POWERS) == list(CLANS)
    assert {power_of(clan, False) for clan in CLANS} == {NO_POWER}
    assert NO_POWER not in {power_of(clan, True) for clan in CLANS}


def test_a_volcano_doubles_what_touches_it():  # YUAN-15.1
    state = drawn("S9: DC=cc\nX9: DE=v", terrain="DD=V DC=R DE=R", options=["volcanoes"])
    assert code(state, "S DC D3 F2") is None  # 7 - 4 + 4
    assert code(state, "X DE D3 F2") is None  # 7 - 2 + 4
    assert code(state, "X DE D3 F3") == "Y-NOCHAO"


def test_without_the_option_a_volcano_is_just_a_mountain():  # YUAN-15.2
    state = drawn("S4: DC=cc\nX9: GA=v", terrain="DD=V DC=R", turn=5)
    assert code(state, "S DC D3") == "Y-NOCHAO"  # 7 - 2
    after, _ = play(state)
    assert "DC=cc" in holding(after, "S")


@pytest.mark.parametrize(("provinces", "wins"), [(5, True), (4, False)])
def test_mu_qualifies_by_provinces_and_temples(provinces, wins):  # YUAN-16.1
    held = " ".join(f"{name}=v" for name in ("AB", "AC", "AD", "BA")[: provinces - 1])
    before = f"M0: AA=c {held}\nS0: GA=c"
    after, events = play(drawn(before, temples="AA", need=2, **ON))
    assert (after.winners is not None) is wins
    assert not wins or events[-1].rule == "YUAN-16.1"
    assert play(drawn(before, temples="AA", need=2))[0].winners is None


def test_suhey_takes_what_is_disputed():  # YUAN-16.2
    orders = ("S DB D1", "X DD D1")
    after, events = play(drawn("S0: DA=c\nX0: DE=c", **ON), *orders)
    assert told(events, "suhey_takes") == [{"province": "DC", "clans": ["suhey", "xiangi"]}]
    assert "DC=v" in holding(after, "S")
    after, _ = play(drawn("W0: DA=c\nX0: DE=c", **ON), "W DB D1", "X DD D1")
    assert "DC=v" not in holding(after, "W")


def test_weyu_lets_all_isolated_armies_cross_or_none():  # YUAN-16.3
    state = drawn("W0: DB=c+1 CC=v+1 GA=c+2\nX0: DD=c", terrain="DC=X", **ON)
    _, events = play(state, "W DD M1")
    assert told(events, "attack")[0]["origins"] == ["CC"]
    _, events = play(state, "W DD M1 CROSS")
    assert told(events, "attack")[0]["origins"] == ["CC", "DB"]  # GA is too far
    assert told(events, "weyu_cross") == [{"origin": "DB"}]
    assert [event.kind for event in events[2:5]] == ["paid", "attack", "weyu_cross"]
    assert code(drawn("W0: DB=c+1\nX0: DD=c", terrain="DC=X"), "W DD M1 CROSS") == "Y-CROSS"
    assert code(drawn("S0: DB=c+1\nX0: DD=c", terrain="DC=X", **ON), "S DD M1 CROSS") == "Y-CROSS"
    assert "CROSS adds no army" in str(GAME.read(drawn("S0: DB=c+1\nX0: DD=c", **ON), "1", "DD M1 CROSS"))


@pytest.mark.parametrize(
    ("terrain", "crosses"),
    [
        ("DC=X", True),
        ("DC=V", True),  # a volcano is a mountain
        ("DC=~ DD=X", True),
        ("DC=X DD=~", True),
        ("DC=X DD=X", False),  # two mountains
        ("DC=~ DD=~", False),  # no mountain
        ("", False),
    ],
)
def test_one_mountain_and_at_most_two_waters(terrain, crosses):  # YUAN-16.3
    far = "DE" if "DD" in terrain else "DD"
    land = drawn(f"W0: DB=c+1\nX0: {far}=c", terrain=terrain, **ON).land
    assert bool(land.crossings[land.number["DB"]] >> land.number[far] & 1) is crosses


def test_xiangi_sails_two_waters_at_most_and_others_reach_it_normally():  # YUAN-16.4
    lake = {"terrain": "DB=~ DC=~ DD=~ CA=X EA=X CB=X CC=X CD=X EB=X EC=X ED=X"}
    state = drawn("X30: DA=c+1\nS30: DE=c+1", **lake, **ON)
    assert code(state, "X DE M1") == "Y-NOARMY"
    assert code(state, "S DA M1") is None
    assert code(state, "X DF D3") is None  # colonisation III is unlimited


def test_xiangi_defends_between_mountains():  # YUAN-16.4
    orders = "S DD M1"
    terrain = "CC=X EC=X"
    _, events = play(drawn("S0: DC=c+3\nX0: DD=v+1 GA=c", terrain=terrain, **ON), orders)
    assert [event.kind for event in events if event.rule in ("YUAN-10.6", "YUAN-16.4")] == [
        "attack_repelled",
        "xiangi_defence",
    ]
    _, events = play(drawn("S0: DC=c+3\nX0: DD=v GA=c", terrain=terrain, **ON), orders)
    assert not told(events, "xiangi_defence")  # no army
    _, events = play(drawn("S0: DC=c+3\nX0: DD=v+1 GA=c", terrain="CC=X", **ON), orders)
    assert not told(events, "xiangi_defence")  # one mountain
    _, events = play(drawn("S0: DC=c+3\nX0: DD=c/s+1 GA=c", terrain=terrain, **ON), orders)
    assert not told(events, "xiangi_defence")  # not for an indestructible city


@pytest.mark.parametrize(("held", "armies", "worth"), [("v+1", 1, 2), ("c/w+1", 1, 4), ("c/w", 0, 2), ("v", 0, 0)])
def test_who_composes_an_attack_is_told_of_the_mountains(held, armies, worth):  # YUAN-8.4, YUAN-16.4
    """What is told to stand against an attack is what it then meets."""

    def attacked_by(force):
        return drawn(f"S0: DC=c+{force}\nX0: DD={held} GA=c", terrain="CC=X EC=X", **ON)

    state = attacked_by(1)
    notes = GAME.composer(state, "1").parts(GAME.read(state, "1", "DD M1"))[0].notes
    assert dict(notes[0].facts) == {"clan": "Xiangi", "armies": armies, "worth": worth}
    assert told(play(attacked_by(armies + worth + 1), "S DD M1")[1], "captured")
    assert not worth or told(play(attacked_by(armies + worth), "S DD M1")[1], "attack_repelled")


def test_the_mountains_add_nothing_against_bonus_attacks():  # YUAN-16.4
    state = drawn("S7: DC=c+1\nX0: DD=v GA=c CD=v", terrain="BC=X BD=X", **ON)
    after, _ = play(state, "S DD M3")
    assert "CD=v" in holding(after, "S")


@pytest.mark.parametrize(("armies", "taken"), [("DC=c+3 CC=v", False), ("DC=c+3 CC=v+1", True)])
def test_shanyin_walls_of_wood(armies, taken):  # YUAN-16.5
    after, _ = play(drawn(f"S0: {armies}\nH0: DD=c/w", **ON), "S DD M1")
    assert ("DD=" in holding(after, "S")) is taken


def test_jinhe_receives_eight():  # YUAN-16.6
    after, _ = play(drawn("J0: AA=c\nS0: GA=c", **ON))
    assert [clan.chao for clan in after.clans] == [6, 8]


def test_linhai_keeps_four_armies():  # YUAN-16.7
    after, _ = play(drawn("L7: AA=c+4\nS0: GA=c", **ON), "L AA M3")
    assert holding(after, "L") == "0: AA=c+4"


def test_yunmen_robs_three():  # YUAN-16.8
    _, events = play(drawn("S7: DC=c\nY7: DE=c\nX9: DD=v", **ON), "S DC D3", "Y DE D3")
    assert told(events, "theft") == [
        {"clan": "suhey", "victim": "xiangi", "amount": 2},
        {"clan": "yunmen", "victim": "xiangi", "amount": 3},
    ]
