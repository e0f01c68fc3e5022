"""The paragraphs of the rules document one by one, each in a position of its own."""

import pytest

from engine import BadPosition
from games.jarmo import GAME
from games.jarmo.net import NETS, POINTS
from games.jarmo.state import BLUE, GREEN
from tests.games.jarmo.table import NO_LUCK, START, at, legal, line, ordered, refused, told, turn


def new(**choices):
    return GAME.setup(GAME.Options(**choices), NO_LUCK).state


def after(position, *orders):
    return line(ordered(at(position), *orders))


# --- JARMO-1, JARMO-2: sides, turns and moves -----------------------------------------------------------------------


def test_two_sides_with_five_soldiers_of_two_faces():  # JARMO-1.1
    assert GAME.seats(GAME.Options()) == ("green", "blue")
    assert line(new()).split()[1] == "aaaaa/5/5/5/AAAAA"
    with pytest.raises(BadPosition, match="five soldiers"):
        at("base aaaaa/5/5/2A2/AAAAA g 0.0 0.0 - 2 - -")


def test_the_board_has_25_points_and_38_lines():  # JARMO-1.2
    assert len(POINTS) == 25
    for key, lines in (("base", 38), ("legendary", 38), ("jasyr", 40)):
        graph = NETS[key].graph
        assert len(list(graph.segments())) == lines
        assert not any(one[1] == other[1] and one[1] in "15" for one, other in graph.segments())
    assert refused(at(START), "a1-c6").code == "no-such-point"


def test_pool_and_hand_lie_beside_the_board():  # JARMO-1.3
    sides = GAME.view(at("base aa1aa/4G/5/5/1AA2 g 1.1 1.0 - 20 - -"), None).facts["sides"]
    assert [(sides[side]["pool"], sides[side]["hand"], sides[side]["lost"]) for side in ("green", "blue")] == [
        (1, 1, 1),
        (1, 0, 1),
    ]


def test_set_up():  # JARMO-1.4
    assert line(new()) == START


def test_green_begins_and_the_sides_alternate():  # JARMO-1.5
    state = at(START)
    assert GAME.pending(state) == ("green",)
    assert refused(state, "a5-c4", "blue").code == "not-your-turn"
    assert GAME.pending(ordered(state, "a1-c2")) == ("blue",)
    assert GAME.pending(ordered(state, "a1-c2", "a5-c4")) == ("green",)


def test_a_turn_is_one_action():  # JARMO-2.1
    state = at("legendary 1G3/5/3g1/5/4a g 3.1 3.0 - 51 - -")
    assert {move.split()[0] for move in legal(state)} == {"flip", "place"}
    assert refused(at(START), "a1-c2 a1-b3").code == "unreadable"


def test_a_move_goes_along_a_line_in_any_direction():  # JARMO-2.2
    assert legal(at("base aaaaa/5/1A3/5/5 g 0.0 0.0 - 2 - -")) == ["b3-a1", "b3-b2", "b3-d2", "b3-b4", "b3-a5", "b3-c5"]
    assert refused(at(START), "a1-b1").code == "no-line"


def test_own_pieces_are_in_the_way():  # JARMO-2.3
    assert legal(at("base 5/1a3/1AA2/5/4a g 0.0 0.0 - 2 - -"))[0] == "b3-a1"
    state = at("base aaaaa/5/1A3/1A3/5 g 0.0 0.0 - 2 - -")
    assert "b3-b2" not in legal(state)
    assert refused(state, "b3-b2").code == "occupied-own"


def test_a_pass_is_legal_only_without_any_other_action():  # JARMO-2.4
    assert legal(at("jasyr AA2A/5/A4/a1a2/2a2 g 0.0 0.0 - 28 - -")) == ["pass"]
    assert refused(at(START), "pass").code == "must-act"


# --- JARMO-3, JARMO-4: capture, promotion, the enemy camp -----------------------------------------------------------


def test_arriving_on_an_enemy_captures_it():  # JARMO-3.1
    state = ordered(at("base aaaa1/4a/2A2/5/1AAAA g 0.0 0.0 - 8 - -"), "c3-e4")
    assert state.pools == (0, 1)


