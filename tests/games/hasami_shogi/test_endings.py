"""How games end (HASAMI-7, HASAMI-8.4), what is remembered, forced passes, and the outcome."""

from pathlib import Path

import pytest

from engine import Dice
from games.hasami_shogi import GAME
from tests.games.hasami_shogi.drawing import ordered, refused

QUIET = "base 4ppppp/9/9/9/9/9/9/9/PPPPP4 g - g1 100"
TO_AND_FRO = ("a1-a2", "i9-i8", "a2-a1", "i8-i9")
WALLED = "base 9/9/ppPP2PPp/ppPP4P/PP2P4/PP7/9/9/9 g - g1 100"


def after(line, *orders):
    return ordered(GAME.from_position(line), *orders)


@pytest.mark.parametrize(
    ("line", "order", "five"),
    [
        ("base 4ppppp/9/9/9/9/1PPPP4/9/5P3/PPPPP4 g - g1 100", "f2-f4", "b4,c4,d4,e4,f4"),
        ("base 4ppppp/9/9/9/9/1P1PPP3/9/2P6/PPPPP4 g - g2 100", "c2-c4", "b4,c4,d4,e4,f4"),
        ("base 4ppppp/9/2P6/2P6/9/2P6/2P6/8P/PPPP4P g - g1 100", None, ""),
        ("base 4ppppp/9/2P6/2P6/P8/2P6/2P6/9/PPPP4P g - g1 100", "a5-c5", "c7,c6,c5,c4,c3"),
        ("base 4ppppp/9/6P2/5P3/9/3P5/2P5P/4P4/PPPP5 g - g1 100", "e2-e5", "g7,f6,e5,d4,c3"),
        ("base 4ppppp/9/2P6/3P5/9/5P3/6P2/4P4/PPPP5 g - g1 100", "e2-e5", "c7,d6,e5,f4,g3"),
    ],
)
def test_five_in_a_row(line, order, five):  # HASAMI-7.1, HASAMI-1.2
    if order is None:
        assert GAME.outcome(GAME.from_position(line)) is None
        return
    state, story = after(line, order)
    assert story[-1] == f"game_over green five_in_a_row {five}"
    outcome = GAME.outcome(state)
    winner = line.split()[4][1]
    assert outcome.places[0] == (winner,)
    assert outcome.scores == {winner: 1, "12".replace(winner, ""): 0}
    assert (outcome.rule, outcome.reason) == ("HASAMI-7.1", "five_in_a_row")


def test_squares_of_a_camp_do_not_count():  # HASAMI-7.1
    _, story = after("base 4ppppp/9/9/P8/P8/P8/P8/4P4/4P4 g - g1 100", "e1-a1")
    assert story == ["moved samurai e1 a1"], "a1 and a3 to a6 are no five"
    _, story = after("base 4ppppp/9/9/9/9/4P4/3P5/2P6/1P3P3 g - g1 100", "f1-f2")
    assert story == ["moved samurai f1 f2"]


def test_a_row_inside_the_camp_is_no_win():  # HASAMI-7.1
    state = GAME.setup(GAME.Options(green="1"), Dice()).state
    assert GAME.outcome(state) is None


def test_fourteen_captures():  # HASAMI-7.2, HASAMI-1.2
    state, story = after("base 4pppp1/9/9/9/1Pp6/9/9/3P5/PPPP5 g - g1 100", "d2-d5")
    assert story[-2:] == ["captured c5 14", "game_over green fourteen_taken"]
    assert GAME.outcome(state).rule == "HASAMI-7.2"
    assert GAME.outcome(state).details == {"captured": {"1": 14, "2": 12}}


def test_thirteen_are_not_enough():  # HASAMI-7.2
    state, _ = after("base 4ppppp/9/9/9/1Pp6/9/9/3P5/PPPP5 g - g1 100", "d2-d5")
    assert GAME.outcome(state) is None


