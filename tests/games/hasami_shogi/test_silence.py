"""The default action at a missed deadline (HASAMI-6.6), and warnings about slips."""

import random

import pytest

from engine import Dice
from engine.advance import advance
from engine.queue import NO_ORDERS, SeatOrders
from games.hasami_shogi import GAME
from tests.games.hasami_shogi.drawing import legal, ordered
from tests.games.hasami_shogi.second import Table
from tests.games.hasami_shogi.second import square as at
from tests.games.hasami_shogi.test_random_games import SETTINGS, chosen


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        # a win by five in a row, though three pieces could be captured
        ("base 4ppppp/9/9/9/6ppP/1PPPP4/9/5P3/PPPPP4 g - g1 100", "f2-f4"),
        # a win by captures: one piece is enough, though two could be captured elsewhere
        ("base 4pppp1/9/9/9/1Pp6/9/9/3P5/PPPP5 g - g1 100", "d2-d5"),
        # the most captures
        ("base 4ppppp/9/9/9/1Pppp1Pp1/9/5P2P/9/PPPPP4 g - g1 100", "g5-f5"),
        # a corner counts
        ("war 2pp3Pp/2P6/9/9/9/9/9/9/P8 g - g1 100", "c8-i8"),
        # few pieces of one's own are no win
        ("base 9/2p6/p8/5p3/1Pp1pP3/1P1P3P1/P6PP/8P/2PPP4 g - g2 60", "b5-d5"),
        ("base 9/4p4/7pp/3p3p1/1p1p1pp1p/4Pp3/3p3PP/3P3P1/9 r - g2 60", "d6-d4"),
        # nothing to take: the shortest, then the first in the list
        ("base ppppppppp/ppppppppp/9/9/9/9/9/PPPPPPPPP/PPPPPPPPP g - g1 100", "a2-a3"),
        # the first of the shortest would be captured
        ("base 3pppp2/9/9/1p7/2P6/9/9/9/PPPPP4 g - g1 100", "c5-b5"),
    ],
)
def test_default(line, expected):  # HASAMI-6.6
    state = GAME.from_position(line)
    (seat,) = GAME.pending(state)
    assert str(GAME.default(state, seat)) == expected


def test_when_every_move_is_unsafe_the_shortest():  # HASAMI-6.6
    """A single red piece on the board's middle, hunted from everywhere: each of its moves can be answered."""
    state = GAME.from_position("war 4p4/4p4/9/9/9/9/9/9/PPPPPPPPP r - g1 100")
    assert str(GAME.default(state, "2")) in legal(state)
    table = Table(GAME.position(state))
    expected = by_the_book(table)
    assert str(GAME.default(state, "2")) == expected


def by_the_book(table):
    """HASAMI-6.6 said plainly, by the second program."""
    menu, side = table.actions(), table.turn
    winner = table.sides[1] if side == "g" else "12".replace(table.sides[1], "")

    def pieces(one):
        own = "PS" if side == "g" else "ps"
        return sum(letter in "PSps" and letter not in own for letter in one.at.values())

    for action in menu:
        if table.after(action).turn == f"over:{winner}":
            return action
    most = min(menu, key=lambda action: pieces(table.after(action)))
    if pieces(table.after(most)) < pieces(table):
        return most
    order = sorted(
        menu, key=lambda action: max(abs(a - b) for a, b in zip(at(action[:2]), at(action[3:]), strict=True))
    )
    return next((action for action in order if safe(table, action)), order[0])


def safe(table, action):
    after = table.after(action)
    after.turn, after.memory, after.limit = "gr".replace(table.turn, ""), [], 999
    end, letter = at(action[3:]), table.at[at(action[:2])]
    return all(after.after(reply).at[end] == letter for reply in after.actions())


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_against_the_rule_said_plainly(setting):  # HASAMI-6.6
    luck = random.Random(f"silence {setting}")
    state = GAME.setup(GAME.Options(**setting, quiet_limit=400), Dice(b"silence")).state
    for step in range(120):
        if not GAME.pending(state):
            break
        (seat,) = GAME.pending(state)
        if step % 12 == 0:
            assert str(GAME.default(state, seat)) == by_the_book(Table(GAME.position(state))), GAME.position(state)
        move = chosen(state, list(GAME.moves(state, seat)), luck, 0.1)
        state = GAME.resolve(state, {seat: move}, Dice()).state


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_a_game_of_two_silent_seats_ends(setting):
    state = GAME.setup(GAME.Options(**setting, green="1", quiet_limit=20), Dice()).state
    for _ in range(3000):
        if not GAME.pending(state):
            break
        (seat,) = GAME.pending(state)
        move = GAME.default(state, seat)
        assert move in list(GAME.moves(state, seat))
        state = GAME.resolve(state, {seat: move}, Dice()).state
    assert GAME.outcome(state) is not None


def noticed(line, order):
    state = GAME.from_position(line)
    (seat,) = GAME.pending(state)
    return [
        (notice.rule, notice.code, str(notice)) for notice in GAME.notices(state, seat, GAME.read(state, seat, order))
    ]


def test_a_piece_moved_into_a_capture_is_noticed():  # HASAMI-5.1
    assert noticed("base 3pppp2/9/9/1p7/2P6/9/9/9/PPPPP4 g - g1 100", "c5-c6") == [
        ("HASAMI-5.1", "can_be_captured", "The piece on c6 could then be captured by d9-d6.")
    ]
    assert noticed("base 3pppp2/9/9/1p7/2P6/9/9/9/PPPPP4 g - g1 100", "c5-c4") == []


def test_a_second_occurrence_is_noticed():  # HASAMI-7.4
    line = "base 4ppppp/9/9/9/9/9/9/9/PPPPP4 g - g1 100"
    state, _ = ordered(GAME.from_position(line), "a1-a2", "i9-i8", "a2-a1")
    assert [code for _, code, _ in noticed(GAME.position(state), "i8-i9")] == ["repetition"]
    assert noticed(GAME.position(state), "i8-i7") == []


def test_no_warning_when_the_move_ends_the_game():
    assert noticed("base 4ppppp/9/9/9/6ppP/1PPPP4/9/5P3/PPPPP4 g - g1 100", "f2-f4") == []


def test_no_preview_and_no_notice_for_another_seat():
    state = GAME.from_position("base 4ppppp/9/9/9/9/9/9/9/PPPPP4 g - g1 100")
    move = GAME.read(state, "1", "a1-a2")
    assert GAME.preview(state, "2", move) == GAME.notices(state, "2", move) == ()
    assert [event.kind for event in GAME.preview(state, "1", move)] == ["moved"]


def test_silence_speaks_for_one_turn():  # HASAMI-6.6, HASAMI-7.6
    """Red passes by itself, so green has a new turn."""
    state = GAME.from_position("base 9/9/ppPP2PPp/ppPP4P/PP2P4/PP7/9/9/9 g - g1 100")
    orders = {"1": SeatOrders(draft=("e5-i5",)), "2": NO_ORDERS}
    went = advance(GAME, state, orders, Dice(b"seed").at, turn=1, late=["1"])
    assert [step.events[-1].kind for step in went.steps] == ["blocked"]
    assert went.asked == ("1",)
