"""The resolution step by step: what each paragraph does, and the order in which it is told (YUAN-6 to YUAN-13)."""

import pytest

from games.yuan.course import Aim, begun
from games.yuan.phases.battle import worn
from games.yuan.phases.recruit import recruit
from games.yuan.phases.rob import shares
from tests.games.yuan.board import drawn, holding, kinds, play, told

# --- YUAN-6 -------------------------------------------------------------------------------------------------------


def test_plans_that_meet_on_a_free_province_fall_whole():  # YUAN-6.1
    state = drawn("S8: DC=c\nX4: DE=c\nM4: AA=c")
    after, events = play(state, "S DD D2 F2", "X DD D1", "M AB D1")
    assert told(events, "plan_cancelled") == [{"clan": "suhey", "target": "DD"}, {"clan": "xiangi", "target": "DD"}]
    assert holding(after, "S") == "14: DC=c"  # nothing paid, pass income
    assert told(events, "paid") == [{"clan": "mu", "amount": 0, "parts": {"d": 0}}]


def test_everyone_else_pays():  # YUAN-6.2
    after, events = play(drawn("S15: DC=c\nX4: DE=c", terrain="DC=F"), "S DC D1 F2 M3")
    assert told(events, "paid") == [{"clan": "suhey", "amount": 10, "parts": {"d": 0, "f": 3, "m": 7}}]
    assert after.clans[0].chao == 5


# --- YUAN-7 -------------------------------------------------------------------------------------------------------


def test_everything_reads_the_position_before_the_step():  # YUAN-7.1
    state = drawn("S0: DA=c\nX0: DE=c")
    after, _ = play(state, "S DB D1", "X DD D1")
    assert after.owner_of(after.land.number["DC"]) is None  # claimed by both, though one could have come first


@pytest.mark.parametrize("level", [1, 2, 3])
def test_colonisation_claims_the_target_and_what_touches_it(level):  # YUAN-7.2
    after, events = play(drawn("S7: GA=c\nX4: AD=c"), f"S FA D{level}")
    # FA touches EA, EB, FB, GA on this board's western edge.
    assert set(holding(after, "S").split()[1:]) == {"EA=v", "EB=v", "FA=v", "FB=v", "GA=c"}
    assert kinds(events)[0] == "colonise"


def test_expansion_claims_around_the_whole_group():  # YUAN-7.3
    after, _ = play(drawn("S0: AA=c AB=v GA=c\nX0: GD=c"), "S AA D1")
    assert set(holding(after, "S").split()[1:]) == {"AA=c", "AB=v", "AC=v", "BA=v", "BB=v", "BC=v", "GA=c"}
    after, _ = play(drawn("S7: AA=c\nX0: GD=c"), "S AA D3")
    assert holding(after, "S") == "0: AA=c"  # expansion III claims nothing


def test_a_target_claim_wins_and_equal_side_claims_win_nothing():  # YUAN-7.4
    after, events = play(drawn("S0: DA=c\nX0: DD=c\nM0: AA=c"), "S DB D1", "X DC D1", "M AB D1")
    assert "DC=v" in holding(after, "X")
    assert "DB=v" in holding(after, "S")
    assert {"province": "CB", "clans": ["suhey", "xiangi"]} in told(events, "contested")


def test_builders_build_or_none_does():  # YUAN-7.5
    after, events = play(drawn("S7: DC=c\nX7: DG=c"), "S DC D3", "X DG D3")
    assert after.land.named(after.temples) == ["DC", "DG"]
    assert [fact["province"] for fact in told(events, "temple_built")] == ["DC", "DG"]


