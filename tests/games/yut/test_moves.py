"""How throws are used, ways, piles, catches, the post and the end (YUT-3 to YUT-8)."""

import pytest

from games.yut import GAME
from games.yut.board import BASE, DATA, FAVOURITE, RIM
from games.yut.legal import legal
from games.yut.tracks import NO_HURDLES, walk
from tests.games.yut.table import after, at, kinds, menu, play, refused


def test_each_throw_moves_exactly_its_value():  # YUT-3.1
    assert after("2 1 2 0 3/0/r6;4/0/- - - 4 -", "2 r6", then=(1,)) == "2 2 1 0 3/0/r8;4/0/- - - 5 -"


def test_throws_are_used_in_any_order_and_each_stop_is_a_landing():  # YUT-3.2
    before = "2 1 4,3 1 3/0/r1;3/0/r4 - - 6 -"
    assert after(before, "3 r1", "4 r4", then=(1,)).startswith("2 1 1 2")  # caught on r4, and moves on
    assert after(before, "4 r1", "3 r5 short", then=(1,)) == "2 2 1 0 3/0/ob;3/0/r4 - - 7 -"


def test_throws_without_a_use_are_forfeited_by_themselves():  # YUT-3.3
    line, story = play("2 1 4,1 1 0/3/r15;4/0/- r20/r10/0 - 10 -", "4 r15", then=(1,))
    assert line == "2 2 1 0 1/3/-;4/0/- r19/r10/0 - 11 -"
    assert story[1].facts == {"seat": "orange", "throws": [1]}
    assert kinds(story) == ["moved", "forfeited", "wild_moved", "wild_struck", "thrown"]


def test_an_order_of_use_that_loses_a_throw_is_allowed():  # YUT-3.3
    before = "2 1 2,1 1 0/3/r15;4/0/- r16/r10/0 - 10 -"
    assert menu(before) == ["2 r15", "2 r15 short", "1 r15 short"]
    assert "forfeited" not in kinds(play(before, "2 r15", "1 r17", then=(1,))[1])


def test_one_waiting_horse_enters_per_throw():  # YUT-3.4
    assert after("2 1 3 0 4/0/-;4/0/- - - 0 -", "3 new", then=(1,)) == "2 2 1 0 3/0/r3;4/0/- - - 1 -"


def test_horses_in_between_are_passed_over():  # YUT-3.5
    before = "2 1 4 1 2/0/r1,r3;3/0/r2 - - 6 -"
    assert after(before, "4 r1", then=(1,)) == "2 2 1 0 2/0/r3,r5;3/0/r2 - - 7 -"


def test_a_use_gains_the_steps_that_are_left_no_more():
    """By that the default chooses (YUT-6): what comes home gains all that was left."""
    for node, throws in NO_HURDLES[BASE.key].items():
        for step in (step for fork in throws for step in fork):
            left = BASE.legs[step.node].left if step.node in BASE.legs else 0
            assert step.fall == BASE.legs[node].left - left


@pytest.mark.parametrize("post", ["A", "C"])
def test_ways_are_those_of_the_data(post):  # YUT-4.1, YUT-10.2
    runner = FAVOURITE["AC".index(post)]
    for node, leg in DATA["ways"][post].items():
        assert walk(runner, node, 1) == leg["next"]
        assert walk(runner, node, leg["left"]) == "stable"
        assert walk(runner, node, leg["left"] - 1) != "stable"


def test_a_move_that_passes_an_intersection_goes_on():  # YUT-4.1
    assert menu("2 1 3 0 0/1/r3,r8,r13;4/0/- - - 4 -") == ["3 r3", "3 r8", "3 r13"]


def test_four_intersections_offer_a_shortcut():  # YUT-4.2
    forks = {node for node, throws in NO_HURDLES[BASE.key].items() if len(throws[1]) == 2}
    assert forks == {"r5", "r10", "r15", "ob"}
    assert {node for node, throws in NO_HURDLES[FAVOURITE[1].key].items() if len(throws[1]) == 2} == {
        "r15*",
        "r20",
        "r5",
        "od",
    }


@pytest.mark.parametrize(
    ("node", "on"), [("b2", ["ob", "d2", "d1", "r15"]), ("c2", ["o", "a2", "a1", "r20"]), ("d2i", ["o", "a2"])]
)
def test_the_centre_is_left_as_it_was_reached(node, on):  # YUT-4.3
    assert [walk(BASE, node, steps) for steps in range(1, len(on) + 1)] == on


def test_the_second_runner_goes_the_same_ways_turned_by_half_a_circle():  # YUT-4.3, YUT-10.2
    turned = {space: RIM[(place + 10) % 20] for place, space in enumerate(RIM)}
    arms = {"a": "c", "c": "a", "b": "d", "d": "b"}

    def turn(node):
        if node in turned:
            return turned[node]
        return {"ob": "od", "o": "o", "start": "start", "stable": "stable"}.get(node) or arms[node[0]] + node[1:]

    one, other = DATA["ways"]["A"], DATA["ways"]["C"]
    for node, leg in one.items():
        assert other[turn(node)]["left"] == leg["left"]
        assert other[turn(node)]["next"] == turn(leg["next"])
        assert other[turn(node)].get("short") == (turn(leg["short"]) if "short" in leg else None)


