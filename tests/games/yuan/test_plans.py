"""Turn and plans: what is legal, the dry run, filing, the reveal, warnings (YUAN-5, chapter 5)."""

import pytest

from engine import Dice, Refusal
from games.yuan import GAME
from games.yuan.legal import Planner
from games.yuan.moves import PASS, Plan
from games.yuan.turn import RESOLUTION
from tests.games.yuan.board import code, drawn, holding, kinds, play, read, told
from tests.games.yuan.table import Table


def test_the_steps_of_a_turn_stand_in_the_order_of_the_booklet():  # YUAN-5.1
    assert [phase.rule for phase in RESOLUTION] == [f"YUAN-{n}" for n in range(6, 14)]
    both = drawn("S0: DC=c+2\nX4: DD=c")
    after, _ = play(both, "S DD M1", "X DD F2")  # the wall is raised before the attack
    assert holding(after, "X") == "0: DD=cc/w"


def test_every_turn_is_announced_with_its_need():  # YUAN-5.2
    state = drawn("S4: DD=c\nX4: DG=c", turn=3, need=5)
    after, events = play(state)
    assert after.turn == 4
    assert told(events, "turn_started") == [{"turn": 4, "need": 5}]


def test_a_plan_is_a_target_and_one_to_three_actions():  # YUAN-5.3
    state = drawn("S30: DD=c\nX4: DG=c")
    assert read(state, "S PASS") == PASS
    assert read(state, "S dd m3 D1 fii") == Plan("DD", 1, 2, 3)
    for text in ("DD D1 D2", "DD D0", "DD D4", "DD X1", "DD DD", "PLAN DD D1 PASS"):
        assert code(state, f"S {text}") == "Y-FORMAT"


def test_the_kind_of_action_follows_from_the_target():  # YUAN-5.4
    state = drawn("S30: DD=c+1\nX4: DE=v", terrain="CC=X CD=X DC=X EC=X")
    _, events = play(state, "S ED D1 F2 M2")
    assert [kind for kind in kinds(events) if kind != "village_placed"] == ["colonise", "urbanise", "recruit"]
    city = drawn("S30: DD=c+1\nX4: DE=v")
    expected = ["expand", "temple_built", "theft", "reinforce", "recruit"]
    assert kinds(play(city, "S DD D3 F2 M2")[1]) == expected
    assert kinds(play(city, "S DE F2 M1")[1])[0] == "attack"


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("ZZ D1", "Y-UNKNOWN"),
        ("DC", "Y-NOACTION"),
        ("DC CROSS", "Y-NOACTION"),
        ("DC F1", "Y-FREE-NEEDS-DEV"),
        ("DC D1 CROSS", "Y-CROSS"),
        ("AD D1", "Y-NOREACH"),
        ("AD D2", "Y-NOREACH"),
        ("AD D3", None),
        ("DB D3", "Y-TEMPLE-HERE"),
        ("DB F1 CROSS", "Y-CROSS"),
        ("DG D1 M1", "Y-ENEMY-NODEV"),
        ("DG F1", "Y-ENEMY-NEEDS-MIL"),
        ("DG M1 CROSS", "Y-CROSS"),
        ("DG M1", "Y-NOARMY"),
        ("DA M1", "Y-NOTCITY"),
        ("DA F2 M1", None),
        ("DB D2 F2 M2", "Y-NOCHAO"),
        ("DB F1 M1", None),  # without effect, and legal
    ],
)
def test_the_first_failure_is_the_answer(order, expected):  # YUAN-5.5
    state = drawn("S11: DA=v DB=c\nX9: DG=c", temples="DB")
    assert code(state, f"S {order}") == expected
    answer = read(state, f"S {order}")
    if isinstance(answer, Refusal):
        assert str(answer).endswith((".", "?"))
        assert "{" not in str(answer)
        for legal in answer.legal:  # what is offered instead is legal
            offered = legal if expected != "Y-UNKNOWN" else f"{legal} D3"
            assert code(state, f"S {offered}") in (None, "Y-TEMPLE-HERE", "Y-ENEMY-NODEV")