def test_the_line_is_named_before_the_captures():  # HASAMI-7.3
    state, story = after("base 4pppp1/9/3P5/3P5/1Pp5P/3P5/3P5/9/P8 g - g1 100", "i5-d5")
    assert story[-1].startswith("game_over green five_in_a_row")
    assert GAME.outcome(state).rule == "HASAMI-7.1"


def test_a_win_comes_before_a_draw():  # HASAMI-7.3
    """The twentieth quiet turn fills the limit, but makes five."""
    green = ["g6-g7", "g7-f7", "f7-f6", "f6-g6", "g6-h6", "h6-i6", "i6-i5", "i5-g5", "g5-f5"]
    red = ["i9-i8", "i8-i9"] * 5
    memory = [entry for pair in zip(red, [*green, ""], strict=True) for entry in pair if entry]
    line = f"base 4ppppp/9/9/9/5P3/1PPPP4/9/9/PPPP5 g {','.join(memory)} g1 20"
    state, story = after(line, "f5-f4")
    assert story[-1] == "game_over green five_in_a_row b4,c4,d4,e4,f4"
    assert len(state.memory) == 20
    assert GAME.from_position(GAME.position(state)) == state
    _, story = after(line, "f5-f6")
    assert story[-1] == "game_over none quiet_limit"


def test_captures_and_camp_exits_empty_the_memory():  # HASAMI-7.3
    state, _ = after(QUIET, "a1-a2", "i9-i8")
    assert state.memory == ("a1-a2", "i9-i8")
    state, story = ordered(state, "b1-b3")
    assert (state.memory, story[-1]) == ((), "left_camp b3")
    state, _ = after("base 4ppppp/9/9/9/1Pp5P/9/9/9/PPPPP4 g - g1 100", "i5-i4", "i9-i8")
    assert len(state.memory) == 2
    state, _ = ordered(state, "i4-i5", "i8-i9", "i5-d5")
    assert state.memory == ()


def test_in_war_leaving_a_camp_is_no_progress():  # HASAMI-7.3, HASAMI-8.2
    state = GAME.setup(GAME.Options(variant="war", green="1"), Dice()).state
    state, story = ordered(state, "a1-a5")
    assert (state.memory, story) == (("a1-a5",), ["moved samurai a1 a5"])


def test_the_third_occurrence_is_drawn():  # HASAMI-7.4
    state, story = after(QUIET, *TO_AND_FRO, *TO_AND_FRO[:3])
    assert GAME.outcome(state) is None
    state, story = ordered(state, TO_AND_FRO[3])
    assert story[-1] == "game_over none third_repetition"
    assert GAME.outcome(state).places == (("1", "2"),)
    assert GAME.outcome(state).scores == {"1": 0, "2": 0}


def test_pieces_of_one_kind_may_change_places():  # HASAMI-7.4
    """The same squares hold the same kinds, though two Samurai have changed places; a Shogun is another kind."""
    orders = ("a1-a2", "i9-i8", "b1-a1", "i8-i9", "a2-b2", "i9-i8", "b2-b1", "i8-i9")
    state, _ = after("base 4ppppp/9/9/9/9/9/9/9/PPPPP4 g - g1 100", *orders)
    assert GAME.view(state, None).facts["occurrences"] == 2
    state, _ = after("base 4ppppp/9/9/9/9/9/9/9/SPPPP4 g - g1 100", *orders)
    assert GAME.view(state, None).facts["occurrences"] == 1


def test_the_side_to_move_is_part_of_a_position():  # HASAMI-7.4
    """With a triangle of three moves the pieces stand as before, but the other side is to move."""
    orders = ("a1-a2", "i9-i8", "a2-b2", "i8-i9", "b2-a2", "i9-i8", "a2-a1")
    state, _ = after(QUIET, *orders)
    assert GAME.view(state, None).facts["occurrences"] == 1
    orders = ("a1-a2", "i9-i8", "a2-b2", "i8-h8", "b2-a2", "h8-h7")
    state, _ = after(QUIET, *orders)
    assert GAME.view(state, None).facts["occurrences"] == 1


