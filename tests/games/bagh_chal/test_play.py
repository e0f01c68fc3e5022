"""Both phases: placing, walking, jumping, going back, passing (BAGH-4, BAGH-5)."""

import pytest

from tests.games.bagh_chal.drawing import FENCED, GAME, NEW, OPEN, board_of, drawn, legal, ordered


def test_goats_place_on_every_empty_point_in_board_order():  # BAGH-4.1, BAGH-6.4
    state = drawn(NEW, "g")
    assert legal(state)[:3] == ["place b5", "place c5", "place d5"]
    assert len(legal(state)) == 21


def test_tigers_list_walks_and_jumps_mixed():  # BAGH-4.2, BAGH-4.3, BAGH-4.4, BAGH-6.4
    state = drawn(
        """. . . . .
           . g . . .
           . . T . .
           . . . g .
           T . T . T""",
        "t",
    )
    # From c3 in board order: the jump to a5 first, then the walks; d2 is taken and e1 behind it too.
    assert legal(state)[:7] == ["c3xa5", "c3-c4", "c3-d4", "c3-b3", "c3-d3", "c3-b2", "c3-c2"]


def test_a_tiger_jumps_over_a_lone_goat():  # BAGH-4.4
    before = drawn(
        """T . . . T
           . g . . .
           . . . . .
           . . . . .
           T . . . T""",
        "t",
    )
    after, story = ordered(before, "a5xc3")
    assert board_of(after) == "4T/5/2T2/5/T3T"
    assert story == ["captured tiger a5 b4 c3 goat 1"]
    assert after.captured == 1


@pytest.mark.parametrize("behind", ["g", "T"])
def test_the_point_behind_must_be_empty(behind):  # BAGH-4.4
    state = drawn(
        f"""T . . . T
            . g . . .
            . . {behind} . .
            . . . . .
            T . . . {"." if behind == "T" else "T"}""",
        "t",
    )
    assert "a5-a4" in legal(state)
    assert "a5xc3" not in legal(state)


def test_one_jump_is_the_turn_and_none_is_forced():  # BAGH-4.5
    before = drawn(
        """T . . . T
           . g . . .
           . . . . .
           . . . g .
           T . T . .""",
        "t",
    )
    assert {"a5xc3", "c1xe3", "e5-e4"} <= set(legal(before))
    after, _ = ordered(before, "a5xc3")  # a second jump, c3xe1, would be there
    assert GAME.pending(after) == ("2",)


def test_a_trapped_tiger_is_free_again():  # BAGH-4.6
    before = drawn(
        """T g g . T
           g g . . .
           g . . . .
           . . . . .
           T . . . T""",
        "t",
    )
    assert GAME.view(before, None).facts["trapped"] == []  # a5 jumps over b4 to c3
    closed, _ = ordered(before, "e5-e4", "place c3")
    assert GAME.view(closed, None).facts["trapped"] == ["a5"]
    assert not any(move.startswith("a5") for move in legal(closed))
    opened, _ = ordered(closed, "e4-d4", "place e5", "d4xb2")
    assert GAME.view(opened, None).facts["trapped"] == []


def test_phase_two_begins_with_the_last_placing():  # BAGH-5.1, BAGH-5.5
    last = drawn(
        """T g . g T
           g g g g g
           g . g . g
           g g . g g
           T g . . T""",
        "g",
        captured=4,
    )
    assert GAME.decision(last) == "place"
    placed, story = ordered(last, "place c1")
    assert story == ["placed c1 0", "phase_two"]
    moved, _ = ordered(placed, "e1-d1")
    assert moved.memory == ("e1-d1",)  # the tigers' reply already belongs to phase II
    assert GAME.decision(moved) == "move"


def test_goats_walk_in_phase_two():  # BAGH-5.2
    state = drawn(OPEN, "g", captured=4)
    assert legal(state)[:4] == ["b5-c5", "d5-c5", "b4-c5", "b4-b3"]
    assert not [move for move in legal(state) if "x" in move or "place" in move]


def test_tigers_move_alike_in_both_phases():  # BAGH-5.3
    """The same tigers among the same neighbours, with a goat in hand and without."""
    rows = """T g . g T
              g g g g g
              g . g . g
              g g . g g
              T g {} . T"""
    phase_one, phase_two = drawn(rows.format("."), "t", captured=4), drawn(rows.format("g"), "t", captured=4)
    assert (phase_one.hand, phase_two.hand) == (1, 0)
    for corner, moves in {"a5": ["a5xc5"], "e5": ["e5xc5"], "e1": ["e1-d1"]}.items():
        for state in (phase_one, phase_two):
            assert [move for move in legal(state) if move.startswith(corner)] == moves


def test_the_way_back_is_closed_for_one_turn():  # BAGH-5.4
    state, _ = ordered(drawn(OPEN, "g", captured=4), "b4-b3", "e1-d1")
    assert "b3-b4" not in legal(state)
    state, _ = ordered(state, "d2-e1")
    assert "d1-e1" not in legal(state)
    assert "d1-d2" in legal(state)  # by another path the tiger may leave
    state, _ = ordered(state, "d1-d2")
    assert "b3-b4" in legal(state)  # after another turn of the goats the way back is open


def test_another_piece_may_use_the_path():  # BAGH-5.4
    state = drawn(OPEN, "g", captured=4, memory="b3-b4,d1-e1")
    assert "b4-b3" not in legal(state)
    assert {"a3-b3", "c3-b3", "b2-b3"} <= set(legal(state))


def test_the_way_back_is_open_when_it_is_all_there_is():  # BAGH-5.4
    state = drawn(
        """T g g g T
           g g . g g
           g . g . g
           T g g g g
           . . g g T""",
        "t",
        captured=4,
        memory="a1-a2,b1-c1",
    )
    assert legal(state) == ["a2-a1"]
    _, story = ordered(state, "a2-a1")
    assert story == ["retreat_allowed a2-a1", "walked tiger a2 a1"]


def test_progress_empties_the_memory_of_both_sides():  # BAGH-5.5
    state = drawn(
        """T g . g T
           g g g g g
           g . g . g
           g g g g g
           T g g . T""",
        "t",
        captured=3,
        memory="d1-e1,b3-b4",
    )
    after, _ = ordered(state, "a5xc5")
    assert after.memory == ()
    assert "b4-b3" in legal(after)


def test_phase_one_writes_nothing_down():  # BAGH-5.5
    state, _ = ordered(drawn(NEW, "g"), "place c3", "a5-a4", "place c4", "a4-a5")
    assert state.memory == ()


def test_goats_that_cannot_move_pass_by_themselves():  # BAGH-5.6
    state, story = ordered(drawn(FENCED, "t", captured=0), "a1-b2")
    assert story == ["walked tiger a1 b2", "goats_blocked"]
    assert state.memory == ("a1-b2", ".")
    assert GAME.pending(state) == ("1",)
    assert "b2-a1" not in legal(state)  # BAGH-5.4: the pass does not reopen the way back