@pytest.mark.parametrize(
    ("position", "order", "board"),
    [
        ("base aaaa1/4a/2A2/5/1AAAA g 0.0 0.0 - 8 - -", "c3-e4", "aaaa1/4G/5/5/1AAAA"),  # in the field
        ("base 1aaaa/5/3A1/5/AAaAA g 0.0 0.0 - 10 - -", "d3-c1", "1aaaa/5/5/5/AAGAA"),  # in the own camp
        ("base aaAaa/5/1a3/5/AAA2 b 0.0 0.0 - 10 - -", "b3-c5", "aagaa/5/5/5/AAA2"),  # the same for blue
    ],
)
def test_an_archer_that_captures_is_promoted(position, order, board):  # JARMO-3.2
    assert after(position, order).split()[1] == board


def test_a_guard_that_captures_stays_a_guard():  # JARMO-3.3
    assert after("base aaaa1/4a/2G2/5/1AAAA g 0.0 0.0 - 8 - -", "c3-e4").split()[1] == "aaaa1/4G/5/5/1AAAA"


def test_an_archer_that_captures_in_the_enemy_camp_stays_an_archer():  # JARMO-3.4
    assert told(at("base aaaaa/5/4A/5/1AAAA g 0.0 0.0 - 8 - -"), "e3-d5") == [
        "moved JARMO-2.2",
        "captured JARMO-3.1",
        "entered JARMO-4.1",
    ]


def test_who_has_entered_never_moves_but_can_be_captured():  # JARMO-4.1
    state = at("base 1aaAa/5/1a3/5/1AAAA g 0.0 1.0 - 10 - -")
    assert not any(move.startswith("d5") for move in legal(state))
    assert refused(state, "d5-e3").code == "immobile"
    assert after("base 2aAa/1a3/5/5/1AAAA b 0.0 1.0 - 11 - -", "b4-d5").split()[1] == "2aga/5/5/5/1AAAA"


def test_a_guard_that_enters_is_turned_over():  # JARMO-4.2
    for board, order in (("aa1aa/4G/5/5/AAAA1", "e4-c5"), ("aaaaa/4G/5/5/AAAA1", "e4-c5")):
        state = ordered(at(f"base {board} g 0.0 0.0 - 20 - -"), order)
        assert line(state).split()[1] == "aaAaa/5/5/5/AAAA1"


def test_with_it_one_soldier_comes_from_the_pool_to_the_hand():  # JARMO-4.3
    state = at("base aa1aa/4G/5/5/1A3 g 2.0 1.0 - 20 - -")
    after_it = ordered(state, "e4-c5")
    assert (after_it.pools[GREEN], after_it.hands[GREEN]) == (1, 1)
    archer = ordered(at("base aa1aa/4A/5/5/1A3 g 2.0 1.0 - 20 - -"), "e4-c5")
    assert (archer.pools[GREEN], archer.hands[GREEN]) == (2, 0)


# --- JARMO-5: placing -----------------------------------------------------------------------------------------------


def test_placing_needs_an_empty_point_of_the_own_camp_after_the_move():  # JARMO-5.1
    state = at("base 1aAaa/5/5/5/aAAA1 g 0.1 1.0 - 22 - -")
    assert [move for move in legal(state) if move.startswith("d1-b2")] == ["d1-b2", "d1-b2 place d1", "d1-b2 place e1"]
    assert refused(state, "d1-b2 place a1").code == "camp-occupied"  # an enemy stands there
    assert line(ordered(state, "d1-b2 place d1")).split()[1] == "1aAaa/5/5/1A3/aAAA1"


def test_a_soldier_just_recovered_may_be_placed_or_kept():  # JARMO-5.2
    state = at("base aa1aa/4G/5/5/1AAA1 g 1.0 1.0 - 20 - -")
    assert [move for move in legal(state) if "c5" in move] == ["e4-c5", "e4-c5 place a1", "e4-c5 place e1"]
    assert told(state, "e4-c5")[-2:] == ["recovered JARMO-4.3", "kept JARMO-5.2"]
    assert told(state, "e4-c5 +a1")[-2:] == ["recovered JARMO-4.3", "placed JARMO-5.2"]