def test_the_quiet_limit():  # HASAMI-7.5
    walk = "a1-a2,i9-i8,a2-b2,i8-h8,b2-c2,h8-g8,c2-d2,g8-f8,d2-e2,f8-e8,e2-f2,e8-d8,f2-g2,d8-c8,g2-h2,c8-b8,h2-i2,b8-a8"
    state, _ = after("base 4ppppp/9/9/9/9/9/9/9/PPPPP4 g - g1 20", *walk.split(","), "i2-i1")
    assert len(state.memory) == 19
    assert GAME.outcome(state) is None
    state, story = ordered(state, "a8-a9")
    assert story[-1] == "game_over none quiet_limit"
    assert GAME.outcome(state).rule == "HASAMI-7.5"


def test_a_side_without_a_move_passes():  # HASAMI-7.6
    state, story = after(WALLED, "e5-i5")
    assert story == ["moved samurai e5 i5", "blocked red"]
    assert GAME.pending(state) == ("1",)
    assert state.memory == ("e5-i5", ".")
    assert GAME.view(state, None).facts["passed"] is True


def test_a_pass_after_a_capture_is_the_first_entry():  # HASAMI-7.6, HASAMI-7.3
    state, story = after("base 9/9/ppPP2PPp/ppPP4P/PP4Pp1/PP7/8P/9/9 g - g1 100", "i3-i5")
    assert story == ["moved samurai i3 i5", "captured h5 13", "blocked red"]
    assert state.memory == (".",)
    assert GAME.from_position(GAME.position(state)) == state


def test_there_is_no_other_end():  # HASAMI-7.7
    state = GAME.from_position(QUIET)
    assert GAME.resignation(state, "1") is None
    assert refused(state, "resign").code == "unreadable"
    over = GAME.from_position("base 4pppp1/9/9/9/1P1P5/9/9/9/PPPP5 over:1 - g1 100")
    assert GAME.pending(over) == ()
    assert GAME.decision(over) == "over"
    assert list(GAME.moves(over, "1")) == list(GAME.moves(over, "2")) == []
    assert refused(over, "e9-e7", "2").rule == "HASAMI-7.7"


@pytest.mark.parametrize(("left", "over"), [("3p1pp2", False), ("7p1", True)])
def test_one_piece_left_has_lost_the_war(left, over):  # HASAMI-8.4, HASAMI-1.2
    state, story = after(f"war {left}/9/9/9/9/1Pp6/9/3P5/P8 g - g1 100", "d2-d4")
    assert ("game_over green army_destroyed" in story) == over
    assert (GAME.outcome(state) is not None) == over


def test_all_at_once():  # HASAMI-8.4
    state, story = after("war 9/9/9/9/9/1Ppp5/9/4P4/P8 g - g2 100", "e2-e4")
    assert story[1:] == ["captured c4,d4 9", "game_over green army_destroyed"]
    assert GAME.outcome(state).places == (("2",), ("1",))
    assert GAME.position(state) == "war 9/9/9/9/9/1P2P4/9/9/P8 over:2 - g2 100"


def test_five_in_a_row_means_nothing_in_war():  # HASAMI-8.4
    state, story = after("war 6ppp/9/9/9/9/1PPPP4/9/5P3/9 g - g1 100", "f2-f4")
    assert story == ["moved samurai f2 f4"]
    assert GAME.outcome(state) is None


@pytest.mark.parametrize("language", ["en", "fr", "it"])
def test_who_plays_the_war_game_reads_that_only_captures_are_progress(language):  # HASAMI-7.3
    state, _ = after("war ppppppppp/9/9/9/9/9/9/9/PPPPPPPPP g - g1 100", "e1-e8")
    assert state.memory == ("e1-e8",), "leaving the camp is a quiet turn there"
    rules = Path(__file__).parents[3] / "templates" / "hasami-shogi" / f"rules.{language}.md"
    of_war = rules.read_text(encoding="utf-8").split("`variant: war`")[1].split("\n## ")[0]
    assert "HASAMI-7.3" in of_war