def test_own_horses_pile_up_to_all_four():  # YUT-5.1
    line, story = play("2 1 2,1 1 1/0/r1x2,r2;4/0/- - - 6 -", "1 r1", "2 new", then=(1,))
    assert line == "2 2 1 0 0/0/r2x4;4/0/- - - 7 -"
    assert [event.facts["horses"] for event in story if event.kind == "piled"] == [3, 4]


def test_a_pile_moves_as_one_until_it_is_caught():  # YUT-5.2
    before = "2 2 2 0 1/0/r6x3;3/0/r4 - - 6 -"
    assert after(before, "2 r4", then=(1,)) == "2 2 1 1 4/0/-;3/0/r6 - - 6 -"


def test_a_pile_has_the_heading_of_the_part_that_moved_last():  # YUT-5.3
    inward = after("2 1 1 0 2/0/r15,d1;4/0/- - - 4 -", "1 r15 short", then=(1,))
    assert inward == "2 2 1 0 2/0/d1ix2;4/0/- - - 5 -"
    assert after("2 1 1 0 2/0/d1i,d2;4/0/- - - 4 -", "1 d2", then=(1,)) == "2 2 1 0 2/0/d1x2;4/0/- - - 5 -"


def test_all_rival_horses_on_the_space_wait_again():  # YUT-6.1
    _, story = play("2 1 2 0 3/0/r4;1/1/r6x2 - - 6 -", "2 r4", then=(1,))
    assert story[1].facts == {"side": "orange", "rival": "blue", "space": "r6", "horses": 2}


def test_a_catch_gives_one_extra_throw_at_once():  # YUT-6.2
    line, story = play("2 1 3,2 1 3/0/r4;2/0/r6x2 - - 6 -", "2 r4", then=(3,))
    assert line == "2 1 3,3 2 3/0/r6;4/0/- - - 6 -"
    assert kinds(story) == ["moved", "caught", "thrown"]
    assert story[-1].rule == "YUT-6.2"


def test_no_extra_throw_after_two_re_throws():  # YUT-2.5
    line, story = play("2 1 2,1 2 3/0/r4;3/0/r6 - - 6 -", "2 r4")
    assert line == "2 1 1 2 3/0/r6;4/0/- - - 6 -"
    assert kinds(story) == ["moved", "caught", "no_extra_throw"]


def test_on_the_post_a_horse_still_stands_on_the_track():  # YUT-7.1
    assert after("2 1 2 0 3/0/r18;4/0/- - - 4 -", "2 r18", then=(1,)) == "2 2 1 0 3/0/r20;4/0/- - - 5 -"
    assert after("2 1 5 1 3/0/r20;4/0/- - - 4 -", "5 r20", then=(1,)) == "2 2 1 0 3/1/-;4/0/- - - 5 -"


def test_a_pile_brings_in_all_its_horses():  # YUT-7.2
    line, story = play("2 1 1 0 2/0/r20x2;4/0/- - - 4 -", "1 r20", then=(1,))
    assert line == "2 2 1 0 2/2/-;4/0/- - - 5 -"
    assert story[1].facts == {"side": "orange", "horses": 2, "stable": 2}


def test_the_last_horse_home_wins_at_once():  # YUT-8.1
    line, story = play("2 1 5,3 1 0/3/r18;3/0/r2 r7/r10/1 - 38 -", "5 r18")
    assert line == "2 1 - 0 0/4/-;3/0/r2 r7/r10/1 - 38 finish:1>2"
    assert kinds(story) == ["moved", "home", "ended"]
    assert story[-1].facts == {"reason": "finish", "ranking": [["orange"], ["blue"]]}


def test_without_the_wild_horse_only_that_ends_a_game():  # YUT-8.2
    before = "2 1 5 1 0/3/r20;0/3/r20 - - 999 -"
    assert GAME.outcome(at(before.replace("r20;", "r1;"))) is None
    outcome = GAME.outcome(at(after(before.replace(";0/3/r20", ";0/3/r19"), "5 r20")))
    assert (outcome.rule, outcome.reason) == ("YUT-8.1", "finish")


@pytest.mark.parametrize(
    ("two", "three", "ranking"),
    [
        ("0/2/r1", "1/1/r19", "1>2>3"),  # more horses in the stable
        ("1/1/r9", "0/1/r1,r2", "1>3>2"),  # then more on the track
        ("1/0/r3,r19", "1/0/r4,r5", "1>3>2"),  # then the hindmost
        ("2/0/r19", "2/0/a1", "1>2=3"),  # r19 and a1 are both two steps from the stable
        ("0/0/r10x2,r19", "0/0/r11,r17,b1", "1>3>2"),  # a pile counts once per horse
    ],
)
def test_the_others_are_ranked(two, three, ranking):  # YUT-8.3
    line = after(f"3 1 5 1 0/2/r18;{two};{three} - - 50 -", "5 r18")
    assert line.endswith(f"finish:{ranking}")


def test_after_the_end_nothing_can_be_ordered():  # YUT-8.4
    over = "2 1 - 0 0/4/-;3/0/r2 - - 40 finish:1>2"
    assert refused(over, "3 new", "blue").code == "over"
    assert GAME.pending(at(over)) == ()
    assert list(GAME.moves(at(over), "orange")) == list(legal(at(over))) == []
    assert GAME.decision(at(over)) == "over"