def test_late_move_places_a_kept_soldier_with_a_move():  # JARMO-5.3
    state = at("base aaAaa/5/5/5/1AAA1 g 0.1 1.0 - 22 - -")
    assert all(f"{move} place a1" in legal(state) for move in legal(state) if " " not in move)
    assert refused(state, "place a1").code == "move-first"
    assert told(state, "d1-b2 place a1") == ["moved JARMO-2.2", "placed JARMO-5.3"]


def test_late_turn_places_a_kept_soldier_as_the_whole_turn():  # JARMO-5.4
    state = at("base,late=turn aaAaa/5/5/5/1AAA1 g 0.1 1.0 - 22 - -")
    assert legal(state)[-2:] == ["place a1", "place e1"]
    assert not any("-" in move and " " in move for move in legal(state))
    assert told(state, "place a1") == ["placed JARMO-5.4"]
    assert refused(state, "d1-b2 place d1").code == "whole-turn"


def test_without_a_move_placing_is_a_whole_turn_with_either_value():  # JARMO-5.5
    for options in ("base", "base,late=turn"):
        state = at(f"{options} aaa2/5/3g1/5/5 g 3.1 1.0 - 41 - -")
        assert legal(state) == [f"place {file}1" for file in "abcde"]
    assert told(at("base aaa2/5/3g1/5/5 g 3.1 1.0 - 41 - -"), "place c1") == ["placed JARMO-5.5"]


def test_at_most_one_soldier_comes_in_a_turn():  # JARMO-5.6
    state = at("base aa1a1/4G/A3A/5/5 g 2.0 2.0 a3+e3 30 - -")
    into_camp = [move for move in legal(state) if move.startswith("e4-c5")]
    assert into_camp[1:6] == [f"e4-c5 place {file}1" for file in "abcde"]
    assert into_camp[6:] == [f"e4-c5 recall {file}1" for file in "abcde"]
    assert refused(state, "e4-c5 place a1 recall b1").code == "unreadable"


# --- JARMO-6: the end in base ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "order", "end"),
    [
        ("base aA1aA/4A/5/5/2a2 g 2.0 2.0 - 30 - -", "e4-c5", "camp:g"),  # the mover
        ("base aA3/3a1/3A1/5/4a b 2.1 2.0 - 50 - -", "d4-d3", "camp:b"),  # the other, by a capture, with one in hand
        ("base aA1aa/4G/5/5/5 g 3.0 2.0 - 44 - -", "e4-c5 place c1", "-"),
    ],
)
def test_end_when_all_free_pieces_are_in_the_enemy_camp(position, order, end):  # JARMO-6.1
    assert after(position, order).split()[-1] == end


def test_end_when_the_other_side_has_nobody():  # JARMO-6.2
    assert after("base 2A2/5/3a1/3A1/5 g 3.0 4.0 - 60 - -", "d2-d3").endswith("capture:g")
    assert after("base 2A2/5/3a1/3A1/5 g 3.0 3.1 - 60 - -", "d2-d3").endswith(" -")  # somebody in hand
    assert after("base a4/5/1A3/5/5 g 4.0 4.0 - 60 - -", "b3-a5").endswith("capture:g")  # before 6.1


def test_end_when_the_position_stands_for_the_third_time():  # JARMO-6.3
    to_and_fro = ["a1-c2", "a5-c4", "c2-a1", "c4-a5"]
    assert ordered(at(START), *to_and_fro).end == ""
    assert GAME.view(ordered(at(START), *to_and_fro), None).facts["stood"] == 2
    assert ordered(at(START), *to_and_fro, *to_and_fro).end == "repeat:="
    # The same board with the other side to move is another position, and a capture empties the memory.
    odd = ["a1-c2", "a5-c4", "c2-b2", "c4-a5", "b2-c2", "a5-c4", "c2-a1", "c4-a5"]
    assert ordered(at(START), *odd).end == ""
    assert ordered(at("base aa1aa/4a/2A2/5/1AAAA g 0.0 0.0 - 8 a2-c3,c5-e4 -"), "c3-e4").tail == ()


