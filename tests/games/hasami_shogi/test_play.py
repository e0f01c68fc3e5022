"""Set-up, moves and captures, paragraph by paragraph (HASAMI-1 to HASAMI-5, HASAMI-8, HASAMI-9)."""

import pytest

from engine import BadOption, Dice
from games.hasami_shogi import GAME
from tests.games.hasami_shogi.drawing import board_of, drawn, legal, ordered, refused

EMPTY = ". . . . . . . . .\n"
RED = ". . . . r r r r r\n" + EMPTY
GREEN = EMPTY + "G G G G G . . . .\n"


def field(five_rows, turn="g", **more):
    """A battlefield of five drawn rows between two camps with five pieces each."""
    return drawn(RED + five_rows.strip() + "\n" + GREEN, turn, **more)


def new(**choices):
    return GAME.setup(GAME.Options(**{"green": "1", **choices}), Dice()).state


# --- HASAMI-1 and HASAMI-3: sides and set-up ------------------------------------------------------------------------


def test_two_seats_of_which_one_is_to_move():  # HASAMI-1.1, HASAMI-3.3
    state = new()
    assert GAME.seats(GAME.Options()) == ("1", "2")
    assert GAME.pending(state) == ("1",)
    state, _ = ordered(state, "e2-e5")
    assert GAME.pending(state) == ("2",)
    assert list(GAME.moves(state, "1")) == []
    state, _ = ordered(state, "e8-e6")
    assert GAME.pending(state) == ("1",)


def test_green_begins_whoever_has_it():  # HASAMI-3.3
    assert GAME.pending(new(green="2")) == ("2",)


@pytest.mark.parametrize(("drawn_number", "seat"), [(0, "1"), (1, "2")])
def test_the_sides_are_drawn(drawn_number, seat):  # HASAMI-3.2
    state, events = GAME.setup(GAME.Options(), Dice.script([(2, drawn_number)]))
    assert GAME.pending(state) == (seat,)
    assert [(event.kind, event.rule) for event in events] == [("sides", "HASAMI-3.2"), ("game_started", "HASAMI-3.1")]
    assert events[0].facts == {"green": seat, "how": "drawn"}


def test_nothing_is_drawn_when_the_sides_are_chosen():  # HASAMI-3.2
    dice = Dice.script([])
    GAME.setup(GAME.Options(green="2"), dice)
    assert dice.draws == []


@pytest.mark.parametrize(("variant", "pieces"), [("base", 18), ("war", 9)])
def test_a_piece_on_every_square_of_the_camps(variant, pieces):  # HASAMI-3.1, HASAMI-8.1, HASAMI-2.2
    facts = GAME.view(new(variant=variant), None).facts
    assert facts["left"] == {"green": pieces, "red": pieces}
    camps = facts["board"]["camps"]
    assert {(side, int(square[1])) for square, (side, _) in facts["pieces"].items()} == {
        (side, row) for side, rows in camps.items() for row in rows
    }


@pytest.mark.parametrize(
    ("options", "squares"),
    [
        ({"shogun": "none"}, []),
        ({"shogun": "front"}, ["e8", "e2"]),
        ({"shogun": "back"}, ["e9", "e1"]),
        ({"shogun": "front", "variant": "war"}, ["e9", "e1"]),
        ({"shogun": "back", "variant": "war"}, ["e9", "e1"]),
    ],
)
def test_where_the_shoguns_start(options, squares):  # HASAMI-9.1
    facts = GAME.view(new(**options), None).facts
    assert [square for square, (_, kind) in facts["pieces"].items() if kind == "shogun"] == squares
    assert facts["left"]["green"] == GAME.view(new(variant=facts["variant"]), None).facts["left"]["green"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"variant": "peace"},
        {"shogun": "middle"},
        {"green": "3"},
        {"quiet_limit": 19},
        {"quiet_limit": 401},
        {"size": 9},
    ],
)
def test_options_the_table_does_not_know(wrong):
    with pytest.raises(BadOption):
        GAME.Options(**wrong)


# --- HASAMI-2: board ------------------------------------------------------------------------------------------------