def test_near_names_are_offered():
    state = drawn("S11: DA=v DB=c\nX9: DG=c")
    answer = read(state, "S DAA D1")
    assert (answer.code, answer.facts["close"][0]) == ("Y-UNKNOWN", "DA")
    assert "did you mean DA" in str(answer)


def test_three_names_are_offered_at_most():
    refusal = read(drawn("S4: DD=c\nX4: DG=c"), "S DX D1")
    assert (refusal.code, len(refusal.legal)) == ("Y-UNKNOWN", 3)


def test_the_dry_run_knows_no_other_plan():  # YUAN-5.6
    state = drawn("S0: DA=c\nX30: DE=c")
    assert code(state, "X DD D1 M1") == "Y-NOTCITY"  # joined to the city DE
    apart = drawn("S0: DA=c\nX30: DF=c", terrain="DE=~")
    assert code(apart, "X DD D1 M1") is None  # alone in its group: it becomes a city
    assert code(apart, "X DD D1 F2 M1") is None


def test_a_later_legal_order_replaces_and_an_illegal_one_does_not():  # YUAN-5.7
    table = Table(drawn("S4: DD=c\nX4: DG=c"), Dice.script([]))
    assert table.file("1", "DD F1") is None
    assert table.file("1", "DD F2") is None
    assert table.file("1", "DD F3") == "Y-NOCHAO"
    table.close()
    assert told(table.events, "plan_defaulted") == [{"clan": "xiangi"}]
    assert holding(table.state, "S") == "0: DD=cc/w"


def test_a_seat_left_out_is_silent_and_a_written_pass_is_not():  # YUAN-5.7
    state = drawn("S4: DD=c\nX4: DG=c")
    _, events = GAME.resolve(state, {"1": GAME.read(state, "1", "PASS")}, Dice.script([]))
    assert told(events, "plan_defaulted") == [{"clan": "xiangi"}]
    assert GAME.default(state, "1") == PASS
    assert GAME.default(state, "1").silent
    assert not GAME.read(state, "1", "PASS").silent


def test_no_plan_changes_the_legality_of_another():  # YUAN-5.8
    state = drawn("S0: DC=c+1\nX4: DD=v+1 DE=c")
    after, events = play(state, "S DD M1", "X DD F2")  # the target becomes a city before it is attacked
    assert "attack" in kinds(events)
    assert holding(after, "X") == "0: DD=c DE=c"


def test_all_plans_become_public_together():  # YUAN-5.9
    state = drawn("S4: DD=c\nX4: DG=c\nM4: AA=c")
    _, events = play(state, "S DD F2 M1", "X DG F1")
    assert [event.kind for event in events[:3]] == ["plan_revealed"] * 3
    assert [event.facts for event in events[:3]] == [
        {"clan": "mu", "target": None, "d": 0, "f": 0, "m": 0, "cross": False},
        {"clan": "suhey", "target": "DD", "d": 0, "f": 2, "m": 1, "cross": False},
        {"clan": "xiangi", "target": "DG", "d": 0, "f": 1, "m": 0, "cross": False},
    ]


# --- the menu -----------------------------------------------------------------------------------------------------


def test_the_menu_is_what_the_judge_lets_pass():
    """Every conceivable plan is either on the menu or refused, and the menu is in canonical order."""
    state = drawn("S8: DA=v+1 DB=c\nW9: DG=c+1 DE=v\nX4: CC=v", terrain="DC=X DF=~", options=["powers"], temples="DB")
    for seat in ("1", "2", "3"):
        menu = list(GAME.moves(state, seat))
        conceivable = [
            Plan(name, dev, fort, mil, cross)
            for name in state.land.names
            for dev in range(4)
            for fort in range(4)
            for mil in range(4)
            for cross in (False, True)
        ]
        planner = Planner(state, seat)
        assert menu == [PASS, *(plan for plan in conceivable if planner.fault(plan) is None)]
        for plan in conceivable[::97]:
            assert (GAME.read(state, seat, str(plan)) == plan) is (plan in menu)