@pytest.mark.parametrize(
    ("position", "order"),
    [
        ("base aaAaa/5/5/5/1AAA1 g 0.1 1.0 - 22 - -", "d1-b2 place d1"),
        ("base aaaa1/5/A4/2A2/1AA2 g 1.0 1.0 a3+e3 20 - -", "c2-e3 recall e1"),
        ("base aa1aa/4A/5/5/AAAA1 g 0.0 1.0 - 20 - -", "e4-c5"),
        ("legendary aaGaa/5/5/5/1AAA1 g 1.0 1.0 - 22 - -", "flip c5"),
        ("base,late=turn aaAaa/5/5/5/1AAA1 g 0.1 1.0 - 22 - -", "place a1"),
    ],
)
def test_turns_that_are_not_quiet(position, order):  # JARMO-6.3
    state = at(position.replace(" - -", " pass,pass -"))
    assert len(state.tail) == 2
    assert ordered(state, order).tail == ()


def test_end_when_both_sides_pass():  # JARMO-6.4
    state = at("jasyr 1A3/5/A4/a4/2a2 g 0.0 0.0 - 30 - -")
    assert ordered(state, "pass").end == ""
    assert ordered(state, "pass", "pass").end == "blocked:="


def quiet_position():
    """Thirty-nine quiet turns without a third repetition, from the vectors."""
    from tests.games.jarmo.test_vectors import VECTORS

    (vector,) = [vector for vector in VECTORS if vector["name"] == "forty quiet turns"]
    return vector["position"]


def test_end_after_forty_quiet_turns():  # JARMO-6.5
    state = GAME.from_position(quiet_position())
    assert len(state.tail) == 39
    assert ordered(state, "b3-d2").end == "quiet:="


def test_end_at_the_limit():  # JARMO-6.6
    assert after("base,limit=50 aaaaa/5/5/2A2/1AAAA b 0.0 0.0 - 49 a1-c2 -", "d5-e3").endswith("limit:=")
    assert after("base,limit=51 aaaaa/5/5/2A2/1AAAA b 0.0 0.0 - 49 a1-c2 -", "d5-e3").endswith(" -")


@pytest.mark.parametrize(
    ("position", "scores", "first"),
    [
        ("base aAAaA/5/5/5/2a2 b 2.0 2.0 - 31 - camp:g", {"green": 6, "blue": 4}, ("green",)),
        ("base aaA2/5/5/5/5 b 4.0 3.0 - 31 - camp:g", {"green": 2, "blue": 2}, ("green",)),
        ("base 2A2/5/5/5/a4 b 4.0 4.0 - 31 - camp:=", {"green": 2, "blue": 2}, ("green", "blue")),
        ("base 2A2/5/3G1/5/5 b 3.0 5.0 - 61 - capture:g", {"green": 3, "blue": 0}, ("green",)),
    ],
)
def test_points(position, scores, first):  # JARMO-6.7
    outcome = GAME.outcome(at(position))
    assert (outcome.scores, outcome.places[0]) == (scores, first)


def test_after_the_end_there_is_no_further_turn():  # JARMO-6.8
    over = at("base 2A2/5/3G1/5/5 b 3.0 5.0 - 61 - capture:g")
    assert (GAME.pending(over), list(GAME.moves(over, "blue"))) == ((), [])
    assert refused(over, "c5-e4", "green").code == "over"


# --- JARMO-8: legendary ---------------------------------------------------------------------------------------------


def test_legendary_is_won_by_moving_the_last_piece_in():  # JARMO-8.1
    assert after("legendary 1A3/4A/3a1/5/aa3 g 3.0 2.0 - 44 - -", "e4-c5").endswith("camp:g")
    assert after("legendary 1A3/4A/3a1/5/aa3 g 2.1 2.0 - 44 - -", "e4-c5").endswith(" -")
    outcome = GAME.outcome(at("legendary 1AA2/5/3a1/5/aa3 b 3.0 2.0 - 45 - camp:g"))
    assert (outcome.scores, outcome.rule) == ({"green": 1, "blue": 0}, "JARMO-8.1")


def test_legendary_pieces_in_the_enemy_camp_are_safe():  # JARMO-8.2
    state = at("legendary 1aaaa/5/3A1/5/AAaAA g 0.0 0.0 - 10 - -")
    assert "d3-c1" not in legal(state)
    assert refused(state, "d3xc1").code == "safe"
    assert "d3-e5" in legal(state)  # who stands in his own camp is not safe