def test_the_board_has_81_squares_in_board_order():  # HASAMI-2.1, HASAMI-2.3
    squares = list(GAME.view(new(), None).facts["board"]["squares"])
    assert squares == [file + row for row in "987654321" for file in "abcdefghi"]


def test_there_is_no_wrapping():  # HASAMI-2.1
    state = drawn(EMPTY * 4 + ". . . . . . . . G\nr G . . . . . . .\n" + EMPTY * 2 + ". . r . . . . . .", variant="war")
    assert not {"i5-a4", "i5-a6", "i5-b4"} & set(legal(state))
    state, story = ordered(state, "i5-i4")
    assert story == ["moved samurai i5 i4"], "a4 stands between b4 and the rim, not between b4 and i5"


# --- HASAMI-4: moving -----------------------------------------------------------------------------------------------

LONE = field(""". . . . . . . . .
                . . . . r . . . .
                . . . G . . . . .
                . . . . . . . . .
                . . . . . . . . .""")


def from_square(state, square):
    return [text for text in legal(state) if text.startswith(square)]


def test_a_slide_as_far_as_one_likes():  # HASAMI-4.2
    assert from_square(LONE, "d5") == [
        *("d5-d7", "d5-d6"),  # up to the battlefield's rim
        *("d5-a5", "d5-b5", "d5-c5", "d5-e5", "d5-f5", "d5-g5", "d5-h5", "d5-i5"),
        *("d5-d4", "d5-d3"),
    ]


def test_a_slide_stops_before_a_piece():  # HASAMI-4.2
    state = field(EMPTY * 2 + "G . . G G . . . .\n" + EMPTY * 2)
    assert "a5-c5" in legal(state)
    assert {"a5-f5", "a5-g5"}.isdisjoint(legal(state))
    assert refused(state, "a5-f5").code == "blocked"


@pytest.mark.parametrize("over", ["G", "r"])
def test_a_jump_over_a_neighbour_of_either_side(over):  # HASAMI-4.3, HASAMI-4.4
    state = field(EMPTY * 2 + f". . G {over} . . . . .\n" + EMPTY * 2)
    after, story = ordered(state, "c5-e5")
    assert story == ["jumped samurai c5 d5 e5"]
    assert GAME.view(after, None).facts["left"] == GAME.view(state, None).facts["left"]
    assert "d5" in GAME.view(after, None).facts["pieces"]


def test_no_jump_onto_a_piece_and_no_second_jump():  # HASAMI-4.3
    state = field(EMPTY * 2 + ". . G r r . r . .\n" + EMPTY * 2)
    assert "c5-e5" not in legal(state)
    assert refused(state, "c5-f5").code == "blocked"
    state = field(EMPTY * 2 + ". . G r . r . . .\n" + EMPTY * 2)
    assert "c5-e5" in legal(state)
    assert refused(state, "c5-g5").code == "blocked"


def test_one_move_of_one_own_piece_and_no_pass():  # HASAMI-4.1
    state = new()
    assert {text[1] for text in legal(state)} == {"1", "2"}
    for word in ("pass", ".", "stay", ""):
        assert refused(state, word).code == "unreadable"


def test_a_piece_that_has_left_its_camp_may_not_return():  # HASAMI-4.5
    state = field(EMPTY * 4 + ". . . . . . G . .")
    assert not [text for text in from_square(state, "g3") if text[4] in "12"]
    assert refused(state, "g3-g1").code == "own_camp_closed"
    back = field(EMPTY * 4 + ". . . . . . . . .")
    assert {"a1-a2", "e1-i1"} <= set(legal(back))


def test_the_enemy_camp_is_closed():  # HASAMI-4.6
    state = field("G . . . . . . . .\n" + EMPTY * 4)
    assert [text for text in legal(state) if text[4] in "89"] == []
    assert refused(state, "a7-a9").code == "enemy_camp_closed"
    assert refused(state, "a1-a8").code == "enemy_camp_closed"


