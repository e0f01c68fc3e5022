"""Seats, options and the set-up (BAGH-1, BAGH-3, BAGH-8.1, BAGH-9.1)."""

import pytest

from engine import BadOption, Dice
from tests.games.bagh_chal.drawing import GAME, board_of, drawn
from tests.games.bagh_chal.story import lines


def test_two_seats_and_no_secrets():  # BAGH-1.1
    assert GAME.seats(GAME.Options()) == ("1", "2")
    state = GAME.setup(GAME.Options(tigers="1"), Dice()).state
    assert GAME.view(state, "1").facts == GAME.view(state, "2").facts == GAME.view(state, None).facts
    assert GAME.view(state, "1").facts["seats"] == {"1": "tigers", "2": "goats"}


@pytest.mark.parametrize(("turn", "pending"), [("g", ("2",)), ("t", ("1",))])
def test_one_seat_is_pending(turn, pending):  # BAGH-1.3
    state = drawn("T . . . T / . . g . . / . . . . . / . . . . . / T . . . T".replace("/", "\n"), turn)
    assert GAME.pending(state) == pending


def test_nobody_is_pending_at_the_end():  # BAGH-1.3
    over = GAME.from_position("classic 4T/5/2T2/5/T3T over:1 15 5 off - single:1:1-0-0:t1 100")
    assert GAME.pending(over) == ()
    assert list(GAME.moves(over, "1")) == []


@pytest.mark.parametrize(("value", "tigers"), [(0, "1"), (1, "2")])
def test_roles_are_drawn(value, tigers):  # BAGH-3.2
    dice = Dice.script([(2, value)])
    state, events = GAME.setup(GAME.Options(), dice)
    assert lines(events) == [f"roles 1 t{tigers} drawn", "game_started 1"]
    assert GAME.pending(state) != (tigers,)  # BAGH-3.1: the goats act first
    assert len(dice.draws) == 1


@pytest.mark.parametrize("seat", ["1", "2"])
def test_chosen_roles_draw_nothing(seat):  # BAGH-3.2
    dice = Dice.script([])
    state, events = GAME.setup(GAME.Options(tigers=seat), dice)
    assert lines(events)[0] == f"roles 1 t{seat} chosen"
    assert state.score.tigers == seat


@pytest.mark.parametrize(
    ("variant", "board", "hand"), [("classic", "T3T/5/5/5/T3T", 20), ("pulijudam", "T/2TT2/6/6/4", 15)]
)
def test_tigers_on_their_points_and_goats_in_hand(variant, board, hand):  # BAGH-3.1, BAGH-8.1
    state = GAME.setup(GAME.Options(variant=variant, tigers="1"), Dice()).state
    assert (board_of(state), state.hand) == (board, hand)


@pytest.mark.parametrize(
    ("choices", "board"),
    [
        ({}, "T3T/5/5/5/A3T"),
        ({"alpha": "E5"}, "T3A/5/5/5/T3T"),
        ({"variant": "pulijudam"}, "A/2TT2/6/6/4"),
        ({"variant": "pulijudam", "alpha": "c4"}, "T/2AT2/6/6/4"),
    ],
)
def test_the_alpha_replaces_a_tiger(choices, board):  # BAGH-9.1
    state = GAME.setup(GAME.Options(heroes=True, tigers="1", **choices), Dice()).state
    assert board_of(state) == board
    assert state.bouc == 0
    assert state.hand in (20, 15)


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ({"alpha": "a1"}, "heroes: true"),
        ({"heroes": True, "alpha": "c3"}, "a5, e5, a1, e1"),
        ({"heroes": True, "alpha": "a1", "variant": "pulijudam"}, "t5, c4, d4"),
        ({"variant": "valley"}, "classic, pulijudam"),
        ({"match": "two"}, "single, three"),
        ({"tigers": "3"}, "random, 1, 2"),
        ({"quiet_limit": 19}, "20 to 400"),
        ({"quiet_limit": 401}, "20 to 400"),
        ({"heros": True}, "heroes"),
    ],
)
def test_options_that_are_refused(choices, said):
    with pytest.raises(BadOption, match=said):
        GAME.Options(**choices)


@pytest.mark.parametrize(
    "choices", [{}, {"heroes": "yes"}, {"variant": "pulijudam", "heroes": True, "quiet_limit": "400"}]
)
def test_options_there_and_back(choices):
    """What is kept of a game names its defaults, the Alpha's point among them, and gives the same options again."""
    options = GAME.Options(**choices)
    kept = options.to_json()
    assert GAME.Options(**kept) == options
    assert bool(kept["alpha"]) == options.heroes