def test_legendary_guards_are_turned_over_as_a_turn_of_their_own():  # JARMO-8.3
    state = ordered(at("legendary aa1aa/4G/5/5/1AAA1 g 1.0 1.0 - 20 - -"), "e4-c5", "a5-c4")
    assert line(state).split()[1] == "1aGaa/2a2/5/5/1AAA1"
    assert [move for move in legal(state) if "flip" in move] == ["flip c5", "flip c5 place a1", "flip c5 place e1"]
    assert told(state, "flip c5 place a1") == ["turned_over JARMO-8.3", "recovered JARMO-8.3", "placed JARMO-5.2"]
    assert told(state, "flip c5") == ["turned_over JARMO-8.3", "recovered JARMO-8.3", "kept JARMO-5.2"]


def test_legendary_is_won_by_leaving_the_other_side_nothing():  # JARMO-8.4
    assert after("legendary 1A3/3a1/3A1/5/4a b 3.0 3.0 - 50 - -", "d4-d3").endswith("capture:b")
    assert after("legendary 1G3/3a1/3A1/5/4a b 3.0 3.0 - 50 - -", "d4-d3").endswith(" -")  # a guard to turn over
    assert after("legendary 1G3/3a1/3G1/5/4a b 0.0 3.0 - 50 - -", "d4-d3").endswith(" -")  # a guard captured
    assert after("legendary 1A3/3a1/3A1/5/4a b 2.1 3.0 - 50 - -", "d4-d3").endswith(" -")  # somebody in hand


def test_legendary_other_ends_are_drawn():  # JARMO-8.5
    over = ordered(at("legendary,limit=50 aaaa1/5/5/2A2/1AAAA b 0.0 1.0 - 49 - -"), "d5-e3")
    assert over.end == "limit:="
    assert GAME.outcome(over).rule == "JARMO-8.5"
    assert GAME.outcome(over).scores == {"green": 0, "blue": 0}


# --- JARMO-9: Jasyr -------------------------------------------------------------------------------------------------


def test_jasyr_is_won_like_legendary():  # JARMO-9.1
    for position, order, end in (
        ("jasyr 2A2/2G2/4A/a4/1A1a1 b 0.0 0.0 - 21 - -", "a2-c1", "camp:b"),
        ("jasyr A3A/G4/3a1/3A1/2aa1 g 0.0 0.0 - 30 - -", "d2-d3", "capture:g"),
        ("jasyr 1A3/5/A4/a4/2a2 b 0.0 0.0 - 31 pass -", "pass", "blocked:="),
    ):
        over = ordered(at(position), order)
        assert (over.end, GAME.outcome(over).rule) == (end, "JARMO-9.1")


def test_jasyr_uses_the_dotted_lines():  # JARMO-9.2
    assert {"c3-b3", "c3-d3"} <= set(legal(at("jasyr aaaaa/5/2A2/5/AA1AA g 0.0 0.0 - 2 - -")))
    for variant in ("base", "legendary"):
        state = at(f"{variant} aaaaa/5/2A2/5/AA1AA g 0.0 0.0 - 2 - -")
        assert not {"c3-b3", "c3-d3"} & set(legal(state))
        assert refused(state, "c3-d3").code == "dotted"


def test_jasyr_never_goes_back():  # JARMO-9.3
    green = [move for move in legal(at("jasyr aaaa1/4a/2A2/5/AA1AA g 0.0 0.0 - 2 - -")) if move.startswith("c3")]
    blue = [move for move in legal(at("jasyr aaaa1/4a/2A2/5/AA1AA b 0.0 0.0 - 3 - -")) if move.startswith("e4")]
    assert green == ["c3-b3", "c3-d3", "c3-a4", "c3-e4"]
    assert blue == ["e4-c3"]


def test_the_struck_sentence_of_jasyr_is_not_in_force():  # JARMO-9.4
    over = "jasyr aa1aa/4G/5/5/1AAA1 g 0.0 0.0 - 20 - -"
    assert after(over, "e4-c5").split()[1] == "aaAaa/5/5/5/1AAA1"  # 4.2 stands


