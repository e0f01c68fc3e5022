"""The set-up: options, leaders, special cards, first seat, initial yurts (KHAN-2, KHAN-3)."""

from __future__ import annotations

import pytest

from engine import BadOption, Dice
from games.khan import GAME
from games.khan.material import BOARD, LEADERS, NAMES, SHAPES
from games.khan.options import Options
from games.khan.state import NOWHERE

CUSTOM = "F2 C7 C2 L3 K7 C11 G12 L11"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_new_game(players):
    """KHAN-2.1 to KHAN-2.3: full courts, every shape in the supply, nobody has cards."""
    turned = GAME.setup(Options(players=players, first_seat="yellow"), Dice(b"new"))
    state = turned.state
    assert state.courts == (5,) * 8  # KHAN-2.2
    assert state.supply == tuple(shape.copies for shape in SHAPES)  # KHAN-2.3
    assert not any(state.hands)
    assert state.leaders == tuple(leader.start for leader in LEADERS)
    assert [(event.kind, event.rule) for event in turned.events] == [
        ("setup", "KHAN-2.1"),
        ("first_seat", "KHAN-2.6"),
    ]
    assert GAME.pending(state) == ("yellow",)
    assert len(state.todo) == players * {2: 3, 3: 2, 4: 1}[players]


def test_the_first_seat_is_drawn_last_and_only_if_it_is_open():
    """KHAN-2.6, KHAN-16.2: one even draw; none when the option names the seat."""
    assert GAME.setup(Options(players=3), Dice.script([(3, 2)])).state.first == 2
    assert GAME.setup(Options(players=3, first_seat="blue"), Dice.script([])).state.first == 2


def test_custom_leaders():
    """KHAN-2.5."""
    state = GAME.setup(Options(leader_setup="custom", leaders=CUSTOM), Dice(b"c")).state
    assert [NAMES[cell] for cell in state.leaders] == CUSTOM.split()
    assert Options(leader_setup="custom", leaders=CUSTOM.split()) == Options(leader_setup="custom", leaders=CUSTOM)
    assert "leader_setup:custom:F2,C7" in GAME.position(state)


@pytest.mark.parametrize("seed", range(20))
def test_leaders_by_chance_keep_their_distance(seed):
    """KHAN-2.5: at least four king's steps, or as far as there is room."""
    cells = GAME.setup(Options(leader_setup="random"), Dice(bytes([seed]))).state.leaders
    assert NOWHERE not in cells
    for place, one in enumerate(cells):
        near = BOARD.around(1 << one)
        assert not any(near >> other & 1 for other in cells[:place])


@pytest.mark.parametrize(
    ("choices", "word"),
    [
        ({"players": 5}, "from 2 to 4"),
        ({"players": "two"}, "from 2 to 4"),
        ({"first_seat": "blue"}, "choose random, red, yellow"),
        ({"leader_setup": "free"}, "printed, custom, random"),
        ({"leader_setup": "custom"}, "eight different land cells"),
        ({"leader_setup": "custom", "leaders": CUSTOM.replace("F2", "C7")}, "eight different land cells"),
        ({"leader_setup": "custom", "leaders": CUSTOM.replace("F2", "F4")}, "F4 is not a land cell"),
        ({"leader_setup": "custom", "leaders": CUSTOM.replace("F2", "A1")}, "A1 is not a land cell"),
        ({"leaders": CUSTOM}, "only with leader_setup custom"),
    ],
)
def test_options_that_cannot_be(choices, word):
    """KHAN-2.1, KHAN-2.5: E80, to the organiser."""
    with pytest.raises(BadOption) as refused:
        Options(**choices)
    assert refused.value.code == "E80"
    assert word in str(refused.value)


def test_options_go_to_json_and_back():
    for options in (Options(), Options(players=4, leader_setup="custom", leaders=CUSTOM, first_seat="green")):
        assert Options(**options.to_json()) == options
        assert options.seats == GAME.seats(options) == ("red", "yellow", "blue", "green")[: options.players]


def test_initial_yurts_then_the_deal_then_turn_1():
    """KHAN-3.1 to KHAN-3.4: clockwise from the first seat, three times round; the first seat takes turn 1."""
    turned = GAME.setup(Options(first_seat="yellow"), Dice(b"deal"))
    seats, events = [], []
    for cell in ("A9", "B9", "C9", "D9", "E9", "F9"):
        (seat,) = GAME.pending(turned.state)
        seats.append(seat)
        turned = GAME.resolve(turned.state, {seat: GAME.read(turned.state, seat, f"P {cell}")}, Dice(b"deal"))
        events += turned.events
    assert seats == ["yellow", "red"] * 3
    kinds = [event.kind for event in events]
    assert kinds[:6] == ["place"] * 6
    assert kinds[6:10] == ["shuffle", "deal", "deal", "turn"]
    assert [event.facts["seat"] for event in events if event.kind == "deal"] == ["yellow", "red"]
    assert [len(hand) for hand in turned.state.hands] == [4, 4]
    assert (turned.state.turn, GAME.pending(turned.state)) == (1, ("yellow",))