def test_only_the_end_of_a_move_counts_for_the_camps():  # HASAMI-4.7
    state = new()
    _, story = ordered(state, "a1-a3")  # a jump over a2, out of the camp
    assert story == ["jumped samurai a1 a2 a3", "left_camp a3"]
    state = drawn(RED + EMPTY * 5 + ". . . . . . . . .\nG G G G G . . . .")
    assert "e1-e7" in legal(state)  # through the rest of its own camp and the battlefield


# --- HASAMI-5: capturing --------------------------------------------------------------------------------------------


def test_a_line_between_the_moved_piece_and_another():  # HASAMI-5.1, HASAMI-5.4
    state = field(""". . . . . . . . .
                     . . . . . . . . .
                     . G r r r . . . .
                     . . . . . . . . .
                     . . . . . G . . .""")
    after, story = ordered(state, "f3-f5")
    assert story == ["moved samurai f3 f5", "captured c5,d5,e5 13"]
    assert board_of(after) == "4ppppp/9/9/9/1P3P3/9/9/9/PPPPP4"
    assert ordered(state, "f3xf5") == (after, story)


def test_a_gap_or_the_rim_saves_the_line():  # HASAMI-5.1
    state = field(EMPTY * 2 + "r r . . . . . . .\n" + EMPTY + ". . G . . . . . .")
    assert ordered(state, "c3-c5")[1] == ["moved samurai c3 c5"]
    state = field(EMPTY * 2 + "G . r r . . . . .\n" + EMPTY + ". . . . G . . . .")
    assert ordered(state, "e3-e5")[1] == ["moved samurai e3 e5"]


def test_diagonals_never_capture():  # HASAMI-5.1
    state = field(""". . . . . . . . .
                     . . . . G . . . .
                     . . . r . . . . .
                     . . . . . . . . .
                     . . G . . . . . .""")
    assert ordered(state, "c3-c4")[1] == ["moved samurai c3 c4"]


def test_all_directions_count_at_the_same_time():  # HASAMI-5.2
    state = field(""". . . . G . . . .
                     . . . . r . . . .
                     G r r r . r G . .
                     . . . . . . . . .
                     . . . . G . . . .""")
    after, story = ordered(state, "e3-e5")
    assert story == ["moved samurai e3 e5", "captured e6,b5,c5,d5,f5 13"]
    assert GAME.view(after, None).facts["left"] == {"green": 9, "red": 5}


def test_moving_between_two_enemies_is_safe():  # HASAMI-5.3
    state = field(EMPTY * 2 + ". . . r . r . . .\n" + EMPTY + ". . . . G . . . .")
    after, story = ordered(state, "e3-e5", "e9-e8")
    assert story == ["moved samurai e3 e5", "moved samurai e9 e8"], "not by a move elsewhere either"
    assert "e5" in GAME.view(after, None).facts["pieces"]


def test_only_the_moved_piece_captures():  # HASAMI-5.3
    """d5 went between c5 and e5 by itself; a green piece moves far away."""
    state = field(""". . . . . . . . .
                     . . . . . . . . .
                     . . G r G . . . .
                     . . . . . . . . .
                     . . . . . . . . G""")
    assert ordered(state, "i3-i4")[1] == ["moved samurai i3 i4"]


def test_the_partner_may_stand_in_a_camp():  # HASAMI-5.5
    state = drawn(RED + EMPTY * 3 + ". . . . G . . . .\nr . . . . . . . .\nG . . . . . . . .\nG G G G . . . . .")
    assert ordered(state, "e4-a4")[1] == ["moved samurai e4 a4", "captured a3 13"]


def test_a_move_inside_the_camp_may_capture():  # HASAMI-5.5
    state = drawn(RED + EMPTY * 3 + "G . . . . . . . .\nr . . . . . . . .\n. . G . . . . . .\nG G G G . . . . .")
    assert ordered(state, "c2-a2")[1] == ["moved samurai c2 a2", "captured a3 13"]


def test_captured_pieces_are_out_of_the_game():  # HASAMI-5.6
    state = field(EMPTY * 2 + "G r . G . . . . .\n" + EMPTY * 2)
    after, story = ordered(state, "d5-c5")
    assert story[-1] == "captured b5 13"
    facts = GAME.view(after, None).facts
    assert (facts["left"]["red"], facts["captured"]["green"]) == (5, 13)
    assert "b5" not in facts["pieces"]