# --- warnings and previews ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("order", "codes"),
    [
        ("DB F1", ["W-NOEFFECT"]),  # doubling a doubled city
        ("DA F1", ["W-NOEFFECT"]),  # urbanisation I
        ("DB M1", ["W-NOEFFECT"]),  # recruitment I
        ("DB F1 M1", ["W-NOEFFECT", "W-NOEFFECT"]),
        ("DB D2", []),  # earns 2 whatever it takes
        ("DB M2", []),
        ("DB M3", ["W-STOCK"]),
        ("DG M2", []),
    ],
)
def test_warnings(order, codes):
    state = drawn("S30: DA=v DB=cc+3 AA=c+3 EA=c+1\nX9: DC=v DG=c", terrain="EB=X CB=X CA=X FA=X")
    notices = GAME.notices(state, "1", read(state, f"S {order}")) if order != "DG M2" else ()
    assert [notice.code for notice in notices] == codes
    assert all("{" not in str(notice) for notice in notices)


def test_an_attack_with_an_empty_reserve_is_warned_of():
    state = drawn("S30: DB=c+3 AA=c+3 EA=c+3\nX9: DC=v")
    assert [notice.code for notice in GAME.notices(state, "1", read(state, "S DC M2 F1"))] == ["W-STOCK"]
    assert GAME.notices(state, "1", read(state, "S DC M1")) == ()
    assert GAME.notices(state, "1", PASS) == ()


def test_a_preview_is_the_turn_in_which_all_others_pass():
    state = drawn("S9: DC=c+1\nX4: DD=v DE=v")
    plan = read(state, "S DD F2 M1")
    _, events = play(state, "S DD F2 M1")
    expected = [event for event in events if event.facts.get("clan") == "suhey" and event.kind != "plan_revealed"]
    assert list(GAME.preview(state, "1", plan)) == [event for event in expected if event.kind != "levels"]
    assert [event.kind for event in GAME.preview(state, "1", PASS)] == []


# --- orders for later ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("PLAN ZZ D1", "Y-UNKNOWN"),
        ("PLAN DD", "Y-NOACTION"),
        ("PLAN DD D9", "Y-FORMAT"),
        ("BID 7", "Y-BID"),
        ("TILE C-A 0,0 R0", "Y-TILE"),
        ("CITY ZZ", "Y-CITY"),
        ("CAPITAL ZZ", "Y-CAPITAL"),
        ("PLAN DG M1", None),
        ("BID 3", None),
        ("PASS", None),
    ],
)
def test_what_no_position_could_take(order, expected):
    refusal = GAME.why_never(drawn("S4: DD=c\nX4: DG=c"), "1", order)
    assert (refusal.code if refusal else None) == expected


def test_words_that_mean_a_move():
    assert GAME.same_move("plan dd militarisation 2 dev 1", "PLAN DD D1 M2")
    assert GAME.same_move("dd", "PLAN DD")
    assert not GAME.same_move("dd d9", "PLAN DD D1")


@pytest.mark.parametrize(
    ("order", "said"),
    [
        ("BID", "one word is wanted after the first"),
        ("BID 1 2", "one word is wanted after the first"),
        ("CITY DD DE", "one word is wanted after the first"),
        ({"do": "bid", "chaos": 1}, "bid knows no chaos (did you mean chao?)"),
        ({"do": "pass", "weather": 1}, "pass knows no weather."),
        ({"do": "bid"}, "bid needs chao"),
        ({"do": "plan", "target": "DD", "dev": 1, "cross": "maybe"}, "cross is true or false, not 'maybe'"),
        ({"do": "plan", "target": ["DD"], "dev": 1}, "['DD'] is neither a word nor a whole number"),
        ({"do": "plan", "target": True, "dev": 1}, "True is neither a word nor a whole number"),
        ({"do": "city", "province": "D\u00c9"}, "is not written in plain letters and digits"),
    ],
)
def test_what_is_wrong_with_the_way_an_order_is_written(order, said):  # YUAN-5.3
    refusal = GAME.read(drawn("S4: DD=c\nX4: DG=c"), "1", order)
    assert refusal.code == "Y-FORMAT"
    assert said in str(refusal)
