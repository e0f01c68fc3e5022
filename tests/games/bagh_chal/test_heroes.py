"""The Alpha's extra move and the Bouc (BAGH-9)."""

import pytest

from engine import Refusal
from tests.games.bagh_chal.drawing import GAME, board_of, drawn, legal, ordered

ALPHA = """A . . . T
           . . . . .
           . . g . .
           . . . . .
           T . . . T"""

TWO_GONE = """T . . . T
              . g . . .
              . . . . .
              . . . . .
              A . . . T"""

GUARDED = """T . . . T
             . g . . .
             . b . . .
             . . . . .
             A . . . T"""


def test_a_normal_tiger_brings_the_extra_move():  # BAGH-9.2, BAGH-9.3, BAGH-6.4
    state, story = ordered(drawn(ALPHA, "t", heroes="wait@a5"), "e5-e4")
    assert story == ["walked tiger e5 e4", "extra_move a5"]
    assert (GAME.pending(state), GAME.decision(state)) == (("1",), "extra")
    assert legal(state) == ["a5-b5", "a5-a4", "a5-b4", "stay"]


def test_the_extra_move_brings_no_other():  # BAGH-9.2
    state, story = ordered(drawn(ALPHA, "t", heroes="wait@a5"), "e5-e4", "a5-b4")
    assert story[-1] == "walked alpha a5 b4"
    assert GAME.pending(state) == ("2",)


def test_the_alpha_first_brings_nothing():  # BAGH-9.2
    state, story = ordered(drawn(ALPHA, "t", heroes="wait@a5"), "a5-a4")
    assert story == ["walked alpha a5 a4"]
    assert GAME.pending(state) == ("2",)


def test_the_extra_move_may_be_declined_and_nothing_else():  # BAGH-9.3
    start = drawn(ALPHA, "t", heroes="wait@a5")
    assert GAME.read(start, "1", "stay").code == "must_act"
    state, story = ordered(start, "e5-e4", "stay")
    assert story[-1] == "stayed a5"
    assert GAME.read(state, "2", "stay").code == "must_act"


def test_an_alpha_without_moves_has_no_extra_move():  # BAGH-9.4
    state, story = ordered(
        drawn(
            """A g g . T
               g g . . .
               g . g . .
               . . . . .
               T . . . T""",
            "t",
            heroes="wait@a5",
        ),
        "e5-e4",
    )
    assert story == ["walked tiger e5 e4", "extra_void a5"]
    assert GAME.pending(state) == ("2",)


def test_several_actions_of_one_file():  # BAGH-6.5
    """The tigers' turn with an extra move is two decisions of one seat: its file may say `[e5-e4, stay]`."""
    state = drawn(ALPHA, "t", heroes="wait@a5")
    for order in ("e5-e4", "stay"):
        assert GAME.pending(state) == ("1",)
        state, _ = ordered(state, order)
    later = GAME.read(state, "1", "e4-e5")
    assert later.code == "not_your_turn"
    assert "kept" in str(later)


@pytest.mark.parametrize("captured", [0, 1])
def test_the_bouc_waits_for_two_captures(captured):  # BAGH-9.5
    state = drawn(TWO_GONE, "g", captured=captured, heroes="wait@a1")
    assert not any(move.startswith("bouc") for move in legal(state))


def test_the_bouc_takes_the_place_of_a_goat():  # BAGH-9.5
    before = drawn(TWO_GONE, "g", captured=2, heroes="wait@a1")
    assert legal(before)[-1] == "bouc b4"
    after, story = ordered(before, "bouc b4")
    assert story == ["bouc_entered b4"]
    assert board_of(after) == "T3T/1b3/5/5/A3T"
    assert (after.hand, after.captured, after.entered) == (before.hand, 2, True)
    later, _ = ordered(after, "e5-e4")
    assert not any(move.startswith("bouc") for move in legal(later))


def test_the_bouc_ends_the_extra_moves():  # BAGH-9.2
    _, story = ordered(drawn(GUARDED, "t", captured=2, heroes="used@a1"), "e5-e4")
    assert story == ["walked tiger e5 e4"]


def test_the_bouc_does_not_move_in_phase_one():  # BAGH-9.6
    state = drawn(GUARDED, "g", captured=2, heroes="used@a1")
    assert all(move.startswith("place") for move in legal(state))
    assert GAME.read(state, "2", "b3-c3").code == "still_placing"


def test_the_bouc_walks_like_a_goat_in_phase_two():  # BAGH-9.6
    state = GAME.from_position("pulijudam A/gg1Tgg/gbg1gg/2T1gg/g3 g 0 3 used@t5 - single:1:0-0-0:t1 100")
    assert {"b3-b2"} <= set(legal(state))
    _, story = ordered(state, "b3-b2")
    assert story == ["walked bouc b3 b2"]


def test_the_bouc_protects_its_neighbours_by_line():  # BAGH-9.6
    facts = GAME.view(drawn(GUARDED, "t", captured=2, heroes="used@a1"), None).facts
    assert facts["protected"] == ["b4"]
    aside = GAME.from_position("classic Tg2T/b4/5/5/A3T t 16 2 used@a1 - single:1:0-0-0:t1 100")
    assert GAME.view(aside, None).facts["protected"] == []  # a4 and b5 are neighbours by eye only


def test_a_protected_goat_is_leapt_over():  # BAGH-9.7
    state = drawn(GUARDED, "t", captured=2, heroes="used@a1")
    assert "a5-c3" in legal(state)
    assert "a5xc3" not in legal(state)
    after, story = ordered(state, "a5-c3")
    assert story == ["leapt tiger a5 b4 c3"]
    assert after.captured == 2


def test_the_alpha_captures_a_protected_goat():  # BAGH-9.7
    state = drawn(
        """A . . . T
           . g . . .
           . b . . .
           . . . . .
           T . . . T""",
        "t",
        captured=2,
        heroes="used@a5",
    )
    _, story = ordered(state, "a5-c3")
    assert story == ["captured alpha a5 b4 c3 goat 3"]


@pytest.mark.parametrize(("corner", "by"), [("T", "tiger"), ("A", "alpha")])
def test_any_tiger_captures_the_bouc_and_wins(corner, by):  # BAGH-9.8
    other = "A" if corner == "T" else "T"
    state = drawn(
        f"""{corner} . . . T
            . b . . .
            . . . . .
            . . . . .
            {other} . . . T""",
        "t",
        captured=2,
        heroes="used@a1",
    )
    after, story = ordered(state, "a5xc3")
    assert story[0] == f"captured {by} a5 b4 c3 bouc 2"  # not counted among the five
    assert story[1] == "game_over tigers bouc_eaten"
    assert GAME.outcome(after).rule == "BAGH-9.8"


def test_the_entry_is_another_action_than_going_back():  # BAGH-5.4, BAGH-9.5, BAGH-5.6
    state = GAME.from_position("classic ggggg/ggggg/Tgggg/1Tggg/2TgA g 0 2 wait@a1 - single:1:0-0-0:t1 100")
    assert {move.split()[0] for move in legal(state)} == {"bouc"}  # where only the Bouc can enter, it must


def test_a_refused_bouc_is_told_why():  # BAGH-9.1
    state = drawn(TWO_GONE.replace("A", "T"), "g", captured=2)
    answer = GAME.read(state, "2", "bouc b4")
    assert isinstance(answer, Refusal)
    assert (answer.code, answer.rule) == ("no_bouc", "BAGH-9.1")
    assert GAME.why_never(state, "2", "bouc b4").code == "no_bouc"