# --- HASAMI-8: the war game -----------------------------------------------------------------------------------------


def test_in_the_war_game_camps_are_open():  # HASAMI-8.2
    state = drawn(". . . r r r r . .\n" + EMPTY * 7 + "G G . . G . . . .", variant="war")
    assert {"a1-a9", "b1-b9"} <= set(legal(state))
    state, story = ordered(state, "a1-a9", "d9-d2", "a9-a1")
    assert story == ["moved samurai a1 a9", "moved samurai d9 d2", "moved samurai a9 a1"]


CORNER = ". . . . . G . . r\n. . . . . . . . G\n" + EMPTY * 4 + "r . . . r . . . .\n" + EMPTY + "G . . . . . . . ."


def test_a_corner_is_captured_by_its_second_neighbour():  # HASAMI-8.3
    state = drawn(CORNER, variant="war")
    assert ordered(state, "f9-h9")[1] == ["moved samurai f9 h9", "captured i9 7"]
    assert GAME.preview(state, "1", GAME.read(state, "1", "f9-h9"))[1].rule == "HASAMI-8.3"


@pytest.mark.parametrize(
    ("corner", "near", "piece", "order"),
    [
        ("a1", "b1", "a5", "a5-a2"),
        ("a9", "a8", "e9", "e9-b9"),
        ("i1", "h1", "i5", "i5-i2"),
        ("i9", "h9", "i5", "i5-i8"),
    ],
)
def test_every_corner(corner, near, piece, order):  # HASAMI-8.3
    at = {corner: "r", near: "G", piece: "G", "d5": "r", "e4": "r", "f7": "G"}
    board = "\n".join("".join(at.get(file + row, ".") for file in "abcdefghi") for row in "987654321")
    assert ordered(drawn(board, variant="war"), order)[1][1] == f"captured {corner} 7"


def test_two_lines_do_not_turn_a_corner():  # HASAMI-8.3
    at = {"a1": "r", "a2": "r", "b1": "r", "a3": "G", "c5": "G", "i9": "r"}
    board = "\n".join("".join(at.get(file + row, ".") for file in "abcdefghi") for row in "987654321")
    assert ordered(drawn(board, variant="war"), "c5-c1")[1] == ["moved samurai c5 c1"]


# --- HASAMI-9: the Shogun -------------------------------------------------------------------------------------------

STAR = field(""". . . . . . . . .
                . . . . . . . . .
                . . . . K . . . .
                . . . r . r . . .
                . . . . . . . . .""")


def test_a_shogun_moves_like_a_queen_of_chess_that_jumps():  # HASAMI-9.2
    assert from_square(STAR, "e5") == [
        *("e5-c7", "e5-e7", "e5-g7", "e5-d6", "e5-e6", "e5-f6"),
        *("e5-a5", "e5-b5", "e5-c5", "e5-d5", "e5-f5", "e5-g5", "e5-h5", "e5-i5"),
        *("e5-e4", "e5-c3", "e5-e3", "e5-g3"),
    ]
    assert ordered(STAR, "e5-c3")[1] == ["jumped shogun e5 d4 c3"]
    assert refused(STAR, "e5-b2").code == "own_camp_closed"


def test_a_shogun_captures_along_rows_and_columns_only():  # HASAMI-9.3
    state = field(""". . . . . . . . .
                     . . . G . . . . .
                     G r r . . . . . .
                     . . . . . . . . .
                     . . . K . . . . .""")
    assert ordered(state, "d3-b3")[1] == ["moved shogun d3 b3"], "d5 and b3 lie on a diagonal with c4, but not c5"
    assert ordered(state, "d3-d5")[1] == ["moved shogun d3 d5", "captured b5,c5 13"]


def test_a_shogun_is_captured_and_counted_like_a_samurai():  # HASAMI-9.3
    state = field(EMPTY * 2 + ". r K . . . . r .\n" + EMPTY * 2, "r")
    after, story = ordered(state, "h5-d5")
    assert story == ["moved samurai h5 d5", "captured c5 13"]
    assert GAME.view(after, None).facts["left"]["green"] == 5