@pytest.mark.parametrize(
    ("purse", "robbers", "each"),
    [(0, 1, 0), (1, 1, 1), (5, 1, 2), (1, 2, 0), (3, 2, 1), (5, 2, 2), (5, 3, 1), (6, 3, 2), (2, 3, 0)],
)
def test_equal_robbers_get_the_same(purse, robbers, each):  # YUAN-7.6
    course = begun(drawn("S0: AA=c\nX0: AB=c\nM0: AC=c\nW0: AD=c"), {})
    assert shares(course, list(range(robbers)), purse) == [(place, each) for place in range(robbers)]
    assert each == min(2, purse // robbers)


def test_what_is_robbed_cannot_be_robbed_from_the_robber():  # YUAN-7.6
    after, _ = play(drawn("S7: DC=v EB=c\nW7: CC=c\nX5: FA=c"), "S EB D3", "W CC D3")
    assert [clan.chao for clan in after.clans] == [2, 0, 9]


def test_two_builders_side_by_side_do_not_rob_each_other():  # YUAN-7.7
    after, events = play(drawn("S9: DC=c\nX9: DD=c"), "S DC D3", "X DD D3")
    assert told(events, "theft_mutual") == [{"clan": "suhey", "other": "xiangi"}]
    assert [clan.chao for clan in after.clans] == [2, 2]


def test_a_village_on_each_province_awarded():  # YUAN-7.8
    _, events = play(drawn("S0: DA=c\nX0: DG=c"), "S DB D1")
    assert told(events, "village_placed") == [
        {"clan": "suhey", "province": name, "from": None} for name in ("CA", "CB", "DB", "DC", "EA", "EB")
    ]


def test_a_lonely_colony_becomes_a_city_and_an_expansion_never_does():  # YUAN-7.9
    after, events = play(drawn("S0: DA=c\nX0: DG=v"), "X DG D1")
    assert "DG=v" in holding(after, "X")
    assert not told(events, "auto_city")
    after, events = play(drawn("S7: DA=c\nX0: DG=c"), "S AD D3")
    assert told(events, "auto_city") == [{"clan": "suhey", "province": "AD"}]


def test_level_two_earns_whether_or_not_anything_was_acquired():  # YUAN-7.10, YUAN-12.1
    walled_in = drawn("S4: DD=c\nX0: GA=c", terrain="CC=X CD=X DC=X DE=X EC=X ED=X")
    after, events = play(walled_in, "S DD D2")
    assert told(events, "income_dev") == [{"clan": "suhey", "amount": 2}]
    assert holding(after, "S") == "2: DD=c"


# --- YUAN-8, YUAN-9 -----------------------------------------------------------------------------------------------


def test_fortification_works_on_the_own_target():  # YUAN-8.1
    after, _ = play(drawn("S7: GA=c\nX4: AD=c"), "S FA D1 F3")
    assert "FA=c/w+1" in holding(after, "S")  # just colonised, joined to GA: a village that is urbanised


@pytest.mark.parametrize(("level", "result"), [(1, "v"), (2, "c"), (3, "c/w+1")])
def test_urbanisation(level, result):  # YUAN-8.2
    after, _ = play(drawn("S7: DD=v\nX4: AD=c"), f"S DD F{level}")
    assert holding(after, "S").endswith(f"DD={result}")


@pytest.mark.parametrize(
    ("before", "level", "result"),
    [
        ("c", 1, "cc"),
        ("cc", 1, "cc"),
        ("c", 2, "cc/w"),
        ("c/w", 2, "cc/w"),
        ("c/s", 2, "cc/s"),
        ("cc", 2, "cc/w"),
        ("c", 3, "c/s+1"),
        ("cc/w", 3, "cc/s+1"),
        ("c/s", 3, "c/s+1"),
    ],
)
def test_reinforcement(before, level, result):  # YUAN-8.3
    after, _ = play(drawn(f"S7: DD={before}\nX4: AD=c"), f"S DD F{level}")
    assert holding(after, "S").endswith(f"DD={result}")


@pytest.mark.parametrize(
    ("defender", "fails", "wins"),
    [
        ("DD=v", 0, 1),
        ("DD=c/w", 2, 3),
        ("DD=v DE=c/s", 1, 2),
        ("DD=c/w DE=c/s", 2, 3),  # never added
        ("DD=c/s", 3, None),
    ],
)
def test_defence(defender, fails, wins):  # YUAN-8.4
    for force, taken in ((fails, False), (wins, True)):
        if force:
            after, _ = play(drawn(f"S0: DC=c+{force}\nX0: {defender}"), "S DD M1")
            assert ("DD=" in holding(after, "S")) is taken


@pytest.mark.parametrize(("level", "armies"), [(1, 0), (2, 1), (3, 3)])
def test_recruitment(level, armies):  # YUAN-9.1
    after, events = play(drawn("S7: DD=c\nX4: AD=c"), f"S DD M{level}")
    assert after.clans[0].army_count == armies
    assert told(events, "recruit") == [{"clan": "suhey", "province": "DD", "level": level}]


def test_recruitment_outside_a_city_does_nothing():  # YUAN-9.2
    course = begun(drawn("S7: DD=v\nX4: AD=c"), {})
    target = course.land.number["DD"]
    course = course._replace(aims=(Aim("own", target, 0, 0, 3, False), None))  # no legal plan can do this
    after, events = recruit(course)
    assert [event.kind for event in events] == ["recruit_void"]
    assert events[0].rule == "YUAN-9.2"
    assert after.clans == course.clans


# --- YUAN-10 ------------------------------------------------------------------------------------------------------


def test_the_reserve_is_that_of_the_start_of_the_step():  # YUAN-10.1
    full = "AA=c+3 AB=c+3"
    _, events = play(drawn(f"S4: {full} AC=c+3\nX0: AD=v"), "S AD M2")
    assert told(events, "attack")[0]["force"] == 3  # AC alone is in reach; nothing in reserve
    _, events = play(drawn(f"S4: {full} AC=c+2\nX0: AD=v"), "S AD M2")
    assert told(events, "attack")[0]["force"] == 3  # two, and the last one of the reserve


def test_all_armies_of_all_origins_take_part():  # YUAN-10.2
    state = drawn("S4: DC=c+2 CC=v+1 GA=c+1\nX0: DD=c+3")
    after, events = play(state, "S DD M2")
    assert told(events, "attack") == [
        {"clan": "suhey", "target": "DD", "level": 2, "origins": ["CC", "DC"], "force": 4}
    ]
    assert holding(after, "S") == "0: CC=v DC=c DD=v+1 GA=c+1"


def test_departed_armies_defend_nothing_and_do_not_meet():  # YUAN-10.3
    after, _ = play(drawn("S0: DC=c+1\nX0: DD=c+3\nM0: AA=c"), "S DD M1", "X DC M1")
    assert holding(after, "S") == "0: DD=c+1"
    assert holding(after, "X") == "0: DC=c+3"


@pytest.mark.parametrize(
    ("forces", "left"),
    [
        ([3, 2, 1], [1, 0, 0]),
        ([2, 2, 1], [0, 0, 0]),
        ([4, 4], [0, 0]),
        ([5, 1], [4, 0]),
        ([3], [3]),
        ([6, 4, 4, 1], [2, 0, 0, 0]),
    ],
)
def test_clash(forces, left):  # YUAN-10.4
    assert worn(forces) == left
    top, second, *_ = [*sorted(forces, reverse=True), 0]
    assert max(left) == top - second  # the single strongest keeps its lead


@pytest.mark.parametrize(("force", "armies", "kept", "taken"), [(2, 3, 1, 0), (2, 2, 0, 0), (3, 2, 0, 1)])
def test_attackers_meet_the_armies_first(force, armies, kept, taken):  # YUAN-10.5
    after, _ = play(drawn(f"S0: DC=c+{force}\nX0: DD=v+{armies}"), "S DD M1")
    target = after.land.number["DD"]
    assert after.clans[1].armies_at(target) == kept
    assert after.clans[0].armies_at(target) == taken


def test_then_the_defence_which_kills_nobody_or_everybody():  # YUAN-10.6
    _, events = play(drawn("S0: DC=c+2\nX0: DD=c/w"), "S DD M1")
    assert told(events, "attack_repelled") == [{"clan": "suhey", "target": "DD", "lost": 2}]
    _, events = play(drawn("S0: DC=c+3\nX0: DD=c/w"), "S DD M1")
    assert told(events, "captured") == [{"clan": "suhey", "target": "DD", "survivors": 3}]


def test_a_captured_province_loses_everything_but_its_temple():  # YUAN-10.7
    after, events = play(drawn("S0: DC=c+3\nX0: DD=cc/w DG=c", temples="DD"), "S DD M1")
    assert holding(after, "S") == "0: DC=c DD=v+3"
    assert holding(after, "X") == "6: DG=c"
    assert after.land.named(after.temples) == ["DD"]
    assert told(events, "village_placed") == [{"clan": "suhey", "province": "DD", "from": "xiangi"}]


def test_bonus_attacks_around_a_target_taken_by_level_three():  # YUAN-10.8
    before = "S7: DC=c+2\nX0: CC=v DD=v DG=c"
    assert told(play(drawn(before), "S DD M2")[1], "bonus_captured") == []
    assert told(play(drawn(before), "S DD M3")[1], "bonus_captured") == [{"province": "CC", "clan": "suhey"}]


@pytest.mark.parametrize(
    ("pieces", "kind"),
    [
        ("v", "bonus_captured"),
        ("c", "bonus_captured"),
        ("v+2", "bonus_kill"),
        ("c/w", "bonus_failed"),
        ("c/s", "bonus_failed"),
    ],
)
def test_the_result_of_a_bonus_attack(pieces, kind):  # YUAN-10.9
    state = drawn(f"S7: DC=c+1\nX0: DD=v DG=c\nM0: CC={pieces} AA=c")
    after, events = play(state, "S DD M3")
    (event,) = [event for event in events if event.kind.startswith("bonus")]
    assert event.kind == kind
    if kind == "bonus_kill":
        assert "CC=v+1" in holding(after, "M")


def test_what_one_clan_cut_off_is_his():  # YUAN-10.10
    after, events = play(drawn("S0: CB=c+1\nX0: DC=c DD=v DE=v"), "S DC M1")
    assert holding(after, "S") == "0: CB=c DC=v+1 DD=v DE=v"
    assert [fact["province"] for fact in told(events, "village_placed")] == ["DC", "DD", "DE"]


def test_what_nobody_or_both_cut_off_is_free():  # YUAN-10.11
    after, events = play(drawn("S0: CB=c+1\nW0: CE=c+1\nX0: DC=c DD=v+2 DE=c"), "S DC M1", "W DE M1")
    assert told(events, "freed") == [{"province": "DD", "owner": "xiangi"}]
    assert after.owner_of(after.land.number["DD"]) is None
    assert after.clans[2].army_stock == 9


def test_a_conquest_without_a_city_becomes_one():  # YUAN-10.12
    _, events = play(drawn("S0: DB=c+1\nX0: DD=v DG=c", terrain="DC=~"), "S DD M1")
    assert told(events, "auto_city") == [{"clan": "suhey", "province": "DD"}]
    assert [event.rule for event in events if event.kind == "auto_city"] == ["YUAN-10.12"]


def test_lost_pieces_are_back_before_villages_are_placed():  # YUAN-10.13
    """Suhey has all 18 villages on the map; it loses one province and can so place one."""
    rest = ["AA", "AB", "AC", "AD", "BA", "BB", "BC", "BD", "BE", "CA", "CC", "CD", "CE", "CF", "CB", "DB", "EA"]
    crowded = " ".join(f"{name}=v" for name in rest)
    state = drawn(f"S0: {crowded} DA=c DC=v+1\nX0: DD=v+1 DG=c")
    after, _ = play(state, "S DD M1", "X DC M1")
    assert "DD=v+1" in holding(after, "S")
    assert holding(after, "X") == "0: DC=c+1 DG=c"


# --- YUAN-11, YUAN-12, YUAN-13 ------------------------------------------------------------------------------------


def test_fortification_of_a_conquest():  # YUAN-11.1
    after, events = play(drawn("S4: DC=c+1\nX0: DD=v DG=c"), "S DD F2 M1")
    assert holding(after, "S") == "0: DC=c DD=c+1"
    assert [event.rule for event in events if event.kind == "urbanise"] == ["YUAN-11.1"]


def test_otherwise_its_price_comes_back():  # YUAN-11.2
    after, events = play(drawn("S11: DC=c+1\nX0: DD=c/s"), "S DD F3 M1")
    assert told(events, "fort_refunded") == [{"clan": "suhey", "amount": 7}]
    assert after.clans[0].chao == 11


def test_a_pass_earns_six():  # YUAN-12.2
    after, events = play(drawn("S1: DC=c\nX2: DD=c"))
    assert told(events, "income_pass") == [{"clan": "suhey", "amount": 6}, {"clan": "xiangi", "amount": 6}]
    assert [clan.chao for clan in after.clans] == [7, 8]


@pytest.mark.parametrize(("turn", "explodes"), [(4, False), (5, True), (6, False), (9, True), (13, True), (16, False)])
def test_explosions(turn, explodes):  # YUAN-13.1, YUAN-15.2
    state = drawn("S0: DC=c/s+1 DB=v\nX0: GA=c", terrain="DD=V", options=["volcanoes"], turn=turn, temples="DC")
    after, events = play(state)
    assert ("DC=" not in holding(after, "S")) is explodes
    assert told(events, "volcano_cleared") == ([{"province": "DC", "owner": "suhey"}] if explodes else [])
    assert after.land.named(after.temples) == ["DC"]


def test_then_at_most_three_armies_stay():  # YUAN-13.2
    after, events = play(drawn("S7: DD=c+2 AA=c+1\nX0: GA=c"), "S DD M3")
    assert told(events, "armies_trimmed") == [{"province": "DD", "lost": 2}]
    assert after.clans[0].army_stock == 5


def test_then_the_levels_are_recorded():  # YUAN-13.3
    _, events = play(drawn("S7: DD=c AA=v\nX0: GA=c", terrain="AA=M DD=R", temples="DD"))
    assert told(events, "levels")[0] == {"clan": "suhey", "T": 1, "R": 1, "F": 0, "M": 1}


# --- chapter 8 ----------------------------------------------------------------------------------------------------


def test_events_are_told_by_paragraph_then_clan_then_province():
    """One turn with everything in it: each clan's story is cut up and told paragraph by paragraph."""
    state = drawn(
        "M11: AA=c\nS7: DC=c+1\nW9: GA=v EA=c\nX0: DD=v DE=v+1 CC=v CD=c",
        terrain="AA=R",
    )
    _, events = play(state, "M AB D2 F2", "S DD M3", "W GA F2 M2")
    rules = [event.rule.removeprefix("YUAN-") for event in events]
    numbers = [tuple(map(int, rule.split("."))) for rule in rules if not rule.startswith("2.")]
    plain = [number for number in numbers if number != (5, 2)]
    assert plain == sorted(plain)
    for rule in ("YUAN-5.9", "YUAN-6.2", "YUAN-7.8", "YUAN-13.3"):
        clans = [event.facts["clan"] for event in events if event.rule == rule]
        assert clans == sorted(clans, key=["mu", "suhey", "weyu", "xiangi"].index)