def test_a_captured_archer_is_gone_in_jasyr():  # JARMO-9.5
    state = ordered(at("jasyr aaaa1/4a/2A2/5/1AAAA g 0.0 0.0 - 8 - -"), "c3-e4")
    assert (state.pools, state.hands) == ((0, 0), (0, 0))
    assert GAME.view(state, None).facts["sides"]["blue"]["out"] == 1


def test_a_captured_guard_goes_to_its_owners_hand_in_jasyr():  # JARMO-9.6
    state = ordered(at("jasyr aaaa1/4g/2A2/5/1AAAA g 0.0 0.0 - 8 - -"), "c3-e4")
    assert state.hands == (0, 1)
    assert refused(state, "d5-e3 place d5").code == "whole-turn"
    assert line(ordered(state, "place e5")).split()[1] == "aaaaa/4G/5/5/1AAAA"


# --- JARMO-10: golden soldiers --------------------------------------------------------------------------------------


def test_golden_soldiers_start_as_guards_in_the_right_hand_corners():  # JARMO-10.1
    assert line(new(golden=True)).split()[1] == "daaaa/5/5/5/AAAAD"
    with pytest.raises(BadPosition, match="golden"):
        at("base aaaaa/5/5/5/DAAAD g 0.0 0.0 - 0 - -")


def test_a_golden_archer_is_never_promoted_again():  # JARMO-10.2
    assert after("base d1aa1/3a1/3E1/5/AAAA1 g 0.0 1.0 - 16 - -", "d3-d4").split()[1] == "d1aa1/3E1/5/5/AAAA1"
    assert after("base d2aa/4D/5/5/1AAA1 g 1.0 2.0 - 20 - -", "e4-c5").split()[1] == "d1Eaa/5/5/5/1AAA1"
    assert after("legendary d1Daa/5/5/5/1AAA1 g 1.0 2.0 - 22 - -", "flip c5").split()[1] == "d1Eaa/5/5/5/1AAA1"


@pytest.mark.parametrize("variant", ["base", "legendary", "jasyr"])
def test_a_captured_golden_guard_is_a_hostage_a_golden_archer_is_out(variant):  # JARMO-10.3
    hostage = turn(at(f"{variant} d1aaa/1a3/5/3D1/AAAA1 g 0.0 0.0 - 12 - -"), "d2-d3")
    hostage = turn(hostage.state, "b4-d3")
    assert line(hostage.state).split()[1] == "d1aaa/5/3(Eg)1/5/AAAA1"
    assert (hostage.state.pools, hostage.state.hands) == ((0, 0), (0, 0))
    assert hostage.events[1].facts == {"side": "blue", "piece": "golden guard", "at": "d3", "fate": "hostage"}
    out = turn(at(f"{variant} d1aa1/1a3/3E1/5/AA1A1 b 0.0 0.0 - 15 - -"), "b4-d3")
    assert line(out.state).split()[1] == "d1aa1/5/3g1/5/AA1A1"
    assert out.events[1].facts["fate"] == "out"
    assert out.events[1].rule == "JARMO-10.3"


def test_only_the_top_piece_of_a_column_counts_and_the_one_below_is_freed():  # JARMO-10.4
    state = at("base d1aaa/5/3(Eg)1/5/AAAA1 g 0.0 0.0 - 13 - -")
    assert refused(state, "d3-b4").code == "not-yours"
    captor = at("base d1aa1/5/3(Eg)1/5/AA1A1 b 1.0 1.0 - 17 - -")
    assert told(captor, "d3-e5") == ["moved JARMO-2.2", "freed JARMO-10.4"]
    # The freed piece of the same side goes on holding a retired camp.
    holds = at("base aaaa1/5/A3(EG)/5/1A3 g 1.0 1.0 a3+e3 22 - -")
    assert "e3-c2 recall a1" in legal(holds)
    lost = at("base aaaa1/5/A3(eG)/5/1A3 g 1.0 0.0 a3+e3 22 - -")
    assert refused(lost, "e3-c2 recall a1").code == "camps-not-held"


def test_a_hostage_is_saved_and_may_be_taken_again():  # JARMO-10.5
    state = at("base d1aa1/1a3/3(Eg)1/5/AAAA1 g 0.0 0.0 - 13 - -")
    assert told(state, "c1-d3") == ["moved JARMO-2.2", "captured JARMO-3.1", "saved JARMO-10.5", "promoted JARMO-3.2"]
    saved = ordered(state, "c1-d3")
    assert line(saved).split()[1] == "d1aa1/1a3/3(EG)1/5/AA1A1"
    again = ordered(saved, "b4-d3")
    assert line(again).split()[1:5] == ["d1aa1/5/3(Eg)1/5/AA1A1", "g", "1.0", "1.0"]


def test_columns_can_be_three_high():  # JARMO-10.6
    three = ordered(at("base 2aaa/1a3/3(eD)1/5/AAAA1 b 0.0 0.0 - 18 - -"), "b4-d3")
    assert line(three).split()[1] == "2aaa/5/3(eEg)1/5/AAAA1"
    for position in ("base 5/5/3(eEg)1/5/AAAA1 b 0.0 0.0 - 18 - -", "base 5/5/3(Eeg)1/5/AAAA1 b 0.0 0.0 - 18 - -"):
        assert line(at(position)) == position  # the order in a column is part of the position


def test_hostages_count_for_nothing_and_saved_ones_do():  # JARMO-10.7
    assert after("base 5/5/3a1/(eG)2A1/5 g 3.0 3.0 - 60 - -", "d2-d3").endswith("capture:g")
    over = ordered(at("base 1AA2/3a1/3D1/5/2a2 b 2.0 3.0 - 50 - -"), "d4-d3")
    assert (over.end, GAME.outcome(over).scores) == ("camp:g", {"green": 4, "blue": 3})
    saved = ordered(at("base,limit=50 d1aaa/5/3(EG)1/5/AA1A1 g 0.0 1.0 - 49 - -"), "a1-c2")
    assert GAME.outcome(saved).scores == {"green": 5, "blue": 4}
    # A free golden soldier below its own top piece in the enemy camp scores like it.
    both = GAME.outcome(at("base 2(EA)2/5/5/5/1a3 b 0.0 0.0 - 60 - camp:g"))
    assert (both.scores["green"], both.details["in_camp"]["green"]) == (4, 2)


# --- JARMO-11: retired camps ----------------------------------------------------------------------------------------


def test_markers_lie_on_two_points_of_the_field():  # JARMO-11.1
    assert line(new(camps="default")).split()[5] == "a3+e3"
    assert line(new(camps="e3 + b2")).split()[5] == "b2+e3"
    assert ordered(new(camps="default"), "b1-a3").camps  # they hinder nobody


def test_holding_both_markers_after_a_move_allows_a_recall():  # JARMO-11.2
    state = at("base aaaa1/5/A4/2A2/1AA2 g 1.0 1.0 a3+e3 20 - -")
    assert [move for move in legal(state) if move.startswith("c2-e3")] == ["c2-e3"] + [
        f"c2-e3 recall {point}" for point in ("a1", "d1", "e1")
    ]
    assert not any("recall" in move for move in legal(state) if not move.startswith("c2-e3"))


def test_a_recall_removes_both_markers():  # JARMO-11.3
    state = at("base aaaa1/5/A4/2A2/1AA2 g 1.0 1.0 a3+e3 20 - -")
    assert ordered(state, "c2-e3 recall e1").camps == 0
    assert ordered(state, "c2-e3").camps == state.camps
    assert told(state, "c2-e3 ^e1") == ["moved JARMO-2.2", "recalled JARMO-11.2", "camps_removed JARMO-11.3"]


def test_no_side_has_a_sixth_soldier():  # JARMO-11.4
    with pytest.raises(BadPosition, match="five soldiers"):
        at("base aaaa1/5/A3A/5/AAA1A g 0.0 0.0 - 20 - -")
    with pytest.raises(BadPosition, match="five soldiers"):
        at("base 5/5/3(Eg)1/5/AAAAA g 0.0 0.0 - 20 - -")
    state = new(golden=True)
    state = state._replace(hands=(0, 1))
    with pytest.raises(AssertionError, match="five soldiers"):
        GAME.check(state)
    assert state.side != BLUE
